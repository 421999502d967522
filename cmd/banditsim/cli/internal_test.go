package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/bandit/stream"
	"banditsim/internal/exit"
	"banditsim/internal/must"
	"banditsim/internal/usage"
	"banditsim/results"
)

// TestFindArm checks that a number selects the arm that is numerically equal, unless there are two, and that the exact name
// takes precedence.
func TestFindArm(t *testing.T) {
	for _, c := range []struct {
		arms []string
		name string
		want int
		err  string
	}{
		{[]string{"1", "1.0"}, "1.0", 1, ""},
		{[]string{"a", "1"}, "1.00", 1, ""},
		{[]string{"1", "1.0"}, "1.00", -1, "the arms 1 and 1.0 are both 1.00"},
		{[]string{"a", "1", "1.0"}, "1.00", -1, "the arms 1 and 1.0 are both 1.00"},
		{[]string{"a", "1"}, "2", -1, `no arm "2"`},
		{[]string{"line\nbreak"}, "linebreak", -1, "(did you mean line?break?): the arms are line?break"},
	} {
		got, err := findArm(c.arms, c.name)
		must.That(t, got == c.want && (err == nil) == (c.err == "") && (err == nil || strings.Contains(err.Error(), c.err)),
			"%s of %q: %d, %v, want %d, %q", c.name, c.arms, got, err, c.want, c.err)
	}
}

// TestOtherBuilds checks that a program with code of its own warns of trials of another build, but not of its own trials or
// missing ones, and that the program of this project never warns.
func TestOtherBuilds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(dir, results.TrialsDir), 0o777))
	plan := &experiment.Plan{}
	for seed, build := range []string{"old", "new", "none"} {
		c := experiment.Cell{Identity: results.Identity{Policy: results.Policy{Name: "Own", Options: []byte("{}")}, Seed: uint64(seed + 1)}, Label: "Own"}
		c.Environment.Options = []byte("{}")
		plan.Cells = append(plan.Cells, c)
		if build != "none" {
			must.OK(t, results.WriteSidecar(filepath.Join(dir, results.TrialsDir, c.FileName()), results.Sidecar{Build: build}))
		}
	}
	if got := otherBuilds(plan, dir, "new"); !strings.HasPrefix(got, "1 trial in ") || !strings.Contains(got, "delete them or name another folder with --out") {
		t.Errorf("warning %q", got)
	}
	if got := otherBuilds(plan, dir, "newer"); !strings.HasPrefix(got, "2 trials in ") {
		t.Errorf("warning %q", got)
	}
	must.Equal(t, "warning about this project's program", otherBuilds(plan, dir, ""), "")
	if build, err := foreignBuild(); build != "" || err != nil { // the test is of this module
		t.Errorf("build %q, error %v", build, err)
	}
}

// TestInterruptedByFailure checks that the error of a failed run says how to resume it if a trial or a checkpoint is kept,
// and does not otherwise.
func TestInterruptedByFailure(t *testing.T) {
	t.Parallel()
	a := &app{Process: &usage.Process{Args: []string{"banditsim", "run", "quick"}}}
	for _, c := range []struct {
		name    string
		summary harness.Summary
		trials  int
		want    string // in the message; "" if there is nothing to resume
	}{
		{"nothing kept", harness.Summary{}, 6, ""},
		{"no trial", harness.Summary{Saved: 1}, 0, ""},
		{"a checkpoint", harness.Summary{Saved: 1}, 6, "0 of 6 trials are finished and kept, 1 more have a checkpoint; resume with:\n"},
		{"a trial", harness.Summary{Run: 1}, 6, "1 of 6 trials are finished and kept; resume with:\n"},
	} {
		err := a.interrupted(context.Background(), errors.New("disk full"), c.summary, c.trials)
		var coded *exit.Error
		must.That(t, errors.As(err, &coded) && coded.Code == exit.CodeFailure,
			"%s: %v, want exit code %d", c.name, err, exit.CodeFailure)
		must.That(t, strings.Contains(err.Error(), "disk full") && strings.Contains(err.Error(), c.want) &&
			(c.want != "" || !strings.Contains(err.Error(), "resume with")), "%s: %v, want %q", c.name, err, c.want)
	}
	must.Fail(t, a.interrupted(t.Context(), syscall.EROFS, harness.Summary{}, 6), "name a folder that can be written with --out DIR")
	must.Equal(t, "error of missing", a.interrupted(t.Context(), fs.ErrPermission, harness.Summary{}, 0).Error(), fs.ErrPermission.Error())
}

