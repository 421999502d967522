package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"banditsim/internal/words"
)

// TrialsDir is the folder of trial files in an output folder.
const TrialsDir = "trials"

// A Set has the trials of one output folder, or of several folders (see Join), that have the same conditions.
type Set struct {
	Dir string // output folder
	// Label is the experiment's name for the environment, from the trials' sidecars. If any set of the folder lacks such a
	// name, or two sets have the same, Label is the registered name of the environment in every set. It is then followed
	// by the values of the fields in which sets with that registered name differ.
	Label      string
	Named      bool // reports whether the labels of all sets of the folder are from sidecars
	Conditions Conditions
	Policies   []PolicyRecords // sorted by label, except in sets that Select returned
	Damaged    []Damaged       // trial files, sidecars and recorded pulls that are left out

	order int      // place of the environment in the experiment, from the newest sidecar; 0 if unknown
	all   []string // labels of the policies of all sets that were loaded together; the function Order reads it
}

// PolicyRecords are the trials of one policy.
type PolicyRecords struct {
	// Label is the label in the trials' sidecars. If they have no label or different ones, or another policy has the same,
	// it is the policy's registered name, followed by the options in which policies of the set with that name differ.
	Label   string
	Policy  Policy
	Records []Record // sorted by seed, failed trials included
	// TunedSeeds are the seeds on which the options were chosen, from the trials' sidecars.
	TunedSeeds []uint64
}

// Damaged is the error for a damaged file.
type Damaged struct {
	Path string
	Err  error // includes the path
}

func (d Damaged) Error() string { return d.Err.Error() }
func (d Damaged) Unwrap() error { return d.Err }

// TrialFiles returns the sorted paths of the trial files in dir/trials: all *.jsonl except those with a leading dot,
// which belong to unfinished trials. A folder named *.jsonl is among them, and reading it fails. Files whose names have
// unprintable characters, which this program never writes, are in the result odd. The error is fs.ErrNotExist if
// dir/trials does not exist. A pack, a ZIP file in which older versions kept many trials, is an error too.
func TrialFiles(dir string) (paths []string, odd []Damaged, err error) {
	folder := filepath.Join(dir, TrialsDir)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	paths = []string{}
	for _, e := range entries {
		name := e.Name()
		plain := words.Plain(name)
		path := filepath.Join(folder, plain)
		switch {
		case strings.HasPrefix(name, "pack-") && strings.HasSuffix(name, ".zip"):
			return nil, nil, fmt.Errorf("%s is a pack of an older version: unpack its trials with unzip -n FILE -d %s and delete it", path, folder)
		case name[0] == '.' || !strings.HasSuffix(name, ".jsonl"):
		case plain != name:
			odd = append(odd, Damaged{path, fmt.Errorf("results: %s: its name, %q, has characters that are not printable: it is not of banditsim", path, name)})
		default:
			paths = append(paths, path)
		}
	}
	return paths, odd, nil
}

// Heads returns the finished trials of a folder, as ReadRecord reads them. It leaves out unreadable files.
func Heads(dir string) (all []Record, err error) {
	paths, _, err := TrialFiles(dir)
	for _, path := range paths {
		if rec, err := ReadRecord(path); err == nil {
			all = append(all, rec)
		}
	}
	return all, err
}

// ErrNoTrials is the error for a folder without a finished trial.
var ErrNoTrials = errors.New("no finished trial in it: run the experiment, or the same command again if it was interrupted")

// An UnreadableError is the error for a folder in which all trial files are damaged.
type UnreadableError struct {
	Dir     string
	Damaged []Damaged // at least one
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("results: load %s: none of %d files can be read, the first: %v", e.Dir, len(e.Damaged), e.Damaged[0])
}

func (e *UnreadableError) Unwrap() error { return e.Damaged[0] }

