package plot

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// TestTermPlotGolden compares plots in characters with golden files, which -update renews.
func TestTermPlotGolden(t *testing.T) {
	set := resultstest.Trials(t, []string{"pICSGLD", "pSGLD", "Uniform"}, 3, 200, nil)
	for _, o := range []TermOptions{
		{Figure: DefaultOptions(), Width: 80, Height: 24},
		{Figure: figureOf(compare.Realised(), 53), Width: 60, Height: 20, ASCII: true},
	} {
		var b bytes.Buffer
		must.OK(t, Term(&b, set, o))
		compareGolden(t, fmt.Sprintf("term-%s.txt", o.Figure.Metric), b.String())
	}
}

var escapes = regexp.MustCompile(`\x1b\[\d+m`)

func TestTermPlotKeepsItsSize(t *testing.T) {
	set := resultstest.Trials(t, append(resultstest.Six(), "a name that is very much longer than there is room for in the legend of a plot"), 2, 60, nil)
	for _, size := range [][2]int{{40, 12}, {57, 24}, {200, 60}} {
		for _, ascii := range []bool{false, true} {
			for _, color := range []bool{false, true} {
				name := fmt.Sprintf("%d × %d, ASCII %t, color %t", size[0], size[1], ascii, color)
				var b bytes.Buffer
				must.OK(t, Term(&b, set, TermOptions{figureOf(compare.Expected(), 1), size[0], size[1], ascii, color}))
				must.Contain(t, b.String(), " plot  ") // the end of the long name
				must.Equal(t, name+": colors", escapes.MatchString(b.String()), color)
				text := escapes.ReplaceAllString(b.String(), "")
				if ascii && strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
					t.Errorf("%s: not ASCII:\n%s", name, text)
				}
				lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				// With seven policies and at least 5 lines of curves a plot has about 20 lines, even if it should have fewer.
				must.That(t, len(lines) <= max(size[1], 21) && (size[1] <= 21 || len(lines) == size[1]),
					"%s: %d lines", name, len(lines))
				for _, line := range lines {
					n := utf8.RuneCountInString(line)
					must.That(t, n <= size[0], "%s: %d characters: %s", name, n, line)
				}
			}
		}
	}
}

// TestTermPlotOfOneRound checks that a curve with a single point, of View Window or Rate, is a horizontal line.
func TestTermPlotOfOneRound(t *testing.T) {
	set := resultstest.Trials(t, []string{"p"}, 2, 9, nil)
	for _, view := range compare.Views() {
		o := TermOptions{Figure: DefaultOptions(), Width: 60, Height: 20, ASCII: true}
		o.Figure.View, o.Figure.From, o.Figure.To = view, 7, 7
		var b bytes.Buffer
		must.OK(t, Term(&b, set, o))
		must.That(t, view == compare.Cumulative || strings.Contains(b.String(), strings.Repeat("A", 40)), "%s: no line in\n%s", view, &b)
	}
}

func TestTermPlotErrors(t *testing.T) {
	set := resultstest.Trials(t, []string{"p"}, 1, 5, nil)
	for want, o := range map[string]TermOptions{
		"39 × 24 characters, want at least 40 × 12": {Figure: figureOf(compare.Expected(), 1), Width: 39, Height: 24},
		"80 × 11 characters":                        {Figure: figureOf(compare.Expected(), 1), Width: 80, Height: 11},
		"from round 6, want 1 to 5":                 {Figure: figureOf(compare.Expected(), 6), Width: 80, Height: 24},
		"no metric":                                 {Figure: figureOf(nil, 1), Width: 80, Height: 24},
	} {
		must.Fail(t, Term(&bytes.Buffer{}, set, o), want)
	}
	dir := t.TempDir()
	resultstest.WriteTrial(t, dir, resultstest.Identity("p", 1, 5), 12, 2)
	set = must.Get(results.Load(dir))(t)
	err := Term(&bytes.Buffer{}, set, TermOptions{Figure: figureOf(compare.Expected(), 1), Width: 80, Height: 24})
	must.That(t, errors.Is(err, compare.ErrNoneFinished), "error %v, want ErrNoneFinished", err)
}
