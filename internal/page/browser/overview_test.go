package browser_test

import (
	"slices"
	"strings"
	"testing"
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
