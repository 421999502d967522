// The data that the template page.html is given.

package page

import (
	"banditsim/internal/origin"
	"banditsim/internal/report"
	"banditsim/results"
	"banditsim/results/compare"
)

// A view is what page.html shows.
type view struct {
	Title        string
	Notes        []string // paragraphs
	Watched      bool     // a command rewrites the page while a run goes on
	Reloads      int64    // milliseconds after which the page loads itself again, 0 for never
	Policies     int      // number in the title
	Across       []comparisonView
	AcrossError  string // why there is no comparison over the environments, "" if there is or is no need
	Environments []*environmentView
	Data         data // what the scripts draw

	parts
}

// An environmentView has the sections of one environment.
type environmentView struct {
	Name       string // label in an experiment on several environments, else ""
	Suffix     string // end of the sections' identifiers, "" for the first
	Conditions results.Conditions
	Verdict    string
	Finished   bool // a trial did all its rounds, so that there is something to draw
	Thinned    bool // curves have fewer points and digits than those of few policies

	Summary     tableView
	Scores      *tableView // scores of the posteriors' predictions; nil if none are recorded
	ScoresError string     // why recorded ones are not shown
	Comparisons []comparisonView
	LeftOut     int // policies that finished a trial and cannot be chosen as the baseline
	// Anytime has the intervals that hold at every number of seeds; nil for fewer than stats.MinAnytime seeds or too many pairs.
	Anytime    *tableView
	Log        *tableView // what a log says of the policies, beside their regret; nil without one
	Metrics    []metric
	Data       *environment
	Mistakes   mistakesView
	Provenance provenance
}

// A comparisonView is a comparison by one metric: of the policies, or over the environments.
type comparisonView struct {
	Metric *compare.Metric
	tableView
	Matrix       []matrixRow // over the environments: policies, the lowest mean rank first
	Environments []*environmentView
}

// A matrixRow has the regret of a policy in every environment.
type matrixRow struct {
	Label, Rank string
	Style       int
	Cells       []matrixCell
}

// A matrixCell is a regret in percent of acting uniformly, or as it is if that is unknown.
type matrixCell struct {
	Text, Rank string
	Shade      int // 0 for the best ranks to shades−1
}

// A tableView is a table of package report with the policies' colors and pictures of intervals.
type tableView struct {
	report.Table
	Styles    []int // by row: that of the policy's curve, from 0; −1 if it has none
	BarHeader string
	Bars      []*bar // by row, nil where there is none; empty without a column of them
}

// A bar is a difference and its interval in a picture barWidth wide; NaN if there is none.
type bar struct {
	Zero, Low, Mean, High float64
	HasInterval           bool
}

// mistakesView has the tables of wrong pulls by data row: of all policies together, then of each.
type mistakesView struct {
	From     int        // the first round that is counted
	Unknown  string     // why the rows are not described, "" if they are
	HasRows  bool       // some wrong pulls have a row
	Together bool       // there are tables of all policies together alone: those of each would be too many
	Cost     *tableView // what each arm cost, by the recorded pulls; nil without these
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
	Times   string // count over all rows, such as "1,024 times"
	Rows    string // such as "99 rows"
	Columns []string
	Pulls   bool // pulls are recorded, so that rows have Met and Regret
	Top     []wrongRowView
	Traits  []trait
}

// A wrongRowView is one of the rows with the most wrong pulls.
type wrongRowView struct {
	Row    int
	Values []string // one per column
	Times  int
	Met    int    // pulls in the row
	Regret string // expected regret of the wrong pulls
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
	Same        []string // labels of the policies whose options are those of the environment before
	Facts       []fact
	Unknown     []origin.Unknown
	Trials      []trial
	Total       int // trials; if there are many, some are not in Trials and Unknown
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