// TestDifference checks that optionDifference lists the options of b that are missing or different in a, and no others.
func TestDifference(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"arm":0}`, `{"arm":1}`, "  arm: 1\n"},
		{`{"arm":0}`, `{"arm":0}`, ""},
		{`{"arm":0}`, `{"arm":0,"prior":{"mean":2,"name":"flat"}}`, "  prior.mean: 2\n  prior.name: flat\n"},
		{`{"prior":{"mean":2}}`, `{"prior":{"mean":2,"sd":1}}`, "  prior.sd: 1\n"},
	} {
		must.Equal(t, c.a+" to "+c.b, optionDifference([]byte(c.a), []byte(c.b)), c.want)
	}
}

// learner is a policy that counts the calls of Learn.
type learner struct{ learned int }

func (*learner) Act(bandit.Round) (int, error) { return 0, nil }

func (l *learner) Learn(bandit.Round, int, float64) error {
	l.learned++
	return nil
}

func (*learner) ActBatch(arms []int, rounds []bandit.Round) error { return nil }

// TestSpeedCountsPulls checks that the rate counts pulls, not batches, without the first batch: it lies between the pulls per
// time of the whole call and the pulls per time that was asked for.
func TestSpeedCountsPulls(t *testing.T) {
	for _, batch := range []int{1, 20} {
		l := &learner{}
		const duration = 20 * time.Millisecond
		begin := time.Now()
		rate, err := speed(func(bandit.Spec, *stream.Stream) (bandit.Policy, error) { return l, nil }, batch, duration)
		took := time.Since(begin)
		must.OK(t, err)
		timed := float64(l.learned - batch)
		low, high := timed/took.Seconds(), timed/duration.Seconds()
		must.That(t, low <= rate && rate <= high, "batches of %d: %.0f pulls a second, want %.0f to %.0f", batch, rate, low, high)
	}
}

func TestSoFar(t *testing.T) {
	for _, test := range []struct {
		p                 harness.PolicyProgress
		finished, running string
	}{
		{harness.PolicyProgress{}, "–", ""},
		{harness.PolicyProgress{Finished: 1, Mean: 7832.4}, "7,832 (1 seed)", ""},
		{harness.PolicyProgress{Finished: 2, Mean: 7832.4, Failed: 1, Running: []harness.RunningTrial{{Seed: 3, Round: 1204, Expected: 6102}, {Seed: 4, Round: 7, Expected: 700}}},
			"7,832 (2 seeds)", "seed 3 after round 1204: 6,102, seed 4 after round 7: 700, 1 failed"},
	} {
		if finished, running := finishedText(test.p), runningText(test.p); finished != test.finished || running != test.running {
			t.Errorf("%+v: %q and %q, want %q and %q", test.p, finished, running, test.finished, test.running)
		}
	}
	v := &view{progress: &harness.Progress{}} // before the first round there is nothing to show
	lines := append(v.regretLines(80, 20), v.regretLines(0, -1)...)
	must.That(t, len(lines) == 0, "%q", lines)
}

// TestOrder checks that policies are sorted by mean or, on several environments, with the running ones first.
func TestOrder(t *testing.T) {
	running := []harness.RunningTrial{{Seed: 1}}
	policies := []harness.PolicyProgress{{Policy: "a", Finished: 1, Mean: 3}, {Policy: "b", Mean: 9}, {Policy: "c", Finished: 1, Mean: 2, Running: running}, {Policy: "d", Finished: 1, Mean: 1}}
	check := func(want string) {
		t.Helper()
		order(policies)
		got := ""
		for _, p := range policies {
			got += p.Policy
		}
		must.That(t, got == want, "%s, want %s", got, want)
	}
	check("dcab")
	policies[3].Mean = 0 // that of b, which has no finished trial
	check("dcab")
	policies[0].Environment = "wheel"
	check("cdab")
}

// TestKeepCommon checks that policies that are left keep the trials of the same seeds, even if an interrupt left gaps.
func TestKeepCommon(t *testing.T) {
	policy := func(label string, seeds ...uint64) (p results.PolicyRecords) {
		p.Label = label
		for _, seed := range seeds {
			p.Records = append(p.Records, results.Record{Seed: seed})
		}
		return p
	}
	r := &race{seeds: 4, left: []string{"a", "b"}}
	r.all = &results.Set{Policies: []results.PolicyRecords{policy("a", 1, 2, 3, 5), policy("b", 1, 3, 4, 5), policy("c", 1, 2)}}
	r.keepCommon()
	must.Equal(t, "trials", r.all.Policies, []results.PolicyRecords{policy("a", 1, 3), policy("b", 1, 3), policy("c", 1, 2)})
	r.left = []string{"a", "missing"}
	r.keepCommon()
	must.Equal(t, "trials beside a policy without any", len(r.all.Policies[0].Records), 0)
}

// TestSource checks that only a build from an unchanged tag has the version of the tag, and that a build has the revision if
// Go recorded it, marked if the source was changed.
func TestSource(t *testing.T) {
	t.Parallel()
	const revision = "7e96aab98780a3e975c8cda0c745e77c26420708"
	for _, c := range []struct {
		name, module, revision, modified string
		wantVersion, wantRevision        string
	}{
		{"tag", "v0.3.1", revision, "false", "0.3.1", "7e96aab98780"},
		{"candidate", "v1.0.0-rc.2", revision, "false", "1.0.0-rc.2", "7e96aab98780"},
		{"changed since the tag", "v0.3.1+dirty", revision, "true", "0.1.0-dev", "7e96aab98780+modified"},
		{"changed, under the version of the tag", "v0.3.1", revision, "true", "0.1.0-dev", "7e96aab98780+modified"},
		{"between tags", "v0.3.2-0.20261122213333-7e96aab98780", revision, "false", "0.1.0-dev", "7e96aab98780"},
		{"no tag", "v0.0.0-20261122213333-7e96aab98780", revision, "false", "0.1.0-dev", "7e96aab98780"},
		{"a short revision", "(devel)", "7e96aab", "false", "0.1.0-dev", "7e96aab"},
		{"no revision", "(devel)", "", "", "0.1.0-dev", ""},
		{"installed by version, without a checkout", "v0.3.1", "", "", "0.3.1", ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}}
		if c.revision != "" {
			info.Settings = []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.modified}}
		}
		b := build{Version: next + "-dev"}
		if b.source(info); b.Version != c.wantVersion || b.Revision != c.wantRevision {
			t.Errorf("%s: %s, revision %q, want %s, %q", c.name, b.Version, b.Revision, c.wantVersion, c.wantRevision)
		}
	}
}
