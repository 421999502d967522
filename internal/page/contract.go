// This file defines the data that the scripts of a page get as JSON: the type data and the types of its fields.
// page.schema.json is made from it (TestSchema).

package page

import (
	"bytes"
	"slices"
	"strconv"

	"banditsim/internal/words"
)

// data has everything that the scripts draw.
type data struct {
	Metrics      []metric       `json:"metrics"`      // ways to count regret; the first is shown first
	Environments []*environment `json:"environments"` // environments, in the order of the page
	Colors       int            `json:"colors"`       // number of colors; style s has color s mod colors
	Dashes       [][]float64    `json:"dashes"`       // dash patterns; style s has pattern s mod their number
	Digits       int            `json:"digits"`       // significant digits of the points of curves
}

// A metric is a way to count regret.
type metric struct {
	Name        string `json:"name"`        // name, which is the key in maps such as policy.final
	Title       string `json:"title"`       // the name with a capital letter
	NonNegative bool   `json:"nonNegative"` // whether the regret of a round is never negative; bands are then cut off at zero
}

// An environment has the curves and the regrets of its policies.
type environment struct {
	Name     string    `json:"name"` // name in an experiment on several environments, else empty
	Axes     *axes     `json:"axes"`
	ArmNames []string  `json:"armNames"` // names of the arms; the last may be of the form "5 other arms", for the arms pulled least
	Policies []*policy `json:"policies"` // policies with a finished trial, the lowest mean regret first
	Marks    []mark    `json:"marks"`    // known regrets for reference, such as that of the uniform policy
	Series   []chart   `json:"series"`   // charts of the series that policies report (type named)
	Compared *compared `json:"compared"` // null if there is nothing to compare
}

// HasSteps reports whether some policy has gradient steps, so that an axis can show them.
func (e *environment) HasSteps() bool {
	return slices.ContainsFunc(e.Policies, func(p *policy) bool { return p.Steps != nil })
}

// axes has the rounds at which curves have points.
type axes struct {
	Rounds   int `json:"rounds"`   // number of rounds of a trial
	Pulls    int `json:"pulls"`    // number of pulls of a round
	AllPulls int `json:"allPulls"` // number of pulls of a trial
	BurnIn   int `json:"burnIn"`   // last round with random pulls, 0 without burn-in
	// Rounds at which curves of cumulative regret have points. The first is 0, where the regret is 0.
	All []int `json:"all"`
	// Rounds at which curves of single seeds have points, as indices in All; null if there are too many trials.
	Own []int `json:"own"`
	// Rounds at which curves of cumulative regret after burn-in have points. The first is the last round of burn-in, where
	// the regret is 0. Null if there is no burn-in, or no round after burn-in.
	After   []int   `json:"after"`
	Windows windows `json:"windows"`
}

// windows divides the rounds into parts of equal width; the first and last may be shorter. One ends where burn-in ends.
type windows struct {
	Width  int `json:"width"`  // width in rounds
	Offset int `json:"offset"` // number of rounds by which the first window is shorter
	Rounds int `json:"-"`
	N      int `json:"n"` // number of windows
}

// A mark is a cumulative regret over all rounds, drawn for reference.
type mark struct {
	Name   string  `json:"name"`
	Regret float64 `json:"regret"`
	Text   string  `json:"text"` // the regret, rounded as in the tables
}

// A final is the cumulative regret of a policy over all rounds, by one metric.
type final struct {
	Text     string  `json:"text"`     // mean and half of its 95 % t-interval
	Percent  string  `json:"percent"`  // mean as a percentage of the uniform policy's regret
	Interval numbers `json:"interval"` // mean, lower end and upper end; the ends are null for one seed
	BySeed   numbers `json:"bySeed"`   // regret of each of the policy's seeds
}

// A policy has the curves of one policy, over the seeds whose trials did all their rounds.
type policy struct {
	Label string `json:"label"`
	Style int    `json:"style"` // style of its curves, which gives color and dashes
	// Seeds as text, as they may exceed the largest exact integer of JavaScript.
	Seeds []string         `json:"seeds"`
	Final map[string]final `json:"final"` // keys are names of metrics
	// [metric][seed][index in axes.own]: cumulative regret of one seed; empty if there are too many trials.
	Own map[string][]numbers `json:"own"`
	// Gradient steps by round; null if there are none, or if the options do not determine them.
	Steps    *steps            `json:"steps"`
	Regret   map[string]regret `json:"regret"`   // keys are names of metrics
	Arms     []numbers         `json:"arms"`     // [arm][window]: the arm's share of the pulls
	Mistakes []numbers         `json:"mistakes"` // [arm][window]: wrong pulls per round
	Sampler  *diagnostics      `json:"sampler"`  // diagnostics of its sampler; null if it has none

	mistakes *mistakeCounts
}

// steps has the gradient steps of a policy, of all chains together.
type steps struct {
	Each   int `json:"each"`   // number of steps in each round with training
	Before int `json:"before"` // number of rounds before the first training
}

// regret has the curves of one metric.
type regret struct {
	All    band  `json:"all"`    // cumulative regret at the rounds axes.all
	After  *band `json:"after"`  // cumulative regret after burn-in at the rounds axes.after; null if axes.after is null
	Window band  `json:"window"` // mean regret per round in each window
}

// A band is a mean over seeds with half of its 95 % t-interval, at every point.
type band struct {
	Mean numbers `json:"mean"`
	Half numbers `json:"half"` // null for one seed
}

