package page

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/datasets"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

func dataOf(t *testing.T, text string) *environment {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(text)
	must.Hold(t, m != nil, "no data in the page")
	var d data
	err := json.Unmarshal([]byte(m[1]), &d)
	must.Hold(t, err == nil && len(d.Environments) != 0, "%d environments in the data (error %v)", len(d.Environments), err)
	return d.Environments[0]
}

// near fails unless got equals want to about six digits, the precision of a page. It fails on NaN.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	must.That(t, math.Abs(got-want) <= 1e-5*math.Abs(want)+1e-9, "%s = %v, want %v", what, got, want)
}

// TestCurves checks that the curves equal those of compare.Curves, which reads the files independently.
func TestCurves(t *testing.T) {
	f := three()
	f.Rounds = 700
	set, text := render(t, f, Options{})
	d := dataOf(t, text)
	if n, m := len(d.Axes.All), len(d.Axes.After); len(d.Policies) != 3 || d.Axes.BurnIn != 52 || n < 300 || n > 380 || m < 300 || m > 380 {
		t.Fatalf("%d policies, burn-in to round %d, %d and %d marks; want 3, 52, and 300 to 380", len(d.Policies), d.Axes.BurnIn, n, m)
	}
	must.That(t, slices.Equal(d.Axes.All[:3], []int{0, 1, 2}),
		"the first marks are %d: a logarithmic axis needs those of the first rounds", d.Axes.All[:3])
	for i, p := range compare.Totals(set).Policies { // the best first
		must.Equal(t, fmt.Sprint("policy ", i), d.Policies[i].Label, p.Policy)
	}
	for _, p := range d.Policies {
		for _, c := range []struct {
			metric *compare.Metric
			from   int
			got    band
			marks  []int
		}{
			{compare.Expected(), 1, p.Regret["expected"].All, d.Axes.All},
			{compare.Expected(), 53, *p.Regret["expected"].After, d.Axes.After},
			{compare.Realised(), 1, p.Regret["realised"].All, d.Axes.All},
			{compare.Realised(), 53, *p.Regret["realised"].After, d.Axes.After},
		} {
			curves, err := compare.Curves(set, compare.CurveOptions{
				Metric: c.metric, View: compare.Cumulative, Band: compare.TBand, From: c.from, To: compare.LastRound, Points: f.Rounds + 1,
			}) // every round
			must.OK(t, err)
			want := curves[p.Style]
			if want.Policy != p.Label || len(c.got.Mean) != len(c.marks) {
				t.Fatalf("curve %d is of %s, want %s", p.Style, want.Policy, p.Label)
			}
			for i, round := range c.marks {
				k := round - want.Rounds[0]
				if want.Rounds[k] != round {
					t.Fatalf("curve %d lacks round %d", p.Style, round)
				}
				e := want.Regret[k]
				near(t, "mean", c.got.Mean[i], e.Mean)
				near(t, "half", c.got.Half[i], e.Half())
			}
		}
	}
	// The regrets of the windows add up to the total regret.
	for _, p := range d.Policies {
		sum := 0.0
		for i, mean := range p.Regret["realised"].Window.Mean {
			w := d.Axes.Windows
			first := max(i*w.Width-w.Offset, 0)
			last := min((i+1)*w.Width-w.Offset, d.Axes.Rounds)
			sum += mean * float64(last-first)
		}
		near(t, "sum over windows", sum, p.Regret["realised"].All.Mean[len(p.Regret["realised"].All.Mean)-1])
	}
}