// Load verifies all trial files of dir, as Check does, and their sidecars. Damaged files are listed in the set. Trials
// of different conditions (environment, data, protocol, epoch) cannot be compared: the error is a *MixedError.
func Load(dir string) (*Set, error) {
	sets, err := LoadMixed(dir)
	if err != nil {
		return nil, err
	}
	return onlySet(dir, sets)
}

// onlySet returns the only set of sets. The error is a *MixedError if there are several.
func onlySet(dir string, sets []*Set) (*Set, error) {
	if len(sets) > 1 {
		return nil, &MixedError{Dir: dir, Sets: sets}
	}
	return sets[0], nil
}

// LoadMixed is Load for a folder whose trials may differ in conditions. It returns one set for each distinct
// Conditions, at least one. If Set.Named is true, the sets are in the experiment's order, or sorted by label if it is
// unknown; otherwise in the order of their first files. Each set lists all damaged files, as their set is unknown.
func LoadMixed(dir string) ([]*Set, error) {
	paths, odd, err := TrialFiles(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		err = fmt.Errorf("%w: want a folder that 'banditsim run' wrote", err)
	}
	if err != nil {
		return nil, fmt.Errorf("results: load %s: %w", dir, err)
	}
	l := newLoader(dir, odd)
	InOrder(paths, func(path string) (func(), error) {
		rec, err := verify(path)
		if err != nil {
			return func() { l.damaged = append(l.damaged, Damaged{path, err}) }, nil
		}
		s, err := rec.Sidecar()
		rec.sidecar, rec.sidecarErr = &s, err
		return func() { l.add(rec) }, nil
	}, func(_ string, add func()) { add() })
	switch {
	case len(l.sets) > 0:
		return l.finish(), nil
	case len(l.damaged) > 0:
		return nil, &UnreadableError{dir, l.damaged}
	}
	return nil, fmt.Errorf("results: load %s: %w", dir, ErrNoTrials)
}

// loader sorts trials into sets for LoadMixed, Join and MemorySet.
type loader struct {
	dir     string // field Dir of the sets that the method add makes
	sets    []*Set
	set     map[string]*Set // sets by the JSON of their conditions
	policy  map[string]int  // index of a policy in its set, by the JSON of the conditions and the policy
	damaged []Damaged
	joined  bool // reports whether the trials are from several folders; see Join
}

func newLoader(dir string, damaged []Damaged) *loader {
	return &loader{dir: dir, set: make(map[string]*Set), policy: make(map[string]int), damaged: damaged}
}

// add adds a trial to its conditions' set, and a damaged or unreadable sidecar to l.damaged. rec.sidecar must be set.
func (l *loader) add(rec Record) {
	if rec.sidecarErr != nil && !errors.Is(rec.sidecarErr, fs.ErrNotExist) { // also one that may not be read
		l.damaged = append(l.damaged, Damaged{SidecarPath(rec.Path), rec.sidecarErr})
	}
	key := mustJSON(rec.Conditions)
	set := l.set[key]
	if set == nil {
		set = &Set{Dir: l.dir, Conditions: *rec.Conditions}
		l.set[key] = set
		l.sets = append(l.sets, set)
	}
	key += mustJSON(rec.Policy)
	k, ok := l.policy[key]
	if !ok {
		k = len(set.Policies)
		l.policy[key] = k
		set.Policies = append(set.Policies, PolicyRecords{Label: rec.Policy.Name, Policy: *rec.Policy})
	}
	p := &set.Policies[k]
	if rec.Conditions = &set.Conditions; len(p.Records) > 0 {
		rec.Policy = p.Records[0].Policy
	}
	p.Records = append(p.Records, rec)
}

// mustJSON returns v as JSON. It panics if v contains options that are not JSON.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("results: identity: %v", err))
	}
	return string(b)
}

