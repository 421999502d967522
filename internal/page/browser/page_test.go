// Package browser_test tests pages in a headless Chromium. It is a module of its own, so that no
// other module depends on chromedp.
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
	"banditsim/internal/must"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
)

// threePolicies returns a folder of made-up trials.
func threePolicies(change func(*resultstest.Folder)) resultstest.Folder {
	f := resultstest.Folder{
		Policies: []string{"pICSGLD", "pSGLD", "Uniform"}, Kinds: []resultstest.Kind{resultstest.Contour, resultstest.Sampler, resultstest.Plain},
		Seeds: 3, Rounds: 300, BurnIn: 1024, Sidecar: resultstest.Provenance(),
	}
	if change != nil {
		change(&f)
	}
	return f
}

// write writes a page of made-up trials and returns its path.
func write(t *testing.T, change func(*resultstest.Folder)) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	must.OK(t, page.Write(path, []*results.Set{resultstest.Write(t, dir, threePolicies(change))}, page.Options{Title: "Made up"}))
	return path
}

// banditsim runs the command with args.
func banditsim(t *testing.T, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Main(builtin.Default(), cli.Process{Args: append([]string{"banditsim"}, args...), Getenv: os.Getenv, Stdout: &stdout, Stderr: &stderr}); code != 0 {
		t.Fatalf("banditsim %s: exit code %d\n%s", strings.Join(args, " "), code, &stderr)
	}
}

// TestCommand checks a page made by the commands run and report --html.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	banditsim(t, "run", "quick", "--policies", "pICSGLD,Uniform", "--seeds", "1..2", "--set", "protocol.rounds=60", "--quiet", "--out", dir)
	banditsim(t, "report", dir, "--html", file)
	b := open(t, file, desktop)
	got := eval[[]string](b, "drawn()")
	must.That(t, len(got) == 1, "%q", got)
	if got := b.text("#mistakes .wrong table:first-of-type"); !strings.Contains(got, "attribute") {
		t.Errorf("the rows are not described: %q", got)
	}
}

func TestPrint(t *testing.T) {
	b := open(t, write(t, nil), view{width: 1280, height: 900, dark: true})
	dark := eval[string](b, `picture("regret")`)
	eval[bool](b, `addEventListener("beforeprint", () => { window.paper = getComputedStyle(document.body).backgroundColor + document.querySelector("canvas").width; }) || true`)
	pdf := must.Get(chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4))))(t)
	must.That(t, bytes.HasPrefix(pdf, []byte("%PDF-")) && len(pdf) >= 50_000,
		"a PDF of %d bytes that begins with %q", len(pdf), pdf[:min(len(pdf), 8)])
	// White paper, and charts of twice the 680 pixels that paper is wide.
	must.Equal(t, "on paper", eval[string](b, `window.paper`), "rgb(255, 255, 255)1360")
	must.That(t, eval[string](b, `picture("regret")`) == dark, "after printing the chart is not what it was")
}

var docs = flag.String("pictures", "", "write the pictures of docs/page.md into this folder: docs/pictures")

// grids has the numbers of policies and environments of the pages to test.
var grids = [][2]int{{3, 1}, {12, 1}, {45, 1}, {3, 9}, {12, 9}, {45, 9}}

// writeGrid writes the page of one of grids and returns its path.
func writeGrid(t *testing.T, policies, environments int) string {
	t.Helper()
	f := resultstest.Folder{Seeds: 8, Distinct: 4, Rounds: 300, BurnIn: 1024, Sidecar: resultstest.Provenance()}
	path := filepath.Join(t.TempDir(), "page.html")
	sets := resultstest.Grid(t, policies, environments, f)
	must.OK(t, page.Write(path, sets, page.Options{Title: fmt.Sprintf("%d policies, %s", policies, words.Count(environments, "environment"))}))
	return path
}

// shoot writes a picture to the folder of -pictures.
func (b *tab) shoot(name string, shot chromedp.Action[[]byte]) {
	b.t.Helper()
	png := must.Get(chromedp.Run(b.ctx, shot))(b.t)
	must.OK(b.t, os.WriteFile(filepath.Join(*docs, name+".png"), png, 0o644))
}

// TestPictures makes page.png and page-phone.png of docs/pictures from the run that README shows:
//
//	go test -run Pictures -pictures ../../../docs/pictures
func TestPictures(t *testing.T) {
	if *docs == "" {
		t.Skip("no -pictures DIR")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	banditsim(t, "run", "--data", "iris", "--policies", "pICSGLD,NeuralLinear,EpsGreedy,LinUCB,Uniform", "--seeds", "1..6", "--set", "protocol.rounds=100", "--quiet", "--out", filepath.Join(dir, "iris"))
	banditsim(t, "report", filepath.Join(dir, "iris"), "--policies", "pICSGLD,NeuralLinear,EpsGreedy,LinUCB", "--html", file)
	b := open(t, file, view{width: 1440, height: 1100})
	b.shoot("page", chromedp.CaptureScreenshot())
	b = open(t, file, view{width: 390, height: 740, touch: true})
	eval[bool](b, `(document.querySelector("#overview").scrollIntoView({ behavior: "instant" }), true)`)
	b.settle()
	b.shoot("page-phone", chromedp.CaptureScreenshot())
}
