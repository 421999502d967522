package compare

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/stats"
)

func TestScores(t *testing.T) {
	set := resultstest.Trials(t, []string{"a", "b", "c"}, 3, 90, nil) // policies of increasing regret
	o := bandit.ScoreOptions{Contexts: 2, Draws: 5, Noise: 3}
	write := func(label string, i int, s *results.Score) {
		t.Helper()
		must.OK(t, results.WriteSidecar(set.Find(label).Records[i].Path, results.Sidecar{Score: s}))
	}
	load := func() *results.Set {
		t.Helper()
		return must.Get(results.Load(set.Dir))(t)
	}
	if _, _, err := Scores(load()); !errors.Is(err, ErrNoScores) {
		t.Errorf("error %v, want that there is none", err)
	}
	nan := math.NaN()
	write("b", 0, results.NewScore(o, bandit.Score{LogLoss: 1, JointLogLoss: 2.5, Calibration: 0.1}, nil))
	write("b", 1, results.NewScore(o, bandit.Score{LogLoss: 2, JointLogLoss: 3.5, Calibration: 0.3}, nil))
	write("b", 2, results.NewScore(o, bandit.Score{}, errors.New("it diverged")))
	write("a", 1, results.NewScore(o, bandit.Score{LogLoss: 3, JointLogLoss: nan, Calibration: 0.2}, nil))
	list, how, err := Scores(load())
	must.Hold(t, err == nil && how == o && len(list) == 2, "%+v, %+v, %v", list, how, err)
	a, b := list[0], list[1]
	must.That(t, a.Policy == "a" && a.Seeds == 1 && math.IsNaN(a.Measures["joint_log_loss"].Mean) &&
		a.Measures["log_loss"].Mean == 3 && a.Failures == nil, "%+v", a)
	regret := (Primary().Total(set.Find("b").Records[0].Totals) + Primary().Total(set.Find("b").Records[1].Totals)) / 2
	must.Near(t, "regret of the trials with a score", b.Regret.Mean, regret, 1e-12)
	must.Near(t, "calibration error", b.Measures["calibration_error"].Mean, 0.2, 1e-12)
	must.That(t, b.Policy == "b" && b.Seeds == 2 && b.Measures["joint_log_loss"].Mean == 3 && len(b.Failures) == 1 &&
		b.Failures[0] == "it diverged", "%+v", b)
	o.Noise = 1
	write("c", 0, results.NewScore(o, bandit.Score{LogLoss: 1}, nil))
	if _, _, err := Scores(load()); err == nil || errors.Is(err, ErrNoScores) || !strings.Contains(err.Error(), "a noise of 3, and 2, 5 and 1") {
		t.Errorf("error %v, want one that names both ways", err)
	}
}

// TestParameters checks that parameters are the options in which policies of one name differ, that a list is one value,
// that an option with different values for one label is left out, and that a missing number is 0.
func TestParameters(t *testing.T) {
	set := func(options map[string]string) *results.Set {
		s := &results.Set{}
		for _, label := range []string{"a", "b", "c"} {
			p := results.PolicyRecords{Label: label, Policy: results.Policy{Name: "net", Options: json.RawMessage(options[label])}}
			if label == "c" {
				p.Policy.Name = "other"
			}
			s.Policies = append(s.Policies, p)
		}
		return s
	}
	one := set(map[string]string{"a": `{"act":"mean","posterior":{"hidden":[8],"rate":1e-7}}`, "b": `{"act":"sample","posterior":{"hidden":[8,4],"rate":1e-7}}`, "c": `{"act":"mean"}`})
	two := set(map[string]string{"a": `{"act":"mean","posterior":{"hidden":[9],"rate":1e-7}}`, "b": `{"act":"sample","posterior":{"hidden":[8,4],"rate":1e-7}}`, "c": `{"act":"mean"}`})
	p := NewParameters(one)
	if names := p.Names(); !slices.Equal(names, []string{"act", "hidden"}) || p.Text("a", "hidden") != "[8]" || p.Text("b", "act") != "sample" || p.Text("c", "act") != "" {
		t.Errorf("%q, %v", names, p)
	}
	if p := NewParameters(one, two); p.Text("a", "hidden") != "" || p.Text("b", "hidden") != "[8,4]" || p.Text("a", "act") != "mean" {
		t.Errorf("two sets: %v", p)
	}
	if p := NewParameters(set(map[string]string{"a": `{"act":"mean"}`, "b": `{"act":"mean"}`, "c": `{"act":"x"}`})); len(p) != 0 {
		t.Errorf("nothing differs: %v", p)
	}
	// Options leave out 0 and false, but the defaults of a plugin are its own.
	p = NewParameters(set(map[string]string{"a": `{"l":{"n":3},"n":0.1,"on":true,"options":{"k":2}}`, "b": `{"options":{}}`}))
	if p.Text("b", "n") != "0" || p.Text("b", "l.n") != "" || p.Text("b", "on") != "false" || p.Text("b", "options.k") != "" || p.Text("a", "n") != "0.1" {
		t.Errorf("left out: %v", p)
	}
}

