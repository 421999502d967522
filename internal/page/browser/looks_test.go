package browser_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Whatever can have the focus or is a picture has a name, and every chart its numbers.
func TestNames(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	nameless := eval[[]string](b, `[...document.querySelectorAll("button, a, input, summary, [tabindex], [role=img]")].filter((e) =>
		!(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim())).map((e) => e.outerHTML.slice(0, 80))`)
	if len(nameless) > 0 {
		t.Errorf("without a name: %q", nameless)
	}
	levels := eval[string](b, `[...document.querySelectorAll("h1, h2, h3, h4")].map((e) => e.tagName[1]).join("")`)
	if !strings.HasPrefix(levels, "12") || strings.Contains(levels, "24") || strings.Count(levels, "1") != 1 {
		t.Errorf("headings of levels %s", levels)
	}
	n := eval[int](b, `(() => {
		document.querySelectorAll("figure .numbers").forEach((d) => (d.open = true));
		return document.querySelectorAll("figure").length;
	})()`)
	b.settle()
	if rows := eval[[]int](b, `Array.from(document.querySelectorAll("figure"), (f) => f.querySelectorAll(".numbers tbody tr").length)`); len(rows) != n || min(rows[0], rows[n-1]) < 3 {
		t.Errorf("the charts' tables have %d rows", rows)
	}
	if got := b.text(`[data-chart="regret"] .numbers tbody tr:last-child`); !strings.HasPrefix(got, "after round 300") {
		t.Errorf("the last row is %q", got)
	}
}

func TestThemes(t *testing.T) {
	b := open(t, write(t, nil), view{width: 1280, height: 900, dark: true})
	look := func() string {
		return eval[string](b, `getComputedStyle(document.body).backgroundColor + document.getElementById("theme").textContent`)
	}
	if got, want := look(), "rgb(21, 23, 26)Light"; got != want {
		t.Errorf("in the dark: %s, want %s", got, want)
	}
	dark := b.picture("regret")
	b.click("#theme")
	if got, want := look(), "rgb(253, 253, 251)Dark"; got != want {
		t.Errorf("switched to light: %s, want %s", got, want)
	}
	if b.picture("regret") == dark {
		t.Error("the chart has kept its dark colors")
	}
	b.click("#theme")
	if b.picture("regret") != dark {
		t.Error("the chart has not got its dark colors back")
	}
}

func TestPrint(t *testing.T) {
	b := open(t, write(t, nil), view{width: 1280, height: 900, dark: true})
	dark := b.picture("regret")
	eval[bool](b, `addEventListener("beforeprint", () => { window.paper = getComputedStyle(document.body).backgroundColor + document.querySelector("canvas").width; }) || true`)
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	b.must(err)
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 50_000 {
		t.Errorf("a PDF of %d bytes that begins with %q", len(pdf), pdf[:min(len(pdf), 8)])
	}
	// White paper, and charts of twice the 680 pixels that paper is wide.
	if got, want := eval[string](b, `window.paper`), "rgb(255, 255, 255)1360"; got != want {
		t.Errorf("on paper: %s, want %s", got, want)
	}
	if b.picture("regret") != dark {
		t.Error("after printing the chart is not what it was")
	}
}
