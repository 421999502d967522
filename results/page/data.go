// The data that the template page.html and the scripts are given.

package page

import (
	"bytes"
	"math"
	"strconv"

	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
)

// A view is what page.html shows.
type view struct {
	Title      string
	Conditions results.Conditions
	Verdict    string
	Finished   bool // a trial did all its rounds, so that there is something to draw

	Summary     tableView
	Comparisons []comparisonView
	Data        data // for the scripts
	Mistakes    mistakesView
	Provenance  provenance

	PlotScript, PageScript, PlotStyle, PageStyle part
	PlotLicence                                  string
}

type comparisonView struct {
	Metric *compare.Metric
	tableView
}

// A tableView is a table of package report with the policies' colours.
type tableView struct {
	report.Table
	Rows    []rowView
	HasBars bool
}

type rowView struct {
	Style int // of the policy's curve, from 0; −1 if it has none
	Cells []string
	Bar   *bar
}

// A bar is a difference and its interval in a picture barWidth wide; NaN if there is none.
type bar struct {
	Zero, Low, Mean, High float64
	HasInterval           bool
}

// mistakesView has the tables of wrong pulls by data row: of all policies together, then of each.
type mistakesView struct {
	From     int  // the first round that is counted
	Known    bool // the rows are described
	HasRows  bool // some wrong pulls have a row
	Policies []policyMistakes
}

type policyMistakes struct {
	Name  string // "" for all together
	Style int
	Arms  []wrongTable
}

// A wrongTable has the rows in which one arm was wrongly pulled.
type wrongTable struct {
	Arm     string
	Times   string // in all rows, such as "1,024 times"
	Rows    string // such as "99 rows"
	Columns []string
	Top     []wrongRowView
	Traits  []trait
}

// A wrongRowView is one of the rows with the most wrong pulls.
type wrongRowView struct {
	Row    int
	Values []string // of Columns
	Times  int
	// Strip is the path of a picture Width wide that shows when; When says it in words.
	Strip string
	Width int
	When  string
}

// A trait is a value that is more frequent among the wrong pulls than in all rows in which the arm is
// wrong: both shares, in percent.
type trait struct {
	Column, Value string
	Wrong, All    float64
}

// provenance has the programs, machines and commands that made the trials, and every trial.
type provenance struct {
	Environment string // its options, as JSON
	Options     []policyOptions
	Facts       []fact
	Unknown     []results.UnknownOrigin
	Trials      []trial
	Total       int // trials; if there are more than maxTrials, some are not in Trials and Unknown
}

type policyOptions struct{ Label, JSON string }

// A fact is a field of the sidecars: each value, with the number of its trials unless all have it.
type fact struct {
	Name   string
	Code   bool // shown as code
	Values []string
}

type trial struct {
	Policy, File, Time, Started, Outcome string
	Seed                                 uint64
}

// data are what the scripts draw, as JSON.
type data struct {
	Axes     *axes     `json:"axes"`
	ArmNames []string  `json:"armNames"`
	Metrics  []metric  `json:"metrics"`
	Policies []*policy `json:"policies"`
	Series   []chart   `json:"series,omitempty"` // that samplers declare themselves, of all policies
}

// axes are the rounds of the points of all curves.
type axes struct {
	Rounds int `json:"rounds"`
	Pulls  int `json:"pulls"`
	// BurnIn is the last round that has random pulls, 0 without burn-in.
	BurnIn int `json:"burnIn"`
	// All and After are the rounds of the points of cumulative regret, from the first and from the
	// end of burn-in on. Each begins with the round before. After is nil if nothing follows burn-in.
	All     []int   `json:"all"`
	After   []int   `json:"after"`
	Windows windows `json:"windows"`
}

// windows divide the rounds into parts of one width; the first and the last may be shorter. Burn-in ends
// at the end of a window.
type windows struct {
	Width  int `json:"width"`
	Offset int `json:"offset"` // of the width, what the first lacks
	Rounds int `json:"-"`
	N      int `json:"n"`
}

// A policy has the curves of one policy, over the seeds that did all their rounds.
type policy struct {
	Label    string            `json:"label"`
	Style    int               `json:"style"` // of its curves: colour and dashes
	Seeds    int               `json:"seeds"`
	Regret   map[string]regret `json:"regret"`   // by the metric's name
	Arms     []numbers         `json:"arms"`     // [arm][window]: the arm's share of the pulls
	Mistakes []numbers         `json:"mistakes"` // [arm][window]: wrong pulls a round
	Sampler  *diagnostics      `json:"sampler"`  // null for a policy without one

	mistakes *mistakeCounts
}

// regret has the curves of one metric: cumulative at axes.All and axes.After, and the mean regret of a
// round in each window.
type regret struct {
	All    band  `json:"all"`
	After  *band `json:"after"`
	Window band  `json:"window"`
}

// A band is a mean over seeds with half of its 95 % t-interval, at every point.
type band struct {
	Mean numbers `json:"mean"`
	Half numbers `json:"half"` // nil for one seed
}

// diagnostics are those of a policy's sampler, by window; null if it does not have them.
type diagnostics struct {
	Energy     *spread `json:"energy"`
	Multiplier *spread `json:"multiplier"` // of the contour
	Bin        *spread `json:"bin"`        // the chains' energy bins
	ESS        *spread `json:"ess"`        // of the chains' weights
	Theta      *theta  `json:"theta"`
	Series     []named `json:"series,omitempty"` // those that the sampler declares itself
	Chains     int     `json:"chains"`
	// NotFinite counts the values that are in no mean because they are NaN or infinite.
	NotFinite int `json:"notFinite"`
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
	Rounds []int     `json:"rounds"`
	Values []numbers `json:"values"` // [record][bin]

	n []int
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

// A metric is one of compare.Metrics.
type metric struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	NonNegative bool   `json:"nonNegative"`
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
