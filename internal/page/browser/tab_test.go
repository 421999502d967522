package browser_test

import (
	"context"
	_ "embed"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"banditsim/internal/must"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

//go:embed testdata/helpers.js
var helpers string

// browser starts Chromium once for all tests, each of which opens a tab of its own.
var browser = sync.OnceValues(func() (context.Context, error) {
	path := chromium()
	if path == "" {
		return nil, nil
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.Flag("hide-scrollbars", true))
	if os.Geteuid() == 0 { // the sandbox refuses root
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	stopBrowser = func() { cancel(); stop() }
	return ctx, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
})

var stopBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

// chromium returns the path of the browser, or "" if there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// A view has the settings of a tab.
type view struct {
	width, height  int64
	dark, touch    bool
	withoutScripts bool
}

var (
	desktop = view{width: 1280, height: 900}
	phone   = view{width: 390, height: 844, touch: true}
)

// A tab shows one page and records its console messages and requests.
type tab struct {
	t   *testing.T
	ctx context.Context

	mutex    sync.Mutex
	console  []string // messages of any kind
	requests []string // addresses
}

// open opens a file in a tab. When the test ends, the console must be empty, and the page must have
// requested only the file and data URLs. Without a browser the test is skipped, or fails under CI,
// which installs one.
func open(t *testing.T, file string, v view) *tab {
	t.Helper()
	return openAt(t, file, "", v)
}

// openAt opens a file at an anchor, such as #regret.
func openAt(t *testing.T, file, hash string, v view) *tab {
	t.Helper()
	path := must.Get(filepath.Abs(file))(t)
	url := "file://" + filepath.ToSlash(path)
	b := openURL(t, url+hash, v)
	t.Cleanup(func() { b.check(url) })
	return b
}

// openURL opens an address in a tab, without checks when the test ends.
func openURL(t *testing.T, url string, v view) *tab {
	t.Helper()
	parent, err := browser()
	switch {
	case err != nil:
		t.Fatal(err)
	case parent == nil && os.Getenv("CI") != "":
		t.Fatal("there is no chromium, which CI must install: apt-get install chromium")
	case parent == nil:
		t.Skip("there is no chromium: install it (Debian: apt-get install chromium) to test the page")
	}
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return // the tab was closed
			}
			b.note(&b.console, m.String())
		}
	}()
	requests := chromedp.Events(ctx, network.RequestWillBeSent)
	go func() {
		for r, err := range requests {
			if err != nil {
				return
			}
			b.note(&b.requests, r.Request.URL)
		}
	}()
	b.call(network.Enable.Method, network.EnableParams{})
	b.call(emulation.SetScriptExecutionDisabled.Method, emulation.SetScriptExecutionDisabledParams{Value: v.withoutScripts})
	b.look(v)
	b.do(chromedp.Navigate(url))
	if !v.withoutScripts {
		b.settle()
	}
	eval[bool](b, helpers+"true")
	return b
}

// check fails on messages in the console and on requests for anything but url and data URLs.
func (b *tab) check(url string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, m := range b.console {
		b.t.Errorf("console: %s", m)
	}
	for _, r := range b.requests {
		must.That(b.t, r == url || strings.HasPrefix(r, "data:"), "the page asked for %s", r)
	}
	must.That(b.t, slices.Contains(b.requests, url), "not even the request for the page was seen: requests are not watched")
}

func (b *tab) note(list *[]string, s string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	*list = append(*list, s)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	must.OK(b.t, chromedp.Do(b.ctx, actions...))
}

// call sends a command and ignores its answer.
func (b *tab) call(method string, params any) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		return chromedp.Void{}, target.Call(ctx, method, params, nil)
	})
}

