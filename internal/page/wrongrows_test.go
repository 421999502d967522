package page

import (
	"fmt"
	"slices"
	"testing"

	"banditsim/datasets"
	"banditsim/internal/must"
)

// The traits of a column of many numbers are quarters; few numbers and names are shown as they are.
func TestColumn(t *testing.T) {
	r := &datasets.Rows{Columns: []string{"length", "grade", "name", "same"}}
	for row := range 40 {
		length := fmt.Sprint(float64(row) / 10)
		if row == 39 {
			length = "?"
		}
		r.Values = append(r.Values, []string{length, fmt.Sprint(row % 3), fmt.Sprint("n", row), "7"})
	}
	got := column(r, 0)
	for row, want := range map[int]string{0: "0 to 0.9", 9: "0 to 0.9", 10: "1 to 1.9", 29: "2 to 2.9", 38: "3 to 3.8", 39: "?"} {
		must.Equal(t, fmt.Sprint("row ", row), got[row], want)
	}
	for c := 1; c < 4; c++ {
		if got := column(r, c); got[5] != r.Values[5][c] {
			t.Errorf("column %s: %s, want %s", r.Columns[c], got[5], r.Values[5][c])
		}
	}
	// Equal numbers are never divided.
	for row := range r.Values {
		r.Values[row][0] = fmt.Sprint(max(row-20, 0))
	}
	if got := slices.Compact(slices.Sorted(slices.Values(column(r, 0)))); !slices.Equal(got, []string{"0", "1 to 9", "10 to 19"}) {
		t.Errorf("half of the numbers are equal: %q", got)
	}
}
