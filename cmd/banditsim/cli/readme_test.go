package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/datasets/mushroom"
)

// doc returns a page of the repository.
func doc(t *testing.T, page string) string {
	t.Helper()
	b, err := os.ReadFile("../../../" + page)
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

// TestReadmeCommands runs the commands of the README, and those of docs/running.md, each in order in an empty
// folder with a file my.csv. Runs are shortened to a few rounds of small networks and sampler verify to one sampler;
// .ci/run runs the commands of the Go tool.
func TestReadmeCommands(t *testing.T) {
	data := filepath.Join(t.TempDir(), "own.data")
	writeData(t, data)
	table, err := os.ReadFile("../../../datasets/table/data/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "docs/running.md"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "my.csv"), table, 0o666); err != nil {
			t.Fatal(err)
		}
		done := 0
		for _, block := range fenced(doc(t, page), "sh") {
			for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", "")) {
				line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
				words := strings.Fields(line)
				if len(words) == 0 || words[0] != "banditsim" {
					continue
				}
				args := words[1:]
				switch {
				case args[0] == "run" && slices.Contains(args, "my.csv"): // without networks
					args = append(args, "--quiet")
				case args[0] == "run", args[0] == "score":
					args = append(args, "--set", "protocol.rounds=53", "--set", "all.hidden=8", "--set", "all.batch=32", "--quiet")
				case strings.Join(args, " ") == "sampler verify":
					args = append(args, "ConstSGD")
				}
				cmd, stdout, stderr := banditsim(t, args...)
				cmd.Dir = dir
				cmd.Env = append(cmd.Env, "BANDITSIM_DATA="+data)
				if err := cmd.Run(); err != nil {
					t.Errorf("%s: %s: %v\n%s", page, line, err, stderr)
				}
				done++
				if strings.Join(args, " ") != "compare out/my" {
					continue
				}
				for row := range strings.Lines(stdout.String()) { // docs/environments.md has the table
					if strings.HasPrefix(row, " ") && !strings.Contains(doc(t, "docs/environments.md"), "\n    "+row) {
						t.Errorf("docs/environments.md does not have %q, which 'banditsim compare out/my' printed", row)
					}
				}
			}
		}
		if done < 5 {
			t.Errorf("%s: only %d commands were found", page, done)
		}
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

// TestListings checks that every Go listing of the README, of the pages on extending and of docs/export.md stands
// in a file of examples/ or in an example that is a test, byte for byte.
func TestListings(t *testing.T) {
	paths, err := filepath.Glob("../../../examples/*/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	paths = append(paths, "../../../results/frame/example_test.go")
	var code strings.Builder
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(b)
	}
	for _, page := range []string{"README.md", "docs/extending.md", "docs/extending-posteriors.md", "docs/extending-samplers.md", "docs/export.md"} {
		blocks := fenced(doc(t, page), "go")
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
