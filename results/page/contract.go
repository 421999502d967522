// What the scripts of a page are given, as JSON: the type data and those in it. page.schema.json is made from
// this file (TestSchema).

package page

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// data is what the scripts draw.
type data struct {
	Metrics      []metric       `json:"metrics"`      // ways to count regret, the first shown first
	Environments []*environment `json:"environments"` // in the order of the page
}

// A metric is a way to count regret.
type metric struct {
	Name        string `json:"name"`        // the key of regrets
	Title       string `json:"title"`       // the name with a capital
	NonNegative bool   `json:"nonNegative"` // no round's regret is below zero, so that bands begin there
}

// An environment has the curves and the regrets of its policies.
type environment struct {
	Name     string    `json:"name"` // in an experiment on several, else empty
	Axes     *axes     `json:"axes"`
	ArmNames []string  `json:"armNames"` // of the lists by arm; the last may stand for several arms
	Policies []*policy `json:"policies"` // those with a finished trial, the lowest mean regret first
	Series   []chart   `json:"series"`   // diagnostics that posteriors declare themselves, of all policies
	Compared *compared `json:"compared"` // null if there is nothing to compare
}

// HasSteps reports whether some policy does gradient steps, of which there can be an axis.
func (e *environment) HasSteps() bool {
	return slices.ContainsFunc(e.Policies, func(p *policy) bool { return p.Steps != nil })
}

// axes are the rounds of the points of all curves.
type axes struct {
	Rounds int `json:"rounds"` // of a trial
	Pulls  int `json:"pulls"`  // of a round
	BurnIn int `json:"burnIn"` // the last round that has random pulls, 0 without burn-in
	// The rounds of the points of cumulative regret. The first is the round before the regret counts: 0.
	All []int `json:"all"`
	// The same from the end of burn-in on; null if no round follows it.
	After   []int   `json:"after"`
	Windows windows `json:"windows"`
}

// windows divide the rounds into parts of one width; the first and the last may be shorter. Burn-in ends
// at the end of a window.
type windows struct {
	Width  int `json:"width"`  // in rounds
	Offset int `json:"offset"` // of the width, what the first lacks
	Rounds int `json:"-"`
	N      int `json:"n"` // number of windows
}

// A policy has the curves of one policy, over the seeds that did all their rounds.
type policy struct {
	Label string `json:"label"`
	Style int    `json:"style"` // of its curves: color and dashes
	Seeds int    `json:"seeds"` // number of them
	// Gradient steps by round; null if it does none, or if they cannot be told from its options.
	Steps    *steps            `json:"steps"`
	Regret   map[string]regret `json:"regret"`   // by the metric's name
	Arms     []numbers         `json:"arms"`     // [arm][window]: the arm's share of the pulls
	Mistakes []numbers         `json:"mistakes"` // [arm][window]: wrong pulls a round
	Sampler  *diagnostics      `json:"sampler"`  // null if none are recorded

	mistakes *mistakeCounts
}

// steps are the gradient steps of a policy, of all chains together.
type steps struct {
	Each   int `json:"each"`   // in a round that trains
	Before int `json:"before"` // the first rounds, which do not
}

// regret has the curves of one metric.
type regret struct {
	All    band  `json:"all"`    // cumulative, at the rounds of axes.all
	After  *band `json:"after"`  // cumulative, at the rounds of axes.after
	Window band  `json:"window"` // the mean regret of a round in each window
}

// A band is a mean over seeds with half of its 95 % t-interval, at every point.
type band struct {
	Mean numbers `json:"mean"`
	Half numbers `json:"half"` // null for one seed
}

// diagnostics are those of a policy's sampler, by window.
type diagnostics struct {
	Energy     *spread `json:"energy"`
	Multiplier *spread `json:"multiplier"`       // of the contour
	Bin        *spread `json:"bin"`              // the chains' energy bins
	ESS        *spread `json:"ess"`              // of the chains' weights
	Theta      *theta  `json:"theta"`            // null without a contour
	Series     []named `json:"series,omitempty"` // those that the sampler declares itself
	Chains     int     `json:"chains"`           // number of them
	NotFinite  int     `json:"notFinite"`        // values that are in no mean because they are NaN or infinite
}

// A spread has mean, lowest and highest of a quantity in every window, over rounds, chains and seeds;
// null if it was not recorded.
type spread struct {
	Mean numbers `json:"mean"`
	Low  numbers `json:"low"`
	High numbers `json:"high"`

	n []int
}

// theta is the contour's histogram, in the mean over seeds.
type theta struct {
	Rounds []int     `json:"rounds"` // in which it was recorded
	Values []numbers `json:"values"` // [record][bin]

	n []int
}

// A named spread is a diagnostic that a sampler declares itself.
type named struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Spread *spread `json:"spread"`
}

// A chart is a place in the page that the scripts draw in.
type chart struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Note  string `json:"note"`
}

// compared has what a comparison with any baseline is computed from, with all digits.
type compared struct {
	Policies    []contender `json:"policies"`    // all, in the order of the output folder
	CommonSeeds int         `json:"commonSeeds"` // that all policies finished; ranks are over them
	// p-values of the sign-flip tests of pairs, by the metric's name: of policies i and j < i at [i][j]. They do not
	// depend on which is the baseline. null for fewer than six seeds in common.
	SignFlip  map[string][][]*float64 `json:"signFlip"`
	Notes     []string                `json:"notes"` // warnings, whatever the baseline
	Constants constants               `json:"constants"`
}

// constants are those of the tests.
type constants struct {
	Significance   float64 `json:"significance"`   // threshold for corrected p-values
	Confidence     float64 `json:"confidence"`     // of intervals
	Power          float64 `json:"power"`          // of the test whose number of seeds is sought
	MaxSeedsNeeded int     `json:"maxSeedsNeeded"` // a greater number is not named
	MinSeeds       int     `json:"minSeeds"`       // below it intervals are not to be trusted
	MaxExactPairs  int     `json:"maxExactPairs"`  // up to it the sign-flip test is exact
	SignFlips      int     `json:"signFlips"`      // random ones, beyond
}

// A contender is a policy in a comparison.
type contender struct {
	Label  string               `json:"label"`
	Style  int                  `json:"style"`  // of its curves; −1 if it has none
	Seeds  []string             `json:"seeds"`  // of finished trials, as text: a seed has up to 64 bits
	Regret map[string][]float64 `json:"regret"` // by the metric's name: cumulative over all rounds, by seed
	Ranks  map[string]rank      `json:"ranks"`  // by the metric's name; empty without common seeds
	Notes  []string             `json:"notes"`  // warnings of its trials, whatever the baseline
}

// A rank is the place of a policy among all over the common seeds.
type rank struct {
	Mean        float64  `json:"mean"`
	Best        int      `json:"best"`        // seeds in which no other was lower
	Probability *float64 `json:"probability"` // that it is the best, by bootstrap; null for fewer than six seeds
}

// numbers are written with six significant digits, more than a chart can show; NaN and the infinities
// as null.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) {
	if n == nil {
		return []byte("null"), nil
	}
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
			continue
		}
		from := len(b)
		b = strconv.AppendFloat(b, v, 'g', 6, 64)
		b = append(b[:from], bytes.Replace(b[from:], []byte("e+"), []byte("e"), 1)...)
	}
	return append(b, ']'), nil
}
