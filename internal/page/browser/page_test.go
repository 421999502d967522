// Package browser_test looks at pages in a headless Chromium, as their readers do. It is a module
// of its own, so that no other module depends on the driver.
package browser_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// threePolicies is a folder of made-up trials.
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
	if err := page.Write(path, []*results.Set{resultstest.Write(t, dir, threePolicies(change))}, page.Options{Title: "Made up"}); err != nil {
		t.Fatal(err)
	}
	return path
}

// inked returns for every chart how much of it is drawn, in percent.
const inked = `Array.from(document.querySelectorAll("canvas"), (c) => {
	const p = ` + data + `;
	let n = 0;
	for (let i = 3; i < p.length; i += 4) n += p[i] > 0;
	return 400 * n / p.length;
})`

// data are the channels of the pixels of canvas c, read from a copy: the page's own are not for reading.
const data = `(() => {
	const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(c, 0, 0);
	return copy.getImageData(0, 0, c.width, c.height).data;
})()`

func TestEveryChartIsDrawn(t *testing.T) {
	file := write(t, nil)
	for name, v := range map[string]view{"desktop": desktop, "dark": {width: 1280, height: 900, dark: true}, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			b := open(t, file, v)
			shares := eval[[]float64](b, inked)
			if len(shares) != 9 { // regret, six of the sampler, two of mistakes
				t.Errorf("%d charts, want 9", len(shares))
			}
			for i, share := range shares {
				if share < 1 || share > 99 {
					t.Errorf("chart %d: %.1f %% of it is drawn", i, share)
				}
			}
			// The policies' own colors are in the chart of regret.
			for row := 1; row <= 3; row++ {
				if n := b.pixels(row); n < 100 {
					t.Errorf("%d pixels in the color of policy %d", n, row)
				}
			}
			if wide := eval[int](b, `document.documentElement.scrollWidth`); int64(wide) > v.width {
				t.Errorf("the page is %d wide, the window %d", wide, v.width)
			}
		})
	}
}

// pixels counts those of the chart of regret that have about the color of the line in a row of its legend.
func (b *tab) pixels(row int) int {
	b.t.Helper()
	return eval[int](b, `(() => {
		const swatch = document.querySelector(".legend tbody tr:nth-child(`+strconv.Itoa(row)+`) .swatch");
		const want = getComputedStyle(swatch).stroke.match(/\d+/g).map(Number);
		const c = document.querySelector('[data-chart="regret"] canvas');
		const p = `+data+`;
		let n = 0;
		for (let i = 0; i < p.length; i += 4) n += p[i + 3] > 100 && want.every((v, k) => Math.abs(v - p[i + k]) < 30);
		return n;
	})()`)
}

// Without scripts the tables are there, and nothing that cannot work.
func TestWithoutScripts(t *testing.T) {
	b := open(t, write(t, nil), view{width: 1280, height: 900, withoutScripts: true})
	if got := eval[string](b, `[...document.querySelectorAll(".js")].filter((e) => e.offsetHeight > 0).map((e) => e.className).join()`); got != "" {
		t.Errorf("shown all the same: %s", got)
	}
	if n := eval[int](b, `[...document.querySelectorAll("[data-compared]")].filter((e) => e.offsetHeight > 0).length`); n != 2 {
		t.Errorf("%d comparisons are to be seen, want 2", n)
	}
	if eval[int](b, `document.querySelector("noscript").textContent.length`) == 0 {
		t.Error("nothing says that the charts want scripts")
	}
}

// Names may be long, markup or code; the page shows them.
func TestHostileNames(t *testing.T) {
	evil := `</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	b := open(t, write(t, func(f *resultstest.Folder) {
		f.Policies[0] = evil
		f.Cause = evil
		f.Fails = func(policy string, seed uint64) bool { return policy == "Uniform" && seed == 2 }
		f.Sidecar.Command = []string{evil}
		f.Change = func(i *results.Identity) { i.Environment.Arms[0], i.Environment.Name = evil, evil }
	}), desktop)
	if eval[bool](b, `"hacked" in window`) {
		t.Error("a name has run as code")
	}
	if got := b.text(".legend .policy"); got != evil {
		t.Errorf("the legend has %q, want %q", got, evil)
	}
	if n := eval[int](b, `document.images.length`); n > 0 {
		t.Errorf("%d images in the page", n)
	}
	if wide := eval[int](b, `document.documentElement.scrollWidth`); int64(wide) > desktop.width {
		t.Errorf("the page is %d wide, the window %d", wide, desktop.width)
	}
}

// The whole way: run, report --html, look.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	for _, args := range [][]string{
		{"run", "quick", "--policies", "pICSGLD,Uniform", "--seeds", "1..2", "--set", "protocol.rounds=60", "--quiet", "--out", dir},
		{"report", dir, "--html", file},
	} {
		var stdout, stderr bytes.Buffer
		if code := cli.Main(builtin.Default(), cli.Process{Args: append([]string{"banditsim"}, args...), Getenv: os.Getenv, Stdout: &stdout, Stderr: &stderr}); code != 0 {
			t.Fatalf("banditsim %s: exit code %d\n%s", strings.Join(args, " "), code, &stderr)
		}
	}
	b := open(t, file, desktop)
	for i, share := range eval[[]float64](b, inked) {
		if share < 1 || share > 99 {
			t.Errorf("chart %d: %.1f %% of it is drawn", i, share)
		}
	}
	if got := b.text("#mistakes .wrong table:first-of-type"); !strings.Contains(got, "attribute") {
		t.Errorf("the rows are not described: %q", got)
	}
}
