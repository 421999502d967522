package browser_test

import (
	"bytes"
	"testing"

	"github.com/chromedp/chromedp"
)

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
