package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/figure"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Regret draws the regret of every policy and writes the figure to path, which must end in .svg, .png or .pdf. With
// o.Facets there is a panel for each set; otherwise there must be only one set. The same sets give the same bytes. SVG
// and PDF files contain the size of the figure, at which they are printed.
func Regret(path string, sets []*results.Set, o Options) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	f, err := newRegretFigure(sets, &o)
	if err != nil {
		return err
	}
	return Write(path, f)
}

// Lengths in points.
const (
	plotWidth     = 500
	plotHeight    = 330 // smallest height
	facetWidth    = 300
	facetHeight   = 220
	facetGap      = 14
	maxFacets     = 3    // largest number of panels in a row, unless Options.Columns is set
	leastFacet    = 110  // smallest width of a panel with its axis if the figure's width is given and the font has 10 points
	maxLabel      = 230  // largest width of a name in the legend
	sizedMargin   = 3    // margin of a figure whose width is given
	smallestPlot  = 40   // smallest width and height of a plot; 6 times the font size if that is more
	shapeOfSized  = 0.62 // height of a plot divided by its width, if the figure's width is given and its height is not
	labelsOfWidth = 0.35 // largest width of a name in the legend divided by the figure's width, if that is given
)

// A regretFigure has a panel per set, a title, a legend and captions. Only a legend inside a plot may cover curves.
type regretFigure struct {
	frame
	panels        []*regretPanel
	legend        figure.Legend
	style         legendStyle
	labels        []curveLabel // labels of all panels, each name once
	width, height vg.Length    // 0 for the size that the contents need
	columns       int          // number of columns of panels; 0 for as many as there is room for
}

func newRegretFigure(sets []*results.Set, o *Options) (*regretFigure, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	styles := looks(o, results.Order(sets))
	sets, err := o.Select(sets)
	if err != nil {
		return nil, err
	}
	if len(sets) > 1 && !o.Facets {
		return nil, fmt.Errorf("plot: %d settings in one figure: want a panel for each (facet environment)", len(sets))
	}
	f := &regretFigure{width: vg.Length(o.Width), height: vg.Length(o.Height), columns: o.Columns}
	f.frame = frame{font: vg.Length(o.FontSize), margin: margin}
	f.style = legendStyle{f.font, maxLabel}
	if f.width > 0 {
		f.margin, f.style.room = sizedMargin, min(maxLabel, labelsOfWidth*f.width)
	}
	var without []string
	for _, set := range sets {
		p, left, err := newRegretPanel(set, o, styles)
		if err != nil {
			return nil, err
		}
		p.inside = o.Legend == figure.Inside
		if o.Facets {
			p.title = panelName(set, sets)
		}
		f.panels, without = append(f.panels, p), append(without, left...)
		for _, l := range p.labels {
			if !slices.ContainsFunc(f.labels, func(k curveLabel) bool { return k.name == l.name }) {
				f.labels = append(f.labels, l)
			}
		}
	}
	if len(o.Policies) > 0 {
		f.orderLabels(results.Labels(sets))
	}
	if !o.NoTitle {
		f.title, f.second = cmp.Or(words.Plain(o.Title), heading(o)+span(o)), dataNames(sets)
	}
	return f, f.placeLegend(sets, o, without)
}

// placeLegend places the legend, and sets the captions, which depend on it. The argument without is that of captions.
func (f *regretFigure) placeLegend(sets []*results.Set, o *Options, without []string) (err error) {
	legends := []figure.Legend{o.Legend}
	if o.Legend == figure.Auto {
		legends = []figure.Legend{figure.Right, figure.Below}
		if f.width > 0 && len(sets) > 1 {
			slices.Reverse(legends) // panels need the width
		}
	}
	room := f.style.room
	for _, f.legend = range legends {
		if f.style.room = room; f.width > 0 && f.legend == figure.Below { // a long name may fill a line of the legend
			f.style.room = min(maxLabel, f.width-2*f.margin-(swatch+3*nudge))
		}
		if !o.NoCaption {
			f.captions = captions(sets, o, f.legend, without)
		}
		if err = f.checkRoom(); err == nil {
			break
		}
	}
	return err
}

// orderLabels sorts the names in legends as in the list "policies". Names at the ends of curves stay sorted by height.
func (f *regretFigure) orderLabels(policies []string) {
	byPolicy := func(a, b curveLabel) int {
		return cmp.Compare(slices.Index(policies, a.policy), slices.Index(policies, b.policy))
	}
	slices.SortStableFunc(f.labels, byPolicy)
	for _, p := range f.panels {
		if p.inside {
			slices.SortStableFunc(p.labels, byPolicy)
		}
	}
}

// panelName returns the name of a set's environment. If another set has the same, the name of the data is added; if
// another set has the same data too, the folder is added instead.
func panelName(set *results.Set, sets []*results.Set) string {
	unique := func(name func(*results.Set) string) bool {
		return !slices.ContainsFunc(sets, func(s *results.Set) bool { return s != set && name(s) == name(set) })
	}
	environment := func(s *results.Set) string {
		if s.Named {
			return s.Label
		}
		return s.Conditions.Environment.Name
	}
	data := func(s *results.Set) string { return environment(s) + ", " + s.Conditions.DataName() }
	switch {
	case unique(environment):
		return words.Plain(environment(set))
	case unique(data):
		return words.Plain(data(set))
	}
	return words.Plain(environment(set) + ", " + set.Dir)
}

