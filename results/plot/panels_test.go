package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/resultstest"
)

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.05, 30, "0.1 1 10"},
		{0.05, 9, "0.1 0.3 1 3"},
		{100, 1000, "100 200 500 1,000"},
	} {
		var labels []string
		for _, m := range (logTicks{}).Ticks(c.low, c.high) {
			if m.Value < c.low*(1-1e-9) || m.Value > c.high*(1+1e-9) {
				t.Errorf("a tick at %g, outside of %g to %g", m.Value, c.low, c.high)
			}
			if m.Label != "" {
				labels = append(labels, m.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

// TestLogAxis: gonum panics at an axis that is not above 0.
func TestLogAxis(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{
		{nil, 0.1, 10},
		{[]float64{0, -1, math.NaN(), math.Inf(1)}, 0.1, 10},
		{[]float64{3}, 1.5, 6},
		{[]float64{4, 2, 0}, 2, 4},
	} {
		r := newRange()
		for _, v := range c.values {
			r.add(v)
		}
		var a plot.Axis
		r.logAxis(&a, 1)
		resultstest.CloseTo(t, "low", a.Min, c.low, 1e-12)
		resultstest.CloseTo(t, "high", a.Max, c.high, 1e-12)
	}
}

// TestPanelsSize: every panel has the size that is asked for, with the gap beside and below it.
func TestPanelsSize(t *testing.T) {
	size := func(panels, rows int) (w, h vg.Length) {
		f := Panels{Title: "t", Rows: rows, Width: 200, Height: 100, Panels: make([]Panel, panels)}
		return f.size()
	}
	w, h := size(2, 1)
	if want := 100 + newFrame("t", "", nil).height(w); h != want {
		t.Errorf("one row is %g high with its frame, want %g", h, want)
	}
	if wide, high := size(3, 1); wide-w != 200+panelGap || high != h {
		t.Errorf("one more column adds %g × %g, want %d × 0", wide-w, high-h, 200+panelGap)
	}
	if wide, high := size(4, 2); wide != w || high-h != 100+panelGap {
		t.Errorf("one more row adds %g × %g, want 0 × %d", wide-w, high-h, 100+panelGap)
	}
}

// TestPalette: the colors of Okabe and Ito, Color Universal Design, 2008, as they give them.
func TestPalette(t *testing.T) {
	published := []int{0x000000, 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7}
	for i, c := range Palette() {
		if !slices.Contains(published, int(c.Figure)) {
			t.Errorf("color %d is %06x, which they do not have", i, c.Figure)
		}
		if slices.IndexFunc(Palette(), func(d Color) bool { return d.Figure == c.Figure }) != i {
			t.Errorf("color %d, %06x, is there twice", i, c.Figure)
		}
	}
}

func TestTile(t *testing.T) {
	c := draw.Canvas{Rectangle: vg.Rectangle{Min: vg.Point{X: 10, Y: 20}, Max: vg.Point{X: 10 + 3*30 + 2*5, Y: 20 + 2*40 + 5}}}
	for i, want := range map[int]vg.Rectangle{
		0: {Min: vg.Point{X: 10, Y: 65}, Max: vg.Point{X: 40, Y: 105}},
		5: {Min: vg.Point{X: 80, Y: 20}, Max: vg.Point{X: 110, Y: 60}},
	} {
		if got := tile(c, i, 2, 3, 5).Rectangle; got != want {
			t.Errorf("tile %d: %v, want %v", i, got, want)
		}
	}
}
