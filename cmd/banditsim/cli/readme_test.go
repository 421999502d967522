package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/datasets/mushroom"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// fenced returns the code blocks of a language.
func fenced(text, language string) []string {
	var blocks []string
	for {
		_, rest, ok := strings.Cut(text, "\n```"+language+"\n")
		if !ok {
			return blocks
		}
		var block string
		block, text, _ = strings.Cut(rest, "```\n")
		blocks = append(blocks, block)
	}
}

// TestReadmeCommands runs the commands of the README in order in an empty folder. Runs are shortened to
// a few rounds of small networks and one sampler; .ci/run runs the commands of the Go tool, and those that need the
// network or the real file are left out.
func TestReadmeCommands(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "own.data")
	writeData(t, data)
	done := 0
	for _, block := range fenced(readme(t), "sh") {
		for line := range strings.Lines(block) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
			words := strings.Fields(line)
			if len(words) == 0 || words[0] != "banditsim" || strings.Join(words[1:], " ") == "data fetch" || strings.Join(words[1:], " ") == "data verify" {
				continue
			}
			args := words[1:]
			switch {
			case args[0] == "run":
				args = append(args, "--set", "protocol.rounds=53", "--set", "all.hidden=8", "--quiet")
			case strings.Join(args, " ") == "sampler verify":
				args = append(args, "ConstSGD")
			}
			cmd, _, stderr := banditsim(t, args...)
			cmd.Dir = dir
			cmd.Env = append(cmd.Env, "BANDITSIM_DATA="+data)
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, stderr)
			}
			done++
		}
	}
	if done < 8 {
		t.Errorf("only %d commands were found", done)
	}
}

// writeData writes the replica without its last row, which makes it another file.
func writeData(t *testing.T, path string) {
	t.Helper()
	table, err := mushroom.Replica()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range table.Rows[:len(table.Rows)-1] {
		fmt.Fprintf(&b, "%c", row.Class)
		for _, v := range row.Values {
			fmt.Fprintf(&b, ",%c", v)
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestListings checks that every Go listing of the README and of docs/extending.md stands
// in a file of examples/, byte for byte.
func TestListings(t *testing.T) {
	paths, err := filepath.Glob("../../../examples/*/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var code strings.Builder
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(b)
	}
	for _, page := range []string{"README.md", "docs/extending.md"} {
		b, err := os.ReadFile("../../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := fenced(string(b), "go")
		if len(blocks) == 0 {
			t.Errorf("%s has no listing", page)
		}
		for i, block := range blocks {
			if !strings.Contains(code.String(), block) {
				t.Errorf("%s: listing %d is not in examples:\n%s", page, i+1, block)
			}
		}
	}
}

// TestReadmeIsFinished: no placeholder is left.
func TestReadmeIsFinished(t *testing.T) {
	if strings.Contains(readme(t), "@@") {
		t.Error("the README has a placeholder left")
	}
}
