// What the scripts of a page are given, as JSON: the type data and those in it. page.schema.json is made from
// this file (TestSchema).

package page

import (
	"bytes"
	"slices"
	"strconv"

	"banditsim/internal/words"
)

// data is what the scripts draw.
type data struct {
	Metrics      []metric       `json:"metrics"`      // ways to count regret, the first shown first
	Environments []*environment `json:"environments"` // environments as the page shows them
	Colors       int            `json:"colors"`       // size of the palette, which the styles of curves go through in turn
	Dashes       [][]float64    `json:"dashes"`       // dash patterns, which the styles go through in turn
	Digits       int            `json:"digits"`       // significant digits of the points of curves
}

// A metric is a way to count regret.
type metric struct {
	Name        string `json:"name"`        // the key of regrets
	Title       string `json:"title"`       // the name with a capital
	NonNegative bool   `json:"nonNegative"` // no round's regret is below zero, so that bands begin there
}

// An environment has the curves and the regrets of its policies.
type environment struct {
	Name     string    `json:"name"` // label in an experiment on several environments, else empty
	Axes     *axes     `json:"axes"`
	ArmNames []string  `json:"armNames"` // names for the lists by arm; the last may stand for several arms
	Policies []*policy `json:"policies"` // those with a finished trial, the lowest mean regret first
	Marks    []mark    `json:"marks"`    // regrets to compare with that of policies, such as that of acting uniformly; those that are known
	Series   []chart   `json:"series"`   // diagnostics that posteriors declare themselves, of all policies
	Compared *compared `json:"compared"` // null if there is nothing to compare
}

// HasSteps reports whether some policy does gradient steps, of which there can be an axis.
func (e *environment) HasSteps() bool {
	return slices.ContainsFunc(e.Policies, func(p *policy) bool { return p.Steps != nil })
}

// axes are the rounds of the points of all curves.
type axes struct {
	Rounds   int `json:"rounds"`   // rounds of a trial
	Pulls    int `json:"pulls"`    // pulls of a round
	AllPulls int `json:"allPulls"` // pulls of a trial
	BurnIn   int `json:"burnIn"`   // the last round that has random pulls, 0 without burn-in
	// The rounds of the points of cumulative regret. The first is the round before the regret counts: 0.
	All []int `json:"all"`
	// Places in All of the points of the curves of single seeds; null if there are too many trials.
	Own []int `json:"own"`
	// The same as All from the end of burn-in on; null without burn-in, and if no round follows it.
	After   []int   `json:"after"`
	Windows windows `json:"windows"`
}

// windows divide the rounds into parts of one width; the first and the last may be shorter. Burn-in ends
// at the end of a window.
type windows struct {
	Width  int `json:"width"`  // in rounds
	Offset int `json:"offset"` // rounds that the first window lacks
	Rounds int `json:"-"`
	N      int `json:"n"` // number of windows
}

// A mark is a cumulative regret over all rounds.
type mark struct {
	Name   string  `json:"name"`
	Regret float64 `json:"regret"`
	Text   string  `json:"text"` // the regret in words
}

// A final is the cumulative regret of a policy over all rounds, by one metric.
type final struct {
	Text     string  `json:"text"`     // mean and half of its 95 % t-interval
	Percent  string  `json:"percent"`  // the mean in percent of acting uniformly
	Interval numbers `json:"interval"` // mean, lower and upper end; these are null for one seed
	BySeed   numbers `json:"bySeed"`   // by place in seeds
}

