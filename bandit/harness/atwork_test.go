package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/must"
)

func TestAtWorkByTheFile(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	self := must.Get(os.Executable())(t)
	ended := exec.Command(self, "-test.run=^$")
	must.OK(t, ended.Run())
	holder := func(pid int, host string) string { return fmt.Sprintf(`{"pid":%d,"host":%q}`, pid, host) }
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"nobody":                 {"", false},
		"this process":           {holder(os.Getpid(), host), true},
		"one that was killed":    {holder(ended.Process.Pid, host), false},
		"one of another machine": {holder(ended.Process.Pid, host+"2"), true},
		"no number":              {holder(0, host), false},
		"all processes":          {holder(-1, host), false},
		"half a word":            {`{"pid":1`, false},
	} {
		dir := t.TempDir()
		must.OK(t, os.WriteFile(filepath.Join(dir, lockFile), []byte(test.text), 0o666))
		_, got := AtWork(dir)
		must.Equal(t, name, got, test.want)
	}
	_, got := AtWork(filepath.Join(t.TempDir(), "none"))
	must.That(t, !got, "somebody is at work in a folder that does not exist")
}

// TestAtWorkByARun checks AtWork during a run and after its end.
func TestAtWorkByARun(t *testing.T) {
	dir := t.TempDir()
	var seen []Holder
	plan := toyPlan(t, spied(t, func() {
		if h, ok := AtWork(dir); ok {
			seen = append(seen, h)
		}
	}), "Spy", 1)
	mustRun(t, dir, 1, plan)
	must.That(t, len(seen) == plan.Environments[0].Protocol.Rounds && seen[0].PID == os.Getpid(),
		"%d of %d looks found somebody: %+v", len(seen), plan.Environments[0].Protocol.Rounds, seen)
	h, ok := AtWork(dir)
	must.That(t, !ok, "%+v after the end", h)
}

// TestLockedByHostileName checks that control characters of a lock file do not reach a terminal.
func TestLockedByHostileName(t *testing.T) {
	err := &LockedError{"dir", Holder{PID: 1, Host: "\x1b[2J\u202e", Command: []string{"a\x07b"}}}
	text := err.Error()
	must.That(t, !strings.ContainsAny(text, "\x1b\x07\u202e") && strings.Contains(text, "?[2J?"), "%q", text)
}
