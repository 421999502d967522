package report

import (
	"io"
	"slices"
	"strings"

	"banditsim/results/column"
)

// A Screen is a writer with lines of a width, such as a terminal. Tables written to it as Text fit: headers
// become shorter, columns are left out, which a note says, names are cut, and text is wrapped.
type Screen struct {
	io.Writer
	Width   int  // characters of a line
	Unicode bool // whether it shows blocks: bars stand beside the means then, if there is room
	Color   bool // whether it understands escape sequences: the winner is green then
}

// Bars are lengths that a Screen shows as bars in a column of their own.
type Bars struct {
	After  string    // name of the column that the bars follow
	Shares []float64 // of the longest bar, from 0 to 1, one for each row
}

// Widths of bars in characters.
const (
	minBar = 6
	maxBar = 20
)

// withBars returns the table with its bars, if a line of the given width has room for them.
func (t Table) withBars(width int) Table {
	room := min(width-t.width()-2, maxBar)
	at := slices.IndexFunc(t.Columns, func(c column.Head) bool { return c.Name == t.Bars.After })
	if room < minBar || at < 0 || len(t.Bars.Shares) != len(t.Rows) {
		return t
	}
	t.Columns = slices.Insert(slices.Clone(t.Columns), at+1, column.Head{Left: true})
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Insert(slices.Clone(row), at+1, bar(t.Bars.Shares[i], room))
	}
	t.Rows = rows
	return t
}

// bar returns a bar of a share of the given width in eighths of a block: nothing for 0, else at least one eighth.
func bar(share float64, width int) string {
	if share <= 0 {
		return ""
	}
	eighths := max(int(share*float64(8*width)+0.5), 1)
	b := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		b += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return b
}

const (
	green = "\x1b[1;32m"
	plain = "\x1b[0m"
)

// paint returns the lines of a table with the winner's row in color. The first two lines are the header and its rule.
func (t Table) paint(lines []string) []string {
	for _, row := range t.Winner {
		lines[2+row] = green + lines[2+row] + plain
	}
	return lines
}
