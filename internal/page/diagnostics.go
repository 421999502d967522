package page

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

func newSpread(windows int) *spread {
	return &spread{make(numbers, windows), make(numbers, windows), make(numbers, windows), make([]int, windows)}
}

// add adds n values to a window, given by their mean, their lowest and their highest value.
func (s *spread) add(window, n int, mean, low, high float64) {
	if n == 0 {
		return
	}
	if s.n[window] == 0 {
		s.Low[window], s.High[window] = low, high
	}
	s.n[window] += n
	s.Mean[window] += (mean - s.Mean[window]) * float64(n) / float64(s.n[window])
	s.Low[window] = min(s.Low[window], low)
	s.High[window] = max(s.High[window], high)
}

func (s *spread) join(o *spread) {
	for i, n := range o.n {
		s.add(i, n, o.Mean[i], o.Low[i], o.High[i])
	}
}

// result rounds s to the given number of significant digits, and sets windows without values to NaN. It returns s,
// or nil if no window has a value.
func (s *spread) result(digits int) *spread {
	if !slices.ContainsFunc(s.n, func(n int) bool { return n > 0 }) {
		return nil
	}
	for i, n := range s.n {
		if n == 0 {
			s.Mean[i], s.Low[i], s.High[i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
	for _, list := range []numbers{s.Mean, s.Low, s.High} {
		list.round(digits)
	}
	return s
}

// newDiagnostics returns diagnostics without values, for the given number of windows.
func newDiagnostics(windows int) *diagnostics {
	return &diagnostics{Energy: newSpread(windows), Multiplier: newSpread(windows), ESS: newSpread(windows), Theta: &theta{}}
}

// add adds a round, which is in the given window.
func (d *diagnostics) add(r *results.Round, window int) error {
	d.Chains = max(d.Chains, len(r.Energy))
	d.put(d.Energy, window, r.Energy)
	for _, m := range r.Multiplier {
		if low, mean, high := float64(m[0]), float64(m[1]), float64(m[2]); words.Finite(low) && words.Finite(mean) && words.Finite(high) {
			d.Multiplier.add(window, 1, mean, low, high)
		} else {
			d.NotFinite++
		}
	}
	if len(r.Energy) > 0 && r.ESS != 0 { // ESS is 0 in rounds without it
		d.put(d.ESS, window, []results.Number{r.ESS})
	}
	for _, s := range r.Series {
		d.put(d.series(s.Name, s.Unit), window, s.Values)
	}
	if len(r.Theta) == 0 {
		return nil
	}
	return d.Theta.add(r.Round, lists.Each(r.Theta, func(v results.Number) float64 { return float64(v) }))
}

// put adds the finite values to a spread and counts the others.
func (d *diagnostics) put(to *spread, window int, values []results.Number) {
	for _, v := range values {
		if v := float64(v); words.Finite(v) {
			to.add(window, 1, v, v, v)
		} else {
			d.NotFinite++
		}
	}
}

// series returns the spread of the series with the given name. It adds the series if it is missing.
func (d *diagnostics) series(name, unit string) *spread {
	i := slices.IndexFunc(d.Series, func(n named) bool { return n.Name == name })
	if i < 0 {
		i = len(d.Series)
		d.Series = append(d.Series, named{name, unit, newSpread(len(d.Energy.n))})
	}
	return d.Series[i].Spread
}

func (d *diagnostics) join(o *diagnostics) error {
	d.Chains = max(d.Chains, o.Chains)
	d.NotFinite += o.NotFinite
	d.Energy.join(o.Energy)
	d.Multiplier.join(o.Multiplier)
	d.ESS.join(o.ESS)
	for _, s := range o.Series {
		d.series(s.Name, s.Unit).join(s.Spread)
	}
	for i, round := range o.Theta.Rounds {
		if err := d.Theta.add(round, o.Theta.Values[i]); err != nil {
			return err
		}
	}
	return nil
}

// result returns the diagnostics of all rounds that were added, reduced to the given detail; nil for a policy without a
// sampler. Nothing can be added afterwards.
func (d *diagnostics) result(in detail) *diagnostics {
	if d.Chains == 0 {
		return nil
	}
	d.Energy, d.Multiplier, d.ESS = d.Energy.result(in.digits), d.Multiplier.result(in.digits), d.ESS.result(in.digits)
	d.Theta = d.Theta.result(in.thetas, in.digits)
	d.Series = slices.DeleteFunc(d.Series, func(s named) bool { return s.Spread.result(in.digits) == nil })
	return d
}

// add adds one seed's histogram in a round to the mean over seeds. All seeds must have histograms in the same rounds.
func (t *theta) add(round int, bins numbers) error {
	i, _ := slices.BinarySearch(t.Rounds, round)
	if i == len(t.Rounds) {
		t.Rounds = append(t.Rounds, round)
		t.Values = append(t.Values, make(numbers, len(bins)))
		t.n = append(t.n, 0)
	}
	if t.Rounds[i] != round || len(t.Values[i]) != len(bins) {
		return fmt.Errorf("θ of %d bins in round %d, where other seeds have none or %d", len(bins), round, len(t.Values[i]))
	}
	t.n[i]++
	for bin, v := range bins {
		t.Values[i][bin] += (v - t.Values[i][bin]) / float64(t.n[i])
	}
	return nil
}

// result returns up to limit evenly spaced rounds with the given number of significant digits; nil if there are none.
func (t *theta) result(limit, digits int) *theta {
	if len(t.Rounds) == 0 {
		return nil
	}
	out := &theta{}
	for _, i := range compare.Thin(0, len(t.Rounds)-1, limit) {
		out.Rounds = append(out.Rounds, t.Rounds[i])
		t.Values[i].round(digits)
		out.Values = append(out.Values, t.Values[i])
	}
	return out
}
