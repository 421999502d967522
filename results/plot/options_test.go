package plot

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"banditsim/internal/figure"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// svgOf returns the figure of sets with options as keys and values, those by policy as policy=value.
func svgOf(t *testing.T, sets []*results.Set, settings ...string) string {
	t.Helper()
	o := optionsOf(t, settings...)
	path := filepath.Join(t.TempDir(), "a.svg")
	if err := Regret(path, sets, o); err != nil {
		t.Fatalf("%q: %v", settings, err)
	}
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
		if !found {
			t.Fatalf("no key %q", name)
		}
	}
	return o
}

// paperOptions are those of a figure for one column of a paper.
var paperOptions = []string{"width: 84mm", "no_title: true", "no_caption: true", "font_size: 8pt", "policies: pICSGLD", "policies: pSGLD", "policies: EpsGreedy",
	"label: pICSGLD=pICSGLD (ours)", "label: EpsGreedy=ε-greedy", "color: EpsGreedy=#123456", "line: pSGLD=dotted", "log: y", "legend: below"}

func sixSet(t *testing.T) *results.Set {
	return resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: resultstest.Six(), Seeds: 4, Rounds: 120, BurnIn: 1024, Sidecar: resultstest.Provenance()})
}

var update = flag.Bool("update", false, "renew the golden files")

// Figures that were looked at; -update renews them.
func TestFigureGoldens(t *testing.T) {
	set := sixSet(t)
	other := resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: resultstest.Six()[:3], Seeds: 2, Rounds: 60, Change: func(i *results.Identity) { i.Environment.Name = "wheel" }})
	plain := resultstest.Trials(t, []string{"pICSGLD", "pSGLD", "Uniform"}, 3, 60, nil)
	for name, svg := range map[string]string{
		"regret": svgOf(t, []*results.Set{plain}),
		"paper":  svgOf(t, []*results.Set{set}, paperOptions...),
		"facets": svgOf(t, []*results.Set{set, other}, "facet: environment"),
		"inside": svgOf(t, []*results.Set{set}, "view: window", "band: quantile", "legend: inside", "x: pulls", "log: x", "width: 120mm", "height: 80mm", "policies: pICSGLD"),
	} {
		compareGolden(t, name+".svg", svg)
	}
}

// compareGolden compares a figure with the file of that name.
func compareGolden(t *testing.T, name, figure string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		resultstest.WriteFile(t, path, []byte(figure))
	}
	must.That(t, figure == string(resultstest.ReadFile(t, path)),
		"the figure differs from %s; look at it and run go test -update if it is right:\n%.3000s", path, figure)
}

