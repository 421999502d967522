package plot

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"banditsim/internal/figure"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// svgOf returns the figure of sets as SVG. A setting is "key: value", or "key: policy=value" for options by policy.
func svgOf(t *testing.T, sets []*results.Set, settings ...string) string {
	t.Helper()
	o := optionsOf(t, settings...)
	path := filepath.Join(t.TempDir(), "a.svg")
	err := Regret(path, sets, o)
	must.Hold(t, err == nil, "%q: %v", settings, err)
	return string(resultstest.ReadFile(t, path))
}

func optionsOf(t *testing.T, settings ...string) Options {
	t.Helper()
	o := DefaultOptions()
	for _, s := range settings {
		name, value, _ := strings.Cut(s, ": ")
		found := false
		for _, k := range figure.Keys() {
			if k.Name != name {
				continue
			}
			found = true
			policy := ""
			if k.Kind == figure.Map {
				policy, value, _ = strings.Cut(value, "=")
			}
			must.OK(t, k.Set(&o, policy, value))
		}
		must.Hold(t, found, "no key %q", name)
	}
	return o
}

// paperOptions are the settings of a figure for one column of a paper.
var paperOptions = []string{"width: 84mm", "no_title: true", "no_caption: true", "font_size: 8pt", "policies: pICSGLD", "policies: pSGLD", "policies: EpsGreedy",
	"label: pICSGLD=pICSGLD (ours)", "label: EpsGreedy=ε-greedy", "color: EpsGreedy=#123456", "line: pSGLD=dotted", "log: y", "legend: below"}

func sixSet(t *testing.T) *results.Set {
	return resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: resultstest.Six(), Seeds: 4, Rounds: 120, BurnIn: 1024, Sidecar: resultstest.Provenance()})
}

var update = flag.Bool("update", false, "renew the golden files")

// TestFigureGoldens compares figures with golden files, which -update renews.
func TestFigureGoldens(t *testing.T) {
	set := sixSet(t)
	other := resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: resultstest.Six()[:3], Seeds: 2, Rounds: 60, Change: func(i *results.Identity) { i.Environment.Name = "wheel" }})
	plain := resultstest.Trials(t, []string{"pICSGLD", "pSGLD", "Uniform"}, 3, 60, nil)
	must.Contain(t, svgOf(t, []*results.Set{set, other}, "facet: environment", "view: window"), "the mean of the 2 to 5 rounds before it")
	for name, svg := range map[string]string{
		"regret": svgOf(t, []*results.Set{plain}),
		"paper":  svgOf(t, []*results.Set{set}, paperOptions...),
		"facets": svgOf(t, []*results.Set{set, other}, "facet: environment"),
		"inside": svgOf(t, []*results.Set{set}, "view: window", "band: quantile", "legend: inside", "x: pulls", "log: x", "width: 120mm", "height: 80mm", "policies: pICSGLD"),
	} {
		compareGolden(t, name+".svg", svg)
	}
}

// compareGolden compares a figure with the named file of testdata.
func compareGolden(t *testing.T, name, figure string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		resultstest.WriteFile(t, path, []byte(figure))
	}
	must.That(t, figure == string(resultstest.ReadFile(t, path)),
		"the figure differs from %s; look at it and run go test -update if it is right:\n%.3000s", path, figure)
}

