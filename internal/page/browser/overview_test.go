package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The overview has every policy with its interval, its seeds and the marks, the lowest mean first and marked.
func TestOverview(t *testing.T) {
	b := open(t, writeGrid(t, 12, 1), desktop)
	names := func(rows string) []string {
		return eval[[]string](b, `[...document.querySelectorAll("`+rows+`")].filter((r) => !r.hidden).map((r) => r.cells[0].textContent)`)
	}
	const rows, summary = ".finals tbody tr", "#summary tbody tr"
	shown := names(rows)
	if !strings.HasSuffix(shown[0], "★ lowest") || !slices.Equal(append([]string{strings.TrimSuffix(shown[0], "★ lowest")}, shown[1:]...), names(summary)) {
		t.Errorf("the overview has %q, the summary %q", shown, names(summary))
	}
	if n := eval[[]int](b, `["seed", "mean", "whisker"].map((c) => document.querySelectorAll(".finals ." + c).length)`); !slices.Equal(n, []int{12 * 8, 12, 12 * 3}) {
		t.Errorf("%d seeds, means and lines of intervals", n)
	}
	if got := b.text(".finals .caption"); !strings.Contains(got, "acting uniformly: 29,461") || !strings.Contains(got, "always “leave”: 18,600") {
		t.Errorf("the marks are %q", got)
	}
	// The place of a mean is on the axis.
	for _, scale := range []string{"linear", "range", "log"} {
		b.click(`#overview label:has([value="` + scale + `"])`)
		places := eval[[]float64](b, `[...document.querySelectorAll(".finals .mean")].map((c) => parseFloat(c.getAttribute("cx")))`)
		if !slices.IsSorted(places) || places[0] < 0 || places[11] > 100 || places[0] == places[11] {
			t.Errorf("%s: means at %v", scale, places)
		}
	}
	// Realised regret has an order of its own.
	b.click(`#overview label:has([name="final"][value="realised"])`)
	if got := b.text(".finals thead th:nth-child(3)"); got != "realised regret" {
		t.Errorf("the column is %q", got)
	}
	// The filter holds for both lists.
	eval[bool](b, `(() => { const f = document.querySelector("#summary [name=filter]"); f.value = "ucb"; return f.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	for _, list := range []string{rows, summary} {
		if got := names(list); len(got) != 2 || !strings.Contains(got[0]+got[1], "LinUCB-shared") {
			t.Errorf("filtered by ucb: %q", got)
		}
	}
}

// A click on a seed draws its curve, one on a policy all of its seeds'; the address keeps them.
func TestOwnCurves(t *testing.T) {
	file := writeGrid(t, 3, 1)
	b := open(t, file, desktop)
	lines := func(b *tab) []string {
		eval[bool](b, `(document.querySelector('[data-chart="regret"] .numbers').open = true)`)
		b.settle()
		return eval[[]string](b, `[...document.querySelectorAll('[data-chart="regret"] .numbers thead th')].slice(4).map((th) => th.textContent)`)
	}
	if got := lines(b); len(got) > 0 {
		t.Errorf("at first there are the curves of %q", got)
	}
	first := strings.TrimSuffix(b.text(".finals tbody th"), "★ lowest")
	b.click(`.finals tbody tr:nth-child(1) [data-seed="5"]`)
	if got := lines(b); !slices.Equal(got, []string{first + ", seed 6"}) {
		t.Errorf("the curves of %q, want that of seed 6", got)
	}
	// It ends where the table says.
	if end, want := b.text(`[data-chart="regret"] .numbers tbody tr:last-child td:last-child`), b.text(`.finals [data-seed="5"] title`); !strings.HasSuffix(want, ": "+end) {
		t.Errorf("the curve ends at %s, the dot says %q", end, want)
	}
	b.click(`.finals tbody tr:nth-child(2) .name`)
	if got := lines(b); len(got) != 9 {
		t.Errorf("%d curves, want one and the eight of the second policy", len(got))
	}
	if other := openAt(t, file, eval[string](b, "location.hash"), desktop); !slices.Equal(lines(other), lines(b)) {
		t.Errorf("the address shows the curves of %q", lines(other))
	}
	for _, choice := range []string{`[name="from"][value="after"]`, `[name="x"][value="pulls"]`, `[name="log"][value="x"]`} {
		if b.click(`#regret label:has(` + choice + `)`); len(lines(b)) != 9 {
			t.Errorf("%s: %d curves", choice, len(lines(b)))
		}
	}
	b.click("#regret .remove")
	if got := lines(b); len(got) > 0 {
		t.Errorf("the curves of %q are still there", got)
	}
}