// finish sorts and labels the sets, of which there must be at least one, and returns them.
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
	labelSets(l.sets)
	if l.sets[0].Named { // other sets stay in the order of their first files
		known := !slices.ContainsFunc(l.sets, func(s *Set) bool { return s.order == 0 })
		slices.SortFunc(l.sets, func(a, b *Set) int {
			if known && a.order != b.order {
				return a.order - b.order
			}
			return cmp.Compare(a.Label, b.Label)
		})
	}
	all := Labels(l.sets)
	slices.SortStableFunc(l.damaged, func(a, b Damaged) int { return cmp.Compare(a.Path, b.Path) })
	if l.joined { // the sets list the same files
		l.damaged = slices.CompactFunc(l.damaged, func(a, b Damaged) bool { return a.Path == b.Path })
	}
	for _, set := range l.sets {
		set.Damaged, set.all = slices.Clone(l.damaged), all
	}
	return l.sets
}

// companions returns a number that is higher if more files are beside the trial file. Recorded pulls count more than a
// sidecar with a score, and that more than a sidecar without one.
func (rec Record) companions() (rank int) {
	if rec.HasPulls() {
		rank += 4
	}
	if s, err := rec.Sidecar(); err == nil {
		rank++
		if s.Score != nil {
			rank += 2
		}
	}
	return rank
}

// withoutCopies returns one trial per seed, so that no copy counts twice. trials must be sorted by seed. Of the files
// of a trial it keeps that with the trial's name, or else the first, and lists the others as damaged. But if the sets
// are those of Join and totals are equal, it keeps the file for which companions is highest, and lists none as damaged.
func (l *loader) withoutCopies(trials []Record) []Record {
	kept := trials[:1]
	for _, t := range trials[1:] {
		first := kept[len(kept)-1]
		if t.Seed != first.Seed {
			kept = append(kept, t)
			continue
		}
		if l.joined && reflect.DeepEqual(first.Totals, t.Totals) { // Sum may differ, as one file may lack diagnostics
			if t.companions() > first.companions() {
				kept[len(kept)-1] = t
			}
			continue
		}
		if filepath.Base(first.Path) != t.FileName() { // the first is a copy under another name
			kept[len(kept)-1], first, t = t, t, first
		}
		err := fmt.Errorf("results: load %s: a second file of the trial in %s: delete one", t.Path, first.Path)
		l.damaged = append(l.damaged, Damaged{t.Path, err})
	}
	return kept
}

// Find returns the policy with the given label, or nil.
func (s *Set) Find(label string) *PolicyRecords {
	return s.find(func(p PolicyRecords) bool { return p.Label == label })
}

// FindPolicy returns the policy with the name and the options of p, or nil.
func (s *Set) FindPolicy(p Policy) *PolicyRecords {
	want := mustJSON(p)
	return s.find(func(p PolicyRecords) bool { return mustJSON(p.Policy) == want })
}

func (s *Set) find(is func(PolicyRecords) bool) *PolicyRecords {
	if i := slices.IndexFunc(s.Policies, is); i >= 0 {
		return &s.Policies[i]
	}
	return nil
}

// MarshalJSON writes the error as a string.
func (d Damaged) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Path  string `json:"path"`
		Error string `json:"error"`
	}{d.Path, d.Err.Error()})
}

// MemorySet is Load for trials in memory. Its argument has finished writers from InMemory. The set keeps the bytes of
// each trial. The error is a *MixedError if the conditions of the trials differ.
func MemorySet(trials []*Writer) (*Set, error) {
	if len(trials) == 0 {
		return nil, errors.New("results: a set of no trials")
	}
	l := newLoader("", nil)
	for _, w := range trials {
		rec, err := scan(bytes.NewReader(w.text.Bytes()), visitor{})
		if err != nil {
			return nil, fmt.Errorf("results: trial in memory: %w", err)
		}
		rec.Path, rec.text, rec.sidecar = rec.FileName(), w.text.Bytes(), &w.sidecar
		l.add(rec)
	}
	return onlySet("", l.finish())
}
