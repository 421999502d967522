package merge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// identity returns the identity of a trial of five rounds.
func identity(policy string, seed uint64) results.Identity {
	return results.Identity{Epoch: results.Epoch, Seed: seed, Policy: results.Policy{Name: policy, Options: json.RawMessage(`{"a":1}`)},
		Environment: results.Environment{Name: "toy", Options: json.RawMessage(`{}`), Arms: []string{"x", "y"}},
		Protocol:    bandit.Protocol{Rounds: 5, Pulls: 2}}
}

// writeTrial writes a trial with its sidecar and returns its path. change, if not nil, changes each round.
func writeTrial(t *testing.T, dir string, i results.Identity, sidecar results.Sidecar, failure *results.Failure, change func(*bandit.RoundRecord)) string {
	t.Helper()
	n := 5
	if failure != nil {
		n = failure.Round - 1
	}
	var rounds []*bandit.RoundRecord
	for round := range n {
		r := &bandit.RoundRecord{Round: round + 1, Realised: float64(i.Seed), Expected: float64(i.Seed), Arms: []int{1, 1},
			Diagnostics: diagnostics.Round{Chains: []diagnostics.Chain{{Energy: float64(i.Seed)}}}}
		if change != nil {
			change(r)
		}
		rounds = append(rounds, r)
	}
	path := resultstest.WriteRounds(t, dir, i, failure, rounds...)
	must.OK(t, results.WriteSidecar(path, sidecar))
	return path
}

// shard writes a folder with a trial, its diagnostics and sidecar for each of the policies, which are separated by commas,
// and each seed. Trials of seed 99 failed.
func shard(t *testing.T, change func(*results.Identity), policies string, seeds ...uint64) string {
	t.Helper()
	dir := t.TempDir()
	for name := range strings.SplitSeq(policies, ",") {
		for _, seed := range seeds {
			i := identity(name, seed)
			if change != nil {
				change(&i)
			}
			var failure *results.Failure
			if seed == 99 {
				failure = &results.Failure{Round: 3, Cause: "it diverged"}
			}
			writeTrial(t, dir, i, results.Sidecar{Label: "the " + name}, failure, nil)
		}
	}
	return dir
}

// contents returns the bytes of all trials of a folder by file name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	set := must.Get(results.Load(dir))(t)
	must.That(t, len(set.Damaged) == 0, "%s: damaged: %v", dir, set.Damaged)
	all := map[string]string{}
	for _, p := range set.Policies {
		for _, rec := range p.Records {
			must.Get(rec.Sidecar())(t)
			all[rec.FileName()] = string(resultstest.ReadFile(t, rec.Path))
		}
	}
	return all
}

func mustMerge(t *testing.T, dir string, sources ...string) Summary {
	t.Helper()
	m := Merger{Dir: dir}
	return must.Get(m.Merge(sources))(t)
}

// trials returns the paths of the trials of a folder.
func trials(t *testing.T, dir string) []string {
	t.Helper()
	paths, _, err := results.TrialFiles(dir)
	must.OK(t, err)
	return paths
}

// TestMergeEqualsOneRun checks that folders merged in any order, at once or one by one, have the bytes of one run, that
// a copy with diagnostics replaces one without, and that merging again changes nothing.
func TestMergeEqualsOneRun(t *testing.T) {
	want := contents(t, shard(t, nil, "A,B", 1, 2, 3, 4, 5, 99))
	sources := []string{t.TempDir(), shard(t, nil, "A,B", 1, 2), shard(t, nil, "A,B", 3, 4), shard(t, nil, "A,B", 4, 5, 99)}
	for _, policy := range []string{"A", "B"} { // without diagnostics
		writeTrial(t, sources[0], identity(policy, 3), results.Sidecar{Label: "the " + policy}, nil, func(r *bandit.RoundRecord) { r.Diagnostics = diagnostics.Round{} })
	}
	for turn := range sources {
		order := append(sources[turn:len(sources):len(sources)], sources[:turn]...)
		one, each := t.TempDir(), t.TempDir()
		mustMerge(t, one, order...)
		for _, source := range order {
			mustMerge(t, each, source)
		}
		for _, dir := range []string{one, each} {
			must.Equal(t, fmt.Sprint("order ", turn), contents(t, dir), want)
			if s := mustMerge(t, dir, order...); s.Added+s.Replaced != 0 || len(s.Failed) != 2 || len(s.Damaged) != 0 {
				t.Errorf("order %d: merged again: %+v", turn, s)
			}
		}
	}
}

