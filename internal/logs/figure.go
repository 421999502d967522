package logs

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/bandit/logged"
	"banditsim/internal/report"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results/plot"
)

// figures are the figures of an evaluation, in the order of the page. WriteFigures adds Suffix to the name of a file.
// Of returns nil if there is nothing to show.
var figures = []struct {
	Suffix string
	Of     func(*logged.Evaluation) plot.Figure
}{
	{"", forest},
	{"-clip", byClip},
}

// WriteFigures writes the figures of an evaluation to path and to files beside it, in the format that path ends in.
func WriteFigures(path string, s *logged.Evaluation) error {
	ending := filepath.Ext(path)
	for _, figure := range figures {
		if f := figure.Of(s); f != nil {
			if err := plot.Write(strings.TrimSuffix(path, ending)+figure.Suffix+ending, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func forest(s *logged.Evaluation) plot.Figure {
	f := &plot.Forest{
		Title:    "What the policies would have earned",
		Subtitle: fmt.Sprintf("%s, %s", s.Log.Name(), words.Count(s.Log.Description.Rows, "row")),
		Lines:    []plot.ForestLine{{Name: "what the log earned", At: s.Log.Description.Reward.Mean, Look: plot.Look{Color: 6, Dash: 1}}},
	}
	if a := s.Options.Against; a != nil {
		f.Lines = append(f.Lines, plot.ForestLine{Name: "what " + words.Plain(a.Name) + " earned", At: a.Mean.Mean, Look: plot.Look{Color: 3, Dash: 2}})
	}
	truths := false
	for i, l := range s.Estimates {
		f.Rows = append(f.Rows, plot.ForestRow{Label: l.Policy + " · " + l.Title, Mid: l.Mean.Mean, Low: l.Mean.Low, High: l.Mean.High, Value: l.Mean.MeanText(),
			Look: plot.Look{Color: color(s, l.Policy)}, Hollow: !l.Verdict || l.Biased, Strong: l.Verdict && l.Estimator == s.Preferred(), Truth: l.Truth, Gap: i > 0 && s.Estimates[i-1].Policy != l.Policy})
		truths = truths || !math.IsNaN(l.Truth)
	}
	f.Captions = []string{fmt.Sprintf("Mean reward a pull with 95 %% intervals (%s). Bold: what the sentences use. Hollow: no verdict, or an interval that leaves out a bias. Cross: no interval.", s.Options.Interval)}
	if truths {
		f.Captions = append(f.Captions, "Upright marks: the truth, which the simulated environment of the log knows.")
	}
	return f
}

// color returns the color of a policy in all figures.
func color(s *logged.Evaluation, policy string) int {
	i := slices.IndexFunc(s.Diagnostics, func(d logged.Diagnostics) bool { return d.Policy == policy })
	return max(i, 0) % (len(plot.Palette()) - 1)
}

// byClip returns the figure of the estimates by the clip of the weights, or nil if it would have no curve.
func byClip(s *logged.Evaluation) plot.Figure {
	what := "IPS"
	if s.Options.Model != nil {
		what = "DR"
	}
	f := &plot.Panels{
		Title:    "How much the estimates hang on large weights",
		Subtitle: what + " with weights of at most the clip, with 95 % t-intervals; the last point of a curve has no clip",
		Rows:     1, Width: 460, Height: 280,
	}
	panel := plot.Panel{Title: "Mean reward a pull", X: "Clip of the weights", Log: [2]bool{true, true}}
	for _, d := range s.Diagnostics {
		if d.Replay {
			continue
		}
		curve := plot.Series{Look: plot.Look{Color: color(s, d.Policy)}}
		for _, c := range s.Clips {
			at := c.Clip
			if math.IsInf(at, 1) {
				at = d.Largest
			}
			if c.Policy == d.Policy && c.Mean.Mean > 0 && c.Mean.HasInterval() && at > 0 {
				curve.Add(at, c.Mean.Mean, c.Mean.Low, c.Mean.High)
			}
		}
		if len(curve.X) < 2 {
			continue // all weights are equal, or no estimate is above 0
		}
		panel.Curves = append(panel.Curves, curve)
		f.Legend = append(f.Legend, plot.LegendEntry{Name: words.Plain(words.Shorten(d.Policy, 30)), Look: curve.Look})
	}
	if len(panel.Curves) == 0 {
		return nil
	}
	f.Panels = []plot.Panel{panel}
	return f
}

//go:embed page.html
var pageText string

// WritePage writes a self-contained HTML page to path: verdicts, warnings, figures, and the tables with all columns.
// The page loads nothing from the network. The same evaluation gives the same bytes.
func WritePage(path string, s *logged.Evaluation) error {
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("logs: page: %w", err)
	}
	var drawn []template.HTML
	for _, figure := range figures {
		f := figure.Of(s)
		if f == nil {
			continue
		}
		b, err := plot.SVG(f)
		if err != nil {
			return fmt.Errorf("logs: page: %w", err)
		}
		if i := bytes.Index(b, []byte("<svg")); i > 0 {
			b = b[i:]
		}
		drawn = append(drawn, template.HTML(b)) // plot.SVG escapes the texts
	}
	arms := table(armColumns, s.Log.Description.Arms, describeLines(s.Log)...)
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		Name     string
		Verdicts []string
		Warnings []string
		Figures  []template.HTML
		Tables   []titled
	}{s.Log.Name(), Verdicts(s), Warnings(s), drawn, []titled{
		{"Diagnostics", diagnosticTable(s)}, {"Estimates", estimateTable(s)}, {"Estimates by clip", table(clipColumns, s.Clips)}, {"The log", arms},
	}})
	if err != nil {
		return fmt.Errorf("logs: page: %w", err)
	}
	return wholefile.Write(path, b.Bytes())
}

type titled struct {
	Title string
	report.Table
}