// TestDiagnostics compares the diagnostics of two seeds with values computed by hand, and checks that series that a sampler declares
// itself have a chart.
func TestDiagnostics(t *testing.T) {
	joined := newDiagnostics(2)
	for _, seed := range []results.Number{0, 1} {
		d := newDiagnostics(2)
		for i, round := range []results.Number{0, 1, 2, 3} { // two in each window
			r := &results.Round{Round: i + 1, Energy: []results.Number{round + 10*seed, 2}, ESS: 3 + seed, Multiplier: [][3]results.Number{{-1, 1, round}}, Series: []results.Series{
				{Name: "accepted", Values: []results.Number{0.5}},
				{Name: "heat", Unit: "τ", Values: []results.Number{round, 3}},
			}}
			if i == 3 {
				r.Theta = []results.Number{seed, 1 - seed}
				r.Multiplier = append(r.Multiplier, [3]results.Number{0, results.Number(math.NaN()), 1})
			}
			must.OK(t, d.add(r, i/2))
		}
		must.OK(t, joined.join(d))
	}
	s := joined.result(detail{thetas: maxThetas, digits: fullDigits})
	must.Equal(t, "energy", s.Energy, &spread{numbers{3.75, 4.75}, numbers{0, 2}, numbers{11, 13}, []int{8, 8}})
	must.Equal(t, "multiplier", s.Multiplier, &spread{numbers{1, 1}, numbers{-1, -1}, numbers{1, 3}, []int{4, 4}})
	must.Equal(t, "ess", s.ESS, &spread{numbers{3.5, 3.5}, numbers{3, 3}, numbers{4, 4}, []int{4, 4}})
	must.Equal(t, "heat", s.Series[1], named{"heat", "τ", &spread{numbers{1.75, 2.75}, numbers{0, 2}, numbers{3, 3}, []int{8, 8}}})
	must.Equal(t, "θ", s.Theta, &theta{Rounds: []int{4}, Values: []numbers{{0.5, 0.5}}})
	must.That(t, s.Chains == 2 && s.NotFinite == 2, "%d chains and %d numbers that are none, want 2 and 2", s.Chains, s.NotFinite)
	all := environment{Policies: []*policy{{}, {Sampler: s}, {Sampler: s}}}
	all.addSeries()
	must.Equal(t, "charts", all.Series, []chart{{"series-0", "accepted", ""}, {"series-1", "heat", "τ"}})
}

// TestPolicies checks which policies have diagnostics (samplers) and θ (contours), and the share of each arm.
func TestPolicies(t *testing.T) {
	_, text := render(t, three(), Options{})
	d := dataOf(t, text)
	for _, p := range d.Policies {
		sampler, contour := p.Label != "Uniform", p.Label == "pICSGLD"
		if (p.Sampler != nil) != sampler || sampler && (p.Sampler.Chains != 4 || (p.Sampler.Multiplier != nil) != contour || (p.Sampler.Theta != nil) != contour) {
			t.Errorf("%s: sampler %+v", p.Label, p.Sampler)
		}
	}
	near(t, "share of arm 0", d.Policies[0].Arms[0][7], 12.0/20)
	near(t, "share of arm 1", d.Policies[0].Arms[1][7], 8.0/20)
}

func TestMistakes(t *testing.T) {
	set, text := render(t, three(), Options{})
	d := dataOf(t, text)
	for _, p := range d.Policies {
		var want [2]float64
		for _, trial := range set.Find(p.Label).Records {
			for r, err := range trial.Rounds() {
				must.OK(t, err)
				for _, w := range r.Wrong {
					want[w[1]] += 1.0 / 3 // seeds
				}
			}
		}
		for arm := range want {
			got := 0.0
			for _, perRound := range p.Mistakes[arm] {
				got += 2 * perRound // rounds per window
			}
			near(t, "mistakes", got, want[arm])
		}
	}
}

func describe(rows *datasets.Rows) func(results.Environment) (*datasets.Rows, error) {
	return func(results.Environment) (*datasets.Rows, error) { return rows, nil }
}

// TestRows checks the tables of rows. Arm 1 is wrong in the ten odd rows, of which five are "lower". The made-up mistakes favor low rows.
// Only pulls after burn-in count.
func TestRows(t *testing.T) {
	rows := &datasets.Rows{Columns: []string{"sort", "half"}, Wrong: func(row, arm int) bool { return row%2 == arm }}
	for row := range 20 {
		half := "upper"
		if row < 4 || row < 10 && row%2 == 1 {
			half = "lower <"
		}
		rows.Values = append(rows.Values, []string{"same", half})
	}
	set, text := render(t, three(), Options{Describe: describe(rows)})
	must.Contain(t, text, `<tr><th scope="row">half</th><td class="text">lower &lt;</td><td>7`, `<td>50 %</td>`)
	for _, row := range []string{"0", "1"} { // in the tables of all policies together and of each of the three
		must.Equal(t, "tables with row "+row, strings.Count(text, `<tr><th scope="row">`+row+`</th><td class="text">lower &lt;</td>`), 4)
	}
	must.Contain(t, text, "{\n  &#34;learning_rate&#34;: 3e-7,\n  &#34;chains&#34;: 4\n}") // the options, one per line
	times, wrong := 0, make(map[int]bool)
	for _, p := range set.Policies {
		for _, trial := range p.Records {
			for r, err := range trial.Rounds() {
				must.OK(t, err)
				for _, w := range r.Wrong {
					if r.Round >= 53 && w[1] == 1 {
						times++
						wrong[w[0]] = true
					}
				}
			}
		}
	}
	must.Contain(t, text, "<p>"+words.Count(times, "time")+", in "+words.Count(len(wrong), "row")+".</p>")
	rows.Values = rows.Values[:5]
	_, err := Render([]*results.Set{resultstest.Write(t, t.TempDir(), three())}, Options{Describe: describe(rows)})
	must.That(t, err != nil, "rows that the data do not have: no error")
}