func dataNames(sets []*results.Set) string {
	var names []string
	for _, set := range sets {
		if n := set.Conditions.DataName(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, "; ")
}

func heading(o *Options) string {
	what := map[compare.View]string{compare.Window: "Mean %s regret in windows", compare.Rate: "Mean %s regret so far"}[o.View]
	return fmt.Sprintf(cmp.Or(what, "Cumulative %s regret"), o.Metric) + map[figure.X]string{figure.Rounds: " by round", figure.Pulls: " by pull", figure.Steps: " by gradient step", figure.Seconds: " by wall time"}[o.X]
}

func span(o *Options) string {
	s := ""
	if o.From > 1 {
		s += ", from round " + words.Int(o.From)
	}
	if o.To != compare.LastRound {
		s += ", to round " + words.Int(o.To)
	}
	return s
}

// size returns the width and the height from the options or, where these are 0, what the contents need.
func (f *regretFigure) size() (w, h vg.Length) {
	columns, rows := f.grid()
	w, h = f.width, f.height
	if w == 0 {
		w = margin + plotWidth + f.right() + margin
		if len(f.panels) > 1 {
			w = 2*margin + vg.Length(columns)*facetWidth + f.right()
		}
		w = max(w, 640)
	}
	if h == 0 {
		labels := slices.Max(lists.Each(f.panels, func(p *regretPanel) int { return len(p.labels) }))
		switch plot := w - f.right() - 2*f.margin; {
		case f.width > 0 && len(f.panels) > 1:
			each := (plot - vg.Length(columns-1)*facetGap) / vg.Length(columns)
			h = vg.Length(rows)*(max(shapeOfSized*each, 11*f.font)+1.8*f.font) + vg.Length(rows-1)*facetGap
		case f.width > 0:
			h = shapeOfSized * plot
		case len(f.panels) > 1:
			h = vg.Length(rows)*facetHeight + vg.Length(rows-1)*facetGap
		default:
			h = plotHeight
		}
		if f.legend == figure.Right || f.legend == figure.Inside {
			h = max(h, vg.Length(labels+3)*f.style.step())
		}
		h += f.frame.height(w) + f.below(w)
	}
	return w, h
}

func (f *regretFigure) grid() (columns, rows int) {
	if columns = min(len(f.panels), maxFacets); f.columns > 0 {
		columns = min(len(f.panels), f.columns)
	} else if f.width > 0 {
		room := (f.width - f.right() - 2*f.margin + facetGap) / (leastFacet*f.font/10 + facetGap)
		columns = max(min(columns, int(room)), 1)
	}
	return columns, (len(f.panels) + columns - 1) / columns
}

// right returns the width of a legend at the right.
func (f *regretFigure) right() vg.Length {
	name, num := f.style.widths(f.labels)
	switch {
	case f.legend != figure.Right:
		return 0
	case len(f.panels) > 1:
		return legendGap + swatch + nudge + name
	}
	return leader + swatch + nudge + name + 2*nudge + num
}

// below returns the height of a legend below the panels of a figure of width w.
func (f *regretFigure) below(w vg.Length) vg.Length {
	if f.legend != figure.Below {
		return 0
	}
	columns, _ := f.style.columns(f.labels, w-2*f.margin)
	return f.style.step() * vg.Length((len(f.labels)+columns-1)/columns)
}

// checkRoom returns an error if title, captions and legend leave too little of the figure for the plots.
func (f *regretFigure) checkRoom() error {
	columns, rows := f.grid()
	w, h := f.size()
	each := (w-f.right()-2*f.margin)/vg.Length(columns) - 5*f.font // without the labels of the axis
	high := (h-f.frame.height(w)-f.below(w))/vg.Length(rows) - 3*f.font
	if least := max(smallestPlot, 6*f.font); each < least || high < least {
		return fmt.Errorf("plot: a figure of %.0f × %.0f mm leaves %.0f × %.0f mm for a plot with letters of %g pt: want more, smaller letters (font_size), or less around it (no_title, no_caption, legend below or inside, fewer columns)",
			w.Points()*25.4/72, h.Points()*25.4/72, max(each, 0).Points()*25.4/72, max(high, 0).Points()*25.4/72, f.font.Points())
	}
	return nil
}

func (f *regretFigure) draw(c draw.Canvas) {
	page, body := f.frame.draw(c)
	w := c.Max.X - c.Min.X
	below := f.below(w)
	area := draw.Crop(body, 0, -f.right(), below, 0)
	columns, rows := f.grid()
	for i, p := range f.panels {
		t := tile(area, i, rows, columns, facetGap)
		if p.title != "" {
			style := textStyle(1.1*f.font, ink)
			t.FillText(style, vg.Point{X: t.Min.X, Y: t.Max.Y - style.Font.Size}, shorten(style, p.title, t.Max.X-t.Min.X))
			t = draw.Crop(t, 0, 0, 0, -1.8*f.font)
		}
		plot, data := p.draw(t)
		if f.legend == figure.Right && len(f.panels) == 1 {
			f.style.ends(page, data, plot, p.labels)
		}
	}
	switch {
	case f.legend == figure.Below:
		f.style.below(draw.Crop(body, 0, 0, 0, body.Min.Y+below-body.Max.Y), f.labels)
	case f.legend == figure.Right && len(f.panels) > 1:
		f.style.column(page, f.labels, area.Max.X+legendGap, area.Max.Y-1.8*f.font)
	}
}
