package report

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"banditsim/results/column"
)

// minName is the least width of a cut name.
const minName = 8

// width returns the width of the table's rules, which are longer than its rows by a blank.
func (t Table) width() int {
	w := 0
	for k := range t.Columns {
		w += t.columnWidth(k) + 2
	}
	return w
}

func (t Table) columnWidth(k int) int {
	w := utf8.RuneCountInString(t.Columns[k].Header)
	for _, row := range t.Rows {
		w = max(w, utf8.RuneCountInString(row[k]))
	}
	return w
}

// without returns the table without the columns that drop reports.
func (t Table) without(drop func(column.Head) bool) Table {
	kept := t
	kept.Columns, kept.Rows = nil, make([][]string, len(t.Rows))
	for k, c := range t.Columns {
		if drop(c) {
			continue
		}
		kept.Columns = append(kept.Columns, c)
		for i, row := range t.Rows {
			kept.Rows[i] = append(kept.Rows[i], row[k])
		}
	}
	return kept
}

// fit returns the table in lines as wide as the screen at most.
func (t Table) fit(s Screen) Table {
	width := s.Width
	order := slices.DeleteFunc(slices.Clone(t.Columns), func(c column.Head) bool { return c.Leaves == 0 })
	slices.SortStableFunc(order, func(a, b column.Head) int { return cmp.Compare(a.Leaves, b.Leaves) })
	if t.width() > width {
		t.Columns = slices.Clone(t.Columns)
		for k, c := range t.Columns {
			t.Columns[k].Header = cmp.Or(c.Short, c.Header)
		}
	}
	var left []string
	for _, next := range order {
		if t.width() <= width {
			break
		}
		t = t.without(func(c column.Head) bool { return c.Leaves == next.Leaves })
		left = append(left, next.Header)
	}
	if over := t.width() - width; over > 0 {
		room := max(t.columnWidth(0)-over, minName)
		rows := make([][]string, len(t.Rows))
		for i, row := range t.Rows {
			rows[i] = slices.Clone(row)
			rows[i][0] = cutMiddle(row[0], room)
		}
		t.Rows = rows
	}
	if s.Unicode {
		t = t.withBars(width)
	}
	if len(left) > 0 {
		t.Notes = slices.Insert(slices.Clone(t.Notes), len(t.Key), "Hidden at this width: "+strings.Join(left, ", ")+". --wide shows all.")
	}
	t.Caption, t.Notes = Wrap(t.Caption, width), Wrap(t.Notes, width)
	return t
}

// cutMiddle cuts s to n characters, with more of its end, in which the names of a sweep differ.
func cutMiddle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := (n - 1) / 3
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// Wrap breaks lines longer than width at blanks. The rest of a line is indented by two more than its beginning.
func Wrap(lines []string, width int) []string {
	var out []string
	for _, line := range lines {
		indent := strings.Repeat(" ", min(len(line)-len(strings.TrimLeft(line, " "))+2, width/2))
		for r := []rune(line); ; r = []rune(indent + strings.TrimLeft(string(r), " ")) {
			if len(r) <= width {
				out = append(out, string(r))
				break
			}
			at := width
			for i := width; i > len(indent); i-- {
				if r[i] == ' ' && strings.TrimSpace(string(r[:i])) != "" {
					at = i
					break
				}
			}
			out = append(out, strings.TrimRight(string(r[:at]), " "))
			r = r[at:]
		}
	}
	return out
}

// WrapText breaks the lines of a text for w, if that is a Screen.
func WrapText(w io.Writer, text string) string {
	s, ok := w.(Screen)
	if !ok {
		return text
	}
	return strings.Join(Wrap(strings.Split(text, "\n"), s.Width), "\n")
}
