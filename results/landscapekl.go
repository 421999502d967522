package results

import (
	"fmt"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
	"banditsim/posterior/simulation"
	"banditsim/results/stats"
)

// klFigure shows how the methods' divergences fall: two measures, against
// evaluations and against time.
type klFigure struct {
	names    []string
	looks    []look
	panels   []panel // rows of two
	captions []string
}

const (
	klWidth    = 330 // of a panel
	klHeight   = 270
	klGap      = 20
	legendGap  = 18
	klSubtitle = "25 modes in a box (Deng et al., ICLR 2022): mean KL divergence and one standard error"
)

// klLooks: variants of a method have its colour.
var klLooks = map[string]look{
	"SGLD": {0, 0}, "cycSGLD": {1, 1}, "SVGD": {2, 2}, "reSGLD": {3, 3}, "CSGLD": {4, 0}, "ICSGLD": {6, 0},
	"CSGLD-flat": {4, 2}, "ICSGLD-flat": {6, 2}, "CSGLD-authors": {4, 1},
}

func newKLFigure(r *simulation.LandscapeResult) *klFigure {
	f := &klFigure{captions: []string{
		fmt.Sprintf("Mean over %s; bands: one standard error. Evaluations are of the gradient, all chains together; those of the run from which θ starts are not counted. "+
			"Times are medians over the repeats; judging the estimates does not count. SVGD is judged by its particles, the others by all their samples. "+
			"The first 80th of a run does not count. KL(truth‖estimate): %g of the uniform distribution is mixed into the estimate.",
			words.Count(r.Options.Repeats, "repeat"), simulation.Smoothing),
	}}
	for _, measure := range []struct {
		name string
		get  func(simulation.LandscapePoint) float64
	}{{"25 modes: KL(truth‖estimate), nats", modesOf}, {"50×50 cells: KL(estimate‖truth), nats", gridOf}} {
		evaluations := panel{title: measure.name, x: "Evaluations of the gradient"}
		time := panel{title: measure.name, x: "Seconds of " + r.Clock}
		for _, m := range r.Methods {
			c, t := panelCurve{look: klLooks[m.Name]}, panelCurve{look: klLooks[m.Name]}
			for k := range m.Runs[0].Points {
				var points []simulation.LandscapePoint
				for _, run := range m.Runs {
					points = append(points, run.Points[k])
				}
				e := estimateOf(points, measure.get)
				c.add(float64(points[0].Evaluations), e)
				if s := medianOf(points, secondsOf); s > 0 {
					t.add(s, e)
				}
			}
			evaluations.curves = append(evaluations.curves, c)
			time.curves = append(time.curves, t)
		}
		f.panels = append(f.panels, evaluations, time)
	}
	for _, m := range r.Methods {
		f.names, f.looks = append(f.names, m.Name), append(f.looks, klLooks[m.Name])
	}
	// Without a clock there is no time to show.
	f.panels = slices.DeleteFunc(f.panels, func(p panel) bool { return len(p.curves[0].x) == 0 })
	return f
}

// add appends a point with a band of one standard error, if there is one.
func (c *panelCurve) add(x float64, e stats.Estimate) {
	low, high := e.Mean, e.Mean
	if words.Finite(e.StdErr) {
		low, high = e.Mean-e.StdErr, e.Mean+e.StdErr
	}
	c.x, c.mid, c.low, c.high = append(c.x, x), append(c.mid, e.Mean), append(c.low, low), append(c.high, high)
}

func (f *klFigure) columns() int { return (len(f.panels) + 1) / 2 }

func (f *klFigure) size() (w, h vg.Length) {
	w = 2*margin + vg.Length(f.columns())*(klWidth+klGap) + legendGap + legendWidth(f.names)
	return w, 2*klHeight + klGap + frameHeight(w, f.captions)
}

func (f *klFigure) draw(c draw.Canvas) {
	_, body := drawFrame(c, "How fast samplers find the masses of 25 modes", klSubtitle, dataStyle, f.captions)
	side := legendGap + legendWidth(f.names)
	area := draw.Crop(body, 0, -side, 0, 0)
	for i, p := range f.panels {
		drawTitled(tile(area, i, 2, f.columns(), klGap), p.title, p.logPlot())
	}
	drawLegend(draw.Crop(body, area.Max.X-body.Min.X+legendGap, 0, 0, -panelTitle), f.names, f.looks)
}

// PlotLandscape draws the figures of the experiment to dir: landscape-density.svg, the density found by
// each method, and landscape-kl.svg, how good the estimates were. It returns the paths.
func PlotLandscape(dir string, r *simulation.LandscapeResult) ([]string, error) {
	density, kl := filepath.Join(dir, "landscape-density.svg"), filepath.Join(dir, "landscape-kl.svg")
	if err := writeDrawing(density, newHeatFigure(r), encodeSVG); err != nil {
		return nil, err
	}
	if err := writeDrawing(kl, newKLFigure(r), encodeSVG); err != nil {
		return nil, err
	}
	return []string{density, kl}, nil
}