func TestMergeRefusesOtherExperiments(t *testing.T) {
	one := shard(t, nil, "A", 1)
	for name, other := range map[string]string{
		"protocol.pulls": shard(t, func(i *results.Identity) { i.Protocol.BurnIn = 1 }, "A", 2),
		"environment":    shard(t, func(i *results.Identity) { i.Environment.Name = "other" }, "A", 2),
		"epoch":          shard(t, func(i *results.Identity) { i.Epoch = 99 }, "A", 2),
		"options":        shard(t, func(i *results.Identity) { i.Policy.Options = json.RawMessage(`{"a":2}`) }, "A", 2),
	} {
		dir := t.TempDir()
		m := Merger{Dir: dir}
		_, err := m.Merge([]string{one, other})
		must.As[*ExperimentError](t, err)
		paths := trials(t, dir)
		must.That(t, len(paths) == 0, "%s: %v were copied before the error", name, paths)
	}
}

// TestMergePoliciesByEnvironment checks that a policy's options may differ between environments, but not within one.
func TestMergePoliciesByEnvironment(t *testing.T) {
	folder := func(environment, options string, seed uint64) string {
		dir, i := t.TempDir(), identity("A", seed)
		i.Environment.Name, i.Policy.Options = environment, json.RawMessage(options)
		writeTrial(t, dir, i, results.Sidecar{Label: "the A", Environment: environment}, nil, nil)
		return dir
	}
	one, two := folder("one", `{"a":1}`, 1), folder("two", `{"a":2}`, 1)
	for _, sources := range [][]string{{one, two}, {two, one}, {one, two, folder("one", `{"a":1}`, 2), folder("two", `{"a":2}`, 2)}} {
		must.Equal(t, "added", mustMerge(t, t.TempDir(), sources...).Added, len(sources))
	}
	m := Merger{Dir: t.TempDir()}
	_, err := m.Merge([]string{one, two, folder("two", `{"a":1}`, 2)})
	must.As[*ExperimentError](t, err)
	// A sidecar that cannot be read does not stop the merge, even if it is the first.
	for _, dir := range []string{one, two} {
		resultstest.WriteFile(t, results.SidecarPath(trials(t, dir)[0]), []byte("{}x"))
	}
	more := []string{folder("one", `{"a":1}`, 3), folder("two", `{"a":2}`, 3)}
	s := mustMerge(t, t.TempDir(), one, two, more[0], more[1])
	must.That(t, s.Added >= 3 && len(s.Damaged) >= 2, "with damaged sidecars: %+v", s)
}

// TestMergeRefusesOtherNumbers checks that copies of a trial that differ in one total, or in a round alone, are an error.
func TestMergeRefusesOtherNumbers(t *testing.T) {
	one := shard(t, nil, "A", 1)
	for _, change := range map[string]func(*bandit.RoundRecord){
		"realised regret": func(r *bandit.RoundRecord) { r.Realised = 1.5 },
		"expected regret": func(r *bandit.RoundRecord) { r.Expected = 1.5 },
		"arms":            func(r *bandit.RoundRecord) { r.Arms = []int{2, 0} },
		"mistakes":        func(r *bandit.RoundRecord) { r.Mistakes = []bandit.Mistake{{Row: 3, Arm: 1}} },
	} {
		two := t.TempDir()
		writeTrial(t, two, identity("A", 1), results.Sidecar{}, nil, change)
		for _, order := range [][]string{{one, two}, {two, one}} {
			m := Merger{Dir: t.TempDir()}
			must.Refuse(m.Merge(order))(t, "with other numbers")
		}
	}
}

