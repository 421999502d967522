package browser_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
)

var (
	shots = flag.String("shots", "", "write pictures of a page into this folder, to be looked at")
	shown = flag.String("page", "", "the page (default made-up ones)")
	docs  = flag.String("pictures", "", "write the pictures of docs/page.md into this folder: docs/pictures")
	only  = flag.String("only", "", "the made-up page, such as 45x9 (default all)")
)

// grids are the pages to look at: so many policies in so many environments.
var grids = [][2]int{{3, 1}, {12, 1}, {45, 1}, {3, 9}, {12, 9}, {45, 9}}

// writeGrid writes the page of one of grids and returns its path.
func writeGrid(t *testing.T, policies, environments int) string {
	t.Helper()
	f := resultstest.Folder{Seeds: 8, Distinct: 4, Rounds: 300, BurnIn: 1024, Sidecar: resultstest.Provenance()}
	path := filepath.Join(t.TempDir(), "page.html")
	sets := resultstest.Grid(t, policies, environments, f)
	if err := page.Write(path, sets, page.Options{Title: fmt.Sprintf("%d policies, %s", policies, words.Count(environments, "environment"))}); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestShots takes pictures for people, of made-up pages or of one: the top, the sections and the whole, on a phone, a tablet and a desktop,
// light and dark.
//
//	go test -run Shots -shots DIR [-page FILE] [-only 45x9]
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots DIR")
	}
	files := map[string]string{"page": *shown}
	if *shown == "" {
		files = make(map[string]string)
		for _, g := range grids {
			if name := fmt.Sprintf("%dx%d", g[0], g[1]); *only == "" || *only == name {
				files[name] = writeGrid(t, g[0], g[1])
			}
		}
	}
	for name, file := range files {
		for _, width := range []int64{390, 768, 1440} {
			for _, dark := range []bool{false, true} {
				v := view{width: width, height: 900, dark: dark, touch: width < 700}
				at := fmt.Sprintf("%s-%d-%s", name, width, map[bool]string{true: "dark", false: "light"}[dark])
				b := open(t, file, v)
				b.shoot(at, chromedp.CaptureScreenshot())
				for _, section := range []string{"overview", "regret", "summary", "comparison", "sampler", "mistakes"} {
					b.middle("#" + section)
					eval[bool](b, `(document.querySelector("#`+section+`").scrollIntoView({ behavior: "instant" }), true)`)
					b.settle()
					b.shoot(at+"-"+section, chromedp.CaptureScreenshot())
				}
			}
		}
		b := open(t, file, view{width: 1280, height: 900, dark: true})
		pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPreferCSSPageSize()))
		b.must(err)
		b.must(os.WriteFile(filepath.Join(*shots, name+".pdf"), pdf, 0o644))
	}
}

// shoot writes a picture.
func (b *tab) shoot(name string, shot chromedp.Action[[]byte]) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, shot)
	b.must(err)
	b.must(os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644))
}

// TestPictures makes page.png and page-phone.png of docs/pictures, of the run that README shows:
//
//	go test -run Pictures -pictures ../../../docs/pictures
func TestPictures(t *testing.T) {
	if *docs == "" {
		t.Skip("no -pictures DIR")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	for _, args := range [][]string{
		{"run", "--data", "iris", "--policies", "pICSGLD,NeuralLinear,EpsGreedy,LinUCB,Uniform", "--seeds", "1..6", "--set", "protocol.rounds=100", "--quiet", "--out", filepath.Join(dir, "iris")},
		{"report", filepath.Join(dir, "iris"), "--policies", "pICSGLD,NeuralLinear,EpsGreedy,LinUCB", "--html", file},
	} {
		var stdout, stderr bytes.Buffer
		if code := cli.Main(builtin.Default(), cli.Process{Args: append([]string{"banditsim"}, args...), Getenv: os.Getenv, Stdout: &stdout, Stderr: &stderr}); code != cli.ExitOK {
			t.Fatalf("banditsim %s: exit code %d\n%s", strings.Join(args, " "), code, &stderr)
		}
	}
	*shots = *docs
	b := open(t, file, view{width: 1440, height: 1100})
	b.shoot("page", chromedp.CaptureScreenshot())
	b = open(t, file, view{width: 390, height: 740, touch: true})
	eval[bool](b, `(document.querySelector("#overview").scrollIntoView({ behavior: "instant" }), true)`)
	b.settle()
	b.shoot("page-phone", chromedp.CaptureScreenshot())
}