// TestFigureOptions checks the effect of each option.
func TestFigureOptions(t *testing.T) {
	sets := []*results.Set{sixSet(t)}
	plain := svgOf(t, sets)
	for _, c := range []struct {
		settings   []string
		with, lack string // a text that the option adds, and one that it removes
	}{
		{[]string{"policies: pSGLD"}, ">pSGLD<", ">pICSGLD<"},
		{[]string{"label: pSGLD=ours = best"}, ">ours = best<", ">pSGLD<"},
		{[]string{"label: pSGLD=LinUCB alpha=0.25 lambda=0.5", "width: 84mm", "legend: below"}, ">LinUCB alpha=0.25 lambda=0.5<", ""},
		{[]string{"label: pSGLD=" + strings.Repeat("W", 40) + " lambda=0.5"}, " lambda=0.5<", ""},
		{[]string{"color: pSGLD=#12ab34"}, "stroke:#12AB34", ""},
		{[]string{"line: Dropout=dotted", "line: ConstSGD=solid"}, "stroke-dasharray:2,1.5", "stroke-dasharray:6,2"},
		{[]string{"metric: realised"}, "Cumulative realised regret", "Cumulative expected regret"},
		{[]string{"view: window"}, "Mean expected regret of a round in a window", "Cumulative"},
		{[]string{"view: window", "from_round: 120"}, "A2.25,", ""},
		{[]string{"view: window", "from_round: 120"}, ">120<", ""},
		{[]string{"view: rate"}, "Mean expected regret of a round so far", "Cumulative"},
		{[]string{"band: bootstrap-t"}, "bootstrap-t interval", "t-interval"},
		{[]string{"band: quantile"}, "10 to 90 % of the seeds", "t-interval"},
		{[]string{"band: seeds"}, "thin lines: every seed", "t-interval"},
		{[]string{"band: none"}, "Mean over 4 seeds (1–4). ", "fill-opacity"},
		{[]string{"x: pulls"}, ">Pull<", "Round of 20 pulls"},
		{[]string{"x: seconds"}, ">Wall time (s)<", "Round of 20 pulls"},
		{[]string{"log: x"}, ">30<", ">80<"},
		{[]string{"log: y"}, ">300<", ">4,000<"},
		{[]string{"from_round: 60"}, "from round 60", "burn-in ends"},
		{[]string{"from_round: 60"}, ">Cumulative expected regret since round 60<", ">Cumulative expected regret (units of reward)<"},
		{[]string{"from_round: 60", "view: rate"}, "Mean expected regret of a round since round 60", ""},
		{[]string{"xlabel: Zeit t"}, ">Zeit t<", ">Round of 20 pulls<"},
		{[]string{"ylabel: Verlust"}, ">Verlust<", ">Cumulative expected regret (units of reward)<"},
		{[]string{"to_round: 70"}, "to round 70", ">120<"},
		{[]string{"legend: none"}, "Cumulative", ">pSGLD<"},
		{[]string{"legend: below"}, ">pSGLD<", "Numbers at the right"},
		{[]string{"legend: inside"}, ">pSGLD<", "Numbers at the right"},
		{[]string{"title: A title"}, ">A title<", ">Cumulative expected regret by round<"},
		{[]string{"no_title: true"}, "burn-in", "UCI mushroom data"},
		{[]string{"no_caption: true"}, "burn-in", "Mean over"},
		{[]string{"font_size: 20pt"}, "font-size:20px", "font-size:10px"},
		{[]string{"facet: environment"}, ">mushroom<", ""},
	} {
		got := svgOf(t, sets, c.settings...)
		must.That(t, strings.Contains(got+flat(got), c.with) && (c.lack == "" || !strings.Contains(got, c.lack)),
			"%q: want %q and no %q", c.settings, c.with, c.lack)
		must.That(t, c.lack == "" || strings.Contains(plain, c.lack),
			"%q: the default figure has no %q either", c.settings, c.lack)
	}
}

// position returns the position of a text.
func position(t *testing.T, svg, text string) (x, y float64) {
	t.Helper()
	m := regexp.MustCompile(`<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>` + regexp.QuoteMeta(text) + `</text>`).FindStringSubmatch(svg)
	must.Hold(t, m != nil, "no text %q", text)
	fmt.Sscan(m[1], &x)
	fmt.Sscan(m[2], &y)
	return x, y
}

