package plot

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// TermOptions are the options of a plot in characters.
type TermOptions struct {
	// Figure has the options Metric, View, From, To, Policies and Labels. Term ignores its other fields.
	Figure        Options
	Width, Height int  // width and height of the output in characters
	ASCII         bool // draws with letters instead of braille dots
	Color         bool // draws in color, with escape sequences
}

// The smallest width and height that Term accepts, in characters.
const (
	MinTermWidth  = 40
	MinTermHeight = 12
)

// Term draws every policy's mean regret by round in characters, with a letter at each curve's end and a legend below.
// Without a color for each curve, letters are on the curves too. With a long legend the output may exceed o.Height.
func Term(w io.Writer, set *results.Set, o TermOptions) error {
	if o.Width < MinTermWidth || o.Height < MinTermHeight {
		return fmt.Errorf("plot: %d × %d characters, want at least %d × %d", o.Width, o.Height, MinTermWidth, MinTermHeight)
	}
	sets, err := o.Figure.Select([]*results.Set{set})
	if err != nil {
		return err
	}
	set = sets[0]
	curves, err := compare.Curves(set, compare.CurveOptions{Metric: o.Figure.Metric, View: o.Figure.View, Band: compare.TBand, From: o.Figure.From, To: o.Figure.To, Points: 2 * o.Width}) // two dots per character
	if err != nil {
		return err
	}
	order, drawn := results.Order(sets), make([]termCurve, len(curves))
	for i, c := range curves {
		drawn[i] = termCurve{Curve: c, letter: termLetters[i%len(termLetters)]}
		drawn[i].Policy = name(&o.Figure, c.Policy)
		if o.Color {
			drawn[i].color = termColors[slices.Index(order, c.Policy)%len(termColors)]
		}
	}
	// In the legend curves are in the order of their ends, from the top down.
	slices.SortStableFunc(drawn, func(a, b termCurve) int { return cmp.Compare(b.End().Mean, a.End().Mean) })
	seeds, several := compare.Totals(set).SeedsText()
	if several {
		seeds = "mean over " + seeds
	}
	head := lists.Each([]string{heading(&o.Figure) + ", " + seeds + span(&o.Figure), set.Conditions.DataName(), set.Conditions.ProtocolName()}, o.fit)
	foot := append(termLegend(drawn, o), lists.Each(leftOut(set), o.fit)...)
	height := max(o.Height-len(head)-len(foot)-4, 5) // the other 4 lines are the axis, its numbers and two empty lines
	text := strings.Join(slices.Concat(head, []string{""}, drawTerm(drawn, o, height), []string{""}, foot), "\n") + "\n"
	if o.ASCII {
		text = toASCII(text)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}

// A termCurve is a curve with its letter and color.
type termCurve struct {
	compare.Curve
	letter byte
	color  string // escape sequence of its color, "" for none
}

const termLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// termColors are the colors of terminals except black and white: cyan, yellow, magenta, green, blue, red.
var termColors = []string{"\x1b[36m", "\x1b[33m", "\x1b[35m", "\x1b[32m", "\x1b[34m", "\x1b[31m"}

func paint(s, color string) string {
	if color == "" {
		return s
	}
	return color + s + "\x1b[0m"
}

func termLegend(curves []termCurve, o TermOptions) []string {
	longest := slices.Max(lists.Each(curves, func(c termCurve) int { return utf8.RuneCountInString(words.Plain(c.Policy)) }))
	longest = min(longest, max(o.Width-36, 8)) // room for the numbers
	sameSeeds := !slices.ContainsFunc(curves, func(c termCurve) bool { return !slices.Equal(c.Seeds, curves[0].Seeds) })
	lines := make([]string, len(curves))
	for i, c := range curves {
		line := fmt.Sprintf(" %c %-*s  %s", c.letter, longest, words.CutMiddle(words.Plain(c.Policy), longest), c.End().String())
		if !sameSeeds {
			line += " (" + words.Count(len(c.Seeds), "seed") + ")"
		}
		lines[i] = paint(o.fit(line), c.color)
	}
	return lines
}

// leftOut returns notes about failed and damaged trials, which are left out of means.
func leftOut(set *results.Set) []string {
	var notes, failed []string
	for _, p := range set.Policies {
		if f := compare.Failed(p.Records); len(f) > 0 {
			failed = append(failed, words.Plain(p.Label)+", "+f.String())
		}
	}
	if len(failed) > 0 {
		notes = append(notes, "Not in the means: "+strings.Join(failed, "; ")+".")
	}
	if n := len(set.Damaged); n > 0 {
		notes = append(notes, words.Count(n, "damaged file")+" left out.")
	}
	return notes
}

func (o TermOptions) fit(line string) string {
	if o.ASCII {
		line = toASCII(line) // before the cut, because the line may become longer
	}
	if r := []rune(line); len(r) > o.Width {
		return string(r[:o.Width-1]) + "…"
	}
	return line
}

// asciiFor replaces the characters beyond ASCII of titles, tables and axes.
var asciiFor = strings.NewReplacer("±", "+/-", "−", "-", "–", "-", "×", "x", "…", "~",
	"·", "|", "│", "|", "┤", "+", "┬", "+", "└", "+", "─", "-")

func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, asciiFor.Replace(s))
}

