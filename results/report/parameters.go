package report

import (
	"cmp"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/compare"
)

// addParameters adds a column for each parameter behind the first, which has the labels of policies. On a narrow
// screen they are the first to be left out, as labels have the values too.
func (t *Table) addParameters(p compare.Parameters, labels []string) {
	names := p.Names()
	if len(names) == 0 {
		return
	}
	n := len(names)
	for k := range t.Least {
		t.Least[k] += n
	}
	var short []string
	for k, name := range names {
		short = append(short, name[strings.LastIndex(name, ".")+1:])
		t.Least = slices.Insert(t.Least, 0, 1+k)
	}
	t.Header = slices.Insert(t.Header, 1, names...)
	if len(t.Short) > 0 {
		t.Short = slices.Insert(t.Short, 1, short...)
	} else {
		t.Short = append([]string{""}, short...)
	}
	for i, label := range labels {
		t.Rows[i] = slices.Insert(t.Rows[i], 1, parameterCells(p, label, names, words.None)...)
	}
}

// addParameters adds the columns option_NAME behind the first, which has the labels of policies.
func (s *Sheet) addParameters(p compare.Parameters, names []string) {
	var header []string
	for _, name := range names {
		header = append(header, "option_"+name)
	}
	s.Header = slices.Insert(s.Header, 1, header...)
	for i, row := range s.Rows {
		s.Rows[i] = slices.Insert(row, 1, parameterCells(p, row[0], names, "")...)
	}
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

// parameterCells returns the values of the parameters of the names, none for a policy without.
func parameterCells(p compare.Parameters, label string, names []string, none string) []string {
	var cells []string
	for _, name := range names {
		cells = append(cells, cmp.Or(p.Text(label, name), none))
	}
	return cells
}