// Curves by windows can be smoothed; then they have no intervals.
func TestSmooth(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	if !eval[bool](b, `document.querySelector("[name=smooth]").disabled`) {
		t.Error("cumulative curves can be smoothed")
	}
	b.click(`#regret label:has([value="window"])`)
	sharp := b.picture("regret")
	b.choose("smooth", "7")
	if b.picture("regret") == sharp {
		t.Error("smoothing does not change the chart")
	}
	if note := b.text(`[data-chart="regret"] figcaption p`); !strings.Contains(note, "smoothed over 7") {
		t.Errorf("the note is %q", note)
	}
}

// A click on a header sorts a table: ascending, descending, as it came.
func TestSort(t *testing.T) {
	b := open(t, writeGrid(t, 12, 1), desktop)
	column := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll("#summary tbody tr")].map((r) => r.cells[0].textContent)`)
	}
	made := column()
	for _, want := range []struct {
		sort  string
		names []string
	}{
		{"ascending", slices.SortedFunc(slices.Values(made), func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })}, {"descending", nil}, {"", made},
	} {
		b.click("#summary thead th:nth-child(1) button")
		if got := eval[string](b, `document.querySelector("#summary thead th").getAttribute("aria-sort") ?? ""`); got != want.sort {
			t.Errorf("aria-sort is %q, want %q", got, want.sort)
		}
		if got := column(); want.names != nil && !slices.Equal(got, want.names) {
			t.Errorf("%s: %q, want %q", want.sort, got, want.names)
		}
	}
	b.click("#summary thead th:nth-child(3) button")
	b.click("#summary thead th:nth-child(3) button")
	slices.Reverse(made)
	if got := column(); !slices.Equal(got, made) {
		t.Errorf("by descending regret: %q, want %q", got, made)
	}
}

// A click on a cell of the matrix leads to the environment.
func TestMatrix(t *testing.T) {
	b := open(t, writeGrid(t, 3, 9), desktop)
	if n := eval[[]int](b, `["tbody tr", "td[class]"].map((s) => document.querySelectorAll("[data-across=expected] .matrix " + s).length)`); !slices.Equal(n, []int{3, 27}) {
		t.Fatalf("%d rows and cells, want 3 and 27", n)
	}
	for column, name := range map[int]string{4: "wheel 0.5", 11: "jester"} {
		b.click(fmt.Sprintf(".matrix tbody tr:nth-child(2) td:nth-child(%d)", column))
		if got := b.text("[data-environment]:not([hidden]) h2"); got != name {
			t.Errorf("column %d shows %s, want %s", column, got, name)
		}
		if top := eval[float64](b, `document.querySelector("[data-environment]:not([hidden]) [data-section=overview]").getBoundingClientRect().top`); top < -10 || top > 200 {
			t.Errorf("the overview of %s is at %v", name, top)
		}
	}
}

// On a phone the controls are folded.
func TestFold(t *testing.T) {
	b := open(t, write(t, nil), phone)
	open := func() string {
		return eval[string](b, `[...document.querySelectorAll(".fold")].map((d) => d.open).join()`)
	}
	if got := open(); got != "false,false,false" {
		t.Errorf("open on a phone: %s", got)
	}
	b.click("#regret .fold summary")
	if b.click(`#regret label:has([name="metric"][value="realised"])`); b.text(`[data-chart="regret"] h3`) != "Cumulative realised regret" {
		t.Error("the unfolded controls do nothing")
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	b.settle()
	if got := open(); got != "true,true,true" {
		t.Errorf("open on a desktop: %s", got)
	}
}