// TestMergeKeepsTheFinishedCopy checks that, in either order, a finished copy of a trial is preferred to a failed one,
// with a warning.
func TestMergeKeepsTheFinishedCopy(t *testing.T) {
	finished, failed := shard(t, nil, "A", 1), t.TempDir()
	writeTrial(t, failed, identity("A", 1), results.Sidecar{Label: "the A"}, &results.Failure{Round: 3, Cause: "out of memory"}, nil)
	want := contents(t, finished)
	for replaced, order := range [][]string{{finished, failed}, {failed, finished}} {
		var warnings []string
		m := Merger{Dir: t.TempDir(), Warn: func(s string) { warnings = append(warnings, s) }}
		s := must.Get(m.Merge(order))(t)
		must.Equal(t, "summary", s, Summary{Added: 1, Replaced: replaced, Present: 1 - replaced})
		must.Equal(t, "the finished copy", contents(t, m.Dir), want)
		must.That(t, len(warnings) == 1 && strings.Contains(warnings[0], "one of them failed: the other is kept"),
			"warnings %q", warnings)
	}
}

// recorded writes a folder with a trial of policy A for each seed. pulls and scored say whether trials have pulls and scores.
func recorded(t *testing.T, pulls, scored bool, seeds ...uint64) string {
	t.Helper()
	dir := shard(t, nil, "A", seeds...)
	for _, seed := range seeds {
		i := identity("A", seed)
		path := filepath.Join(dir, results.TrialsDir, i.FileName())
		pull := func(_ *bandit.RoundRecord, p *bandit.PullRecord, k int) { p.Row, p.Arm, p.Best = -1, k, 1 }
		resultstest.WritePulls(t, dir, i, pull)
		if !pulls {
			must.OK(t, os.Remove(results.PullsPath(path)))
		}
		sidecar := results.Sidecar{Label: "the A"}
		if scored {
			sidecar.Score = &results.Score{LogLoss: 1}
		}
		must.OK(t, results.WriteSidecar(path, sidecar))
	}
	return dir
}

// counts has the numbers of trials, of trials with pulls, and of trials with scores.
type counts struct{ trials, pulls, scores int }

// count counts the trials of a folder and checks the numbers of their pulls.
func count(t *testing.T, dir string) (found counts) {
	t.Helper()
	set, err := results.Load(dir)
	if err != nil || len(set.Damaged) > 0 {
		t.Fatal(err, set)
	}
	for _, rec := range set.Policies[0].Records {
		found.trials++
		n := 0
		for p, err := range rec.Pulls() {
			if err != nil {
				break
			}
			if n++; p.T != n {
				t.Errorf("%s: pull %d is %d", rec.Path, n, p.T)
			}
		}
		if n == 10 && rec.HasPulls() {
			found.pulls++
		}
		if s, err := rec.Sidecar(); err == nil && s.Score != nil {
			found.scores++
		}
	}
	return found
}

// TestMergeCarriesPullsAndScores checks that pulls and scores are copied with their trials, or added to copies of the
// trials without them, in any order.
func TestMergeCarriesPullsAndScores(t *testing.T) {
	sources := []string{recorded(t, false, false, 1, 2, 3), recorded(t, true, false, 1, 2), recorded(t, false, true, 2, 3)}
	for turn := range sources {
		order := append(slices.Clone(sources[turn:]), sources[:turn]...)
		dir := t.TempDir()
		mustMerge(t, dir, order...)
		s := mustMerge(t, dir, order...)
		must.That(t, s.Added+s.Replaced+len(s.Damaged) <= 0, "turn %d: merged again: %+v", turn, s)
		must.Equal(t, fmt.Sprint("turn ", turn), count(t, dir), counts{3, 2, 2})
	}
}

