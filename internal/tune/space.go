package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/results"
)

// A Space is a policy of the experiment with its ranges, and the configurations that were drawn from them.
type Space struct {
	Policy         string
	Ranges         []Range
	Configurations []Configuration // number 0 first
}

// manyDraws is the number of draws in a row without a new configuration after which newSpace gives up.
const manyDraws = 1000

// newSpace returns the space of a policy with n configurations, or fewer if its ranges do not have n different ones. Of
// several configurations that resolve to the same policy it keeps the first.
//
// The values of a draw depend on its number and on the name of the option. So a greater budget adds configurations, a
// further range adds an option to each of them, and policies with the same option try the same values.
func newSpace(t *Section, policy string, n int, resolve func(Space, Configuration) (results.Policy, error)) (Space, error) {
	s := Space{Policy: policy, Ranges: slices.Clone(t.Ranges)}
	s.Ranges = slices.DeleteFunc(s.Ranges, func(r Range) bool { return r.Policy != policy })
	options := map[string]bool{}
	add := func(c Configuration) (isNew bool, err error) {
		p, err := resolve(s, c)
		if isNew = err == nil && !options[string(p.Options)]; isNew {
			options[string(p.Options)] = true
			s.Configurations = append(s.Configurations, c)
		}
		return isNew, err
	}
	if _, err := add(Configuration{Policy: policy}); err != nil {
		return s, err
	}
	for i, last := 1, 0; len(s.Ranges) > 0 && len(s.Configurations) < n && i-last <= manyDraws; i++ {
		c := Configuration{Policy: policy, Number: i}
		for _, r := range s.Ranges {
			c.Values = append(c.Values, valueAt(r, stream.Root(t.Draw).Child("tune", i, r.Option).Float64()))
		}
		isNew, err := add(c)
		if err != nil {
			return s, err
		}
		if isNew {
			last = i
		}
	}
	return s, nil
}

// valueAt returns the quantile u of a range, 0 ≤ u < 1. Numbers of Log and Linear ranges have three significant digits.
func valueAt(r Range, u float64) string {
	switch r.Kind {
	case Choice:
		return r.Values[int(u*float64(len(r.Values)))]
	case Int:
		return strconv.FormatFloat(r.Low+math.Floor(u*(r.High-r.Low+1)), 'f', 0, 64)
	case Log:
		low, high := kernel.Log(r.Low), kernel.Log(r.High)
		return shortIn(r, kernel.Exp(low+float64(u*(high-low))))
	case Linear:
		return shortIn(r, r.Low+float64(u*(r.High-r.Low)))
	}
	panic(fmt.Sprintf("tune: a range of kind %q", r.Kind))
}

// shortIn returns v with three significant digits or, if these are outside the range, v limited to the range.
func shortIn(r Range, v float64) string {
	text := strconv.FormatFloat(v, 'g', 3, 64)
	short, err := strconv.ParseFloat(text, 64)
	if err != nil || short < r.Low || short > r.High {
		return strconv.FormatFloat(min(max(v, r.Low), r.High), 'g', -1, 64)
	}
	return text
}

// Number returns a value of a range as a number; for a choice, its index in Values.
func Number(r Range, value string) float64 {
	if r.Kind == Choice {
		return float64(slices.Index(r.Values, value))
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(fmt.Sprintf("tune: the value %q of a range of numbers", value)) // valueAt returns numbers for these ranges
	}
	return v
}

// position returns the place of a value in a range of numbers, from 0 at Low to 1 at High; for a choice, its index.
func position(r Range, value string) float64 {
	v := Number(r, value)
	switch r.Kind {
	case Choice:
		return v
	case Log:
		return kernel.Log(v/r.Low) / kernel.Log(r.High/r.Low)
	}
	return (v - r.Low) / (r.High - r.Low)
}

// distance returns the distance between two configurations: the root mean square, over the ranges, of their difference
// in position, which is 1 for different choices.
func (s Space) distance(a, b Configuration) float64 {
	sum := 0.0
	for i, r := range s.Ranges {
		d := position(r, a.Values[i]) - position(r, b.Values[i])
		if r.Kind == Choice && d != 0 {
			d = 1
		}
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(len(s.Ranges)))
}

// A Neighbor is a configuration, in the last rung that it reached, compared with the best one.
type Neighbor struct {
	Scored
	Rung     int     // from 0
	Distance float64 // from the best; NaN for the best itself, and if this one or the best is number 0, which has no values
	Best     Scored  // the best configuration of the search, with its regret in the same rung
}

// Neighbor returns the configuration with the given number.
func (f *Found) Neighbor(number int) Neighbor {
	n := Neighbor{Distance: math.NaN()}
	for rung, scored := range f.Rungs {
		if at := placeOf(scored, number); at >= 0 {
			n.Scored, n.Rung = scored[at], rung
		}
	}
	if at := placeOf(f.Rungs[n.Rung], f.Best.Number); at >= 0 {
		n.Best = f.Rungs[n.Rung][at]
	}
	if number != 0 && f.Best.Number != 0 && number != f.Best.Number {
		n.Distance = f.distance(n.Configuration, f.Best.Configuration)
	}
	return n
}

// placeOf returns the index of the configuration with the given number, or −1.
func placeOf(rung []Scored, number int) int {
	return slices.IndexFunc(rung, func(c Scored) bool { return c.Number == number })
}

// Neighbors returns the n configurations nearest to the best, without the best itself and number 0. If the best is
// number 0, it returns those that reached the latest rungs, in the order of their scores within a rung.
func (f *Found) Neighbors(n int) []Neighbor {
	var list []Neighbor
	for _, c := range f.Configurations {
		if c.Number != 0 && c.Number != f.Best.Number {
			list = append(list, f.Neighbor(c.Number))
		}
	}
	slices.SortStableFunc(list, func(a, b Neighbor) int {
		if f.Best.Number != 0 {
			return cmp.Compare(a.Distance, b.Distance)
		}
		return cmp.Or(cmp.Compare(b.Rung, a.Rung), cmp.Compare(a.Score, b.Score))
	})
	return list[:min(n, len(list))]
}
