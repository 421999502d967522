package browser_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditsim/results"
	"banditsim/results/internal/resultstest"
	"banditsim/results/page"
	"banditsim/results/page/serve"
)

// TestServedPage: a page that is served shows a new trial by itself, with what was chosen, the place and what was unfolded as they
// were, and says when the run has ended.
func TestServedPage(t *testing.T) {
	sets := make(map[string][]*results.Set)
	for seeds, version := range map[int]string{2: "two", 3: "three"} {
		sets[version] = []*results.Set{resultstest.Write(t, t.TempDir(), threePolicies(func(f *resultstest.Folder) { f.Seeds = seeds }))}
	}
	s := serve.New(page.Policy(true), func(version string) ([]byte, error) {
		return page.Render(sets[version], page.Options{Title: "Made up", Served: version})
	})
	s.Set("two")
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	b := openURL(t, web.URL+"/#regret?metric=realised&x=pulls&hide=pSGLD", desktop)
	await := func(what, condition string) {
		t.Helper()
		for start := time.Now(); !eval[bool](b, `document.readyState === "complete" && `+condition); time.Sleep(20 * time.Millisecond) {
			if time.Since(start) > 30*time.Second {
				t.Fatalf("no %s: %s", what, eval[string](b, `document.getElementById("served").textContent + location.hash`))
			}
		}
		b.settle()
	}
	await("word that the page follows", `document.getElementById("served").textContent.includes("follows the run")`)
	const unfolded = `document.querySelector("#regret details").open`
	eval[bool](b, unfolded+` = true`)
	top := eval[int](b, `(scrollTo({ top: 700, behavior: "instant" }), scrollY)`)
	s.Set("three")
	await("third seed", `document.body.textContent.includes("over 3 seeds")`)
	if got := eval[string](b, `[document.documentElement.dataset.served, location.hash].join(" ")`); got != "three #regret?metric=realised&x=pulls&hide=pSGLD" {
		t.Errorf("version and view: %s", got)
	}
	if now := eval[int](b, `scrollY`); now != top || top < 100 {
		t.Errorf("scrolled to %d, was %d", now, top)
	}
	if !eval[bool](b, unfolded) || eval[string](b, `document.querySelector("[name=metric]:checked").value`) != "realised" {
		t.Error("the page has lost what was unfolded or chosen")
	}
	s.End(t.Context())
	await("end", `document.getElementById("served").textContent.startsWith("The run has ended")`)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, r := range b.requests {
		if !strings.HasPrefix(r, web.URL) && !strings.HasPrefix(r, "data:") {
			t.Errorf("the page asked for %s", r)
		}
	}
	if len(b.console) > 0 {
		t.Errorf("console: %s", strconv.Quote(strings.Join(b.console, "\n")))
	}
}
