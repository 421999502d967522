package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
)

// ReadFile reads an experiment file (see [ExampleFile]). Its errors, and those of Resolve about
// the file, give line and column.
func (c *Catalog) ReadFile(path string) (Experiment, error) {
	root, err := yamltree.ReadFile("experiment file", path)
	if err != nil {
		return Experiment{}, err
	}
	return c.parseFile(root)
}

func (c *Catalog) parseFile(root *yamltree.Node) (Experiment, error) {
	r := fileReader{catalog: c}
	err := root.ReadKeys("an experiment", []yamltree.Key{
		{"extends", r.extends}, // first, since the other keys override it
		{"name", r.name},
		{"title", text("title", &r.e.Title)},
		{"notes", text("notes", &r.e.Notes)},
		{"environment", r.environment},
		{"environments", r.environments},
		{"profile", r.profile},
		{"data", r.data},
		{"seeds", r.seeds},
		{"tuned_seeds", r.tunedSeeds},
		{"protocol", r.protocol},
		{"policies", r.policies},
		{"set", r.set},
		{"thresholds", r.thresholds},
		{"figure", r.figure},
		{"tune", r.tune},
	})
	if err != nil {
		return Experiment{}, err
	}
	if root.Get("environment") != nil && root.Get("environments") != nil {
		return Experiment{}, root.Get("environments").Wrap(errors.New("there is environment as well: want one of them"))
	}
	for _, name := range []string{"name", "environment", "profile", "seeds", "protocol", "policies"} {
		switch {
		case root.Get(name) != nil || r.extended && name != "name" || name == "environment" && root.Get("environments") != nil:
		case r.extended:
			return Experiment{}, root.Wrap(errors.New("name is missing: results go to out/NAME"))
		default:
			if name == "profile" {
				name += ": " + strings.Join(r.catalog.profileNames(), "|")
			}
			return Experiment{}, root.Wrap(fmt.Errorf("%s is missing: want it, or extends: PRESET to take it from there", name))
		}
	}
	return r.e, nil
}

// maxText is the length of the longest title or notes, in bytes: each trial's sidecar has them.
const maxText = 4000

// text returns a function that reads a text into to.
func text(name string, to *string) func(*yamltree.Node) error {
	return func(n *yamltree.Node) (err error) {
		if *to, err = n.Scalar(name); err == nil && len(*to) > maxText {
			err = n.Wrap(fmt.Errorf("%s: %d bytes, want at most %d", name, len(*to), maxText))
		}
		return err
	}
}

// A fileReader reads an experiment file into e.
type fileReader struct {
	catalog  *Catalog
	e        Experiment
	extended bool // e started as a preset
}

func (r *fileReader) extends(n *yamltree.Node) error {
	name, err := n.Scalar("extends")
	if err != nil {
		return err
	}
	if r.e, err = r.catalog.Preset(name); err != nil {
		return n.Wrap(err)
	}
	r.e.Name, r.e.Doc, r.e.Title, r.e.Notes, r.extended = "", "", "", "", true // the file has its own
	return nil
}

func (r *fileReader) name(n *yamltree.Node) (err error) {
	if r.e.Name, err = n.Scalar("name"); err != nil {
		return err
	}
	if err := checkName(r.e.Name); err != nil {
		return n.Wrap(fmt.Errorf("name: %w", err))
	}
	return nil
}

func (r *fileReader) environment(n *yamltree.Node) (err error) {
	r.e.Environments = nil
	r.e.Environment, err = n.Scalar("environment")
	r.e.environmentAt = n.Place
	return err
}

func (r *fileReader) profile(n *yamltree.Node) error {
	name, err := n.Scalar("profile")
	if err != nil {
		return err
	}
	if known := r.catalog.profileNames(); !slices.Contains(known, name) {
		return n.Wrap(unknown("profile", name, known))
	}
	r.e.Profile = name
	return nil
}

func (r *fileReader) data(n *yamltree.Node) (err error) {
	r.e.Data, err = n.Scalar("data")
	r.e.dataInFile, r.e.dataAt = r.e.Data, n.Place
	return err
}

func (r *fileReader) seeds(n *yamltree.Node) (err error) {
	r.e.Seeds, err = readSeeds(n)
	return err
}

// tunedSeeds adds to the seeds of the preset.
func (r *fileReader) tunedSeeds(n *yamltree.Node) error {
	seeds, err := readSeeds(n)
	r.e.TunedSeeds = slices.Compact(slices.Sorted(slices.Values(append(r.e.TunedSeeds, seeds...))))
	return err
}

