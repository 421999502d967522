package page

import (
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

// A tableView is a table of package results, its policies in their colours.
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

// A bar draws a difference and its interval in a picture of barWidth units; NaN for what
// cannot be had.
type bar struct {
	Zero, Low, Mean, High float64
	HasInterval           bool
}

// mistakesView has the tables of rows: of all policies together, then of each.
type mistakesView struct {
	From     int  // the first round that counts
	Known    bool // what the rows are
	HasRows  bool // there are wrong pulls that say their row
	Policies []policyMistakes
}

type policyMistakes struct {
	Name  string // "" for all together
	Style int
	Arms  []wrongTable
}

// wrongTable is of the rows in which one arm was wrongly pulled.
type wrongTable struct {
	Arm     string
	Times   string // in all rows, such as "1,024 times"
	Rows    string // such as "99 rows"
	Columns []string
	Top     []wrongTop
	Traits  []trait
}

// wrongTop is one of the rows that were most often got wrong.
type wrongTop struct {
	Row    int
	Values []string // of Columns
	Times  int
	// When: the path of a picture of Width, and in words.
	Strip string
	Width int
	When  string
}

// A trait is a value that rows got wrong have more often than others: its share among the
// wrong pulls, and among all rows in which they could have been made, in percent.
type trait struct {
	Column, Value string
	Wrong, All    float64
}

// provenance says where the numbers come from: programs, machines, commands and every trial.
type provenance struct {
	Environment string // its options, as JSON
	Options     []policyOptions
	Facts       []fact
	Unknown     []results.UnknownOrigin
	Trials      []trial
}

type policyOptions struct{ Label, JSON string }

// A fact is what sidecars say, each value with the number of trials that have it.
type fact struct {
	Name   string
	Code   bool // the values are to be typed or searched for
	Values []string
}

type trial struct {
	Policy, File, Time, Started, Outcome string
	Seed                                 uint64
}

// data are what the scripts draw.
type data struct {
	Axes     *axes     `json:"axes"`
	ArmNames []string  `json:"armNames"`
	Metrics  []metric  `json:"metrics"`
	Policies []*policy `json:"policies"`
	Series   []chart   `json:"series,omitempty"` // that samplers declare themselves, of all policies
}

// axes are the rounds at which the curves of all policies have their points.
type axes struct {
	Rounds int `json:"rounds"`
	Pulls  int `json:"pulls"`
	// BurnIn is the last round that has random pulls, 0 without burn-in.
	BurnIn int `json:"burnIn"`
	// All and After are the rounds at which cumulative regret is marked, from the first and from the
	// end of burn-in on. Each begins with the round before its first. After is nil if nothing follows burn-in.
	All     []int   `json:"all"`
	After   []int   `json:"after"`
	Windows windows `json:"windows"`
}

// windows cut the rounds into runs of one width. A border falls on the end of burn-in, so that
// no window mixes what comes before with what comes after; the first and the last may be shorter.
type windows struct {
	Width  int `json:"width"`
	Offset int `json:"offset"` // what the first lacks of the width
	Rounds int `json:"-"`
	N      int `json:"n"`
}

// A policy is what its trials came to, over the seeds that did all their rounds: the
// part of a page that page.js draws.
type policy struct {
	Label    string            `json:"label"`
	Style    int               `json:"style"` // of its curves: colour and dashes
	Seeds    int               `json:"seeds"`
	Regret   map[string]regret `json:"regret"`   // by the metric's name
	Arms     []numbers         `json:"arms"`     // [arm][window]: the arm's share of the pulls
	Mistakes []numbers         `json:"mistakes"` // [arm][window]: wrong pulls a round
	Sampler  *diagnostics      `json:"sampler"`  // null for a policy without one

	mistakes *mistakesOf
}

// regret is one kind of a policy's regret: cumulative at axes.All and at
// axes.After, and of a round in the mean over each window.
type regret struct {
	All    band  `json:"all"`
	After  *band `json:"after"`
	Window band  `json:"window"`
}

// A band is a mean over seeds with half of its 95 % t-interval at every point.
type band struct {
	Mean numbers `json:"mean"`
	Half numbers `json:"half"` // nil for one seed, which has no interval
}

// diagnostics are a policy's sampler over windows; what it does not have is null.
type diagnostics struct {
	Energy     *spread `json:"energy"`
	Multiplier *spread `json:"multiplier"` // of the contour
	Bin        *spread `json:"bin"`        // the chains' energy bins, where they have one
	ESS        *spread `json:"ess"`        // of the chains' weights
	Theta      *theta  `json:"theta"`
	Series     []named `json:"series,omitempty"` // those that the sampler declares itself
	Chains     int     `json:"chains"`
	// NotFinite counts the energies, multipliers and sizes that are not in the means as they are NaN or infinite.
	NotFinite int `json:"notFinite"`
}

// A spread is what a quantity was in every window, over rounds, chains and seeds: null where it was never recorded.
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

// numbers are written with six significant digits, which no chart can tell from all of them.
// What is not finite is null.
type numbers []float64

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
