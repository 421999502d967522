package report

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"banditsim/internal/words"
)

// A Screen is a writer with lines of a width, such as a terminal. Tables written to it as Text fit: headers
// become shorter, columns are left out, which a note says, names are cut, and text is wrapped.
type Screen struct {
	io.Writer
	Width int // characters of a line
}

// minName is the least width of a cut name.
const minName = 8

// width returns the width of the table's rules, which are longer than its rows by a blank.
func (t Table) width() int {
	w := 0
	for k := range t.Header {
		w += t.columnWidth(k) + 2
	}
	return w
}

func (t Table) columnWidth(k int) int {
	w := utf8.RuneCountInString(t.Header[k])
	for _, row := range t.Rows {
		w = max(w, utf8.RuneCountInString(row[k]))
	}
	return w
}

// fit returns the table in lines of at most width characters.
func (t Table) fit(width int) Table {
	kept := make([]int, len(t.Header)) // columns, by their old index
	for k := range kept {
		kept[k] = k
	}
	full := t.Header
	if t.width() > width && t.Short != nil {
		t.Header = slices.Clone(t.Header)
		for k, short := range t.Short {
			if short != "" {
				t.Header[k] = short
			}
		}
	}
	var left []string
	for _, k := range t.Least {
		at := slices.Index(kept, k)
		if t.width() <= width {
			break
		}
		if at < 0 {
			continue
		}
		kept = slices.Delete(slices.Clone(kept), at, at+1)
		t.Header = slices.Delete(slices.Clone(t.Header), at, at+1)
		rows := make([][]string, len(t.Rows))
		for i, row := range t.Rows {
			rows[i] = slices.Delete(slices.Clone(row), at, at+1)
		}
		t.Rows = rows
		left = append(left, full[k])
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
	if len(left) > 0 {
		t.Notes = append([]string{"Left out for want of room: " + strings.Join(left, ", ") + ". --wide shows all."}, t.Notes...)
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

// onlyHas reports whether a column has value, or no value, in every row.
func onlyHas(rows [][]string, k int, value string) bool {
	return !slices.ContainsFunc(rows, func(row []string) bool { return row[k] != value && row[k] != words.None })
}