// readSeeds reads a range such as 1..6, a number, or a list of these.
func readSeeds(n *yamltree.Node) (list []uint64, err error) {
	if err := n.Must("seeds", yamltree.Scalar, yamltree.List); err != nil {
		return nil, err
	}
	items := n.Items
	if n.Kind == yamltree.Scalar {
		items = []*yamltree.Node{n}
	}
	seen := map[uint64]bool{}
	for _, item := range items {
		text, err := item.Scalar("a seed")
		if err != nil {
			return nil, err
		}
		seeds, err := parseSeeds(text, seen)
		if err != nil {
			return nil, item.Wrap(err)
		}
		list = append(list, seeds...)
	}
	if len(list) == 0 {
		return nil, n.Wrap(errors.New("seeds: the list is empty"))
	}
	return list, nil
}

func (r *fileReader) protocol(n *yamltree.Node) error {
	p := &r.e.Protocol
	var keys []yamltree.Key
	for _, f := range []struct {
		name string
		to   *int
		of   func(int) bandit.Protocol // a protocol in which nothing else is out of range
	}{
		{"rounds", &p.Rounds, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: v, Pulls: 1} }},
		{"pulls", &p.Pulls, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: v} }},
		{"burn_in", &p.BurnIn, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: 1, BurnIn: v} }},
		{"initial", &p.Initial, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: 1, Initial: v} }},
		{"last", &p.Last, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: 1e5, Last: v} }},
	} {
		keys = append(keys, yamltree.Key{f.name, func(n *yamltree.Node) error {
			text, err := n.Scalar(f.name)
			if err != nil {
				return err
			}
			v, err := strconv.Atoi(text)
			if err != nil {
				return n.Wrap(fmt.Errorf("protocol.%s: %q is not a whole number that fits 64 bits", f.name, words.Clip(text)))
			}
			*f.to = v
			return n.Wrap(f.of(v).Validate())
		}})
	}
	required := keys[:3]
	keys = append(keys, yamltree.Key{"sequential", r.sequential}, yamltree.Key{"delay", r.delay})
	if err := n.ReadKeys("protocol", keys); err != nil {
		return err
	}
	if n.Get("rounds") != nil {
		r.e.FollowRows = false
	}
	for _, k := range required {
		if !r.extended && n.Get(k.Name) == nil {
			return n.Wrap(fmt.Errorf("protocol: %s is missing", k.Name))
		}
	}
	return nil
}

func (r *fileReader) sequential(n *yamltree.Node) error {
	text, err := n.Scalar("sequential")
	if err != nil {
		return err
	}
	if text != "true" && text != "false" {
		return n.Wrap(fmt.Errorf("protocol.sequential: %q is not true or false", words.Clip(text)))
	}
	r.e.Protocol.Sequential = text == "true"
	return nil
}

func (r *fileReader) delay(n *yamltree.Node) error {
	var d bandit.Delay
	err := n.ReadKeys("delay", []yamltree.Key{
		{"kind", func(n *yamltree.Node) (err error) {
			d.Kind, err = n.Scalar("kind")
			return err
		}},
		{"pulls", func(n *yamltree.Node) error {
			text, err := n.Scalar("pulls")
			if err != nil {
				return err
			}
			if d.Pulls, err = strconv.Atoi(text); err != nil {
				err = fmt.Errorf("protocol.delay.pulls: %q is not a whole number that fits 64 bits", words.Clip(text))
			}
			return n.Wrap(err)
		}},
	})
	if err != nil {
		return err
	}
	r.e.Protocol.Delay = d
	return n.Wrap(bandit.Protocol{Rounds: 1, Pulls: 1, Delay: d}.Validate())
}

// set reads the settings of the experiment. Keys start with a scope.
func (r *fileReader) set(n *yamltree.Node) error {
	settings, err := readSettings(n, "set", true, r.catalog.scopedMapping)
	r.e.Settings = append(r.e.Settings, settings...)
	return err
}

func (r *fileReader) thresholds(n *yamltree.Node) error {
	if err := n.Must("thresholds", yamltree.List); err != nil {
		return err
	}
	r.e.Thresholds = nil
	for _, item := range n.Items {
		text, err := item.Scalar("a threshold")
		if err != nil {
			return err
		}
		t, err := ParseThreshold(text)
		if err != nil {
			return item.Wrap(err)
		}
		t.at = item.Place
		r.e.Thresholds = append(r.e.Thresholds, t)
	}
	return nil
}
