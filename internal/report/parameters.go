package report

import (
	"cmp"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/compare"
)

// withParameters returns the columns with one for each parameter of the names behind policy. of returns
// the parameters and the label of a row. On a narrow terminal parameters are the first to leave, as labels have the values too.
func withParameters[R any](l Columns[R], names []string, of func(R) (compare.Parameters, string)) Columns[R] {
	var parameters Columns[R]
	for k, name := range names {
		value := func(r R) string {
			p, label := of(r)
			return p.Text(label, name)
		}
		parameters = append(parameters, Column[R]{
			Name: "option_" + name, Header: name, Short: name[strings.LastIndex(name, ".")+1:], Leaves: -1 - k, Flat: true,
			Text:  func(r R) string { return cmp.Or(value(r), words.None) },
			Exact: func(r R) any { return value(r) },
		})
	}
	at := slices.IndexFunc(l, func(c Column[R]) bool { return c.Name == "policy" })
	return slices.Insert(l, at+1, parameters...)
}

// parameterNames returns the names of all parameters, sorted.
func parameterNames(all ...compare.Parameters) []string {
	var names []string
	for _, p := range all {
		names = append(names, p.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
