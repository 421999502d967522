package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// TrialsDir is the folder of trial files in an output folder.
const TrialsDir = "trials"

// A Set is the trials of one output folder. All are of one setting.
type Set struct {
	Dir      string
	Setting  Setting
	Policies []PolicyTrials // by label
	Damaged  []Damaged      // files that are no trials, or not whole
}

// PolicyTrials are the trials of one policy.
type PolicyTrials struct {
	// Label is what the trials' sidecars call the policy. Where they do not agree
	// on a label, or another policy has it too, it is the policy's name, followed by
	// the options that tell it from others of that name in the set.
	Label  string
	Policy Policy
	Trials []SeedTrial // by seed, failed ones among them
}

// A SeedTrial is what a policy came to with one seed.
type SeedTrial struct {
	Seed   uint64
	Path   string
	Totals Totals
}

// Damaged is a file that could not be read, and why. It is an error of those
// who want to read just that file.
type Damaged struct {
	Path string
	Err  error // names the path
}

func (d Damaged) Error() string { return d.Err.Error() }
func (d Damaged) Unwrap() error { return d.Err }

// TrialFiles returns the paths of the trial files in dir/trials, by name. Files
// whose names begin with a dot are unfinished, and are passed over like all that
// are not *.jsonl. The error of a folder that does not exist is fs.ErrNotExist.
func TrialFiles(dir string) ([]string, error) {
	folder := filepath.Join(dir, TrialsDir)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && name[0] != '.' && strings.HasSuffix(name, ".jsonl") {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	return paths, nil
}

// ErrNoTrials is why nothing can be told of a folder that is there: no trial in it is finished.
var ErrNoTrials = errors.New("no finished trial in it: run the experiment first")

// Load reads the header and the totals of all trial files of dir (TrialFiles).
// Damaged files are listed in the set. Trials of different settings (environment,
// data, protocol, epoch) are a *MixedError: they cannot be compared.
func Load(dir string) (*Set, error) {
	sets, err := LoadMixed(dir)
	switch {
	case err != nil:
		return nil, err
	case len(sets) > 1:
		return nil, &MixedError{Dir: dir, Sets: sets}
	}
	return sets[0], nil
}

// LoadMixed is Load for a folder that may hold trials of several settings: it returns a
// set for each, at least one, in the order of their first files. As nobody can tell of
// which setting a damaged file is, each set lists all of them.
func LoadMixed(dir string) ([]*Set, error) {
	paths, err := TrialFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("results: load %s: %w: want a folder that 'banditsim run' wrote", dir, err)
	}
	l := loader{dir: dir, bySetting: make(map[string]*gathered)}
	for _, path := range paths {
		l.add(path)
	}
	switch {
	case len(l.settings) > 0:
		return l.finish(), nil
	case len(l.damaged) > 0:
		return nil, fmt.Errorf("results: load %s: none of %d files can be read, the first: %w", dir, len(l.damaged), l.damaged[0].Err)
	}
	return nil, fmt.Errorf("results: load %s: %w", dir, ErrNoTrials)
}

// A loader gathers sets, file by file. What it keeps of a trial does not grow with
// the trial.
type loader struct {
	dir       string
	settings  []*gathered
	bySetting map[string]*gathered // the same, by the setting's JSON
	damaged   []Damaged
}

// A gathered is a set in the making.
type gathered struct {
	setting  Setting
	policies map[string]*PolicyTrials // by the policy's JSON
}

func (l *loader) add(path string) {
	t, err := ReadTrial(path)
	if err != nil {
		l.damaged = append(l.damaged, Damaged{path, err})
		return
	}
	i := t.Identity
	setting := Setting{i.Epoch, i.Environment, i.Protocol}
	g := l.bySetting[mustJSON(setting)]
	if g == nil {
		g = &gathered{setting, make(map[string]*PolicyTrials)}
		l.bySetting[mustJSON(setting)] = g
		l.settings = append(l.settings, g)
	}
	key := mustJSON(i.Policy)
	p := g.policies[key]
	if p == nil {
		p = &PolicyTrials{Label: i.Policy.Name, Policy: i.Policy}
		g.policies[key] = p
	}
	p.Trials = append(p.Trials, SeedTrial{Seed: i.Seed, Path: path, Totals: t.Totals})
}

// mustJSON is the JSON of what has been read from JSON.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("results: %v", err))
	}
	return string(b)
}

func (l *loader) finish() []*Set {
	var sets []*Set
	for _, g := range l.settings {
		set := &Set{Dir: l.dir, Setting: g.setting}
		for _, p := range g.policies {
			slices.SortFunc(p.Trials, func(a, b SeedTrial) int {
				return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Path, b.Path))
			})
			p.Trials = l.withoutCopies(p.Trials)
			set.Policies = append(set.Policies, *p)
		}
		label(set.Policies)
		slices.SortFunc(set.Policies, func(a, b PolicyTrials) int { return cmp.Compare(a.Label, b.Label) })
		sets = append(sets, set)
	}
	slices.SortFunc(l.damaged, func(a, b Damaged) int { return cmp.Compare(a.Path, b.Path) })
	for _, set := range sets {
		set.Damaged = slices.Clone(l.damaged)
	}
	return sets
}

// withoutCopies lists all but the first file of each seed as damaged: a copy of a trial
// must not count twice. trials are sorted by seed.
func (l *loader) withoutCopies(trials []SeedTrial) []SeedTrial {
	kept := trials[:1]
	for _, t := range trials[1:] {
		first := kept[len(kept)-1]
		if t.Seed != first.Seed {
			kept = append(kept, t)
			continue
		}
		err := fmt.Errorf("results: load %s: a second file of the trial in %s: delete one", t.Path, filepath.Base(first.Path))
		l.damaged = append(l.damaged, Damaged{t.Path, err})
	}
	return kept
}

// Find returns the policy of that label, or nil.
func (s *Set) Find(label string) *PolicyTrials {
	for i := range s.Policies {
		if s.Policies[i].Label == label {
			return &s.Policies[i]
		}
	}
	return nil
}

// FindPolicy returns the trials of a policy of that name and those options, whatever
// its label, or nil.
func (s *Set) FindPolicy(p Policy) *PolicyTrials {
	want := mustJSON(p)
	for i := range s.Policies {
		if mustJSON(s.Policies[i].Policy) == want {
			return &s.Policies[i]
		}
	}
	return nil
}

// Labels returns the labels of all policies.
func (s *Set) Labels() []string {
	labels := make([]string, len(s.Policies))
	for i, p := range s.Policies {
		labels[i] = p.Label
	}
	return labels
}