// look sets the size of the window and the color scheme.
func (b *tab) look(v view) {
	b.t.Helper()
	scheme := "light"
	if v.dark {
		scheme = "dark"
	}
	b.call(emulation.SetEmulatedMedia.Method, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	var options []chromedp.EmulateViewportOption
	if v.touch {
		options = append(options, chromedp.EmulateTouch, chromedp.EmulateMobile, chromedp.EmulateScale(2))
	}
	b.do(chromedp.EmulateViewport(v.width, v.height, options...))
}

// settle waits until changes are drawn: uPlot draws in a microtask, and new sizes take effect with a frame.
func (b *tab) settle() {
	b.t.Helper()
	const frames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 10))))`
	eval[bool](b, frames, chromedp.EvalAwaitPromise)
}

// eval returns the value of a JavaScript expression. If the page loads itself again meanwhile, the expression is evaluated anew.
func eval[T any](b *tab, expression string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	for start := time.Now(); ; {
		v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, options...))
		if err == nil || !strings.Contains(err.Error(), "navigated") || time.Since(start) > 10*time.Second {
			must.Hold(b.t, err == nil, "%s: %v", expression, err)
			return v
		}
	}
}

// evalText returns the text to which a promise resolves.
func evalText(b *tab, expression string) string {
	b.t.Helper()
	return eval[string](b, expression, chromedp.EvalAwaitPromise)
}

// press presses a key on the focused element.
func (b *tab) press(key string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key))
	b.settle()
}

// click clicks in the middle of the first element that matches a CSS selector.
func (b *tab) click(selector string) {
	b.t.Helper()
	x, y := b.middle(selector)
	b.do(chromedp.MouseClickXY(x, y))
	b.settle()
}

// middle scrolls to the first element that matches a CSS selector and returns its middle.
func (b *tab) middle(selector string) (x, y float64) {
	b.t.Helper()
	place := eval[[]float64](b, `(() => {
		const e = document.querySelector(`+quote(selector)+`);
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2, r.width * r.height];
	})()`)
	must.Hold(b.t, place[2] != 0, "%s is not to be seen", selector)
	return place[0], place[1]
}

func quote(s string) string { return "`" + strings.ReplaceAll(s, "`", "\\`") + "`" }

// text returns the text of the first element that matches a CSS selector.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, `document.querySelector(`+quote(selector)+`).textContent`)
}

// TestReloadingPage checks that a page that a command rewrites shows a new trial by itself and keeps choices, the scroll position and
// unfolded sections, and that the last page does not reload.
func TestReloadingPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.html")
	write := func(seeds int, reloads time.Duration) {
		t.Helper()
		set := resultstest.Write(t, t.TempDir(), threePolicies(func(f *resultstest.Folder) { f.Seeds = seeds }))
		must.OK(t, page.Write(file, []*results.Set{set}, page.Options{Title: "Made up", Watched: true, Reloads: reloads}))
	}
	write(2, 2*time.Second)
	b := openAt(t, file, "#regret?metric=realised&x=pulls&hide=pSGLD", desktop)
	await := func(what, condition string) {
		t.Helper()
		for start := time.Now(); !eval[bool](b, `document.readyState === "complete" && `+condition); time.Sleep(20 * time.Millisecond) {
			if time.Since(start) > 30*time.Second {
				t.Fatalf("no %s: %s", what, eval[string](b, `location.hash`))
			}
		}
		b.settle()
	}
	await("word that the page follows", `document.getElementById("follows").textContent.includes("follows the run")`)
	const unfolded = `document.querySelector("#regret details").open`
	eval[bool](b, unfolded+` = true`)
	eval[bool](b, `(scrollTo({ top: 700, behavior: "instant" }), true)`)
	b.settle()
	const begins = `document.getElementById("regret").getBoundingClientRect().top`
	top, scrolled := eval[float64](b, begins), eval[float64](b, `scrollY`)
	write(3, 0)
	await("third seed", `document.body.textContent.includes("over 3 seeds")`)
	got := eval[string](b, `location.hash`)
	must.That(t, got == "#regret?metric=realised&x=pulls&hide=pSGLD", "view: %s", got)
	if eval[bool](b, `document.documentElement.dataset.reloads !== "0" || document.getElementById("follows") !== null`) {
		t.Error("the last page loads itself again")
	}
	now := eval[float64](b, begins)
	must.That(t, math.Abs(now-top) <= 1 && scrolled >= 100, "the section begins at %g, before at %g; scrolled by %g", now, top, scrolled)
	if !eval[bool](b, unfolded) || eval[string](b, `document.querySelector("[name=metric]:checked").value`) != "realised" {
		t.Error("the page has lost what was unfolded or chosen")
	}
}
