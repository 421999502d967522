package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/internal/check"
	"banditsim/internal/tune"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
	"banditsim/results/compare"
)

// tune reads the section tune. Its ranges name policies, which must have been read before.
func (r *fileReader) tune(n *yamltree.Node) error {
	t := tune.DefaultSection()
	r.e.Tune = &t
	draw := int(t.Draw)
	var budget any = yamltree.Whole{&t.Budget, 1, maxTrials}
	if b := n.Get("budget"); b != nil && b.Kind == yamltree.Mapping {
		budget = func(n *yamltree.Node) error { return readMinutes(&t.Minutes, n) }
	}
	err := n.ReadKeys("tune", []yamltree.Key{
		{"seeds", into(&t.Seeds, readSeeds, &t.SeedsAt)},
		{"environments", into(&t.Environments, func(n *yamltree.Node) ([]string, error) {
			return n.Texts("tune.environments")
		}, &t.EnvironmentsAt)},
		{"budget", budget},
		{"halving", func(at *yamltree.Node) error {
			h := &tune.Halving{Place: at.Place}
			t.Halving = h
			if err := n.Require("tune", "seeds"); err != nil { // the number of seeds limits halving.seeds
				return err
			}
			return at.ReadKeys("tune.halving", []yamltree.Key{
				{"eta", yamltree.Whole{&h.Eta, 2, 100}},
				{"rounds", yamltree.Whole{&h.Rounds, 1, math.MaxInt}},
				{"seeds", yamltree.Whole{&h.Seeds, 1, len(t.Seeds)}},
			}, "eta", "rounds", "seeds")
		}},
		{"objective", yamltree.Parsed("tune.objective", &t.Objective, tune.ParseObjective)},
		{"metric", yamltree.Parsed("tune.metric", &t.Metric, compare.ParseMetric)},
		{"draw", yamltree.Whole{&draw, 0, math.MaxInt}},
		{"ranges", r.ranges},
	}, "seeds", "budget", "ranges")
	t.Draw = uint64(draw)
	return err
}

// readMinutes reads a budget {minutes: N} of processor time.
func readMinutes(dst *float64, n *yamltree.Node) error {
	return n.ReadKeys("tune.budget", []yamltree.Key{{"minutes", yamltree.Parsed("tune.budget.minutes", dst, func(text string) (float64, error) {
		minutes, err := check.ParseFloat(text)
		if err != nil || !(minutes > 0 && minutes <= maxMinutes) {
			return 0, fmt.Errorf("tune.budget.minutes: %s, want a number above 0, at most %d", words.Clip(text), maxMinutes)
		}
		return minutes, nil
	})}}, "minutes")
}

// maxMinutes is the largest budget of processor time, in minutes: a year.
const maxMinutes = 366 * 24 * 60

// ranges reads the search ranges: a mapping of keys, as in settings, to {kind: [low, high]} or {choice: [values]}.
func (r *fileReader) ranges(n *yamltree.Node) error {
	if err := n.Must("tune.ranges", yamltree.Mapping); err != nil {
		return err
	}
	var set []Setting
	for _, f := range leaves(n, "", func(f yamltree.Field) bool { return rangeKind(f.Value) != "" }) {
		if f.Value.Kind != yamltree.Mapping {
			return f.Value.Wrap(fmt.Errorf("the range of %s is %s: want such as {log: [1e-5, 0.1]}, with one of %s", f.Name, f.Value.Kind, strings.Join(tune.RangeKinds(), ", ")))
		}
		s, err := parseSetting(f.Name + "=")
		if err != nil {
			return f.Wrap(errors.New("want a key of the form policy.option, or the name of a policy with a mapping; a name with a dot or an equals sign in double quotes: '\"a b=0.5\"'"))
		}
		policy := s.scope()
		if !slices.Contains(r.e.Policies, policy) {
			return f.Wrap(notHere("policy", policy, r.e.Policies))
		}
		v := tune.Range{Policy: policy, Option: s.unscoped().Key, Kind: rangeKind(f.Value), KeyAt: f.Place}
		if err := readRange(&v, f.Value); err != nil {
			return err
		}
		r.e.Tune.Ranges = append(r.e.Tune.Ranges, v)
		s.KeyAt = f.Place
		set = append(set, s)
	}
	if len(set) == 0 {
		return n.Wrap(errors.New("tune.ranges names no option"))
	}
	return checkTwice(set)
}

// rangeKind returns a range's kind, such as "log" for {log: [1e-5, 0.1]}, or "" for a group of options, also a mapping.
func rangeKind(n *yamltree.Node) string {
	for _, f := range n.Fields {
		if slices.Contains(tune.RangeKinds(), f.Name) && f.Value.Kind == yamltree.List {
			return f.Name
		}
	}
	return ""
}

// readRange reads a range n, such as {log: [1e-5, 0.1]}, into v, whose Kind is set already.
func readRange(v *tune.Range, n *yamltree.Node) error {
	what := "the range of " + v.Option
	if len(n.Fields) != 1 {
		return n.Wrap(fmt.Errorf("%s has %d kinds, want one of %s", what, len(n.Fields), strings.Join(tune.RangeKinds(), ", ")))
	}
	values := n.Fields[0].Value
	v.ValueAt = values.Place
	var ends []float64
	for _, item := range values.Items {
		text, err := valueText(item, "a value of "+what)
		if err != nil {
			return err
		}
		if v.Kind == tune.Choice {
			if slices.Contains(v.Values, text) {
				return item.Wrap(fmt.Errorf("%s has %s twice", what, words.Clip(text)))
			}
			v.Values = append(v.Values, text)
			continue
		}
		end, err := check.ParseFloat(text)
		switch {
		case err != nil:
			return item.Wrap(fmt.Errorf("%s: %w", what, err))
		case v.Kind == tune.Log && end <= 0:
			return item.Wrap(fmt.Errorf("%s: %s has no logarithm: want a number above 0", what, text))
		case v.Kind == tune.Int && (end != math.Trunc(end) || math.Abs(end) > 1<<53):
			return item.Wrap(fmt.Errorf("%s: %s is not a whole number", what, text))
		}
		ends = append(ends, end)
	}
	switch {
	case v.Kind == tune.Choice && len(v.Values) >= 2:
		return nil
	case v.Kind == tune.Choice:
		return values.Wrap(fmt.Errorf("%s has %d values, want at least 2", what, len(v.Values)))
	case len(ends) != 2:
		return values.Wrap(fmt.Errorf("%s has %d numbers, want the lowest and the highest", what, len(ends)))
	case ends[0] >= ends[1]:
		return values.Wrap(fmt.Errorf("%s: %g is not below %g", what, ends[0], ends[1]))
	}
	v.Low, v.High = ends[0], ends[1]
	return nil
}
