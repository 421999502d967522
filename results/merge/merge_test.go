package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/results"
	"banditsim/results/export"
)

// shard makes a folder with trials of a policy, with diagnostics, and their sidecars.
func shard(t *testing.T, change func(*results.Identity), policies string, seeds ...uint64) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, results.TrialsDir)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(policies, ",") {
		for _, seed := range seeds {
			i := results.Identity{Epoch: results.Epoch, Seed: seed, Policy: results.Policy{Name: name, Options: json.RawMessage(`{"a":1}`)},
				Environment: results.Environment{Name: "toy", Options: json.RawMessage(`{}`), Arms: []string{"x", "y"}},
				Protocol:    bandit.Protocol{Rounds: 5, Pulls: 2}}
			if change != nil {
				change(&i)
			}
			var b strings.Builder
			var failure *results.Failure
			n := 5
			if seed == 99 {
				n, failure = 2, &results.Failure{Round: 3, Cause: "it diverged"}
			}
			if err := results.Encode(&b, i, rounds(n, float64(seed)), failure); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(folder, i.FileName())
			if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := results.WriteSidecar(path, results.Sidecar{Label: "the " + name}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func rounds(n int, regret float64) iter.Seq2[*bandit.RoundRecord, error] {
	return func(yield func(*bandit.RoundRecord, error) bool) {
		for r := 1; r <= n; r++ {
			rec := &bandit.RoundRecord{Round: r, Realised: regret, Expected: regret, Arms: []int{1, 1},
				Diagnostics: diagnostics.Round{Chains: []diagnostics.Chain{{Energy: regret}}}}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// contents returns the bytes of all trials of a folder, packed or not, by the names of their files.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	set, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Damaged) > 0 {
		t.Errorf("%s: damaged: %v", dir, set.Damaged)
	}
	all := map[string]string{}
	for _, p := range set.Policies {
		for _, rec := range p.Records {
			_, f, bad, err := rec.Files(false)
			if err != nil || len(bad) > 0 || len(f.Sidecar) == 0 {
				t.Fatal(err, bad, len(f.Sidecar))
			}
			var trial strings.Builder
			if _, err := f.Trial.WriteTo(&trial); err != nil {
				t.Fatal(err)
			}
			all[rec.FileName()] = trial.String()
		}
	}
	return all
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d trials, want %d", what, len(got), len(want))
	}
	for name, b := range want {
		if got[name] != b {
			t.Errorf("%s: %s differs", what, name)
		}
	}
}

func archive(t *testing.T, dir string) string {
	t.Helper()
	set, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shard.tar.gz")
	if err := export.WriteFile(path, []*results.Set{set}, export.Options{}); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustMerge(t *testing.T, dir string, pack bool, sources ...string) Summary {
	t.Helper()
	m := Merger{Dir: dir, Pack: pack}
	s, err := m.Merge(sources)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Folders, packs and archives in any order, merged twice, packed or not, have the bytes of one run. A
// copy with diagnostics replaces one without, in packs too.
func TestMergeEqualsOneRun(t *testing.T) {
	want := contents(t, shard(t, nil, "A,B", 1, 2, 3, 4, 5, 99))
	first, second, third := shard(t, nil, "A,B", 1, 2), shard(t, nil, "A,B", 3, 4), shard(t, nil, "A,B", 4, 5, 99)
	thin := archive(t, second)
	inPack := t.TempDir()
	mustMerge(t, inPack, true, third)
	sources := []string{thin, first, second, inPack, third}
	for turn := range len(sources) {
		order := append(sources[turn:len(sources):len(sources)], sources[:turn]...)
		mode, dir := turn%4, t.TempDir()
		for k, source := range order { // one at a time, packed at the end, once before or always
			mustMerge(t, dir, mode == 3 || mode == 1 && k == 2, source)
		}
		what := fmt.Sprintf("order %d, mode %d", turn, mode)
		if s := mustMerge(t, dir, mode >= 2, order...); s.Added+s.Replaced != 0 || len(s.Failed) != 2 || len(s.Damaged) != 0 {
			t.Errorf("%s: merged again: %+v", what, s)
		}
		same(t, what, contents(t, dir), want)
		entries, err := os.ReadDir(filepath.Join(dir, results.TrialsDir))
		if err != nil {
			t.Fatal(err)
		}
		if mode >= 2 && len(entries) != 1 {
			t.Errorf("%s: files %v, want one pack", what, entries)
		}
	}
	// An archive alone has the same totals.
	dir := t.TempDir()
	if s := mustMerge(t, dir, false, thin); s.Added != 4 || len(contents(t, dir)) != 4 {
		t.Errorf("%+v", s)
	}
}

// A folder that a killed merge leaves, with a pack and the files that are in it, is put right.
func TestMergeAfterAKill(t *testing.T) {
	dir := shard(t, nil, "A,B", 1, 2)
	want := contents(t, dir)
	copies := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(dir, results.TrialsDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if copies[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	mustMerge(t, dir, true)
	for path, b := range copies {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "with copies", contents(t, dir), want)
	mustMerge(t, dir, true)
	same(t, "without", contents(t, dir), want)
	if left, err := results.TrialFiles(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
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
		for _, source := range []string{other, archive(t, other)} {
			dir := t.TempDir()
			m := Merger{Dir: dir}
			_, err := m.Merge([]string{one, source})
			var refused *ExperimentError
			if !errors.As(err, &refused) {
				t.Errorf("%s: %v", name, err)
			}
			// What is there is of one experiment.
			if paths, err := results.TrialFiles(dir); err != nil || len(paths) > 1 {
				t.Errorf("%s: %v, %v", name, paths, err)
			}
		}
	}
}

// The same trial with other numbers shows that a machine is faulty.
func TestMergeRefusesOtherNumbers(t *testing.T) {
	one, two := shard(t, nil, "A", 1), shard(t, nil, "A", 1)
	paths, err := results.TrialFiles(two)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := results.ReadRecord(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := results.Encode(&b, rec.Identity(), rounds(5, 1.5), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	m := Merger{Dir: t.TempDir()}
	if _, err := m.Merge([]string{one, two}); err == nil || !strings.Contains(err.Error(), "with other numbers") {
		t.Errorf("%v", err)
	}
}

// Damaged trials are named and left out, wherever the damage is; the rest is merged. A whole copy that
// comes later is taken.
func TestMergeNamesDamage(t *testing.T) {
	good := shard(t, nil, "A,B", 1, 2)
	want := contents(t, good)
	bad := shard(t, nil, "A,B", 1, 2)
	paths, err := results.TrialFiles(bad)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(paths[1])
	if err != nil {
		t.Fatal(err)
	}
	for at := range b {
		changed := append([]byte(nil), b...)
		changed[at] ^= 1
		if err := os.WriteFile(paths[1], changed, 0o666); err != nil {
			t.Fatal(err)
		}
		if at%100 > 0 && at < len(b)-3 {
			continue // a folder takes milliseconds
		}
		dir := t.TempDir()
		s := mustMerge(t, dir, at%200 == 0, bad)
		if s.Added != 3 || len(s.Damaged) != 1 || s.Damaged[0].Path != paths[1] {
			t.Errorf("byte %d: %+v", at, s)
		}
		if s = mustMerge(t, dir, false, good); s.Added != 1 || len(s.Damaged) > 0 {
			t.Errorf("byte %d: %+v", at, s)
		}
		same(t, fmt.Sprint("byte ", at), contents(t, dir), want)
	}
	zip := archive(t, good)
	if b, err = os.ReadFile(zip); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(zip, b[:len(b)*2/3], 0o666); err != nil {
		t.Fatal(err)
	}
	if s := mustMerge(t, t.TempDir(), false, zip); len(s.Damaged) == 0 {
		t.Errorf("an archive that is cut off: %+v", s)
	}
	for name, text := range map[string]string{"no archive": "hello", "empty": ""} {
		path := filepath.Join(t.TempDir(), "x.tar.gz")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		m := Merger{Dir: t.TempDir()}
		if _, err := m.Merge([]string{path}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A policy may have other options in each environment of an experiment, but not two in one.
func TestMergePoliciesByEnvironment(t *testing.T) {
	folder := func(environment, options string, seed uint64) string {
		dir := shard(t, func(i *results.Identity) {
			i.Environment.Name, i.Policy.Options = environment, json.RawMessage(options)
		}, "A", seed)
		paths, err := results.TrialFiles(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if err := results.WriteSidecar(path, results.Sidecar{Label: "the A", Environment: environment}); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	one, two := folder("one", `{"a":1}`, 1), folder("two", `{"a":2}`, 1)
	for _, sources := range [][]string{{one, two}, {two, one}, {one, two, folder("one", `{"a":1}`, 2), folder("two", `{"a":2}`, 2)}} {
		m := Merger{Dir: t.TempDir()}
		if s, err := m.Merge(sources); err != nil || s.Added != len(sources) {
			t.Errorf("other options in each environment: %+v, %v", s, err)
		}
	}
	m := Merger{Dir: t.TempDir()}
	var refused *ExperimentError
	if s, err := m.Merge([]string{one, two, folder("two", `{"a":1}`, 2)}); !errors.As(err, &refused) {
		t.Errorf("two options in one environment: %+v, %v", s, err)
	}
}
