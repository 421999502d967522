package browser_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"banditsim/internal/must"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
)

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
