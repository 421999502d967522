package experiment

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
)

// ReadFile reads an experiment file (see [ExampleFile]). Its errors, and those of Resolve about
// the file, give line and column.
func (c *Catalog) ReadFile(path string) (Experiment, error) {
	f, _, err := wholefile.Open(path)
	if err != nil {
		return Experiment{}, fmt.Errorf("experiment file: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return Experiment{}, fmt.Errorf("experiment file: %w", err)
	}
	return c.parseFile(path, b)
}

func (c *Catalog) parseFile(path string, b []byte) (Experiment, error) {
	root, err := parseYAML(path, b)
	if err != nil {
		return Experiment{}, err
	}
	r := fileReader{catalog: c}
	err = root.readKeys("an experiment", []key{
		{"extends", r.extends}, // first, since the other keys override it
		{"name", r.name},
		{"environment", r.environment},
		{"environments", r.environments},
		{"profile", r.profile},
		{"data", r.data},
		{"seeds", r.seeds},
		{"protocol", r.protocol},
		{"policies", r.policies},
		{"set", r.set},
		{"thresholds", r.thresholds},
		{"figure", r.figure},
	})
	if err != nil {
		return Experiment{}, err
	}
	if root.get("environment") != nil && root.get("environments") != nil {
		return Experiment{}, root.get("environments").Wrap(errors.New("there is environment as well: want one of them"))
	}
	for _, name := range []string{"name", "environment", "profile", "seeds", "protocol", "policies"} {
		switch {
		case root.get(name) != nil || r.extended && name != "name" || name == "environment" && root.get("environments") != nil:
		case r.extended:
			return Experiment{}, root.Wrap(errors.New("name is missing: results go to out/NAME"))
		default:
			return Experiment{}, root.Wrap(fmt.Errorf("%s is missing, and there is no preset to take it from (extends)", name))
		}
	}
	return r.e, nil
}

// A fileReader reads an experiment file into e.
type fileReader struct {
	catalog  *Catalog
	e        Experiment
	extended bool // e started as a preset
}

func (r *fileReader) extends(n *node) error {
	name, err := n.scalar("extends")
	if err != nil {
		return err
	}
	if r.e, err = r.catalog.Preset(name); err != nil {
		return n.Wrap(err)
	}
	r.e.Name, r.e.Doc, r.extended = "", "", true // the file has its own
	return nil
}

func (r *fileReader) name(n *node) (err error) {
	if r.e.Name, err = n.scalar("name"); err != nil {
		return err
	}
	if err := checkExperimentName(r.e.Name); err != nil {
		return n.Wrap(fmt.Errorf("name: %w", err))
	}
	return nil
}

// checkExperimentName returns an error if the name cannot be the name of a folder.
func checkExperimentName(name string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "":
		return fmt.Errorf("%q is blank, or begins or ends with a blank", name)
	case len(name) > maxName:
		return fmt.Errorf("%.20q… has %d bytes, want at most %d", name, len(name), maxName)
	case strings.ContainsAny(name, `/\`) || name[0] == '.' || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%q cannot be the name of a folder: want no slashes and no leading dot", name)
	}
	return nil
}

func (r *fileReader) environment(n *node) (err error) {
	r.e.Environments = nil
	r.e.Environment, err = n.scalar("environment")
	r.e.environmentAt = n.Place
	return err
}

func (r *fileReader) profile(n *node) error {
	name, err := n.scalar("profile")
	if err != nil {
		return err
	}
	if known := r.catalog.profileNames(); !slices.Contains(known, name) {
		return n.Wrap(unknown("profile", name, known))
	}
	r.e.Profile = name
	return nil
}

func (r *fileReader) data(n *node) (err error) {
	r.e.Data, err = n.scalar("data")
	r.e.dataInFile, r.e.dataAt = r.e.Data, n.Place
	return err
}

// seeds reads a range such as 1..6, a number, or a list of these.
func (r *fileReader) seeds(n *node) error {
	if err := n.must("seeds", scalar, list); err != nil {
		return err
	}
	items := n.items
	if n.kind == scalar {
		items = []*node{n}
	}
	r.e.Seeds = nil
	seen := map[uint64]bool{}
	for _, item := range items {
		text, err := item.scalar("a seed")
		if err != nil {
			return err
		}
		seeds, err := parseSeeds(text, seen)
		if err != nil {
			return item.Wrap(err)
		}
		r.e.Seeds = append(r.e.Seeds, seeds...)
	}
	if len(r.e.Seeds) == 0 {
		return n.Wrap(errors.New("seeds: the list is empty"))
	}
	return nil
}

func (r *fileReader) protocol(n *node) error {
	p := &r.e.Protocol
	var keys []key
	for _, f := range []struct {
		name string
		to   *int
		of   func(int) bandit.Protocol // a protocol in which nothing else is out of range
	}{
		{"rounds", &p.Rounds, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: v, Pulls: 1} }},
		{"pulls", &p.Pulls, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: v} }},
		{"burn_in", &p.BurnIn, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: 1, BurnIn: v} }},
		{"initial", &p.Initial, func(v int) bandit.Protocol { return bandit.Protocol{Rounds: 1, Pulls: 1, Initial: v} }},
	} {
		keys = append(keys, key{f.name, func(n *node) error {
			text, err := n.scalar(f.name)
			if err != nil {
				return err
			}
			v, err := strconv.Atoi(text)
			if err != nil {
				return n.Wrap(fmt.Errorf("protocol.%s: %q is not a whole number that fits 64 bits", f.name, clip(text)))
			}
			*f.to = v
			return n.Wrap(f.of(v).Validate())
		}})
	}
	required := keys[:3]
	keys = append(keys, key{"sequential", r.sequential}, key{"delay", r.delay})
	if err := n.readKeys("protocol", keys); err != nil {
		return err
	}
	for _, k := range required {
		if !r.extended && n.get(k.name) == nil {
			return n.Wrap(fmt.Errorf("protocol: %s is missing", k.name))
		}
	}
	return nil
}

func (r *fileReader) sequential(n *node) error {
	text, err := n.scalar("sequential")
	if err != nil {
		return err
	}
	if text != "true" && text != "false" {
		return n.Wrap(fmt.Errorf("protocol.sequential: %q is not true or false", clip(text)))
	}
	r.e.Protocol.Sequential = text == "true"
	return nil
}

func (r *fileReader) delay(n *node) error {
	var d bandit.Delay
	err := n.readKeys("delay", []key{
		{"kind", func(n *node) (err error) {
			d.Kind, err = n.scalar("kind")
			return err
		}},
		{"pulls", func(n *node) error {
			text, err := n.scalar("pulls")
			if err != nil {
				return err
			}
			if d.Pulls, err = strconv.Atoi(text); err != nil {
				err = fmt.Errorf("protocol.delay.pulls: %q is not a whole number that fits 64 bits", clip(text))
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
func (r *fileReader) set(n *node) error {
	settings, err := readSettings(n, "set", true)
	r.e.Settings = append(r.e.Settings, settings...)
	return err
}

func (r *fileReader) thresholds(n *node) error {
	if err := n.must("thresholds", list); err != nil {
		return err
	}
	r.e.Thresholds = nil
	for _, item := range n.items {
		text, err := item.scalar("a threshold")
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
