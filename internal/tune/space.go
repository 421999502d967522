package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/results"
)

// A Space is a policy of the experiment with its ranges, and the configurations that were drawn from them.
type Space struct {
	Policy         string
	Ranges         []Range
	Configurations []Configuration // that with number 0 first
}

// manyDraws is the number of draws in a row that give no new configuration, after which there is taken to be
// none.
const manyDraws = 1000

// newSpace returns the space of a policy with n configurations, or fewer if its ranges have no more. Of
// configurations that resolve to the same policy it keeps the first.
//
// The values of a draw depend on its number and on the name of the option: a greater budget adds
// configurations, another range adds an option to them, and policies with the same option try the same
// values.
func newSpace(t *Section, policy string, n int, resolve func(Space, Configuration) (results.Policy, error)) (Space, error) {
	s := Space{Policy: policy}
	for _, r := range t.Ranges {
		if r.Policy == policy {
			s.Ranges = append(s.Ranges, r)
		}
	}
	drawn, options := map[string]bool{}, map[string]bool{}
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
		key := strings.Join(c.Values, "\x00")
		if drawn[key] {
			continue
		}
		drawn[key] = true
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

// valueAt returns the value of a range below which a share u of its draws lie, numbers with three digits.
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

// shortIn returns v with three digits, unless that is out of the range.
func shortIn(r Range, v float64) string {
	text := strconv.FormatFloat(v, 'g', 3, 64)
	short, err := strconv.ParseFloat(text, 64)
	if err != nil || short < r.Low || short > r.High {
		return strconv.FormatFloat(min(max(v, r.Low), r.High), 'g', -1, 64)
	}
	return text
}

// Number returns a value of a range as a number; of a choice, which of its values it is, from 0.
func Number(r Range, value string) float64 {
	if r.Kind == Choice {
		return float64(slices.Index(r.Values, value))
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(fmt.Sprintf("tune: the value %q of a range of numbers", value)) // valueAt makes no such
	}
	return v
}

// position returns where a value of a range lies: 0 is its low end and 1 its high end; of a choice its number.
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

// distance returns how far two configurations of the space are apart: the root of the mean square over the ranges of
// the differences in position, or of 1 for different choices.
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

// At returns a configuration by its number in a rung, which is counted from 0. It reports whether it is there.
func (f *Found) At(rung, number int) (Scored, bool) {
	at := slices.IndexFunc(f.Rungs[rung], func(c Scored) bool { return c.Number == number })
	if at < 0 {
		return Scored{}, false
	}
	return f.Rungs[rung][at], true
}

// Last returns a configuration by its number in the last rung that it reached.
func (f *Found) Last(number int) (c Scored, rung int) {
	for k := range f.Rungs {
		if at, ok := f.At(k, number); ok {
			c, rung = at, k
		}
	}
	return c, rung
}

// A Neighbor is a configuration near the best, in the last rung that it reached.
type Neighbor struct {
	Scored
	Rung     int // from 0
	Distance float64
	Best     Scored // the best configuration of the search in the same rung
}

// Neighbors returns the n configurations that are nearest to the best, which is none of them. If that has number
// 0, which lies nowhere, they are those that came furthest, the lowest regret of a rung first, with NaN for the distance.
func (f *Found) Neighbors(n int) []Neighbor {
	var list []Neighbor
	for _, c := range f.Configurations {
		if c.Number == 0 || c.Number == f.Best.Number {
			continue
		}
		at, rung := f.Last(c.Number)
		best, _ := f.At(rung, f.Best.Number)
		distance := math.NaN()
		if f.Best.Number != 0 {
			distance = f.distance(c, f.Best.Configuration)
		}
		list = append(list, Neighbor{at, rung, distance, best})
	}
	slices.SortStableFunc(list, func(a, b Neighbor) int {
		if f.Best.Number != 0 {
			return cmp.Compare(a.Distance, b.Distance)
		}
		return cmp.Or(cmp.Compare(b.Rung, a.Rung), cmp.Compare(f.place(a), f.place(b)))
	})
	return list[:min(n, len(list))]
}

// place returns the place of a configuration in its rung, of which the lowest regret is first.
func (f *Found) place(n Neighbor) int {
	return slices.IndexFunc(f.Rungs[n.Rung], func(c Scored) bool { return c.Number == n.Number })
}
