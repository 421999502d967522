package browser_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"banditsim/bandit"
	"banditsim/internal/page"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

func TestAxes(t *testing.T) {
	b := open(t, write(t, func(f *resultstest.Folder) { f.Change = trains }), desktop)
	hover := func() string {
		x, y := b.middle(`[data-chart="regret"] .u-over`)
		b.do(chromedp.MouseEvent("mouseMoved", x, y))
		b.settle()
		return b.text(".legend caption")
	}
	seen := make(map[string]string)
	for _, step := range []struct{ click, hovered, label string }{
		{"", "After round 150", "rounds"},
		{`[name="x"][value="pulls"]`, "After pull 3,000", "pulls"},
		{`[name="log"][value="y"]`, "After pull 3,000", "pulls, y logarithmic"},
		{`[name="log"][value="x"]`, "After pull 340", "pulls, both logarithmic"}, // √(20·6000) = 346, near round 17
		{`[name="x"][value="steps"]`, "After 2", "steps, both logarithmic"},
		{`[name="log"][value="x"]`, "After 22,", "steps, y logarithmic"},
		{`[name="log"][value="y"]`, "After 22,", "steps"},
		{`[name="form"][value="window"]`, "After 22,", "steps, windows"},
		{`[name="bands"][value="hidden"]`, "After 22,", "steps, windows, no intervals"},
	} {
		if step.click != "" {
			b.click(`#regret label:has(` + step.click + `)`)
		}
		if got := hover(); !strings.HasPrefix(got, step.hovered) {
			t.Errorf("%s: in the middle the legend is of %q, want %q", step.label, got, step.hovered)
		}
		picture := b.picture("regret")
		if other, ok := seen[picture]; ok {
			t.Errorf("%s looks like %s", step.label, other)
		}
		seen[picture] = step.label
	}
	if got := b.text(`[data-chart="regret"] figcaption p`); !strings.HasSuffix(got, "not shown, as their gradient steps are none or unknown: Uniform") {
		t.Errorf("the note is %q", got)
	}
	// Regret is 0 before the first round, which a logarithmic axis says.
	b.click(`#regret label:has([name="form"][value="cumulative"])`)
	b.click(`#regret label:has([name="x"][value="rounds"])`)
	b.click(`#regret label:has([name="log"][value="y"])`)
	if got := b.text(`[data-chart="regret"] figcaption p`); !strings.Contains(got, "have no place on a logarithmic axis") && !strings.HasSuffix(got, "in units of reward") {
		t.Errorf("the note is %q", got)
	}
}

// trains gives samplers options with gradient steps: 4 chains, 50 steps, from the second round on.
func trains(i *results.Identity) {
	if i.Policy.Name != "Uniform" {
		i.Policy.Options = []byte(`{"posterior":{"steps":50,"chains":3,"buffer":100,"train_after":20}}`)
	}
}

// The address keeps the view, and a page that is opened with it shows the same.
func TestLink(t *testing.T) {
	file := write(t, func(f *resultstest.Folder) { f.Change = trains })
	b := open(t, file, desktop)
	for _, label := range []string{`[name="metric"][value="realised"]`, `[name="x"][value="steps"]`, `[name="log"][value="y"]`, `[name="policy"][value="pSGLD"]`, `[name="compared"][value="realised"]`} {
		b.click(`label:has(` + label + `)`)
	}
	b.choose("baseline", "Uniform")
	b.click(".legend tbody tr:nth-child(3) .policy")
	b.click(`[data-chart="regret"] .zoom button:nth-child(2)`)
	b.click(`nav a[href="#summary"]`)
	hash := eval[string](b, "location.hash")
	for _, part := range []string{"#summary?", "metric=realised", "x=steps", "log=y", "policy=pSGLD", "compared=realised", "baseline=Uniform", "hide=Uniform", "zoom="} {
		if !strings.Contains(hash, part) {
			t.Errorf("the address ends in %s, want %s", hash, part)
		}
	}
	looks := func(b *tab) string {
		eval[bool](b, "(document.activeElement?.blur(), true)")
		b.do(chromedp.MouseEvent("mouseMoved", 5, 5))
		b.settle()
		return b.picture("regret") + b.picture("energy") + b.text(`[data-compared="realised"]`) + b.text(".legend table")
	}
	other := openAt(t, file, hash, desktop)
	if looks(b) != looks(other) {
		t.Error("the same address shows something else")
	}
	if eval[float64](other, `document.querySelector("#summary").getBoundingClientRect().top`) > 100 {
		t.Error("the address does not lead to its section")
	}
	// All as it came: nothing is left in the address.
	for _, label := range []string{`[name="metric"][value="expected"]`, `[name="x"][value="rounds"]`, `[name="log"][value="y"]`, `[name="policy"][value="pICSGLD"]`, `[name="compared"][value="expected"]`} {
		b.click(`label:has(` + label + `)`)
	}
	b.choose("baseline", "")
	b.click(".all button:nth-child(1)")
	b.click(`[data-chart="regret"] .zoom button:nth-child(3)`)
	if hash := eval[string](b, "location.hash"); hash != "#summary" {
		t.Errorf("at last the address ends in %s, want #summary", hash)
	}
	if fresh := open(t, file, desktop); looks(b) != looks(fresh) {
		t.Error("all switched back, the page is not what it was")
	}
}