func drawTerm(curves []termCurve, o TermOptions, height int) []string {
	low, high := 0.0, 0.0
	for _, c := range curves {
		for _, e := range c.Regret {
			low, high = min(low, e.Mean), max(high, e.Mean)
		}
	}
	if low == high { // no regret
		high = 1
	}
	labels := make([]string, height)
	wide := 0
	for _, t := range (ticks{n: max(height/2, 2)}).Ticks(low, high) {
		labels[rowOf(t.Value, low, high, height)] = t.Label
		wide = max(wide, utf8.RuneCountInString(t.Label))
	}
	ends, letters, endsWide := make([]string, height), make([]int, height), 0
	for _, c := range curves {
		r := rowOf(c.End().Mean, low, high, height)
		ends[r] += paint(string(c.letter), c.color)
		letters[r]++
		endsWide = max(endsWide, letters[r])
	}
	width := max(o.Width-wide-3-1-endsWide, 10)
	grid := &dots{width: width, height: height, across: 2, down: 4, glyphs: make([]glyph, width*height), ascii: o.ASCII}
	if o.ASCII {
		grid.across, grid.down = 1, 1
	}
	for i, c := range curves {
		grid.curve(i, c.Curve, low, high)
	}
	if !o.Color || len(curves) > len(termColors) {
		for i, c := range curves {
			grid.marks(i, len(curves), c)
		}
	}
	var lines []string
	for r := range height {
		edge := "│"
		if labels[r] != "" {
			edge = "┤"
		}
		line := fmt.Sprintf(" %*s %s%s %s", wide, labels[r], edge, grid.line(r, curves), ends[r])
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return append(lines, xAxis(curves[0].Rounds, wide+2, width)...)
}

// rowOf returns the row of v, counted from 0 at the top, on a scale with high in the first and low in the last row.
func rowOf(v, low, high float64, rows int) int {
	return int(math.Round((high - v) / (high - low) * float64(rows-1)))
}

func xAxis(rounds []int, indent, width int) []string {
	first, last := rounds[0], rounds[len(rounds)-1]
	axis := []rune(strings.Repeat(" ", indent) + "└" + strings.Repeat("─", width))
	numbers := []rune(strings.Repeat(" ", indent+1+width))
	free := 0 // first column at which the next number may begin
	for _, t := range (ticks{n: max(width/12, 2), minStep: 1}).Ticks(float64(first), float64(last)) {
		x := indent + 1 + int(math.Round((t.Value-float64(first))/float64(max(last-first, 1))*float64(width-1)))
		label := []rune(t.Label)
		at := min(x-len(label)/2, len(numbers)-len(label))
		if at < free {
			continue
		}
		axis[x] = '┬'
		copy(numbers[at:], label)
		free = at + len(label) + 1
	}
	return []string{string(axis), strings.TrimRight(string(numbers), " ")}
}

// dots is a grid of characters. A braille character has two by four dots, an ASCII character one. A character has the
// color of the curve that was drawn into it last.
type dots struct {
	width, height int // size of the grid in characters
	across, down  int // columns and rows of dots in a character
	glyphs        []glyph
	ascii         bool
}

// A glyph is a character of the grid.
type glyph struct {
	dots  byte // bits of the braille pattern; in ASCII, not 0 if a curve passes
	mark  byte // letter to draw instead of dots; 0 for none
	curve int  // index of the curve that was drawn last
}

// brailleDots has the bit of each dot in a braille character (Unicode block U+2800), by column and by row from the top.
var brailleDots = [2][4]byte{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

func (c *dots) dot(curve, x, y int) {
	glyph := &c.glyphs[y/c.down*c.width+x/c.across]
	glyph.dots |= brailleDots[x%c.across][y%c.down]
	glyph.curve = curve
}

// curve draws the means of curve i as a line without gaps. low is at the bottom of the grid, high at its top.
func (c *dots) curve(i int, curve compare.Curve, low, high float64) {
	first, last := curve.Rounds[0], curve.Rounds[len(curve.Rounds)-1]
	columns, rows := c.width*c.across, c.height*c.down
	k, before := 0, 0
	for x := range columns {
		// Interpolate between the points before and after.
		round := float64(first) + float64(x)/float64(columns-1)*float64(last-first)
		for k+2 < len(curve.Rounds) && float64(curve.Rounds[k+1]) < round {
			k++
		}
		next := min(k+1, len(curve.Rounds)-1) // k if there is a single point
		a, b := curve.Rounds[k], curve.Rounds[next]
		part := (round - float64(a)) / float64(max(b-a, 1))
		y := rowOf(curve.Regret[k].Mean*(1-part)+curve.Regret[next].Mean*part, low, high, rows)
		if x == 0 {
			before = y
		}
		for between := min(y, before); between <= max(y, before); between++ {
			if between != before || y == before {
				c.dot(i, x, between)
			}
		}
		before = y
	}
}

// marksApart is the number of characters between two letters on a curve.
const marksApart = 16

// marks puts the letter of curve i of n on the curve, in columns that differ from those of other curves.
func (c *dots) marks(i, n int, curve termCurve) {
	for x := (2*i + 1) * marksApart / (2 * n); x < c.width; x += marksApart {
		for y := range c.height {
			if glyph := &c.glyphs[y*c.width+x]; glyph.dots != 0 && glyph.curve == i {
				glyph.mark = curve.letter
				break
			}
		}
	}
}

// line returns line y of the grid, counted from the top, in the curves' colors.
func (c *dots) line(y int, curves []termCurve) string {
	var b strings.Builder
	for _, glyph := range c.glyphs[y*c.width : (y+1)*c.width] {
		curve := curves[glyph.curve]
		switch {
		case glyph.dots == 0:
			b.WriteByte(' ')
		case glyph.mark != 0:
			b.WriteString(paint(string(glyph.mark), curve.color))
		case c.ascii:
			b.WriteString(paint(string(curve.letter), curve.color))
		default:
			b.WriteString(paint(string(rune(0x2800+int(glyph.dots))), curve.color))
		}
	}
	return b.String()
}
