package page

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results/compare"
)

// A mistake is a data row and an arm that was wrongly pulled for it.
type mistake struct{ row, arm int }

// A wrongPull is one pull of a wrong arm for a data row, in the window with the given index (type windows).
type wrongPull struct {
	mistake
	window int
}

// mistakeCounts has the number of wrong pulls of each mistake by window. It counts from round axes.firstCounted on,
// because earlier pulls are random.
type mistakeCounts struct {
	windows windows
	rows    map[mistake][]int
}

func newMistakeCounts(w windows) *mistakeCounts { return &mistakeCounts{w, make(map[mistake][]int)} }

// firstCounted returns the first round after burn-in. If there is no burn-in, or no round after it, it returns 1.
func (a *axes) firstCounted() int {
	if a.After == nil {
		return 1
	}
	return a.BurnIn + 1
}

// at returns the counts of a mistake by window, which the caller may increase.
func (m *mistakeCounts) at(key mistake) []int {
	if m.rows[key] == nil {
		m.rows[key] = make([]int, m.windows.N)
	}
	return m.rows[key]
}

// join adds the counts of another policy.
func (m *mistakeCounts) join(other *mistakeCounts) {
	for key, windows := range other.rows {
		to := m.at(key)
		for i, n := range windows {
			to[i] += n
		}
	}
}

// of returns the rows for which an arm was wrongly pulled, sorted by descending number of wrong pulls.
func (m *mistakeCounts) of(arm int) []wrongRow {
	var out []wrongRow
	for key, windows := range m.rows {
		if key.arm != arm {
			continue
		}
		w := wrongRow{Row: key.row, Windows: windows}
		for _, n := range windows {
			w.Times += n
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b wrongRow) int { return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Row, b.Row)) })
	return out
}

// Bounds of the tables of rows.
const (
	topRows    = 10 // largest number of rows in a table
	leastRows  = 3  // number of rows in a table if there are many tables
	topTraits  = 5  // largest number of traits of an arm
	topColumns = 3  // largest number of columns of data in a table
)

// describedRows are the rows of the data with the values that traits compare.
type describedRows struct {
	*datasets.Rows
	traitValues [][]string // [column][row]: the row's value, or the range of numbers around it (see function column)
}

// newDescribedRows returns an error if r.Wrong is nil, or if a row does not have one value per column.
func newDescribedRows(r *datasets.Rows) (*describedRows, error) {
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
		d.traitValues = append(d.traitValues, column(r, c))
	}
	return d, nil
}

// newWrongTable returns the table of an arm, with at most length data rows. pulls has the recorded mistakes of the
// policies that m counts; it is empty without recorded pulls. rows is nil if nothing describes the data rows.
func newWrongTable(m *mistakeCounts, pulls []compare.Mistakes, arm int, name string, rows *describedRows, length int) (wrongTable, error) {
	wrong := m.of(arm)
	t := wrongTable{Arm: name, Pulls: len(pulls) > 0, Rows: words.Count(len(wrong), "row")}
	times := 0
	for _, w := range wrong {
		times += w.Times
		if rows != nil && w.Row >= len(rows.Values) {
			return wrongTable{}, fmt.Errorf("page: the trials have row %d, but the data have rows 0 to %d: they are not the data of the trials", w.Row, len(rows.Values)-1)
		}
	}
	t.Times = words.Count(times, "time")
	if rows != nil {
		t.Traits = rows.traits(wrong, times, arm)
	}
	shown := t.Traits[:min(len(t.Traits), topColumns)]
	t.Columns = lists.Each(shown, func(t trait) string { return t.Column })
	for _, top := range wrong[:min(len(wrong), length)] {
		regret := 0.0
		for _, p := range pulls {
			r := p.Row(top.Row, arm)
			top.Met, regret = top.Met+r.Met, regret+r.Regret
		}
		top.Regret, top.When = words.Amount(regret), m.windows.when(top.Windows)
		top.Values = lists.Each(shown, func(t trait) string { return rows.Values[top.Row][t.column] })
		t.Top = append(t.Top, top)
	}
	return t, nil
}

// traits returns up to topTraits traits of an arm, at most one per column: those with the greatest excess. wrong has
// the rows for which the arm was wrongly pulled, and times is the number of these pulls.
func (r *describedRows) traits(wrong []wrongRow, times, arm int) []trait {
	if times == 0 {
		return nil
	}
	var best []trait
	for c, name := range r.Columns {
		in, all, possible := make(map[string]int), make(map[string]int), 0
		values := r.traitValues[c]
		for _, w := range wrong {
			in[values[w.Row]] += w.Times
		}
		for row := range r.Values {
			if r.Wrong(row, arm) {
				all[values[row]]++
				possible++
			}
		}
		var most trait
		for value, n := range in {
			t := trait{name, value, 100 * float64(n) / float64(times), 100 * float64(all[value]) / float64(possible), c}
			if d := t.excess() - most.excess(); d > 0 || d == 0 && value < most.Value {
				most = t
			}
		}
		if most.Value != "" {
			best = append(best, most)
		}
	}
	slices.SortStableFunc(best, func(a, b trait) int { return cmp.Compare(b.excess(), a.excess()) })
	return best[:min(len(best), topTraits)]
}

// manyValues is the largest number of distinct numbers in a column whose traits are numbers. With more they are ranges.
const manyValues = 12

// column returns the values of a column by row. If all are numbers or missing, and there are more than manyValues
// different numbers, each number is replaced by the range of its quartile, such as "5.1 to 5.8".
func column(r *datasets.Rows, c int) []string {
	values := lists.Each(r.Values, func(row []string) string { return row[c] })
	numbers := make([]float64, len(values))
	var sorted []float64
	for row, value := range values {
		v, err := strconv.ParseFloat(value, 64)
		switch {
		case err == nil && words.Finite(v):
			sorted = append(sorted, v)
		case value == "?": // a missing value
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
	// Equal numbers are all in the quartile of the first of them.
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

// excess returns the difference between Wrong and All in percentage points.
func (t trait) excess() float64 { return t.Wrong - t.All }

// Strip returns the SVG path of a picture of the wrong pulls by window, with bars that are 1 wide and up to 10 high.
func (w wrongRow) Strip() string {
	most := max(slices.Max(w.Windows), 1)
	var b strings.Builder
	for i, n := range w.Windows {
		if n > 0 {
			height := 3 + 7*n/most // at least 3, so that a single pull is visible
			fmt.Fprintf(&b, "M%d 10v-%dh1v%dz", i, height, height)
		}
	}
	return b.String()
}

// when returns the rounds from the first to the last window with a count above 0, as "between rounds 53 and 1960".
func (w windows) when(times []int) string {
	first, last := len(times)-1, 0
	for i, n := range times {
		if n > 0 {
			first, last = min(first, i), i
		}
	}
	return fmt.Sprintf("between rounds %d and %d", w.first(first), w.last(last))
}