// A policy has the curves of one policy, over the seeds that did all their rounds.
type policy struct {
	Label string `json:"label"`
	Style int    `json:"style"` // style of its curves: color and dashes
	// The seeds, as text: they may be greater than the numbers of JavaScript.
	Seeds []string         `json:"seeds"`
	Final map[string]final `json:"final"` // keys are names of metrics
	// Cumulative regret by seed, at the places axes.own of axes.all: metric to [seed][place]; null if there are too many trials.
	Own map[string][]numbers `json:"own"`
	// Gradient steps by round; null if it does none, or if they cannot be told from its options.
	Steps    *steps            `json:"steps"`
	Regret   map[string]regret `json:"regret"`   // keys are names of metrics
	Arms     []numbers         `json:"arms"`     // [arm][window]: the arm's share of the pulls
	Mistakes []numbers         `json:"mistakes"` // [arm][window]: wrong pulls per round
	Sampler  *diagnostics      `json:"sampler"`  // null if none are recorded

	mistakes *mistakeCounts
}

// steps are the gradient steps of a policy, of all chains together.
type steps struct {
	Each   int `json:"each"`   // steps of a round that trains
	Before int `json:"before"` // number of rounds at the start that do not train
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
	Multiplier *spread `json:"multiplier"`       // the contour's multiplier of the gradient
	ESS        *spread `json:"ess"`              // effective sample size of the chains' weights
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
	Rounds []int     `json:"rounds"` // rounds in which it was recorded
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

// compared has the comparisons with every baseline that can be chosen.
type compared struct {
	Policies []contender             `json:"policies"` // all, in the order of the output folder
	Columns  []string                `json:"columns"`  // headers of the tables, without the picture's
	Metrics  map[string]*differences `json:"metrics"`  // keys are names of metrics
	Texts    []string                `json:"texts"`    // lines of captions and notes, each once

	places map[string]int // text to its place in Texts
}

// A contender is a policy in a comparison.
type contender struct {
	Label    string `json:"label"`
	Style    int    `json:"style"` // style of its curves; −1 if it has none
	Baseline bool   `json:"-"`     // it can be chosen as the baseline
}

// differences are those by one metric.
type differences struct {
	Cells     [][]string  `json:"cells"`     // [policy]: cells of the columns "own", which do not depend on the baseline
	Picked    *baseline   `json:"picked"`    // the policy with the lowest mean
	Baselines []*baseline `json:"baselines"` // by policy; null for one that cannot be chosen
}

// A baseline has the regret of every policy less its own. Its lists are by policy, with null, 0 or a space for itself.
type baseline struct {
	Policy       int     `json:"policy"`
	Seeds        []int   `json:"seeds"`        // number of them that both policies finished
	Mean         rounded `json:"mean"`         // null without a seed
	HalfInterval rounded `json:"halfInterval"` // half the 95 % interval; null for fewer than two seeds
	P            rounded `json:"p"`            // uncorrected p-value of the t-test; null for too few seeds
	SignFlip     rounded `json:"signFlip"`     // uncorrected p-value of the sign-flip test; null for too few seeds
	Needed       []int   `json:"needed"`       // seeds at which a t-test finds the difference; 0 if unknown
	Holm         rounded `json:"holm"`         // p-values of the t-test, corrected for their number
	SignFlipHolm rounded `json:"signFlipHolm"` // p-values of the sign-flip test, corrected for their number
	Marks        string  `json:"marks"`        // one character each, such as "~"
	// Places in texts of the lines of the caption and of the notes; null for the picked one if the page comes with its table.
	Caption []int `json:"caption"`
	Notes   []int `json:"notes"`
	// [policy]: of the columns "other", which depend on the baseline; left out if there are none, and of the picked one.
	Cells [][]string `json:"cells,omitempty"`
}

// numbers are written with six significant digits, more than a chart can show; NaN and the infinities
// as null, like a words.Float, which has all digits: curves would take twice the room.
type numbers []float64

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) { return appendNumbers(n, 6), nil }

// rounded are written with the digits that they have: as many as show what the tables show. NaN is written as null. Small
// p-values take fewer characters than as a list of words.Float.
type rounded []float64

// MarshalJSON implements json.Marshaler.
func (n rounded) MarshalJSON() ([]byte, error) { return appendNumbers(n, -1), nil }

// appendNumbers returns a list as JSON, nil as null.
func appendNumbers(list []float64, digits int) []byte {
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