// TestFigureOfSubset checks that a policy has the same color in every subset, and that legends that are not at the ends of curves
// follow the order of the policies.
func TestFigureOfSubset(t *testing.T) {
	sets := []*results.Set{sixSet(t)}
	all := svgOf(t, sets, "legend: below")
	colorOf := func(svg, policy string) string {
		t.Helper()
		m := regexp.MustCompile(`stroke:(#[0-9A-F]{6})[^>]*/>\s*<text [^>]*>` + policy + `</text>`).FindStringSubmatch(svg)
		must.Hold(t, m != nil, "no line before %s", policy)
		return m[1]
	}
	for _, subset := range [][]string{{"pSGLD", "Dropout"}, {"Dropout", "pSGLD"}, {"EpsGreedy"}} {
		for _, legend := range []string{"below", "inside"} {
			settings := []string{"legend: " + legend}
			for _, p := range subset {
				settings = append(settings, "policies: "+p)
			}
			svg := svgOf(t, sets, settings...)
			for _, p := range subset {
				must.Equal(t, fmt.Sprintf("%s of %q: color as in the whole", p, subset), colorOf(svg, p), colorOf(all, p))
			}
			must.That(t, len(subset) != 2 || strings.Index(svg, ">"+subset[0]+"<") <= strings.Index(svg, ">"+subset[1]+"<"),
				"%q: the legend %s has another order", subset, legend)
		}
	}
	chosen := must.Get(results.Select(sets, []string{"pSGLD"}))(t)
	got, want := colorOf(svgOf(t, chosen, "legend: below"), "pSGLD"), colorOf(all, "pSGLD")
	must.That(t, got == want, "of a set with pSGLD alone: color %s, want %s", got, want)
}

// TestBurnInIsNotCrossed checks that the name of the end of burn-in is above the plot, where no curve crosses it.
func TestBurnInIsNotCrossed(t *testing.T) {
	for _, rounds := range []int{53, 60, 5000} {
		set := resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: []string{"p"}, Seeds: 2, Rounds: rounds, BurnIn: 1024})
		for _, settings := range [][]string{{}, {"width: 84mm", "no_title: true"}, {"facet: environment"}, {"log: xy"}} {
			svg := svgOf(t, []*results.Set{set}, settings...)
			_, y := position(t, svg, "burn-in ends")
			m := regexp.MustCompile(`<path d="M[\d.]+,([\d.]+)L[\d.]+,([\d.]+)" style="[^"]*stroke-dasharray:1.5,1.5`).FindStringSubmatch(svg)
			if m == nil {
				t.Fatalf("%d rounds, %q: no line at the end of burn-in", rounds, settings)
			}
			var ends [2]float64
			fmt.Sscan(m[1], &ends[0])
			fmt.Sscan(m[2], &ends[1])
			top := max(ends[0], ends[1])
			must.That(t, -y >= top, "%d rounds, %q: the name stands at %g, in the plot up to %g", rounds, settings, -y, top)
		}
	}
}

// TestTextFitsInDejaVu checks that the texts of regret figures fit if DejaVu Sans replaces the figure's font.
func TestTextFitsInDejaVu(t *testing.T) {
	six := sixSet(t)
	var environments []*results.Set
	for _, name := range []string{"wheel", "linear with a long name that nobody would give", "logistic"} {
		environments = append(environments, resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: resultstest.Six()[:2], Seeds: 2, Rounds: 60, Change: func(i *results.Identity) { i.Environment.Name = name }}))
	}
	for name, svg := range map[string]string{
		"default": svgOf(t, []*results.Set{six}), "narrow": svgOf(t, []*results.Set{six}, "width: 84mm"), "small": svgOf(t, []*results.Set{six}, "width: 120mm", "legend: right", "font_size: 8pt"),
		"facets": svgOf(t, environments, "facet: environment"), "narrow facets": svgOf(t, environments, "facet: environment", "width: 84mm"),
		"a long word": svgOf(t, []*results.Set{six}, "title: "+strings.Repeat("W", 300)),
	} {
		checkTexts(t, name, regexp.MustCompile(`(?s)<g transform="rotate.*?</g>`).ReplaceAllString(svg, ""))
	}
}

