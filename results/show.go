package results

// What other packages need to show results as this one does.

// A Table is what Render shows to people. The first column is of names, the
// others are of numbers.
type Table struct {
	Caption []string // lines above
	Header  []string
	Rows    [][]string
	Notes   []string // lines below: failures, damaged files, warnings
}

// Table is the summary as Render shows it.
func (s *Summary) Table() Table { return s.table().exported() }

// Table is the comparison with all its columns, as Render shows it in Markdown.
func (c *Comparison) Table() Table { return c.table(true).exported() }

func (t table) exported() Table { return Table{t.caption, t.header, t.rows, t.notes} }

// Thin returns at most n numbers from first to last, evenly spaced, both among
// them.
func Thin(first, last, n int) []int { return thin(first, last, n) }
