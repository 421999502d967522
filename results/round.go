package results

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
)

// A Round is one round's line of a trial file.
type Round struct {
	Round int `json:"round"` // from 1
	// Regret of the round alone, summed over its pulls; see bandit.RoundRecord.
	Realised float64 `json:"realised"`
	Expected float64 `json:"expected"`
	Arms     []int   `json:"arms"` // pulls of every arm
	// Wrong are the pulls of an arm that was not the best: the data row (or −1) and the arm.
	Wrong [][2]int `json:"wrong,omitempty"`
	// One for each chain; empty without a sampler.
	Energy []Number `json:"energy,omitempty"`
	// With a contour only: each chain's energy bin, from 1 (0 for none), and its lowest, mean and highest
	// multiplier.
	Bin        []int       `json:"bin,omitempty"`
	Multiplier [][3]Number `json:"multiplier,omitempty"`
	ESS        Number      `json:"ess,omitzero"`    // effective sample size of the chains' weights
	Theta      []Number    `json:"theta,omitempty"` // the contour's θ, in every 50th round and the last
	Series     []Series    `json:"series,omitempty"`
}

// A Series is a diagnostic that a sampler declares itself.
type Series struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit,omitempty"`
	Values []Number `json:"values"` // one, or one for each chain
}

// check returns an error unless r can be round n of a trial with the given number of arms.
func (r *Round) check(n, arms int) error {
	switch {
	case r.Round != n:
		return fmt.Errorf("round %d, want round %d", r.Round, n)
	case len(r.Arms) != arms:
		return fmt.Errorf("pulls of %d arms, want %d", len(r.Arms), arms)
	case len(r.Bin) > 0 && len(r.Bin) != len(r.Energy), len(r.Multiplier) > 0 && len(r.Multiplier) != len(r.Energy):
		return fmt.Errorf("%d energies, %d bins and %d multipliers, want as many of each", len(r.Energy), len(r.Bin), len(r.Multiplier))
	}
	for _, w := range r.Wrong {
		if w[1] < 0 || w[1] >= arms {
			return fmt.Errorf("wrong pull of arm %d, want 0 to %d", w[1], arms-1)
		}
	}
	return nil
}

// hash adds the fields up to Wrong to the hash h of the rounds before.
func (r *Round) hash(h uint64) uint64 {
	add := func(v uint64) { h = bits.RotateLeft64((h^v)*0x9e3779b97f4a7c15, 31) }
	add(math.Float64bits(r.Realised))
	add(math.Float64bits(r.Expected))
	for _, pulls := range r.Arms {
		add(uint64(pulls))
	}
	for _, w := range r.Wrong {
		add(uint64(w[0]))
		add(uint64(w[1]))
	}
	return h
}

// appendRound appends the line of a round: the bytes of json.Marshal of a Round and a newline, without
// allocations.
func appendRound(b []byte, r *bandit.RoundRecord, withTheta bool) []byte {
	b = append(b, `{"round":`...)
	b = strconv.AppendInt(b, int64(r.Round), 10)
	b = append(b, `,"realised":`...)
	b = appendNumber(b, r.Realised)
	b = append(b, `,"expected":`...)
	b = appendNumber(b, r.Expected)
	b = append(b, `,"arms":`...)
	b = appendList(b, len(r.Arms), func(b []byte, i int) []byte { return strconv.AppendInt(b, int64(r.Arms[i]), 10) })
	if len(r.Mistakes) > 0 {
		b = append(b, `,"wrong":`...)
		b = appendList(b, len(r.Mistakes), func(b []byte, i int) []byte {
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(r.Mistakes[i].Row), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(r.Mistakes[i].Arm), 10)
			return append(b, ']')
		})
	}
	if len(r.Diagnostics.Chains) > 0 {
		b = appendDiagnostics(b, &r.Diagnostics, withTheta)
	}
	return append(b, "}\n"...)
}

func appendDiagnostics(b []byte, d *diagnostics.Round, withTheta bool) []byte {
	b = append(b, `,"energy":`...)
	b = appendList(b, len(d.Chains), func(b []byte, i int) []byte { return appendNumber(b, d.Chains[i].Energy) })
	if d.Theta != nil {
		b = append(b, `,"bin":`...)
		b = appendList(b, len(d.Chains), func(b []byte, i int) []byte { return strconv.AppendInt(b, int64(d.Chains[i].Bin), 10) })
		b = append(b, `,"multiplier":`...)
		b = appendList(b, len(d.Chains), func(b []byte, i int) []byte {
			c := &d.Chains[i]
			m := [3]float64{c.MultiplierMin, c.MultiplierMean, c.MultiplierMax}
			return appendList(b, 3, func(b []byte, i int) []byte { return appendNumber(b, m[i]) })
		})
	}
	if d.WeightESS != 0 {
		b = append(b, `,"ess":`...)
		b = appendNumber(b, d.WeightESS)
	}
	if withTheta && len(d.Theta) > 0 {
		b = append(b, `,"theta":`...)
		b = appendList(b, len(d.Theta), func(b []byte, i int) []byte { return appendNumber(b, d.Theta[i]) })
	}
	if len(d.Series) > 0 {
		b = append(b, `,"series":`...)
		b = appendList(b, len(d.Series), func(b []byte, i int) []byte { return appendSeries(b, &d.Series[i]) })
	}
	return b
}

func appendSeries(b []byte, s *diagnostics.Series) []byte {
	b = append(b, `{"name":`...)
	b = strconv.AppendQuote(b, s.Name)
	if s.Unit != "" {
		b = append(b, `,"unit":`...)
		b = strconv.AppendQuote(b, s.Unit)
	}
	b = append(b, `,"values":`...)
	b = appendList(b, len(s.Values), func(b []byte, i int) []byte { return appendNumber(b, s.Values[i]) })
	return append(b, '}')
}

func appendList(b []byte, n int, element func([]byte, int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = element(b, i)
	}
	return append(b, ']')
}