// flat joins the lines into which captions are broken.
func flat(svg string) string {
	svg = regexp.MustCompile(`</text>\n<text [^>]*>`).ReplaceAllString(svg, " ")
	return strings.ReplaceAll(svg, "  ", " ")
}

// TestFigureSize checks that figures have the requested size in SVG and PDF, and that the font does not depend on the size.
func TestFigureSize(t *testing.T) {
	sets := []*results.Set{sixSet(t)}
	const points = 72 / 25.4
	for _, mm := range []float64{84, 120, 174} {
		settings := []string{fmt.Sprintf("width: %gmm", mm), "height: 90mm", "no_caption: true"}
		svg := svgOf(t, sets, settings...)
		must.Contain(t, svg, fmt.Sprintf(`width="%.5gpt"`, mm*points), fmt.Sprintf(`height="%.5gpt"`, 90*points), "font-size:10px", "font-size:9px")
		path := filepath.Join(t.TempDir(), "a.pdf")
		must.OK(t, Regret(path, sets, optionsOf(t, settings...)))
		pdf := resultstest.ReadFile(t, path)
		box := fmt.Sprintf("/MediaBox [0 0 %.2f %.2f]", mm*points, 90*points)
		must.That(t, bytes.Contains(pdf, []byte(box)), "%g mm: no %s in the PDF", mm, box)
		must.That(t, bytes.Contains(pdf, []byte("/FontFile2")), "the PDF embeds no font")
	}
}

// TestFigureColorsDiffer checks that no other policy has a palette color that the options give to a policy.
func TestFigureColorsDiffer(t *testing.T) {
	o := optionsOf(t, "color: b=#0072B2")
	all := looks(&o, []string{"a", "b", "c"})
	seen := map[any]string{}
	for name, l := range all {
		other, ok := seen[l.color()]
		must.That(t, !ok, "%s and %s have one color", name, other)
		seen[l.color()] = name
	}
}

func TestFigureErrors(t *testing.T) {
	set := sixSet(t)
	for want, c := range map[string]struct {
		sets     []*results.Set
		settings []string
	}{
		"did you mean pSGLD?":        {[]*results.Set{set}, []string{"policies: pSGL"}},
		"unknown policy \"q\"":       {[]*results.Set{set}, []string{"color: q=#000000"}},
		"want a panel for each":      {[]*results.Set{set, set}, nil},
		"leaves":                     {[]*results.Set{set}, []string{"width: 30mm", "height: 30mm"}},
		"no policy does gradient":    {[]*results.Set{set}, []string{"x: steps"}},
		"to round 50, want 60 to":    {[]*results.Set{set}, []string{"from_round: 60", "to_round: 50"}},
		"to round 121, want 1 to 12": {[]*results.Set{set}, []string{"to_round: 121"}},
	} {
		must.Fail(t, Regret(filepath.Join(t.TempDir(), "a.svg"), c.sets, optionsOf(t, c.settings...)), want)
	}
}

// TestGradientSteps checks that steps of all chains count, and the number of rounds before the buffer has enough rows.
func TestGradientSteps(t *testing.T) {
	i := resultstest.Identity("p", 1, 60)
	set := &results.Set{Conditions: results.Conditions{Protocol: i.Protocol}}
	for options, want := range map[string][2]int{
		`{"posterior":{"steps":16,"chains":4,"buffer":4096,"train_after":1024}}`: {64, 51}, // 20 pulls per round
		`{"posterior":{"steps":16,"buffer":4096,"train_after":0}}`:               {16, 0},
	} {
		each, before, err := GradientSteps(set, results.Policy{Options: []byte(options)})
		must.That(t, err == nil && each == want[0] && before == want[1],
			"%s: %d from round %d, %v; want %d", options, each, before, err, want)
	}
	for _, options := range []string{`{}`, `{"posterior":{"steps":16,"buffer":10,"train_after":10}}`} {
		_, _, err := GradientSteps(set, results.Policy{Options: []byte(options)})
		must.That(t, err == errNoSteps, "%s: %v", options, err)
	}
}
