package page

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/compare"
)

// Bounds of the tables of rows.
const (
	topRows    = 10 // rows of a table, if there are few
	leastRows  = 3  // if there are many
	topTraits  = 5
	topColumns = 3 // columns of a row that are shown
)

// Rows describe the rows of the data for the tables of mistakes.
type Rows struct {
	Columns []string   // such as "odor"
	Values  [][]string // [row][column], such as "foul"
	// Wrong reports whether an arm is not the best in a row.
	Wrong func(row, arm int) bool
}

// describedRows are rows with the values of each column as traits tell them apart, by column and row.
type describedRows struct {
	*Rows
	told [][]string
}

// newDescribedRows returns an error unless every row has a value of each column, and Wrong is there.
func newDescribedRows(r *Rows) (*describedRows, error) {
	if r.Wrong == nil {
		return nil, errors.New("no function says which arms are wrong in a row")
	}
	for row, values := range r.Values {
		if len(values) != len(r.Columns) {
			return nil, fmt.Errorf("row %d has %d values, want one for each of %d columns", row, len(values), len(r.Columns))
		}
	}
	d := &describedRows{Rows: r}
	for c := range r.Columns {
		d.told = append(d.told, r.column(c))
	}
	return d, nil
}

// newWrongTable returns the table of an arm with the given number of rows. pulls are those of the policies, empty if they are
// not recorded.
func newWrongTable(m *mistakeCounts, pulls []compare.Mistakes, arm int, name string, rows *describedRows, length int) (wrongTable, error) {
	wrong := m.of(arm)
	t := wrongTable{Arm: name, Pulls: len(pulls) > 0, Rows: words.Count(len(wrong), "row")}
	times := 0
	for _, w := range wrong {
		times += w.times
		if rows != nil && w.row >= len(rows.Values) {
			return wrongTable{}, fmt.Errorf("page: the trials have row %d, but the data have rows 0 to %d: they are not the data of the trials", w.row, len(rows.Values)-1)
		}
	}
	t.Times = words.Count(times, "time")
	var columns []int
	if rows != nil {
		t.Traits, columns = rows.traits(wrong, arm)
	}
	for _, c := range columns {
		t.Columns = append(t.Columns, rows.Columns[c])
	}
	for _, w := range wrong[:min(len(wrong), length)] {
		top := wrongRowView{Row: w.row, Times: w.times, Strip: strip(w.windows), Width: len(w.windows), When: m.windows.when(w.windows)}
		regret := 0.0
		for _, p := range pulls {
			r := p.Row(w.row, arm)
			top.Met, regret = top.Met+r.Met, regret+r.Regret
		}
		top.Regret = words.Amount(regret)
		for _, c := range columns {
			top.Values = append(top.Values, rows.Values[w.row][c])
		}
		t.Top = append(t.Top, top)
	}
	return t, nil
}

// traits returns the values with the greatest excess among the wrong pulls, one for each
// column, and the columns of the first of them.
func (r *describedRows) traits(wrong []wrongRow, arm int) (traits []trait, columns []int) {
	times := 0
	for _, w := range wrong {
		times += w.times
	}
	if times == 0 {
		return nil, nil
	}
	type ranked struct {
		trait
		column int
	}
	var best []ranked
	for c, name := range r.Columns {
		in, all, possible := make(map[string]int), make(map[string]int), 0
		values := r.told[c]
		for _, w := range wrong {
			in[values[w.row]] += w.times
		}
		for row := range r.Values {
			if r.Wrong(row, arm) {
				all[values[row]]++
				possible++
			}
		}
		var most ranked
		for value, n := range in {
			t := trait{name, value, 100 * float64(n) / float64(times), 100 * float64(all[value]) / float64(possible)}
			if d := t.excess() - most.excess(); d > 0 || d == 0 && value < most.Value {
				most = ranked{t, c}
			}
		}
		if most.Value != "" {
			best = append(best, most)
		}
	}
	slices.SortStableFunc(best, func(a, b ranked) int { return cmp.Compare(b.excess(), a.excess()) })
	for i, b := range best[:min(len(best), topTraits)] {
		traits = append(traits, b.trait)
		if i < topColumns {
			columns = append(columns, b.column)
		}
	}
	return traits, columns
}

// manyValues is the number of different numbers from which on the traits of a column are quarters.
const manyValues = 12

// column returns the values of a column by row; of many different numbers the quarter of the rows, such as "5.1 to 5.8".
func (r *Rows) column(c int) []string {
	values, numbers := make([]string, len(r.Values)), make([]float64, len(r.Values))
	for row := range r.Values {
		values[row] = r.Values[row][c]
	}
	var sorted []float64
	for row := range r.Values {
		v, err := strconv.ParseFloat(values[row], 64)
		switch {
		case err == nil && words.Finite(v):
			sorted = append(sorted, v)
		case values[row] == "?": // missing
			v = math.NaN()
		default:
			return values
		}
		numbers[row] = v
	}
	slices.Sort(sorted)
	if len(slices.Compact(slices.Clone(sorted))) <= manyValues {
		return values
	}
	// Equal numbers are in the quarter in which the first of them is.
	quarterOf := func(v float64) int {
		first, _ := slices.BinarySearch(sorted, v)
		return 4 * first / len(sorted)
	}
	var low, high [4]float64
	for i := len(sorted) - 1; i >= 0; i-- {
		q := quarterOf(sorted[i])
		if low[q] = sorted[i]; i == len(sorted)-1 || quarterOf(sorted[i+1]) != q {
			high[q] = sorted[i]
		}
	}
	for row, v := range numbers {
		if math.IsNaN(v) {
			continue
		}
		q := quarterOf(v)
		if values[row] = words.Exact(low[q]); high[q] > low[q] {
			values[row] += " to " + words.Exact(high[q])
		}
	}
	return values
}

// excess returns by how many percentage points the value is more frequent among the wrong pulls.
func (t trait) excess() float64 { return t.Wrong - t.All }

// strip returns the path of a picture of counts: a bar for every window, 1 wide and up to 10 high.
func strip(windows []int) string {
	most := max(slices.Max(windows), 1)
	var b strings.Builder
	for i, n := range windows {
		if n > 0 {
			height := 3 + 7*n/most // a single one is visible too
			fmt.Fprintf(&b, "M%d 10v-%dh1v%dz", i, height, height)
		}
	}
	return b.String()
}

// when returns "between rounds 53 and 1960": from the first window with a count to the last.
func (w windows) when(times []int) string {
	first, last := len(times)-1, 0
	for i, n := range times {
		if n > 0 {
			first, last = min(first, i), i
		}
	}
	return fmt.Sprintf("between rounds %d and %d", w.first(first), w.last(last))
}
