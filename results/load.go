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
	Dir        string
	Conditions Conditions
	Policies   []PolicyRecords // by label
	Damaged    []Damaged       // files that are no trials, or not whole
}

// PolicyTrials are the trials of one policy.
type PolicyRecords struct {
	// Label is what the trials' sidecars call the policy. Where they do not agree
	// on a label, or another policy has it too, it is the policy's name, followed by
	// the options that tell it from others of that name in the set.
	Label   string
	Policy  Policy
	Records []Record // by seed, failed ones among them
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
	l := loader{dir: dir, set: make(map[string]*Set), policy: make(map[string]int)}
	for _, path := range paths {
		l.add(path)
	}
	switch {
	case len(l.sets) > 0:
		return l.finish(), nil
	case len(l.damaged) > 0:
		return nil, fmt.Errorf("results: load %s: none of %d files can be read, the first: %w", dir, len(l.damaged), l.damaged[0].Err)
	}
	return nil, fmt.Errorf("results: load %s: %w", dir, ErrNoTrials)
}

// loader accumulates the trials of a folder for LoadMixed.
type loader struct {
	dir     string
	sets    []*Set
	set     map[string]*Set // by the conditions' JSON
	policy  map[string]int  // index in its set's Policies, by the conditions' and the policy's JSON
	damaged []Damaged
}

func (l *loader) add(path string) {
	rec, err := ReadRecord(path)
	if err != nil {
		l.damaged = append(l.damaged, Damaged{path, err})
		return
	}
	conditions := Conditions{rec.Epoch, rec.Environment, rec.Protocol}
	key := mustJSON(conditions)
	set := l.set[key]
	if set == nil {
		set = &Set{Dir: l.dir, Conditions: conditions}
		l.set[key] = set
		l.sets = append(l.sets, set)
	}
	key += mustJSON(rec.Policy)
	k, ok := l.policy[key]
	if !ok {
		k = len(set.Policies)
		l.policy[key] = k
		set.Policies = append(set.Policies, PolicyRecords{Label: rec.Policy.Name, Policy: rec.Policy})
	}
	p := &set.Policies[k]
	rec.Environment, rec.Policy = set.Conditions.Environment, p.Policy // one copy in memory for all
	p.Records = append(p.Records, rec)
}

// mustJSON returns the JSON of a value that was read from JSON.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("results: %v", err))
	}
	return string(b)
}

func (l *loader) finish() []*Set {
	for _, set := range l.sets {
		for k := range set.Policies {
			p := &set.Policies[k]
			slices.SortFunc(p.Records, func(a, b Record) int {
				return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Path, b.Path))
			})
			p.Records = l.withoutCopies(p.Records)
		}
		label(set.Policies)
		slices.SortFunc(set.Policies, func(a, b PolicyRecords) int { return cmp.Compare(a.Label, b.Label) })
	}
	slices.SortFunc(l.damaged, func(a, b Damaged) int { return cmp.Compare(a.Path, b.Path) })
	for _, set := range l.sets {
		set.Damaged = slices.Clone(l.damaged)
	}
	return l.sets
}

// withoutCopies lists all but the first file of each seed as damaged: a copy of a trial
// must not count twice. trials are sorted by seed.
func (l *loader) withoutCopies(trials []Record) []Record {
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
func (s *Set) Find(label string) *PolicyRecords {
	for i := range s.Policies {
		if s.Policies[i].Label == label {
			return &s.Policies[i]
		}
	}
	return nil
}

// FindPolicy returns the trials of a policy of that name and those options, whatever
// its label, or nil.
func (s *Set) FindPolicy(p Policy) *PolicyRecords {
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

// MarshalJSON writes the error as text.
func (d Damaged) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Path  string `json:"path"`
		Error string `json:"error"`
	}{d.Path, d.Err.Error()})
}
