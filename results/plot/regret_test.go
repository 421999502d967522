package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// figureOf returns the options of a figure of the given regret from the given round on.
func figureOf(m *compare.Metric, from int) Options {
	o := DefaultOptions()
	o.Metric, o.From = m, from
	return o
}

func TestPlotForms(t *testing.T) {
	set := resultstest.Trials(t, resultstest.Six(), 2, 60, func(i *results.Identity) { i.Environment.Data = results.Data{Name: "other", SHA256: "ab12"} })
	dir := t.TempDir()
	for ending, magic := range map[string]string{".svg": "<?xml", ".PNG": "\x89PNG", ".pdf": "%PDF-"} {
		var twice [2][]byte
		for k := range twice {
			path := filepath.Join(dir, fmt.Sprint(k)+ending)
			must.OK(t, Regret(path, []*results.Set{set}, figureOf(compare.Realised(), 1)))
			twice[k] = resultstest.ReadFile(t, path)
		}
		must.That(t, bytes.HasPrefix(twice[0], []byte(magic)), "%s begins with %q", ending, twice[0][:8])
		must.Equal(t, ending+": two plots of one set", twice[0], twice[1])
	}
	svg := string(resultstest.ReadFile(t, filepath.Join(dir, "0.svg")))
	must.Contain(t, svg, append([]string{"Cumulative realised regret by round", "mushroom data of another file", "Mean over 2 seeds", "95 % t-interval", "burn-in ends", "Round of 20 pulls", "60 rounds × 20 pulls"}, resultstest.Six()...)...)
	must.Get(png.Decode(bytes.NewReader(resultstest.ReadFile(t, filepath.Join(dir, "0.PNG")))))(t)
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	must.That(t, err == nil && len(left) == 0, "left behind: %q, %v", left, err)
}

// TestPlotOdd draws sets with little to draw, long names and many policies, and checks errors of paths.
func TestPlotOdd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svg")
	var many []string
	for k := range 40 {
		many = append(many, fmt.Sprintf("policy%d", k))
	}
	for name, set := range map[string]*results.Set{
		"one round":     resultstest.Trials(t, []string{"p"}, 1, 1, nil),
		"no burn-in":    resultstest.Trials(t, []string{"p"}, 2, 3, func(i *results.Identity) { i.Protocol.BurnIn = 0 }),
		"long names":    resultstest.Trials(t, []string{strings.Repeat("long ", 60), strings.Repeat("蘑菇", 300), "\x1b[31m<b>&"}, 2, 3, nil),
		"many policies": resultstest.Trials(t, many, 1, 2, nil),
	} {
		for _, metric := range []*compare.Metric{compare.Expected(), compare.Realised()} {
			if err := Regret(path, []*results.Set{set}, figureOf(metric, 1)); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if b := resultstest.ReadFile(t, path); bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) || bytes.Contains(b, []byte("<b>")) {
				t.Errorf("%s: NaN, Inf or an open tag in the SVG", name)
			}
		}
	}
	must.Fail(t, Regret(filepath.Join(dir, "a.gif"), nil, figureOf(compare.Expected(), 1)), "want .svg, .png or .pdf")
	must.That(t, CheckPath("a") != nil, "no ending: no error")
	if err := Regret(filepath.Join(dir, "none", "a.svg"), []*results.Set{resultstest.Trials(t, []string{"p"}, 1, 1, nil)}, figureOf(compare.Expected(), 1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestMissingIntervals checks that a band has a gap where a point has no interval, and that a curve of which only the
// first point has one, as of two seeds with bootstrap intervals, is drawn.
func TestMissingIntervals(t *testing.T) {
	o := figureOf(compare.Expected(), 1)
	o.Band = compare.BootstrapTBand
	for _, o.LogY = range []bool{false, true} {
		f := must.Get(newRegretFigure([]*results.Set{resultstest.Trials(t, []string{"p"}, 2, 60, nil)}, &o))(t)
		svg := string(must.Get(SVG(f))(t))
		must.That(t, !strings.Contains(svg, "NaN") && !strings.Contains(svg, "fill-opacity"), "NaN or a band in %s", svg)
	}
	for gap, bands := range map[int]int{2: 1, 3: 2} {
		var s Series
		for x := range 8 {
			s.Add(float64(x), 1, 0, 2)
		}
		s.Low[gap-1], s.High[gap-1] = math.NaN(), math.NaN()
		svg := string(must.Get(SVG(&Panels{Width: 100, Height: 100, Rows: 1, Panels: []Panel{{High: 7, Curves: []Series{s}}}}))(t))
		must.That(t, !strings.Contains(svg, "NaN"), "NaN in %s", svg)
		must.Equal(t, fmt.Sprintf("bands with a gap at point %d", gap), strings.Count(svg, "fill-opacity"), bands)
	}
}

// TestSVGOfHostileNames checks that an SVG is well-formed whatever the names are.
func TestSVGOfHostileNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svg")
	names := []string{"<script>&amp;]]>", `"'-->`, "\x00\x1b\u202e\ufffe\uffff", "<!DOCTYPE a [<!ENTITY b \"c\">]>&b;"}
	set := resultstest.Trials(t, names, 1, 3, func(i *results.Identity) { i.Environment.Name = "</svg>\x01&\ufffe" })
	must.OK(t, Regret(path, []*results.Set{set}, figureOf(compare.Expected(), 1)))
	d := xml.NewDecoder(bytes.NewReader(resultstest.ReadFile(t, path)))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct {
		name     string
		at, want []vg.Length
	}{
		{"apart", []vg.Length{90, 50, 10}, []vg.Length{90, 50, 10}},
		{"equal", []vg.Length{50, 50}, []vg.Length{55, 45}},
		{"at the top", []vg.Length{100, 99, 98}, []vg.Length{100, 90, 80}},
		{"at the foot", []vg.Length{1, 0}, []vg.Length{10, 0}},
		{"a chain", []vg.Length{60, 50, 49}, []vg.Length{63, 53, 43}},
	} {
		got := spread(test.at, 10, 0, 100)
		for i := range got {
			if !(math.Abs(float64(got[i]-test.want[i])) < 1e-9) {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
				break
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		low, high, least float64
		want             string
	}{
		{0, 2000, 1, "0 500 1,000 1,500 2,000"},
		{0, 60, 1, "0 10 20 30 40 50 60"},
		{-30, 7512, 0, "0 2,000 4,000 6,000"},
		{-0.5, 1, 0, "−0.5 0.0 0.5 1.0"},
		{52, 60, 1, "52 54 56 58 60"},
		{0, 1, 1, "0 1"},
		{0, 1, 0, "0.0 0.2 0.4 0.6 0.8 1.0"},
	} {
		var labels []string
		for _, tick := range (ticks{n: 7, minStep: test.least}).Ticks(test.low, test.high) {
			labels = append(labels, tick.Label)
		}
		must.Equal(t, fmt.Sprintf("ticks from %g to %g", test.low, test.high), strings.Join(labels, " "), test.want)
	}
}
