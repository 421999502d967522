package builtin

import "banditsim/bandit/experiment"

// advice lists, for each kind of table, the policies that 'banditsim recommend' tries with the profile general. A table
// is of the first kind that fits. The policies are chosen by the results in docs/showdown.md and, for tables with
// categories or few rows, in docs/recommend.md. If these results change, only these lists must be revised.
var advice = []experiment.Advice{
	{Kind: "few rows, at most 1,000", Fits: func(s experiment.DataSummary) bool { return s.Rows <= 1000 },
		Policies: []string{"LinUCB", "GP", "kNNUCB", "TreeBootstrap", "pICSGLD"}},
	{Kind: "a category of 20 values or more", Fits: func(s experiment.DataSummary) bool { return s.Levels >= 20 },
		Policies: []string{"LinUCB", "LinTS", "TreeBootstrap", "pICSGLD", "NeuralLinear"}},
	{Kind: "one best arm in nine tenths of the rows or more", Fits: dominated,
		Policies: []string{"SVGD", "pCSGLD", "pICSGLD", "LinUCB", "TreeBootstrap"}},
	{Kind: "any other", Policies: []string{"pICSGLD", "NeuralLinear", "EpsGreedy", "LinUCB", "TreeBootstrap"}},
}

// dominated reports whether one arm is best in at least 90% of the rows, and the others, ties included, in at most 10%.
func dominated(s experiment.DataSummary) bool {
	most, all := 0, 0
	for _, rows := range s.Best {
		most, all = max(most, rows), all+rows
	}
	return 10*most >= 9*s.Rows && 10*(all-most) <= s.Rows
}
