package report

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"banditsim/internal/words"
)

// A Screen is a writer with a line width, such as a terminal. Results in the format Text are made to fit: headers are
// shortened, columns are left out and named in a note, names are cut, and text is wrapped.
type Screen struct {
	io.Writer
	Width   int  // characters per line
	Unicode bool // reports whether it shows block characters, with which bars are drawn if there is room
	Color   bool // reports whether it understands escape sequences, with which the winner is shown in green
}

// Bars has the lengths of the bars that a table shows in a column of their own.
type Bars struct {
	After  string    // name of the column before the bars
	Shares []float64 // lengths relative to the longest bar, from 0 to 1, one per row
}

// A textPrinter writes text, made to fit screen if screen has a width.
type textPrinter struct {
	blocks
	screen Screen
	wide   bool // reports whether tables have all columns, even if they do not fit
}

func (p *textPrinter) wrapped(lines []string) {
	if p.screen.Width > 0 {
		lines = wrap(lines, p.screen.Width)
	}
	p.block(lines...)
}

func (p *textPrinter) title(text string)       { p.wrapped([]string{text}) }
func (p *textPrinter) sentences(list []string) { p.wrapped(list) }
func (p *textPrinter) notes(lines []string)    { p.wrapped(lines) }

func (p *textPrinter) table(t Table) error {
	if !p.wide {
		t = t.without(func(k int) bool { return t.Columns[k].Wide })
		if t.Key != nil {
			t.Caption, t.Notes = t.Caption[:1], slices.Concat(t.Key, t.Notes)
		}
		if p.screen.Width > 0 {
			t = t.fit(p.screen)
		}
	}
	p.block(t.Caption...)
	var b bytes.Buffer
	err := t.write(&b, renderer.NewBlueprint(tw.Rendition{
		Symbols:  tw.NewSymbols(tw.StyleLight),
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off}},
	}), strings.Clone)
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	if p.screen.Color {
		for _, row := range t.Winner {
			lines[2+row] = green + lines[2+row] + plain // the first two lines are the header and a horizontal line
		}
	}
	p.block(lines...)
	p.block(t.Notes...)
	return err
}

const (
	green = "\x1b[1;32m"
	plain = "\x1b[0m"
)

// minName is the minimum width of a shortened name.
const minName = 8

// width returns the width of the horizontal lines in the table. The rows are one character shorter.
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

// fit returns the table made to fit the width of the screen.
func (t Table) fit(s Screen) Table {
	width := s.Width
	order := slices.DeleteFunc(slices.Clone(t.Columns), func(c Column[int]) bool { return c.Leaves == 0 })
	slices.SortStableFunc(order, func(a, b Column[int]) int { return cmp.Compare(a.Leaves, b.Leaves) })
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
		t = t.without(func(k int) bool { return t.Columns[k].Leaves == next.Leaves })
		left = append(left, next.Header)
	}
	if excess := t.width() - width; excess > 0 {
		room := max(t.columnWidth(0)-excess, minName)
		t = t.mapRows(func(_ int, row []string) []string { row[0] = words.CutMiddle(row[0], room); return row })
	}
	if s.Unicode {
		t = t.withBars(width)
	}
	if len(left) > 0 {
		t.Notes = slices.Insert(slices.Clone(t.Notes), len(t.Key), "Hidden at this width: "+strings.Join(left, ", ")+". --wide shows all.")
	}
	t.Caption, t.Notes = wrap(t.Caption, width), wrap(t.Notes, width)
	return t
}

// Widths of bars in characters.
const (
	minBar = 6
	maxBar = 20
)

// withBars returns the table with a column of bars if there is room for it in lines of the given width, else t.
func (t Table) withBars(width int) Table {
	room := min(width-t.width()-2, maxBar)
	at := slices.IndexFunc(t.Columns, func(c Column[int]) bool { return c.Name == t.Bars.After })
	if room < minBar || at < 0 || len(t.Bars.Shares) != len(t.Rows) {
		return t
	}
	t.Columns = slices.Insert(slices.Clone(t.Columns), at+1, Column[int]{left: true})
	return t.mapRows(func(i int, row []string) []string { return slices.Insert(row, at+1, bar(t.Bars.Shares[i], room)) })
}

// bar returns a bar that fills a share of width, rounded to eighths of a character: "" for 0, else at least one eighth.
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

// wrap breaks lines longer than width, at spaces if possible. What follows a break is indented by two more spaces.
func wrap(lines []string, width int) []string {
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

// WrapText breaks the lines of a text to the width of w if w is a Screen, and otherwise returns text.
func WrapText(w io.Writer, text string) string {
	s, ok := w.(Screen)
	if !ok {
		return text
	}
	return strings.Join(wrap(strings.Split(text, "\n"), s.Width), "\n")
}
