package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTutorial runs the commands of docs/tutorial.md in their order. Those with networks are shortened.
func TestTutorial(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tennis.csv"), []byte(doc(t, "docs/tennis.csv")), 0o666); err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, block := range fenced(doc(t, "docs/tutorial.md"), "sh") {
		for line := range strings.Lines(block) {
			args := strings.Fields(line)[1:]
			if args[0] == "run" {
				args = append(args, "--set", "protocol.rounds=40", "--quiet")
			}
			cmd, _, stderr := banditsim(t, args...)
			cmd.Dir = dir
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

// TestComingFrom runs every command of docs/coming-from.md in its order, in a folder with a table and a log. Runs are
// shortened to a few rounds of small networks.
func TestComingFrom(t *testing.T) {
	dir := t.TempDir()
	table, err := os.ReadFile("../../../datasets/table/data/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "my.csv"), table, 0o666); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("arm,reward,propensity,x_1,x_2\n")
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		arm, x, y := random.IntN(3), random.Float64(), random.Float64()
		fmt.Fprintf(&b, "%d,%.3f,0.333333333,%.3f,%.3f\n", arm, float64(arm)*x+y, x, y)
	}
	if err := os.WriteFile(filepath.Join(dir, "log.csv"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "own.data")
	writeData(t, data)
	commands := regexp.MustCompile("(?m)\\| `banditsim ([^`]*)` \\|$").FindAllStringSubmatch(doc(t, "docs/coming-from.md"), -1)
	if len(commands) < 25 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	for _, c := range commands {
		args := strings.Fields(c[1])
		if args[0] == "run" {
			args = append(args, "--set", "protocol.rounds=20", "--quiet")
			if strings.Contains(c[1], "EpsGreedy --seeds 1..2") {
				args = append(args, "--set", "all.hidden=8", "--set", "all.batch=32")
			}
		}
		cmd, _, stderr := banditsim(t, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "BANDITSIM_DATA="+data)
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v\n%s", c[1], err, stderr)
		}
	}
}