// TestMergeFindsDamage checks that damage to a trial, a sidecar or pulls is found. A damaged trial in a source is left out;
// a trial with a damaged sidecar or pulls is merged without that file. In the output folder the damaged file is set aside,
// and a sound copy takes its place.
func TestMergeFindsDamage(t *testing.T) {
	sound := recorded(t, true, true, 1, 2)
	source := recorded(t, true, true, 1, 2)
	files, err := filepath.Glob(filepath.Join(source, results.TrialsDir, "*-seed1-*"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		whole := resultstest.ReadFile(t, file)
		damages := map[string][]byte{"cut": whole[:len(whole)-1], "longer": append(bytes.Clone(whole), 0), "empty": {}}
		for at := 0; at < len(whole); at += 41 { // a merge takes some 20 ms
			b := bytes.Clone(whole)
			b[at] ^= 1 << (at % 8)
			damages[fmt.Sprint("byte ", at)] = b
		}
		added := 2
		if strings.HasSuffix(file, ".jsonl") {
			added = 1
		}
		for what, b := range damages {
			resultstest.WriteFile(t, file, b)
			if s := mustMerge(t, t.TempDir(), source); s.Added != added || len(s.Damaged) != 1 || s.Damaged[0].Path != file {
				t.Errorf("%s, %s: %+v", filepath.Base(file), what, s)
			}
		}
		resultstest.WriteFile(t, file, whole)

		dir := recorded(t, true, true, 1, 2)
		own := filepath.Join(dir, results.TrialsDir, filepath.Base(file))
		damage := damages["byte 41"]
		resultstest.WriteFile(t, own, damage)
		s := mustMerge(t, dir, dir)
		must.That(t, len(s.Damaged) == 1 && s.Damaged[0].Path == own, "%s: %+v", own, s)
		must.Equal(t, own+": what was set aside", resultstest.ReadFile(t, own+".damaged-1"), damage)
		if s := mustMerge(t, dir, sound); s.Added+s.Replaced != 1 || len(s.Damaged) > 0 {
			t.Errorf("%s: from a sound copy: %+v", own, s)
		}
		must.Equal(t, own, count(t, dir), counts{2, 2, 2})
	}
}

// TestMergeOfOddFiles checks that a folder with the name of a trial is reported as damaged, and replaced when a source has
// the trial, and that a trial in a file of another name is reported as damaged.
func TestMergeOfOddFiles(t *testing.T) {
	source, good := shard(t, nil, "A", 1, 2), shard(t, nil, "A", 1, 2)
	paths := trials(t, source)
	must.OK(t, os.Remove(paths[0]))
	must.OK(t, os.Mkdir(paths[0], 0o777))
	s := mustMerge(t, t.TempDir(), source)
	must.That(t, s.Added == 1 && len(s.Damaged) == 1 && s.Damaged[0].Path == paths[0], "%+v", s)
	must.Equal(t, "into it", mustMerge(t, source, good), Summary{Added: 1, Present: 1})
	must.Equal(t, "into it", contents(t, source), contents(t, good))
	paths = trials(t, good)
	must.OK(t, os.Rename(paths[0], paths[1]))
	if s := mustMerge(t, t.TempDir(), good); s.Added != 0 || len(s.Damaged) != 1 || !strings.Contains(s.Damaged[0].Error(), "it has the trial of a file "+filepath.Base(paths[0])) {
		t.Errorf("a file of another name: %+v", s)
	}
}

func TestCheckTarget(t *testing.T) {
	source := shard(t, nil, "A", 1)
	empty, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	must.OK(t, os.Symlink(filepath.Join(source, results.TrialsDir), link))
	below := filepath.Join(empty, "shards", "1")
	must.OK(t, os.MkdirAll(filepath.Dir(below), 0o777))
	must.OK(t, os.Rename(shard(t, nil, "A", 2), below))
	before := slices.Sorted(maps.Keys(contents(t, source)))
	for _, test := range []struct {
		name    string
		dir     string
		sources []string
		wrong   string
	}{
		{"a source that is not there", empty, []string{filepath.Join(empty, "typo")}, "there is no folder"},
		{"an archive", empty, []string{trials(t, source)[0]}, "unpack an archive first: mkdir -p"},
		{"a source without trials", empty, []string{empty}, "has no folder trials"},
		{"among the trials of a source", filepath.Join(source, "trials"), []string{source}, "inside the source"},
		{"among the trials of another", filepath.Join(source, "trials", "x"), []string{below}, "among the trial files"},
		{"by a link", link, []string{below}, "among the trial files"},
		{"inside a source", filepath.Join(source, "all"), []string{source}, "inside the source"},
		{"itself", source, []string{source}, ""},
		{"a source inside", empty, []string{below}, ""},
		{"a new folder", filepath.Join(empty, "a", "trials"), []string{source, below}, ""},
	} {
		err := CheckTarget(test.dir, test.sources)
		must.Want(t, test.name, err, test.wrong)
	}
	must.Equal(t, "files of the source", before, slices.Sorted(maps.Keys(contents(t, source))))
}
