//go:build !windows

package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/agent"
	"banditsim/cmd/banditsim/cli"
	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// TestActInterrupted checks that a signal ends 'act' while it waits for input, and that the agent is saved.
func TestActInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, saved := filepath.Join(dir, "a.agent"), filepath.Join(dir, "b.agent")
	a := must.Get(agent.New(agent.Config{Policy: "LinTS", Arms: []string{"a", "b"}, Columns: bandit.NumberColumns(1)}))(t)
	must.OK(t, a.Save(file))
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, _, _ := banditsim(t, "act", file, "--save", saved)
		cmd.Stdout = nil
		in, out := must.Get(cmd.StdinPipe())(t), bufio.NewReader(must.Get(cmd.StdoutPipe())(t))
		must.OK(t, cmd.Start())
		must.Get(io.WriteString(in, "{\"context\": {\"x1\": 1}}\n"))(t)
		must.Get(out.ReadString('\n'))(t)
		must.OK(t, cmd.Process.Signal(signal))
		ends(t, cmd, 0)
		must.Get(agent.Open(saved))(t)
		exits(t, exit.CodeUsage, "act", file, "--log", saved+"2", "--save", saved+"2")
		must.OK(t, os.Remove(saved))
	}
}

// TestActKilled checks that, when 'act' is killed at random moments with SIGKILL, every decision and reward that it answered
// is in the log exactly once, and the next process continues. It makes 5 kills, or 200 in the long grade.
func TestActKilled(t *testing.T) {
	t.Parallel()
	kills := 5
	if os.Getenv(longEnv) != "" {
		kills = 200
	}
	dir := t.TempDir()
	file, log := filepath.Join(dir, "a.agent"), filepath.Join(dir, "log.jsonl")
	a, err := agent.New(agent.Config{Policy: "LinTS", Options: []byte(`{"explore":0.05}`), Arms: []string{"a", "b", "c"}, Columns: bandit.NumberColumns(2)})
	must.OK(t, err)
	must.OK(t, a.Save(file))
	decided, rewarded := map[uint64]bool{}, map[uint64]bool{} // IDs that were answered
	random := rand.New(rand.NewPCG(1, 2))
	for range kills {
		cmd, _, _ := banditsim(t, "act", file, "--log", log, "--sync", "20")
		cmd.Stdout = nil
		in, out := must.Get(cmd.StdinPipe())(t), must.Get(cmd.StdoutPipe())(t)
		must.OK(t, cmd.Start())
		answerUntilKilled(in, out, decided, rewarded, func() { // after the first answer, as a busy machine starts late
			time.AfterFunc(time.Duration(20+random.IntN(150))*time.Millisecond, func() { cmd.Process.Kill() })
		})
		cmd.Wait()
	}
	seen, learned := map[uint64]int{}, map[uint64]int{}
	for line := range bytes.Lines(must.Get(os.ReadFile(log))(t)) {
		var e struct {
			ID     uint64
			Arm    string
			Reward *float64
		}
		if json.Unmarshal(line, &e) != nil {
			continue // the last line, which may be incomplete
		}
		if e.Reward != nil {
			learned[e.ID]++
		} else if e.Arm != "" {
			seen[e.ID]++
		}
	}
	for id := range decided {
		must.Hold(t, seen[id] == 1, "decision %d is in the log %d times, want once", id, seen[id])
	}
	for id := range rewarded {
		must.Hold(t, learned[id] == 1, "the reward of decision %d is in the log %d times, want once", id, learned[id])
	}
	must.Hold(t, len(decided) >= 10*kills && len(rewarded) >= 5*kills,
		"%d decisions and %d rewards were answered in %d kills: want more", len(decided), len(rewarded), kills)
	t.Logf("%d kills: %d decisions and %d rewards answered, all in the log once", kills, len(decided), len(rewarded))
	cmd, _, _ := banditsim(t, "act", file, "--log", log)
	succeeds(t, cmd)
}

// answerUntilKilled asks for decisions, several lines at a time, and rewards most of them, until the process has ended. It
// adds the IDs of answers to decided and rewarded, and calls first after the first answer.
func answerUntilKilled(in io.WriteCloser, out io.Reader, decided, rewarded map[uint64]bool, first func()) {
	lines := bufio.NewReader(out)
	var open []uint64
	for n := 1; ; n = n%7 + 1 {
		var ask bytes.Buffer
		for i := range n {
			fmt.Fprintf(&ask, "{\"context\":{\"x1\":%d,\"x2\":0.5}}\n", i)
		}
		for _, id := range open {
			fmt.Fprintf(&ask, "{\"id\":%d,\"reward\":1}\n", id)
		}
		n += len(open)
		open = nil
		if _, err := in.Write(ask.Bytes()); err != nil {
			return
		}
		for range n {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			var e struct {
				ID      uint64
				Learned bool
			}
			if json.Unmarshal(line, &e) != nil {
				return
			}
			if first != nil {
				first()
				first = nil
			}
			if e.Learned {
				rewarded[e.ID] = true
			} else if decided[e.ID] = true; e.ID%5 > 0 {
				open = append(open, e.ID)
			}
		}
	}
}

// BenchmarkAct measures a decision and its reward in 'act' with a journal, for contexts of 20 numbers and 10 arms.
func BenchmarkAct(b *testing.B) {
	for _, name := range []string{"LinUCB", "LinTS"} {
		b.Run(name, func(b *testing.B) {
			c := agent.Config{Policy: name, Options: []byte(`{"explore":0.05}`), Columns: bandit.NumberColumns(20)}
			for i := range 10 {
				c.Arms = append(c.Arms, fmt.Sprint("arm", i))
			}
			dir := b.TempDir()
			file := filepath.Join(dir, "a.agent")
			a, err := agent.New(c)
			if err == nil {
				err = a.Save(file)
			}
			must.OK(b, err)
			var lines bytes.Buffer
			random := rand.New(rand.NewPCG(1, 2))
			for i := range b.N {
				x := map[string]float64{}
				for _, col := range c.Columns {
					x[col.Name] = random.Float64()
				}
				text, _ := json.Marshal(map[string]any{"context": x})
				fmt.Fprintf(&lines, "%s\n{\"id\":%d,\"reward\":%d}\n", text, i+1, i%2)
			}
			b.ResetTimer()
			code := cli.Main(catalog(), cli.Process{Args: []string{"banditsim", "act", file, "--log", filepath.Join(dir, "log.jsonl")},
				Getenv: os.Getenv, Stdin: &lines, Stdout: io.Discard, Stderr: os.Stderr})
			must.Hold(b, code == 0, "exit code %d", code)
		})
	}
}
