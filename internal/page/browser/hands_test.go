package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestZoomAndHover(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	const plot, all = `[data-chart="regret"] .u-over`, `[data-chart="regret"] .zoom button:nth-child(3)`
	isAll := func() bool { return eval[bool](b, `document.querySelector('`+all+`').disabled`) }
	x, y := b.middle(plot)
	whole := b.picture("regret")
	if !isAll() {
		t.Error("zoomed from the beginning")
	}
	// Hovering shows the values where the pointer is.
	b.do(chromedp.MouseEvent("mouseMoved", x, y))
	b.settle()
	if got := b.text(".legend caption"); got != "After round 150" {
		t.Errorf("in the middle the legend is of %q", got)
	}
	middle := b.text(".legend tbody")
	b.do(chromedp.MouseEvent("mouseMoved", 5, 5))
	b.settle()
	if got := b.text(".legend caption"); got != "After round 300" || b.text(".legend tbody") == middle {
		t.Errorf("away from the chart the legend is of %q", got)
	}
	// A drag zooms, a double click goes back.
	drag := func() {
		x, y := b.middle(plot)
		b.do(chromedp.MouseEvent("mouseMoved", x-100, y), chromedp.MouseEvent("mousePressed", x-100, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
			chromedp.MouseEvent("mouseMoved", x, y, chromedp.ButtonLeft), chromedp.MouseEvent("mouseMoved", x+100, y, chromedp.ButtonLeft),
			chromedp.MouseEvent("mouseReleased", x+100, y, chromedp.ButtonLeft, chromedp.ClickCount(1)), chromedp.MouseEvent("mouseMoved", 5, 5))
		b.settle()
	}
	drag()
	if isAll() || b.picture("regret") == whole {
		t.Error("a drag does not zoom")
	}
	b.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)), chromedp.MouseEvent("mouseMoved", 5, 5))
	b.settle()
	if !isAll() || b.picture("regret") != whole {
		t.Error("a double click does not show all again")
	}
	// Buttons do the same.
	b.click(`[data-chart="regret"] .zoom button:nth-child(2)`)
	if isAll() || b.picture("regret") == whole {
		t.Error("the button + does not zoom")
	}
	b.click(all)
	if !isAll() || b.picture("regret") != whole {
		t.Error("the button All does not show all again")
	}
	// The histogram beside the map of θ is of the round that is pointed at.
	if got := b.text(`[data-chart="theta"] h3`); got != "θ in round 300" {
		t.Errorf("at first the histogram is %q", got)
	}
	left, top := b.middle(`[data-chart="heat"] .u-over`)
	b.do(chromedp.MouseEvent("mouseMoved", left-80, top))
	b.settle()
	if got := b.text(`[data-chart="theta"] h3`); got != "θ in round 150" {
		t.Errorf("left of the middle of the map the histogram is %q", got)
	}
	// A zoomed chart stays so when the colors change.
	drag()
	b.click("#theme")
	if isAll() {
		t.Error("another theme shows all rounds again")
	}
}

func TestKeyboard(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	focus := func() string {
		return eval[string](b, `(() => { const e = document.activeElement; return e.className || e.id || e.name || e.tagName; })()`)
	}
	var order []string
	for range 60 {
		b.do(chromedp.KeyEvent(kb.Tab))
		order = append(order, focus())
		if focus() == "plot" {
			break
		}
	}
	// The links, the theme, the overview with its policies, one stop for each group of radio buttons, one for each box, the chart's buttons, the chart.
	want := "skip A A A A A A A js final scale filter name name name metric form from x log log bands BUTTON BUTTON plot"
	if got := strings.Join(order, " "); got != want {
		t.Fatalf("the focus goes %s, want %s", got, want)
	}
	if eval[string](b, `getComputedStyle(document.activeElement).outlineStyle`) == "none" {
		t.Error("the focus is not to be seen")
	}
	for _, step := range []struct{ key, said string }{
		{kb.Home, "after round 0: pICSGLD 0 ± 0; pSGLD 0 ± 0; Uniform 0 ± 0"},
		{kb.ArrowRight, "after round 1: "},
		{kb.End, "after round 300: "},
		{kb.ArrowLeft, "after round 299: "},
	} {
		b.press(step.key)
		if got := b.text("#say"); !strings.HasPrefix(got, step.said) {
			t.Errorf("said %q, want %q…", got, step.said)
		}
	}
	whole := b.picture("regret")
	b.press("+")
	if b.picture("regret") == whole {
		t.Error("+ does not zoom")
	}
	b.press(kb.Escape)
	if b.picture("regret") != whole {
		t.Error("Escape does not show all again")
	}
	// Radio buttons go by arrows, buttons by the space bar.
	eval[bool](b, `document.querySelector('[name="metric"]').focus() || true`)
	b.press(kb.ArrowRight)
	if got := b.text("#regret h3"); got != "Cumulative realised regret" {
		t.Errorf("after an arrow the chart is %q", got)
	}
	eval[bool](b, `document.querySelector(".policy").focus() || true`)
	b.press(" ")
	if got := eval[string](b, `document.querySelector(".policy").getAttribute("aria-pressed")`); got != "false" {
		t.Errorf("after the space bar the policy's button is pressed: %s", got)
	}
}

func TestTouch(t *testing.T) {
	b := open(t, write(t, nil), phone)
	const all = `document.querySelector('[data-chart="regret"] .zoom button:nth-child(3)').disabled`
	x, y := b.middle(`[data-chart="regret"] .u-over`)
	b.do(chromedp.TapXY(x, y))
	b.settle()
	if got := b.text(".legend caption"); !strings.HasPrefix(got, "After round 1") || got == "After round 300" {
		t.Errorf("after a tap in the middle the legend is of %q", got)
	}
	touch := func(kind input.DispatchTouchEventType, xs ...float64) {
		points := []*input.TouchPoint{}
		for i, x := range xs {
			points = append(points, &input.TouchPoint{X: x, Y: y, ID: new(float64(i))})
		}
		b.call(input.DispatchTouchEvent.Method, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		b.settle()
	}
	// One finger moves the cursor.
	touch(input.DispatchTouchEventTypeTouchStart, x)
	touch(input.DispatchTouchEventTypeTouchMove, x+40)
	touch(input.DispatchTouchEventTypeTouchMove, x+80)
	if got := b.text(".legend caption"); !strings.HasPrefix(got, "After round 2") {
		t.Errorf("after a finger has moved to the right the legend is of %q", got)
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	if !eval[bool](b, all) {
		t.Error("one finger zooms")
	}
	// Two that part zoom.
	touch(input.DispatchTouchEventTypeTouchStart, x-20, x+20)
	touch(input.DispatchTouchEventTypeTouchMove, x-40, x+40)
	touch(input.DispatchTouchEventTypeTouchMove, x-80, x+80)
	touch(input.DispatchTouchEventTypeTouchEnd)
	if eval[bool](b, all) {
		t.Error("two fingers do not zoom")
	}
}
