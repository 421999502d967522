package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"banditsim/internal/must"
)

// axe returns the script of axe-core, which `npm ci` installs in this folder. BANDITSIM_AXE is its path if it is elsewhere.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BANDITSIM_AXE")
	if path == "" {
		path = filepath.Join("node_modules", "axe-core", "axe.min.js")
	}
	b, err := os.ReadFile(path)
	switch {
	case err != nil && os.Getenv("CI") != "":
		t.Fatalf("there is no axe-core, which CI must install: %v", err)
	case err != nil:
		t.Skipf("there is no axe-core: npm ci --ignore-scripts (%v)", err)
	}
	return string(b)
}

// firstPaint is the largest time to the first paint of a page in milliseconds.
const firstPaint = 500

// paints fails if the first paint is too late in each of six attempts. One may be late because other processes use the processor.
func (b *tab) paints(v view) {
	b.t.Helper()
	var took []string
	for range 6 {
		ms := eval[float64](b, `performance.getEntriesByType("paint").find((e) => e.name === "first-contentful-paint").startTime`)
		if took = append(took, fmt.Sprintf("%.0f", ms)); ms <= firstPaint {
			b.t.Logf("%d pixels: first paint after %s ms", v.width, strings.Join(took, ", "))
			return
		}
		b.do(chromedp.Reload())
		b.settle()
	}
	load, err := os.ReadFile("/proc/loadavg")
	b.t.Errorf("%d pixels: first paint after %s ms, want %d at most once; %d processors, load %s (error %v)", v.width, strings.Join(took, ", "), firstPaint, runtime.NumCPU(), load, err)
}

// TestPages checks that axe-core finds nothing in pages of few and many policies, in one and nine environments, with all sections
// unfolded, for windows of three sizes, one of them dark. It also checks that pages fit the window and are painted soon.
func TestPages(t *testing.T) {
	script := axe(t)
	for _, g := range grids {
		t.Run(fmt.Sprintf("%dx%d", g[0], g[1]), func(t *testing.T) {
			file := writeGrid(t, g[0], g[1])
			for _, v := range []view{{width: 390, height: 844, touch: true}, {width: 768, height: 1024, dark: true}, {width: 1440, height: 900}} {
				b := open(t, file, v)
				b.paints(v)
				wide := eval[int](b, `document.documentElement.scrollWidth`)
				must.That(t, int64(wide) <= v.width, "the page is %d wide, the window %d", wide, v.width)
				if g[1] == 9 && g[0] != 3 && os.Getenv("BANDITSIM_LONG") == "" {
					continue // axe is slow for many cells, whose elements other pages have too
				}
				eval[bool](b, `(document.querySelectorAll("details").forEach((d) => (d.open = true)), true)`)
				b.settle()
				must.Get(chromedp.Run(b.ctx, chromedp.Evaluate[bool](script+"; true")))(t)
				found := evalText(b, `axe.run(document, { preload: false, resultTypes: ["violations"] }).then((r) => r.violations.map((v) =>
					v.id + " (" + v.impact + ", " + v.nodes.length + "): " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.any.concat(n.all).map((c) => c.message).join("; ").slice(0, 200)).join(" | ")).join("\n"))`)
				must.That(t, found == "", "%d pixels: axe finds %s", v.width, found)
			}
		})
	}
}
