package browser_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	shots = flag.String("shots", "", "write pictures of a page into this folder, to be looked at")
	shown = flag.String("page", "", "the page (default a made-up one)")
)

// TestShots takes pictures for people:
//
//	go test -run Shots -shots DIR [-page FILE]
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots DIR")
	}
	file := *shown
	if file == "" {
		file = write(t, nil)
	}
	take := func(name string, v view, section string) {
		b := open(t, file, v)
		shot := chromedp.CaptureScreenshot()
		if section == "" {
			shot = chromedp.FullScreenshot(100)
		} else {
			b.middle(section)
			eval[bool](b, `(document.querySelector(`+quote(section)+`).scrollIntoView({ behavior: "instant" }), true)`)
			b.settle()
		}
		png, err := chromedp.Run(b.ctx, shot)
		b.must(err)
		b.must(os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644))
	}
	dark := desktop
	dark.dark = true
	darkPhone := phone
	darkPhone.dark = true
	take("desktop", desktop, "")
	take("dark", dark, "")
	for _, section := range []string{"regret", "summary", "comparison", "sampler", "mistakes", "provenance"} {
		take("desktop-"+section, desktop, "#"+section)
		take("phone-"+section, phone, "#"+section)
	}
	take("desktop-top", desktop, "header")
	take("dark-top", dark, "header")
	take("phone-top", phone, "body")
	take("phone-dark-top", darkPhone, "body")
	b := open(t, file, dark)
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPreferCSSPageSize()))
	b.must(err)
	b.must(os.WriteFile(filepath.Join(*shots, "print.pdf"), pdf, 0o644))
}
