package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/check"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
	"banditsim/results/compare"
)

// tune reads the section tune. Its ranges are of the policies of the file, which are read before.
func (r *fileReader) tune(n *yamltree.Node) error {
	t := DefaultTune()
	var draw int
	err := n.ReadKeys("tune", []yamltree.Key{
		{"seeds", func(n *yamltree.Node) (err error) {
			t.seedsAt = n.Place
			t.Seeds, err = readSeeds(n)
			return err
		}},
		{"budget", wholeNumber("tune.budget", &t.Budget, 1, maxTrials)},
		{"halving", func(n *yamltree.Node) error {
			t.Halving, t.halvingAt = &Halving{}, n.Place
			return n.ReadAllKeys("tune.halving", []yamltree.Key{
				{"eta", wholeNumber("tune.halving.eta", &t.Halving.Eta, 2, 100)},
				{"rounds", wholeNumber("tune.halving.rounds", &t.Halving.Rounds, 1, math.MaxInt)},
				{"seeds", wholeNumber("tune.halving.seeds", &t.Halving.Seeds, 1, len(t.Seeds))},
			})
		}},
		{"objective", func(n *yamltree.Node) error {
			name, err := n.Scalar("tune.objective")
			if err == nil {
				t.Objective, err = parseObjective(name)
			}
			return n.Wrap(err)
		}},
		{"metric", func(n *yamltree.Node) error {
			name, err := n.Scalar("tune.metric")
			if err == nil {
				t.Metric, err = compare.ParseMetric(name)
			}
			return n.Wrap(err)
		}},
		{"draw", func(n *yamltree.Node) error {
			err := wholeNumber("tune.draw", &draw, 0, math.MaxInt)(n)
			t.Draw = uint64(draw)
			return err
		}},
		{"ranges", func(n *yamltree.Node) error { return r.ranges(n, "", &t.Ranges) }},
	})
	if err != nil {
		return err
	}
	for _, name := range []string{"seeds", "budget", "ranges"} {
		if n.Get(name) == nil {
			return n.Wrap(fmt.Errorf("tune: %s is missing", name))
		}
	}
	var set []Setting
	for _, v := range t.Ranges {
		set = append(set, Setting{Key: quoteScope(v.Policy) + "." + v.Option, keyAt: v.key})
	}
	r.e.Tune = &t
	return checkTwice(set)
}

// wholeNumber returns the reader of a whole number from low to high.
func wholeNumber(what string, to *int, low, high int) func(*yamltree.Node) error {
	return func(n *yamltree.Node) error {
		text, err := n.Scalar(what)
		if err != nil {
			return err
		}
		if *to, err = strconv.Atoi(text); err != nil {
			return n.Wrap(fmt.Errorf("%s: %q is not a whole number that fits 64 bits", what, words.Clip(text)))
		}
		return n.Wrap(check.Within(what, *to, low, high))
	}
}

// ranges reads the ranges of options: a mapping of keys, as in settings, to {kind: [low, high]}.
func (r *fileReader) ranges(n *yamltree.Node, prefix string, to *[]Range) error {
	if err := n.Must("tune.ranges", yamltree.Mapping); err != nil {
		return err
	}
	for _, f := range n.Fields {
		key := prefix + f.Name
		if f.Value.Kind != yamltree.Mapping {
			return f.Value.Wrap(fmt.Errorf("the range of %s is %s: want such as {log: [1e-5, 0.1]}, with one of %s", key, f.Value.Kind, kindNames()))
		}
		kind, ok := rangeKind(f.Value)
		if !ok {
			if err := r.ranges(f.Value, key+".", to); err != nil {
				return err
			}
			continue
		}
		s, err := parseSetting(key + "=")
		if err != nil {
			return f.Wrap(errors.New("want a key of the form policy.option, or the name of a policy with a mapping"))
		}
		policy, path := s.split()
		if !slices.Contains(r.e.Policies, policy) {
			return f.Wrap(notHere("policy", policy, r.e.Policies))
		}
		v := Range{Policy: policy, Option: strings.Join(path, "."), Kind: kind, key: f.Place, value: f.Value.Place}
		if err := v.read(f.Value); err != nil {
			return err
		}
		*to = append(*to, v)
	}
	if len(n.Fields) == 0 {
		return n.Wrap(errors.New("tune.ranges names no option"))
	}
	return nil
}

// rangeKind reports whether a mapping is a range rather than a group of options: it has a kind with a list.
func rangeKind(n *yamltree.Node) (RangeKind, bool) {
	for _, f := range n.Fields {
		if slices.Contains(rangeKinds, RangeKind(f.Name)) && f.Value.Kind == yamltree.List {
			return RangeKind(f.Name), true
		}
	}
	return "", false
}

func kindNames() string {
	var names []string
	for _, k := range rangeKinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// read reads the values of the range.
func (v *Range) read(n *yamltree.Node) error {
	what := "the range of " + v.Option
	if len(n.Fields) != 1 {
		return n.Wrap(fmt.Errorf("%s has %d kinds, want one of %s", what, len(n.Fields), kindNames()))
	}
	values := n.Fields[0].Value
	v.value = values.Place
	if v.Kind == Choice {
		for _, item := range values.Items {
			text, err := valueText(item, "a value of "+v.Option)
			if err != nil {
				return err
			}
			if slices.Contains(v.Values, text) {
				return item.Wrap(fmt.Errorf("%s has %s twice", what, words.Clip(text)))
			}
			v.Values = append(v.Values, text)
		}
		if len(v.Values) < 2 {
			return values.Wrap(fmt.Errorf("%s has %d values, want at least 2", what, len(v.Values)))
		}
		return nil
	}
	if len(values.Items) != 2 {
		return values.Wrap(fmt.Errorf("%s has %d numbers, want the lowest and the highest", what, len(values.Items)))
	}
	for i, to := range []*float64{&v.Low, &v.High} {
		item := values.Items[i]
		text, err := item.Scalar("an end of " + what)
		if err != nil {
			return err
		}
		if *to, err = check.ParseFloat(text); err != nil {
			return item.Wrap(fmt.Errorf("%s: %w", what, err))
		}
		switch {
		case v.Kind == Log && *to <= 0:
			return item.Wrap(fmt.Errorf("%s: %s has no logarithm: want a number above 0", what, text))
		case v.Kind == Int && (*to != math.Trunc(*to) || math.Abs(*to) > 1<<53):
			return item.Wrap(fmt.Errorf("%s: %s is not a whole number", what, text))
		}
	}
	if v.Low >= v.High {
		return values.Wrap(fmt.Errorf("%s: %g is not below %g", what, v.Low, v.High))
	}
	return nil
}