func TestSave(t *testing.T) {
	b := open(t, write(t, nil), desktop)
	b.click(`.legend tbody tr:nth-child(2) .policy`)
	const buttons = `[data-chart="regret"] .save button:nth-child(`
	svg := b.saves(buttons + "1)")
	for _, want := range []string{"<svg xmlns=", "Cumulative expected regret", "Round of 20 pulls", ">300<", ">pICSGLD<", ">Uniform<", "burn-in ends"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the SVG has no %s", want)
		}
	}
	if strings.Contains(svg, ">pSGLD<") || strings.Contains(svg, "NaN") || strings.Contains(svg, "undefined") {
		t.Errorf("the SVG has a hidden policy, or what is no number:\n%s", svg)
	}
	if n := eval[int](b, `new DOMParser().parseFromString(`+quote(svg)+`, "image/svg+xml").querySelectorAll("parsererror").length`); n > 0 {
		t.Error("the SVG is not well-formed")
	}
	if png := b.saves(buttons + "2)"); !strings.HasPrefix(png, "Made-up-Cumulative-expected-regret.png\u0089PNG") {
		t.Errorf("the PNG is %.60q", png)
	}
	csv := strings.Split(strings.TrimSpace(b.saves(buttons+"3)")), "\n")
	if csv[0] != "line,round,value,low,high,digits" || len(csv) != 1+2*301 || !strings.HasPrefix(csv[301], "pICSGLD,300,") {
		t.Errorf("the CSV has %d lines, the first is %q and line 301 %q", len(csv), csv[0], csv[301])
	}
	// Every other chart can be saved too.
	for _, chart := range []string{"energy", "arms", "multiplier", "ess", "heat", "theta", "wrong"} {
		if svg := b.saves(`[data-chart="` + chart + `"] .save button:nth-child(1)`); !strings.Contains(svg, "</svg>") || strings.Contains(svg, "NaN") || strings.Contains(svg, "undefined") {
			t.Errorf("%s: %.300s", chart, svg)
		}
	}
}

// several writes the page of three environments, one of them with other policies, rounds and arms.
func several(t *testing.T) string {
	var sets []*results.Set
	for i, name := range []string{"one", "two & <three>", "four"} {
		f := threePolicies(func(f *resultstest.Folder) {
			f.Sidecar.Title, f.Sidecar.Notes = "A title", "The first\nparagraph.\n\nThe second."
			f.Change = func(id *results.Identity) { id.Environment.Name = "env"; trains(id) }
			if i == 2 {
				f.Policies, f.Kinds, f.Rounds = []string{"Never", "pSGLD", "Uniform"}, []resultstest.Kind{resultstest.Plain, resultstest.Sampler}, 100
				f.Change = func(id *results.Identity) { id.Protocol = bandit.Protocol{Rounds: 100, Pulls: 20} }
			}
		})
		set := resultstest.Write(t, t.TempDir(), f)
		set.Label = name
		sets = append(sets, set)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := page.Write(path, sets, page.Options{}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEnvironments(t *testing.T) {
	file := several(t)
	b := open(t, file, desktop)
	if got := b.text("h1"); got != "A title" {
		t.Errorf("the title is %q", got)
	}
	if got := b.text(".remark:last-of-type"); got != "The second." {
		t.Errorf("the notes end in %q", got)
	}
	shown := func() string {
		return eval[string](b, `[...document.querySelectorAll("[data-environment]:not([hidden])")].map((e) => e.dataset.environment).join()`)
	}
	if got := shown(); got != "one" {
		t.Errorf("at first %s is shown", got)
	}
	b.click(`[data-environment="one"] label:has([name="metric"][value="realised"])`)
	b.click(`#environments label:nth-of-type(2)`)
	if got := shown(); got != "two & <three>" {
		t.Errorf("the switch shows %s", got)
	}
	const two = `[data-environment="two & <three>"] `
	if got := b.text(two + "h3"); got != "Cumulative realised regret" {
		t.Errorf("in the second environment the chart is %q: what is chosen in the first holds there", got)
	}
	if got := eval[string](b, `document.querySelector("nav a").getAttribute("href")`); got != "#overview-2" {
		t.Errorf("the link leads to %s", got)
	}
	b.click(two + `label:has([name="metric"][value="expected"])`)
	b.click(two + ".legend .policy")
	b.click(`#environments label:nth-of-type(1)`)
	if got := b.text(`[data-environment="one"] h3`); got != "Cumulative expected regret" {
		t.Errorf("back in the first the chart is %q", got)
	}
	if got := eval[string](b, `document.querySelector('[data-environment="one"] .policy').getAttribute("aria-pressed")`); got != "false" {
		t.Error("a policy that is hidden in one environment is shown in another")
	}
	b.click(`#environments label:nth-of-type(3)`)
	hash := eval[string](b, "location.hash")
	other := openAt(t, file, hash, desktop)
	if got := other.text(`[data-environment]:not([hidden]) h2`); got != "four" {
		t.Errorf("%s shows %s", hash, got)
	}
	for i, share := range eval[[]float64](other, inked) {
		if share < 1 || share > 99 {
			t.Errorf("chart %d: %.1f %% of it is drawn", i, share)
		}
	}
	// Without scripts all are there.
	plain := open(t, file, view{width: 1280, height: 900, withoutScripts: true})
	if n := eval[int](plain, `[...document.querySelectorAll("[data-environment]")].filter((e) => e.offsetHeight > 0).length`); n != 3 {
		t.Errorf("without scripts %d environments are to be seen, want 3", n)
	}
	if n := eval[int](b, `document.querySelectorAll("[id]").length - new Set([...document.querySelectorAll("[id]")].map((e) => e.id)).size`); n != 0 {
		t.Errorf("%d identifiers are there twice", n)
	}
}
