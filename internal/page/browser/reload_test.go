package browser_test

import (
	"path/filepath"
	"testing"
	"time"

	"banditsim/internal/must"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestReloadingPage checks that a page that a command rewrites shows a new trial by itself and keeps choices, the scroll position and
// unfolded sections, and that the last page does not reload.
func TestReloadingPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.html")
	write := func(seeds int, reloads time.Duration) {
		t.Helper()
		set := resultstest.Write(t, t.TempDir(), threePolicies(func(f *resultstest.Folder) { f.Seeds = seeds }))
		must.OK(t, page.Write(file, []*results.Set{set}, page.Options{Title: "Made up", Watched: true, Reloads: reloads}))
	}
	write(2, 500*time.Millisecond)
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
	top := eval[int](b, `(scrollTo({ top: 700, behavior: "instant" }), scrollY)`)
	write(3, 0)
	await("third seed", `document.body.textContent.includes("over 3 seeds")`)
	got := eval[string](b, `location.hash`)
	must.That(t, got == "#regret?metric=realised&x=pulls&hide=pSGLD", "view: %s", got)
	if eval[bool](b, `document.documentElement.dataset.reloads !== "0" || document.getElementById("follows") !== null`) {
		t.Error("the last page loads itself again")
	}
	now := eval[int](b, `scrollY`)
	must.That(t, now == top && top >= 100, "scrolled to %d, was %d", now, top)
	if !eval[bool](b, unfolded) || eval[string](b, `document.querySelector("[name=metric]:checked").value`) != "realised" {
		t.Error("the page has lost what was unfolded or chosen")
	}
}
