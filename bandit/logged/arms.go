package logged

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/nearest"
)

// maxArms bounds the arms of a log.
const maxArms = 10_000

// arms collects the names of the arms of a log and then numbers them.
type arms struct {
	fixed bool
	index map[string]int
	names []string
}

func newArms(names []string) *arms {
	a := &arms{fixed: names != nil, index: make(map[string]int)}
	for _, n := range names {
		a.index[n] = len(a.names)
		a.names = append(a.names, n)
	}
	return a
}

// of returns the number of an arm. In the first pass, learn, an arm that is not there yet gets the next one.
func (a *arms) of(name string, learn bool, row int, column string) (int, error) {
	if i, ok := a.index[name]; ok {
		return i, nil
	}
	switch {
	case name == "":
		return 0, &RowError{row, column, name, "the name or the number of the arm that was pulled"}
	case a.fixed || !learn:
		return 0, &RowError{row, column, name, fmt.Sprintf("one of the arms %s%s: leave the row out, or name the arm in --arms", strings.Join(a.names, ", "), nearest.DidYouMean(name, a.names))}
	case len(a.names) == maxArms:
		return 0, &RowError{row, column, name, fmt.Sprintf("at most %d arms: is %s the column of the arms?", maxArms, column)}
	}
	name = strings.Clone(name) // a substring would keep the whole row in memory
	a.index[name] = len(a.names)
	a.names = append(a.names, name)
	return len(a.names) - 1, nil
}

// learned orders the arms after the first pass: whole numbers from 0 to the largest, or from 1 where no row has 0; other names
// alphabetically. order has the new number of each arm by its old one.
func (a *arms) learned() (order []int) {
	seen := slices.Clone(a.names)
	if !a.fixed {
		a.names = sortArms(seen)
	}
	clear(a.index)
	for i, n := range a.names {
		a.index[n] = i
	}
	for _, n := range seen {
		order = append(order, a.index[n])
	}
	return order
}

func sortArms(names []string) []string {
	most := 0
	for _, n := range names {
		i, err := strconv.Atoi(n)
		if err != nil || i < 0 || i >= maxArms || strconv.Itoa(i) != n {
			sorted := slices.Clone(names)
			slices.Sort(sorted)
			return sorted
		}
		most = max(most, i)
	}
	first := 1
	if slices.Contains(names, "0") {
		first = 0
	}
	var all []string
	for i := first; i <= most; i++ {
		all = append(all, strconv.Itoa(i))
	}
	return all
}