// diagnostics has the diagnostics of a policy's sampler by window.
type diagnostics struct {
	Energy     *spread `json:"energy"`
	Multiplier *spread `json:"multiplier"`       // the contour's multiplier of the gradient
	ESS        *spread `json:"ess"`              // effective sample size of the chains' weights
	Theta      *theta  `json:"theta"`            // null without a contour
	Series     []named `json:"series,omitempty"` // series that the policy reports
	Chains     int     `json:"chains"`           // number of chains
	NotFinite  int     `json:"notFinite"`        // number of NaN or infinite values, which the other fields leave out
}

// A spread has the mean, the lowest and the highest value of a quantity in every window, over rounds, chains and seeds.
// It is null if the quantity was not recorded.
type spread struct {
	Mean numbers `json:"mean"`
	Low  numbers `json:"low"`
	High numbers `json:"high"`

	n []int
}

// theta has the contour's histogram at some rounds, as a mean over seeds.
type theta struct {
	Rounds []int     `json:"rounds"` // rounds in which it was recorded
	Values []numbers `json:"values"` // [index in rounds][bin]

	n []int
}

// A named is a series that a policy reports: numbers of its choice in each round (package bandit/diagnostics).
type named struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Spread *spread `json:"spread"`
}

// A chart is an empty place in the page, in which the scripts draw.
type chart struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Note  string `json:"note"`
}

// compared has the comparisons with every baseline that can be chosen.
type compared struct {
	Policies []contender             `json:"policies"` // all policies, in the order of the output folder
	Columns  []string                `json:"columns"`  // kinds of the columns of the table, such as "p", as columnKind returns them
	Metrics  map[string]*differences `json:"metrics"`  // keys are names of metrics
	Texts    []string                `json:"texts"`    // lines of all captions and notes, each once

	at     map[string]int // indices in Policies, by label
	places map[string]int // indices in Texts, by text
}

// A contender is a policy in a comparison.
type contender struct {
	Label    string `json:"label"`
	Style    int    `json:"style"` // style of its curves; −1 if it has none
	Baseline bool   `json:"-"`     // reports whether it can be chosen as the baseline
}

// differences has the comparisons by one metric.
type differences struct {
	Cells     [][]string  `json:"cells"`     // [policy]: cells of the columns of kind "own", which do not depend on the baseline
	Picked    *baseline   `json:"picked"`    // differences from the policy with the lowest mean
	Baselines []*baseline `json:"baselines"` // [policy]: differences from this policy; null if it cannot be chosen as the baseline
}

// A baseline has the differences of all policies from one policy, the baseline. The fields from Seeds to Marks have one
// element per policy; that of the baseline is null, 0 or a space.
type baseline struct {
	Policy       int     `json:"policy"`       // index of the baseline
	Seeds        []int   `json:"seeds"`        // number of seeds that both policies finished
	Mean         rounded `json:"mean"`         // mean difference; null without a common seed
	HalfInterval rounded `json:"halfInterval"` // half the 95 % interval; null for fewer than two seeds
	P            rounded `json:"p"`            // uncorrected p-value of the t-test; null for too few seeds
	SignFlip     rounded `json:"signFlip"`     // uncorrected p-value of the sign-flip test; null for too few seeds
	Needed       []int   `json:"needed"`       // number of seeds at which a t-test would find the difference; 0 if unknown
	Holm         rounded `json:"holm"`         // p-value of the t-test, corrected for the number of tests
	SignFlipHolm rounded `json:"signFlipHolm"` // p-value of the sign-flip test, corrected for the number of tests
	Marks        string  `json:"marks"`        // mark of significance, such as "~": one character per policy
	// Caption has, for each line of the table's caption, its index in Texts. In Picked it is null if the HTML has the
	// table already, so that scripts need not draw the table.
	Caption []int `json:"caption"`
	// Notes has, for each note below the table, its index in Texts. It is null where Caption is.
	Notes []int `json:"notes"`
	// [policy]: cells of columns of kind "other", which depend on the baseline. Omitted in Picked, or if there are none.
	Cells [][]string `json:"cells,omitempty"`
}

// numbers is a list written to JSON with six significant digits, more than a chart can show. NaN and ±Inf are null.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) { return marshalNumbers(n, 6), nil }

// round rounds all numbers to the given number of significant digits.
func (n numbers) round(digits int) {
	for i, v := range n {
		n[i] = toDigits(v, digits)
	}
}

// rounded is a list of values that are rounded to what the tables need. JSON has all their digits, and null for NaN.
type rounded []float64

// MarshalJSON implements json.Marshaler.
func (n rounded) MarshalJSON() ([]byte, error) { return marshalNumbers(n, -1), nil }

// marshalNumbers returns a list as JSON, with null for a nil list and for numbers that are not finite. Numbers have the
// given number of significant digits; −1 stands for all.
func marshalNumbers(list []float64, digits int) []byte {
	if list == nil {
		return []byte("null")
	}
	b := []byte{'['}
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if !words.Finite(v) {
			b = append(b, "null"...)
			continue
		}
		from := len(b)
		b = strconv.AppendFloat(b, v, 'g', digits, 64)
		b = append(b[:from], bytes.Replace(b[from:], []byte("e+"), []byte("e"), 1)...)
	}
	return append(b, ']')
}