func TestWindows(t *testing.T) {
	for _, test := range []struct {
		rounds, burnIn int
		width, n       int
		first, last    int // lengths
	}{
		{1, 0, 1, 1, 1, 1},
		{100, 52, 1, 100, 1, 1},
		{120, 52, 2, 60, 2, 2},
		{300, 52, 5, 61, 2, 3},     // 52 = 10×5 + 2
		{2000, 52, 20, 101, 12, 8}, // 52 = 2×20 + 12; 1,948 = 97×20 + 8
		{2000, 0, 20, 100, 20, 20},
		{3001, 3001, 50, 61, 1, 50},
		{1e9, 52, 1e7, 101, 52, 1e7 - 52},
	} {
		w := newWindows(test.rounds, test.burnIn, maxWindows)
		if w.Width != test.width || w.N != test.n || w.length(0) != test.first || w.length(w.N-1) != test.last {
			t.Errorf("%d rounds, %d of burn-in: %d windows of %d, the first %d and the last %d long; want %+v", test.rounds, test.burnIn, w.N, w.Width, w.length(0), w.length(w.N-1), test)
		}
		must.That(t, test.burnIn <= 0 || test.burnIn >= test.rounds || w.index(test.burnIn) != w.index(test.burnIn+1),
			"%d rounds: burn-in ends within a window", test.rounds)
		sum := 0
		for i := range w.N {
			sum += w.length(i)
		}
		must.Equal(t, "rounds of the windows", sum, test.rounds)
	}
}

func TestNumbers(t *testing.T) {
	got, err := json.Marshal(numbers{0, -1.5, 1234567.8, 1e-17, 1.0 / 3, math.NaN(), math.Inf(1)})
	want := `[0,-1.5,1.23457e06,1e-17,0.333333,null,null]`
	must.That(t, err == nil && string(got) == want, "%s (error %v), want %s", got, err, want)
}

// TestColumn checks that numbers are replaced by quartiles in a column of many numbers, and that few numbers and names are kept.
func TestColumn(t *testing.T) {
	r := &datasets.Rows{Columns: []string{"length", "grade", "name", "same"}}
	for row := range 40 {
		length := fmt.Sprint(float64(row) / 10)
		if row == 39 {
			length = "?"
		}
		r.Values = append(r.Values, []string{length, fmt.Sprint(row % 3), fmt.Sprint("n", row), "7"})
	}
	got := column(r, 0)
	for row, want := range map[int]string{0: "0 to 0.9", 9: "0 to 0.9", 10: "1 to 1.9", 29: "2 to 2.9", 38: "3 to 3.8", 39: "?"} {
		must.Equal(t, fmt.Sprint("row ", row), got[row], want)
	}
	for c := 1; c < 4; c++ {
		got := column(r, c)
		must.That(t, got[5] == r.Values[5][c], "column %s: %s, want %s", r.Columns[c], got[5], r.Values[5][c])
	}
	// Equal numbers are in the same quartile.
	for row := range r.Values {
		r.Values[row][0] = fmt.Sprint(max(row-20, 0))
	}
	if got := slices.Compact(slices.Sorted(slices.Values(column(r, 0)))); !slices.Equal(got, []string{"0", "1 to 9", "10 to 19"}) {
		t.Errorf("half of the numbers are equal: %q", got)
	}
}
