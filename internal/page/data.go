// This file has the data for the template page.html.

package page

import (
	"banditsim/internal/origin"
	"banditsim/internal/report"
	"banditsim/results"
	"banditsim/results/compare"
)

// A view is the data for page.html.
type view struct {
	Options
	Notes        []string // paragraphs below the title
	Policies     int      // number of policies
	Thinned      bool     // reports whether curves have fewer points because there are many curves (detail.thinned)
	Across       []comparisonView
	AcrossError  string // why the environments cannot be compared; "" if they are, or if there is only one
	Environments []*environmentView
	Data         data // data for the scripts

	parts
}

// An environmentView has the sections of one environment.
type environmentView struct {
	Suffix     string // end of the sections' HTML IDs, "" for the first environment
	Conditions results.Conditions
	Verdict    string

	Summary     *tableView
	Scores      *tableView // scores of the posteriors' predictions; nil if none are shown
	ScoresError string     // why recorded scores are not shown
	Comparisons []comparisonView
	LeftOut     int // number of policies that finished a trial but cannot be chosen as the baseline
	// Anytime has the intervals that hold for every number of seeds; nil if there are too few seeds or too many policies.
	Anytime    *tableView
	Log        *tableView // table of Options.Log, or nil
	Data       *environment
	Mistakes   mistakesView
	Provenance provenance
}

// A comparisonView is a comparison by one metric: of the policies in an environment, or over the environments.
type comparisonView struct {
	Metric *compare.Metric
	*tableView
	// For a comparison over the environments only:
	Matrix       []matrixRow // one row per policy, the lowest mean rank first
	Environments []*environmentView
}

// A matrixRow has the regret of a policy in every environment.
type matrixRow struct {
	Label, Rank string
	Style       int
	Cells       []matrixCell
}

// A matrixCell is a regret as a percentage of the uniform policy's, or in units of reward if that is unknown.
type matrixCell struct {
	Text, Rank string
	Shade      int // color of the rank, from 0 for the best to shades−1
}

// A tableView is a table of package report, with the colors of policies and with pictures of intervals.
type tableView struct {
	report.Table
	Styles    []int // style of the policy's curve for each row; −1 if the policy has no curve
	BarHeader string
	Bars      []*bar // bar of each row, nil for a row without one; empty if the table has no column of bars
}

// A bar is a picture of a value and its interval, barWidth wide. Its numbers are horizontal positions in the picture.
type bar struct {
	Zero, Low, Mean, High float64
	HasInterval           bool // false if Low and High are NaN
}

// mistakesView has the tables of wrong pulls by data row.
type mistakesView struct {
	From     int              // first round whose wrong pulls count
	Unknown  string           // why the rows are not described; "" if they are
	Together bool             // reports whether tables for each policy are left out, as they would be too many
	Cost     *tableView       // regret of the wrong pulls by policy and arm; nil if no pulls were recorded
	Policies []policyMistakes // for all policies together, then for each policy; empty if no wrong pull has a data row
}

type policyMistakes struct {
	Name  string // "" for all policies together
	Style int
	Arms  []wrongTable
}

// A wrongTable has the data rows for which one arm was wrongly pulled.
type wrongTable struct {
	Arm     string
	Times   string     // number of wrong pulls over all rows, such as "1,024 times"
	Rows    string     // number of rows, such as "99 rows"
	Columns []string   // names of those columns of the data that are shown
	Pulls   bool       // reports whether pulls were recorded; otherwise Met and Regret of the rows are unknown
	Top     []wrongRow // those with the most wrong pulls
	Traits  []trait
}

// A wrongRow is a data row for which one arm was wrongly pulled.
type wrongRow struct {
	Row     int
	Times   int   // number of wrong pulls
	Windows []int // number of wrong pulls in each window

	// For the rows of wrongTable.Top only:
	Values []string // values of the shown columns
	Met    int      // number of pulls of any arm for the row
	Regret string   // expected regret of the wrong pulls
	When   string   // rounds of the wrong pulls in words
}

// A trait is a value of a column that is more frequent among the wrong pulls (Wrong) than among all data rows for which
// the arm is wrong (All). Both are in percent.
type trait struct {
	Column, Value string
	Wrong, All    float64
	column        int // index of Column
}

// provenance has the programs, machines and commands that made the trials, and a list of the trials.
type provenance struct {
	Environment string // options of the environment, as JSON
	Options     []policyOptions
	Same        []string // labels of policies whose options are left out, as an earlier environment has the same
	Facts       []origin.Fact
	Unknown     []origin.Unknown
	Trials      []trial
	Total       int // number of trials; if there are many, Trials and Unknown lack some
}

type policyOptions struct{ Label, JSON string }

type trial struct {
	Policy, File, Time, Started, Outcome string
	Seed                                 uint64
}
