package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestSwitchesOfRegret(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	titles := map[string]string{
		"expected cumulative all":   "Cumulative expected regret",
		"expected cumulative after": "Cumulative expected regret",
		"expected window all":       "Expected regret a round",
		"expected window after":     "Expected regret a round",
		"realised cumulative all":   "Cumulative realised regret",
		"realised cumulative after": "Cumulative realised regret",
		"realised window all":       "Realised regret a round",
		"realised window after":     "Realised regret a round",
	}
	seen := make(map[string]string)
	for choice, title := range titles {
		for i, value := range strings.Fields(choice) {
			b.click(`#regret label:has([name="` + []string{"metric", "form", "from"}[i] + `"][value="` + value + `"])`)
		}
		if got := b.text("#regret h3"); got != title {
			t.Errorf("%s: the title is %q, want %q", choice, got, title)
		}
		picture := b.picture("regret")
		if other, ok := seen[picture]; ok {
			t.Errorf("%s looks like %s", choice, other)
		}
		seen[picture] = choice
	}
	// The legend agrees with the columns of the table, which package results made.
	for column, choice := range map[int]string{3: "expected cumulative all", 5: "expected cumulative after", 7: "realised cumulative all"} {
		for _, value := range strings.Fields(choice) {
			b.click(`#regret label:has([value="` + value + `"])`)
		}
		for row := 1; row <= 3; row++ {
			inTable := fmt.Sprintf("#summary tbody tr:nth-child(%d)", row)
			legend := b.text(fmt.Sprintf(".legend tbody tr:nth-child(%d)", row))
			table := b.text(inTable+" th") + strings.Replace(b.text(fmt.Sprintf("%s :nth-child(%d)", inTable, column)), " ±", "±", 1)
			if legend != table {
				t.Errorf("%s, row %d: the legend has %q, the table %q", choice, row, legend, table)
			}
		}
	}
}

func TestOtherSwitches(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	// The comparison's two tables.
	first, second := `document.querySelector('[data-compared="expected"]').hidden`, `document.querySelector('[data-compared="realised"]').hidden`
	if eval[bool](b, first) || !eval[bool](b, second) {
		t.Error("at first, not the first comparison alone is shown")
	}
	b.click(`#comparison label:has([value="realised"])`)
	if !eval[bool](b, first) || eval[bool](b, second) {
		t.Error("the switch does not show the other comparison")
	}
	// Diagnostics: what a policy does not have is not shown.
	for policy, want := range map[string]int{"pICSGLD": 6, "pSGLD": 3, "Uniform": 1} { // charts of a contour, of a sampler, and the arms alone
		b.click(fmt.Sprintf(`#sampler label:has([value="%s"])`, policy))
		if got := eval[int](b, `document.querySelectorAll("#sampler figure:not([hidden])").length`); got != want {
			t.Errorf("%s has %d charts, want %d", policy, got, want)
		}
	}
	b.click(`#sampler label:has([value="Uniform"])`)
	if note := b.text(`[data-sampler="note"]`); !strings.Contains(note, "These files have no diagnostics of a sampler: it has none, or an archive left them out") {
		t.Errorf("the note on Uniform is %q", note)
	}
	// Mistakes: the rounds, and whose rows.
	before := b.picture("wrong")
	b.click(`#mistakes label:has([name="wrong"][value="all"])`)
	if b.picture("wrong") == before {
		t.Error("the switch of rounds does not change the chart of mistakes")
	}
	b.click(`#mistakes label:has([name="rows"][value="pSGLD"])`)
	if got := eval[string](b, `[...document.querySelectorAll("[data-rows]:not([hidden])")].map((e) => e.dataset.rows).join()`); got != "pSGLD" {
		t.Errorf("the rows of %s are shown, want pSGLD", got)
	}
}

func TestPolicyButtons(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	regret, wrong := b.picture("regret"), b.picture("wrong")
	drawn := b.pixels(2)
	pressed := func() string {
		return eval[string](b, `[...document.querySelectorAll(".policy")].map((e) => e.getAttribute("aria-pressed")).join()`)
	}
	b.click(".legend tbody tr:nth-child(2) .policy")
	if got, want := pressed(), "true,false,true,true,false,true"; got != want { // in both legends
		t.Errorf("pressed: %s, want %s", got, want)
	}
	if b.picture("regret") == regret || b.picture("wrong") == wrong {
		t.Error("hiding a policy does not change the charts")
	}
	if n := b.pixels(2); n > drawn/10 {
		t.Errorf("%d of %d pixels in the color of the hidden policy are still there", n, drawn)
	}
	b.click(`#mistakes .policy:nth-child(2)`)
	if b.picture("wrong") == wrong {
		t.Error("the policy that is pointed at does not stand out")
	}
	b.do(chromedp.MouseEvent("mouseMoved", 5, 5))
	eval[bool](b, "(document.activeElement.blur(), true)")
	b.settle()
	if b.picture("regret") != regret || b.picture("wrong") != wrong {
		t.Error("showing it again does not bring the charts back")
	}
	b.click(".all button:nth-child(2)")
	if got, want := pressed(), "false,false,false,false,false,false"; got != want {
		t.Errorf("all hidden: pressed %s", got)
	}
	b.click(".all button:nth-child(1)")
	if b.picture("regret") != regret {
		t.Error("showing all does not bring the chart back")
	}
}
