package browser_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/page"
	"banditsim/internal/report"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// TestBaseline checks that the page shows every cell, caption and warning of package compare with any baseline, and saves the same
// numbers to the digits that are shown.
func TestBaseline(t *testing.T) {
	for name, change := range map[string]func(*resultstest.Folder){
		"three seeds": nil,
		"a failure": func(f *resultstest.Folder) {
			f.Seeds, f.Cause = 5, "NaN"
			f.Fails = func(policy string, seed uint64) bool {
				return policy == "pSGLD" && seed == 2 || policy == "Uniform" && seed > 1
			}
		},
		"options": func(f *resultstest.Folder) {
			f.Change = func(i *results.Identity) {
				if i.Policy.Name == "pSGLD" {
					i.Policy = results.Policy{Name: "pICSGLD", Options: []byte(`{"learning_rate":3e-7,"chains":8}`)}
				}
			}
		},
		"42 seeds": func(f *resultstest.Folder) { f.Seeds, f.Rounds, f.Kinds = 42, 20, nil }, // enough that sign flips are drawn at random
		"seven":    func(f *resultstest.Folder) { f.Policies, f.Kinds, f.Seeds, f.Rounds = resultstest.Six(), nil, 7, 40 },
	} {
		t.Run(name, func(t *testing.T) {
			f := threePolicies(change)
			set := resultstest.Write(t, t.TempDir(), f)
			path := t.TempDir() + "/page.html"
			must.OK(t, page.Write(path, []*results.Set{set}, page.Options{}))
			b := open(t, path, desktop)
			for _, baseline := range append(results.Labels([]*results.Set{set}), "") { // "" for the baseline that the page shows at first
				for _, m := range compare.Metrics() {
					o := compare.DefaultOptions(set)
					o.Metric, o.Baseline = m, baseline
					c := must.Get(compare.Compare(set, o))(t)
					b.compares(c)
				}
			}
		})
	}
}

// choose selects a value in the list with the given name.
func (b *tab) choose(name, value string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf("(() => { const s = document.querySelector('[name=%s]'); s.value = %s; return s.dispatchEvent(new Event('change', { bubbles: true })); })()", name, quote(value)))
	b.settle()
}

// compares chooses the baseline of c and checks that the page shows and saves c.
func (b *tab) compares(c *compare.Comparison) {
	b.t.Helper()
	choice := c.Baseline
	if c.BaselinePicked {
		choice = ""
	}
	b.choose("baseline", choice)
	box := `[data-compared="` + c.Metric.String() + `"]`
	b.click(`#comparison label:has([value="` + c.Metric.String() + `"])`)
	result := report.Comparison(c)
	want := result.Tables[0]
	got := eval[[][]string](b, `Array.from(document.querySelectorAll(`+quote(box+" tbody tr")+`), (r) => Array.from(r.children, (c) => c.querySelector(".interval") ? null : c.textContent))`)
	must.Hold(b.t, len(got) == len(want.Rows), "%s: %d rows, want %d", c.Baseline, len(got), len(want.Rows))
	for i, row := range want.Rows {
		cells := slices.Delete(got[i], 1, 2) // the picture
		must.That(b.t, slices.Equal(cells, row), "%s, %s: row %q, want %q", c.Metric, c.Baseline, cells, row)
	}
	caption := eval[[]string](b, `Array.from(document.querySelectorAll(`+quote(box+" .caption span")+`), (s) => s.textContent)`)
	must.That(b.t, slices.Equal(caption, want.Caption), "caption %q, want %q", caption, want.Caption)
	notes := eval[[]string](b, `Array.from(document.querySelectorAll(`+quote(box+" .notes li")+`), (s) => s.textContent)`)
	below := slices.Concat(want.Notes, result.Below())
	must.That(b.t, slices.Equal(notes, below), "%s: notes %q, want %q", c.Baseline, notes, below)
	// The numbers, as the button saves them.
	saved := strings.Split(strings.TrimSpace(b.saves(`#comparison form button`)), "\n")
	must.Hold(b.t, len(saved) == len(c.Differences)+1, "%d lines saved, want %d", len(saved), len(c.Differences)+1)
	for i, d := range c.Differences {
		cells := strings.Split(saved[i+1], ",")
		must.That(b.t, cells[0] == d.Policy && cells[1] == c.Baseline && cells[2] == c.Metric.String() &&
			cells[3] == fmt.Sprint(d.Mean.N), "saved %q, want %s less %s over %d seeds", cells, d.Policy, c.Baseline, d.Mean.N)
		number := func(k int) float64 {
			v := math.NaN()
			fmt.Sscan(cells[k], &v)
			return v
		}
		for k, want := range []float64{d.Mean.Mean, d.Mean.Low, d.Mean.High} {
			got := number(4 + k)
			must.That(b.t, math.Abs(got-want) <= 1e-5*(math.Abs(d.Mean.Mean)+d.Mean.Half()) || math.IsNaN(got) &&
				math.IsNaN(want) || d.Mean.N <= 1, "%s less %s: number %d is %v, want %v", d.Policy, c.Baseline, k, got, want)
		}
		for k, want := range []float64{d.P, d.Holm, d.SignFlip, d.SignFlipHolm} {
			if got := number(7 + k); words.PValue(got) != words.PValue(want) || (got < stats.Significance) != (want < stats.Significance) {
				b.t.Errorf("%s less %s: p-value %d is %v, want %v", d.Policy, c.Baseline, k, got, want)
			}
		}
		if got := number(11); got != float64(d.SeedsNeeded) && !(math.IsNaN(got) && d.SeedsNeeded == 0) {
			b.t.Errorf("%s less %s: needs %v seeds, want %d", d.Policy, c.Baseline, got, d.SeedsNeeded)
		}
	}
}

// saves clicks a button and returns the file that it saves. It also sets window.file to that.
func (b *tab) saves(selector string) string {
	b.t.Helper()
	eval[bool](b, `(() => {
		window.saved = [];
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { URL.createObjectURL = make; saved.push(blob); return "#"; };
		HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
		return true;
	})()`)
	b.click(selector)
	return evalText(b, `(async () => {
		for (let i = 0; saved.length < 2 && i < 100; i++) await new Promise((r) => setTimeout(r, 20));
		const bytes = new Uint8Array(await saved[0].arrayBuffer());
		return file = saved[0].type === "image/png" ? saved[1] + String.fromCharCode(...bytes.slice(0, 8)) + bytes.length : new TextDecoder().decode(bytes);
	})()`)
}