// TestExplain checks the explanations of equal regret: b equals a only in total, c equals b in every round, and so does d,
// whose contour has an effect from round 3 on.
func TestExplain(t *testing.T) {
	dir, initial := t.TempDir(), 0
	write := func(policy, options string, burnIn int, contour bool, regrets ...float64) {
		i := resultstest.Identity(policy, 1, len(regrets))
		i.Policy.Options, i.Protocol.BurnIn, i.Protocol.Initial = json.RawMessage(options), burnIn, initial
		var rounds []*bandit.RoundRecord
		for k, regret := range regrets {
			r := &bandit.RoundRecord{Round: k + 1, Arms: []int{12, 8}, Expected: regret, Realised: regret}
			if contour {
				m := 1.0
				if k == 2 {
					m = 1.5
				}
				r.Diagnostics = diagnostics.Round{WeightESS: 1, Theta: []float64{1}, Chains: []diagnostics.Chain{{MultiplierMin: 1, MultiplierMean: 1, MultiplierMax: m}}}
			}
			rounds = append(rounds, r)
		}
		resultstest.WriteRounds(t, dir, i, nil, rounds...)
	}
	messages := func() (all []string) {
		set := must.Get(results.Load(dir))(t)
		for _, w := range summaryOf(t, set).Warnings {
			if w.Kind == Identical || w.Kind == sameTotal {
				all = append(all, string(w.Kind)+" "+w.Policy+" "+w.Other+": "+w.Message)
			}
		}
		return all
	}
	check := func(want ...string) {
		t.Helper()
		if got := messages(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	write("a", `{"posterior":{"width":1}}`, 20, false, 40, 30, 20, 10)
	write("b", `{"posterior":{"width":2}}`, 20, false, 40, 25, 25, 10)
	write("c", `{"posterior":{"width":2,"steps":3}}`, 20, false, 40, 25, 25, 10)
	write("d", `{"posterior":{"width":4}}`, 20, true, 40, 25, 25, 10)
	write("e", `{}`, 20, false, 40, 25, 25, 11)
	check("same-total b a: b has the same regret as a on every seed, by coincidence: they differ from round 2 of seed 1 on",
		"identical c b: c has the same regret as b in every round: both pulled the same arms, though they differ in steps",
		"identical d b: d has the same regret as b in every round: both pulled the same arms, though they differ in width; the contour of d had no effect in seed 1 before round 3: its multipliers are 1")
	for burnIn := range 2 { // or 40 pulls of each of two arms first
		dir, initial = t.TempDir(), 40*(1-burnIn)
		write("a", `{}`, 80*burnIn, false, 40, 30, 20, 10)
		write("b", `{}`, 80*burnIn, false, 40, 30, 20, 10)
		check("identical b a: b has the same regret as a in every round: no policy acts: burn-in or the first pulls of each arm (protocol.initial) fill the run")
	}
}

// TestExplainReadsOneSeed checks that Explain reads rounds of the first seed only, as Load has hashed all rounds.
func TestExplainReadsOneSeed(t *testing.T) {
	dir := t.TempDir()
	for _, policy := range []string{"a", "b"} {
		for seed := range uint64(3) {
			resultstest.WriteTrial(t, dir, resultstest.Identity(policy, seed+1, 10), 12, 0)
		}
	}
	set := must.Get(results.Load(dir))(t)
	for _, p := range set.Policies {
		for _, rec := range p.Records[1:] {
			must.OK(t, os.Remove(rec.Path))
		}
	}
	s := must.Get(Summarize(set))(t)
	must.OK(t, s.Explain(set))
	must.That(t, slices.ContainsFunc(s.Warnings, func(w Warning) bool { return w.Kind == Identical }), "warnings %+v", s.Warnings)
}

// TestScoresByHand checks scores and improvement. With uniform regrets 1,000, 1,000 and unknown, the scores of a are .9 .8
// and .5 .5. Its trials are better than those of b in 4 of 4 pairs, in 4 ties, and in 3 of 4 pairs without scores.
func TestScoresByHand(t *testing.T) {
	sets := []*results.Set{
		labeled("one", map[string][]float64{"a": {100, 200}, "b": {300, 400}}),
		labeled("two", map[string][]float64{"a": {500, 500}, "b": {500, 500}}),
		labeled("three", map[string][]float64{"a": {1, 3}, "b": {2, 4}}),
	}
	sets[2].Conditions.Environment.UniformRegret = results.Number(math.NaN())
	a := must.Get(CompareAcross(sets, Expected(), "b"))(t)
	p := a.Policies[0]
	must.Hold(t, p.Policy == "a" && a.Baseline == "b" && slices.Equal(a.Unscored, []string{"three"}), "%+v", a)
	must.Near(t, "interquartile mean", p.InterquartileMean.Mean, .65, 1e-12)
	must.Near(t, "optimality gap", p.OptimalityGap.Mean, .325, 1e-12)
	must.Near(t, "improvement", p.Improvement.Mean, 2.25/3, 1e-12)
	must.Near(t, "improvement of the pair", float64(a.Pairs[0].Improvement), 2.25/3, 1e-12)
	must.Refuse(CompareAcross(sets, Expected(), "c"))(t, "known are a, b")
}

// TestTwinsAndHarmed checks that an equal policy ties and that one with a fifth more regret is worse by every number. The
// standard error of a probability is .0125 here, as in TestTwinsTie of package stats.
func TestTwinsAndHarmed(t *testing.T) {
	s := stream.Root(11)
	var sets []*results.Set
	for e := range 36 {
		regret := make(map[string][]float64)
		for _, p := range []string{"one", "twin", "harmed"} {
			for range 30 {
				v := 100 + float64(10*e) + 10*s.Normal()
				if p == "harmed" {
					v *= 1.2
				}
				regret[p] = append(regret[p], v)
			}
		}
		sets = append(sets, labeled(string(rune('A'+e)), regret))
	}
	a := must.Get(CompareAcross(sets, Expected(), "one"))(t)
	by := make(map[string]AcrossPolicy)
	for _, p := range a.Policies {
		by[p.Policy] = p
	}
	one, twin, harmed := by["one"], by["twin"], by["harmed"]
	p := twin.Improvement
	must.That(t, math.Abs(p.Mean-.5) < .05 && p.Low < .5 && p.High > .5, "twin: %+v", p)
	if !(harmed.Improvement.High < .1 && harmed.InterquartileMean.High < one.InterquartileMean.Low && harmed.OptimalityGap.Low > one.OptimalityGap.High && harmed.MeanRank > one.MeanRank+1) {
		t.Errorf("harmed %+v, one %+v", harmed, one)
	}
	taus := []float64{.5, .55, .6, .65, .7, .75, .8, .85}
	low, high := stats.PerformanceProfile(harmed.Scores, taus), stats.PerformanceProfile(one.Scores, taus)
	for k, tau := range taus {
		must.That(t, low[k].Mean < high[k].Mean, "profile at %g: harmed %g, one %g", tau, low[k].Mean, high[k].Mean)
	}
	// The data of figures: the profiles, and the median of the seeds in each environment, which has standard error 2.3.
	thresholds, above := a.Profiles()
	at := func(label string) []stats.Estimate {
		return above[slices.IndexFunc(a.Policies, func(p AcrossPolicy) bool { return p.Policy == label })]
	}
	for k, tau := range thresholds {
		fallen, of, same := at("harmed")[k], at("one")[k], at("twin")[k]
		if fallen.Mean > of.Mean || tau >= .5 && tau < .85 && !(fallen.High < of.Low) || !(math.Abs(same.Mean-of.Mean) < .05) {
			t.Errorf("profile at %g: harmed %+v, one %+v, twin %+v", tau, fallen, of, same)
		}
	}
	for _, set := range sets {
		median := make(map[string]float64)
		for _, p := range Totals(set).Policies {
			median[p.Policy] = float64(p.Regret[Expected()].Median)
		}
		must.That(t, median["harmed"] > median["one"] && math.Abs(median["twin"]-median["one"]) < 15,
			"%s: medians %v", set.Label, median)
	}
}
