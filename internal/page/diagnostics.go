package page

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

func newSpread(w windows) *spread {
	return &spread{make(numbers, w.N), make(numbers, w.N), make(numbers, w.N), make([]int, w.N)}
}

// add adds a mean with its lowest and highest value.
func (s *spread) add(window int, mean, low, high float64) {
	if s.n[window] == 0 {
		s.Low[window], s.High[window] = low, high
	}
	s.n[window]++
	s.Mean[window] += (mean - s.Mean[window]) / float64(s.n[window])
	s.Low[window] = min(s.Low[window], low)
	s.High[window] = max(s.High[window], high)
}

// join adds what another spread was given.
func (s *spread) join(o *spread) {
	for i, n := range o.n {
		if n == 0 {
			continue
		}
		if s.n[i] == 0 {
			s.Low[i], s.High[i] = o.Low[i], o.High[i]
		}
		s.n[i] += n
		s.Mean[i] += (o.Mean[i] - s.Mean[i]) * (float64(n) / float64(s.n[i]))
		s.Low[i] = min(s.Low[i], o.Low[i])
		s.High[i] = max(s.High[i], o.High[i])
	}
}

// result returns nil if nothing was recorded.
func (s *spread) result() *spread {
	some := false
	for i, n := range s.n {
		if n == 0 {
			s.Mean[i], s.Low[i], s.High[i] = math.NaN(), math.NaN(), math.NaN()
		}
		some = some || n > 0
	}
	if !some {
		return nil
	}
	return s
}

// diagnosticSums accumulates the diagnostics of one policy.
type diagnosticSums struct {
	windows windows
	diagnostics
}

func newDiagnosticSums(w windows) *diagnosticSums {
	return &diagnosticSums{w, diagnostics{Energy: newSpread(w), Multiplier: newSpread(w), ESS: newSpread(w), Theta: &theta{}}}
}

// add adds a round.
func (d *diagnosticSums) add(r *results.Round, window int) error {
	d.Chains = max(d.Chains, len(r.Energy))
	for _, e := range r.Energy {
		d.put(d.Energy, window, e, e, e)
	}
	for _, m := range r.Multiplier {
		d.put(d.Multiplier, window, m[1], m[0], m[2])
	}
	if len(r.Energy) > 0 && r.ESS != 0 { // 0 if it is absent
		d.put(d.ESS, window, r.ESS, r.ESS, r.ESS)
	}
	for _, s := range r.Series {
		to := d.series(s.Name, s.Unit)
		for _, v := range s.Values {
			d.put(to, window, v, v, v)
		}
	}
	if len(r.Theta) == 0 {
		return nil
	}
	theta := make(numbers, len(r.Theta))
	for bin, v := range r.Theta {
		theta[bin] = float64(v)
	}
	return d.Theta.add(r.Round, theta)
}

// series returns the spread of the series with the given name, which it adds if there is none.
func (d *diagnosticSums) series(name, unit string) *spread {
	i := slices.IndexFunc(d.Series, func(n named) bool { return n.Name == name })
	if i < 0 {
		i = len(d.Series)
		d.Series = append(d.Series, named{name, unit, newSpread(d.windows)})
	}
	return d.Series[i].Spread
}

// join adds the rounds of another trial.
func (d *diagnosticSums) join(o *diagnosticSums) error {
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

func (d *diagnosticSums) put(to *spread, window int, mean, low, high results.Number) {
	for _, v := range []results.Number{mean, low, high} {
		if !words.Finite(float64(v)) {
			d.NotFinite++
			return
		}
	}
	to.add(window, float64(mean), float64(low), float64(high))
}

// result returns nil for a policy without a sampler, and of θ so many rounds.
func (d *diagnosticSums) result(thetas int) *diagnostics {
	if d.Chains == 0 {
		return nil
	}
	out := d.diagnostics
	out.Energy, out.Multiplier, out.ESS = d.Energy.result(), d.Multiplier.result(), d.ESS.result()
	out.Theta = d.Theta.result(thetas)
	out.Series = nil
	for _, s := range d.Series {
		if s.Spread = s.Spread.result(); s.Spread != nil {
			out.Series = append(out.Series, s)
		}
	}
	return &out
}

// add adds a round's histogram. Every seed records it in the same rounds.
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

func (t *theta) result(most int) *theta {
	if len(t.Rounds) == 0 {
		return nil
	}
	out := &theta{}
	for _, i := range compare.Thin(0, len(t.Rounds)-1, most) {
		out.Rounds = append(out.Rounds, t.Rounds[i])
		out.Values = append(out.Values, t.Values[i])
	}
	return out
}
