package tuning

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/internal/tune"
	"banditsim/results"
)

// result returns a search of two rungs over three configurations of P, and the policy Q as it is.
func result(best int) *tune.Result {
	t := tune.DefaultSection()
	t.Seeds, t.Budget = []uint64{11, 12, 13}, 9
	ranges := []tune.Range{
		{Policy: "P", Option: "scale", Kind: tune.Log, Low: 0.01, High: 100},
		{Policy: "P", Option: "act", Kind: tune.Choice, Values: []string{"mean", "[1,2]"}},
	}
	t.Ranges = ranges
	list := []tune.Configuration{{Policy: "P"}, {Policy: "P", Number: 1, Values: []string{"1", "mean"}}, {Policy: "P", Number: 2, Values: []string{"10", "[1,2]"}}}
	scored := func(k int, regret ...float64) tune.Scored {
		return tune.Scored{Configuration: list[k], Regret: regret, Score: regret[0]}
	}
	rungs := [][]tune.Scored{{scored(1, 10, 12), scored(2, 14, 18), scored(0, 20, math.NaN())}, {scored(1, 100, 110, 120), scored(2, 130, 150, 170)}}
	if best == 0 {
		rungs = [][]tune.Scored{{scored(0, 9, 10), scored(1, 10, 12), scored(2, 14, 18)}, {scored(0, 90, 100, 110), scored(1, 100, 110, 120)}}
	}
	space := tune.Space{Policy: "P", Ranges: ranges, Configurations: list}
	heldOut := &results.Set{}
	for i, label := range []string{"P #1", "P", "Q"} {
		p := results.PolicyRecords{Label: label}
		for seed := range uint64(2) {
			p.Records = append(p.Records, results.Record{Seed: seed + 1, Totals: results.Totals{Expected: float64(200+50*i) + 10*float64(i+1)*float64(seed)}})
		}
		heldOut.Policies = append(heldOut.Policies, p)
	}
	return &tune.Result{
		Search:  &tune.Search{Tune: &t, Policies: []tune.Space{space, {Policy: "Q"}}, Rungs: []tune.Rung{{Configurations: 3, Seeds: 2, Rounds: 10, Eta: 2}, {Configurations: 2, Seeds: 3, Rounds: 100}}, HeldOut: []uint64{1, 2}},
		Found:   []tune.Found{{Space: space, Rungs: rungs, Best: rungs[1][0]}},
		HeldOut: heldOut,
	}
}

func TestWrite(t *testing.T) {
	for best, wants := range map[int][]string{
		1: {
			"P: #1 has the lowest mean expected regret of 3 configurations", "11–13, and so flattered; the nearest to it follow",
			"#1 1 mean 100 3 110 ± 25 120", "#2 0.729 10 [1,2] 100 3 150 ± 50 170 40 [15, 65]", // √((¼)²+1)/√2
			"untuned – – 10 2 20.0 1 failed 10.0", "P #1 110 ± 25 205 ± 64 260 ± 127 −55 [−119, 9]",
		},
		0: {"P: untuned has the lowest", "those that came furthest follow", "#2 10 [1,2] 10 2 16 ± 25 18.0", "untuned – – 100 3 100 ± 25 110", "#1 1 mean 100 3 110 ± 25 120 10.0 [10.0, 10.0]", "P untuned 100 ± 25 260 ± 127 – –"},
	} {
		var b bytes.Buffer
		must.OK(t, Report(result(best), report.Result{}).Render(&b, report.Text))
		said := strings.Join(strings.Fields(b.String()), " ")
		must.Contain(t, said, wants...)
	}
}

// TestUntunedIsBest checks that, if the untuned policy is best, the table lists all configurations and the figure marks the second best.
func TestUntunedIsBest(t *testing.T) {
	for _, last := range []string{"with others", "alone"} {
		r := result(0)
		f := &r.Found[0]
		rung := len(f.Rungs) - 1
		if last == "alone" {
			f.Rungs[rung] = f.Rungs[rung][:1]
			rung--
		}
		drawn := figure(r, f)
		for i, p := range drawn.Panels {
			marked := p.Marked
			if at := f.Neighbor(1); at.Rung != rung || len(marked) != 1 || marked[0].Mid[0] != tune.Estimate(at.Regret).Mean {
				t.Errorf("%s: panel %d rings %+v, want #1 in rung %d", last, i, marked, rung+1)
			}
		}
		must.Contain(t, drawn.Captions[0], "The untuned configuration, which has no place in the ranges, is lower: 100 ± 25.")
		must.Equal(t, last+": rows", len(found(r, f).Rows), 3)
		j := r.Judge()[0]
		must.That(t, math.IsNaN(j.Untuned.Mean) && math.IsNaN(j.Difference.Low), "what was not tuned has a difference: %+v", j)
	}
}

// TestYAMLOfPlugins checks that child processes in what YAML writes are read as they were declared.
func TestYAMLOfPlugins(t *testing.T) {
	c := builtin.Default()
	const file = "name: x\nenvironments: [{name: Sea, command: [./sea, -v], protocol: {rounds: 3}}, linear]\nprofile: paper\nseeds: 1\n" +
		"protocol: {rounds: 3, pulls: 2, burn_in: 4}\npolicies: [{name: Mine, command: 'python3 \"my file.py\"', options: {alpha: 2, kinds: [a]}, files: [], timeout: 90s}, " +
		"{name: Yours, command: [yours], role: posterior, rule: UCB, set: {alpha: 3}}, Uniform]\n"
	want := must.Get(c.ReadFile(must.File(t, "f.yaml", []byte(file))))(t)
	got := must.Get(c.ReadFile(must.File(t, "f.yaml", []byte(YAML(want, "")))))(t)
	must.Equal(t, "policies", got.Policies, want.Policies)
	must.Equal(t, "environments", len(got.Environments), len(want.Environments))
	must.Equal(t, "environment", got.Environments[0].Plugin, want.Environments[0].Plugin)
	for i, v := range want.Variants {
		must.Equal(t, v.Name, got.Variants[i].Plugin, v.Plugin)
	}
}

func TestStagesAndHead(t *testing.T) {
	r := result(1)
	said := strings.Join(Stages(r.Search, "out/x"), "\n") + FileHead(r)
	// 3·2·10/100 + 2·3 = 6.6 trials of 100 rounds.
	must.Contain(t, said, "policy  Q as it is", "cost    7 trials of 100 rounds for each policy with ranges, of a budget of 9", "then    6 trials", "output  out/x", "#   P #1: 205 ± 64\n", "mean expected regret on the seeds 11–13")
	r.Tune.Objective = tune.Worst
	head := FileHead(r)
	must.That(t, strings.Contains(head, "expected regret of the worst seed"), "%v", head)
}

// TestPlot checks that a figure drawn twice has the same bytes, with the right panels and rungs.
func TestPlot(t *testing.T) {
	dir := t.TempDir()
	var figures []string
	for _, name := range []string{"a.svg", "b.svg"} {
		r := result(1)
		must.OK(t, Plot(filepath.Join(dir, name), r, &r.Found[0]))
		b := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
		figures = append(figures, string(b))
	}
	must.Contain(t, figures[0], ">Regret of P against its options<", ">scale<", ">act<", ">1,2<", ">10 rounds, 2 seeds<", ">100 rounds, 3 seeds<")
	must.That(t, figures[0] == figures[1], "the bytes differ")
	f := figure(result(1), &result(1).Found[0])
	must.That(t, len(f.Panels) == 2 && f.Rows == 1, "%d panels in %d rows", len(f.Panels), f.Rows)
}
