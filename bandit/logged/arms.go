package logged

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
)

const maxArms = 10_000

// arms collects the names of the arms of a log and then numbers them.
type arms struct {
	fixed bool // the names were given or have been collected, and no other is allowed
	index map[string]int
	names []string
}

func newArms(names []string) *arms {
	a := &arms{fixed: names != nil, index: make(map[string]int), names: slices.Clone(names)}
	for i, n := range names {
		a.index[n] = i
	}
	return a
}

// of returns an arm's number: for a new arm the next or, if names are fixed, an error. Errors name row and column.
func (a *arms) of(name string, row int, column string) (int, error) {
	if i, ok := a.index[name]; ok {
		return i, nil
	}
	switch {
	case name == "":
		return 0, rowError(row, column, name, "the name or the number of the arm that was pulled")
	case a.fixed:
		return 0, rowError(row, column, name, fmt.Sprintf("one of the arms %s%s: leave the row out, or name the arm in --arms", strings.Join(a.names, ", "), nearest.DidYouMean(name, a.names)))
	case len(a.names) == maxArms:
		return 0, rowError(row, column, name, fmt.Sprintf("at most %d arms: is %s the column of the arms?", maxArms, column))
	}
	name = strings.Clone(name) // a substring would keep the whole row in memory
	a.index[name] = len(a.names)
	a.names = append(a.names, name)
	return len(a.names) - 1, nil
}

// learned orders the arms after the first pass, unless their names were given: by value if all are numbers, else
// alphabetically. If the arms are at least half of the whole numbers from 0 or 1 to the largest, the missing numbers
// become arms too, which were never pulled. Sparser numbers are taken for IDs. learned returns the final number of each
// arm, by its number in the first pass.
func (a *arms) learned() []int {
	seen := a.names
	if !a.fixed {
		*a = *newArms(sortArms(seen))
	}
	return lists.Each(seen, func(n string) int { return a.index[n] })
}

func sortArms(names []string) []string {
	sorted := slices.Clone(names)
	numbers := make(map[string]float64, len(names))
	for _, n := range names {
		if v, err := strconv.ParseFloat(n, 64); err == nil {
			numbers[n] = v
		}
	}
	if len(numbers) < len(names) {
		slices.Sort(sorted)
		return sorted
	}
	slices.SortFunc(sorted, func(a, b string) int { return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(a, b)) })
	first, errFirst := strconv.Atoi(sorted[0])
	last, errLast := strconv.Atoi(sorted[len(sorted)-1])
	if first = min(first, 1); errFirst != nil || errLast != nil || first < 0 || last-first+1 > 2*len(sorted) {
		return sorted
	}
	var all []string
	for i := first; i <= last; i++ {
		all = append(all, strconv.Itoa(i))
	}
	if slices.ContainsFunc(sorted, func(n string) bool { return !slices.Contains(all, n) }) {
		return sorted // a name such as 1.5 or 01
	}
	return all
}