// Each option changes what it says.
func TestFigureOptions(t *testing.T) {
	sets := []*results.Set{sixSet(t)}
	plain := svgOf(t, sets)
	for _, c := range []struct {
		settings   []string
		with, lack string // what the figure then has, and lacks although the default has it
	}{
		{[]string{"policies: pSGLD"}, ">pSGLD<", ">pICSGLD<"},
		{[]string{"label: pSGLD=ours = best"}, ">ours = best<", ">pSGLD<"},
		{[]string{"color: pSGLD=#12ab34"}, "stroke:#12AB34", ""},
		{[]string{"line: Dropout=dotted", "line: ConstSGD=solid"}, "stroke-dasharray:2,1.5", "stroke-dasharray:6,2"},
		{[]string{"metric: realised"}, "Cumulative realised regret", "Cumulative expected regret"},
		{[]string{"view: window"}, "Mean expected regret of a round in a window", "Cumulative"},
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

// position returns where a text stands.
func position(t *testing.T, svg, text string) (x, y float64) {
	t.Helper()
	m := regexp.MustCompile(`<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>` + regexp.QuoteMeta(text) + `</text>`).FindStringSubmatch(svg)
	if m == nil {
		t.Fatalf("no text %q", text)
	}
	fmt.Sscan(m[1], &x)
	fmt.Sscan(m[2], &y)
	return x, y
}

// A policy has the color of its place in the folder in every subset, and legends that are not at the ends of curves follow the
// order of the policies.
func TestFigureOfSubset(t *testing.T) {
	sets := []*results.Set{sixSet(t)}
	all := svgOf(t, sets, "legend: below")
	colorOf := func(svg, policy string) string {
		t.Helper()
		m := regexp.MustCompile(`stroke:(#[0-9A-F]{6})[^>]*/>\s*<text [^>]*>` + policy + `</text>`).FindStringSubmatch(svg)
		if m == nil {
			t.Fatalf("no line before %s", policy)
		}
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
	if got, want := colorOf(svgOf(t, chosen, "legend: below"), "pSGLD"), colorOf(all, "pSGLD"); got != want {
		t.Errorf("of a set with pSGLD alone: color %s, want %s", got, want)
	}
}

// The end of burn-in is named above the plot, where nothing is drawn, and within the figure.
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

// No text of a figure leaves it, nor do names run into numbers, where DejaVu Sans stands in for the figure's font.
func TestTextFitsInDejaVu(t *testing.T) {
	six := sixSet(t)
	var environments []*results.Set
	for _, name := range []string{"wheel", "linear with a long name that nobody would give", "logistic"} {
		environments = append(environments, resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: resultstest.Six()[:2], Seeds: 2, Rounds: 60, Change: func(i *results.Identity) { i.Environment.Name = name }}))
	}
	texts := regexp.MustCompile(`<text x="([-\d.]+)" y="[-\d.]+" transform="scale\(1, -1\)"\s*style="[^"]*font-size:([\d.]+)px[^"]*">([^<]*)</text>`)
	for name, svg := range map[string]string{
		"default": svgOf(t, []*results.Set{six}), "narrow": svgOf(t, []*results.Set{six}, "width: 84mm"), "small": svgOf(t, []*results.Set{six}, "width: 120mm", "legend: right", "font_size: 8pt"),
		"facets": svgOf(t, environments, "facet: environment"), "narrow facets": svgOf(t, environments, "facet: environment", "width: 84mm"),
		"a long word": svgOf(t, []*results.Set{six}, "title: "+strings.Repeat("W", 300)),
	} {
		var width float64
		fmt.Sscan(regexp.MustCompile(`width="([\d.]+)pt"`).FindStringSubmatch(svg)[1], &width)
		found := texts.FindAllStringSubmatch(regexp.MustCompile(`(?s)<g transform="rotate.*?</g>`).ReplaceAllString(svg, ""), -1)
		if len(found) < 15 {
			t.Fatalf("%s: %d texts", name, len(found))
		}
		for _, m := range found {
			var x, size, sum float64
			fmt.Sscan(m[1], &x)
			fmt.Sscan(m[2], &size)
			for _, r := range html.UnescapeString(m[3]) {
				if r <= '~' {
					sum += float64(dejaVu[r-' '])
				} else {
					sum += 838 // width of ±, × and −; all others are narrower
				}
			}
			if end := x + sum*size/1000; end > width+1 && !strings.HasPrefix(m[3], "1,") {
				t.Errorf("%s: %q ends at %.0f of %.0f pt", name, m[3], end, width)
			}
		}
	}
}

// flat joins the lines into which captions are broken.
func flat(svg string) string {
	svg = regexp.MustCompile(`</text>\n<text [^>]*>`).ReplaceAllString(svg, " ")
	return strings.ReplaceAll(svg, "  ", " ")
}

// A figure has the size that is asked for, in SVG and in PDF, and letters in points whatever the size.
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

// A color of the palette that is asked for is no other policy's.
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

// Gradient steps are those of all chains, from the round on in which the buffer holds enough rows.
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
		if _, _, err := GradientSteps(set, results.Policy{Options: []byte(options)}); err != errNoSteps {
			t.Errorf("%s: %v", options, err)
		}
	}
}
