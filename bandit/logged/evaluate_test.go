package logged

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/results/stats"
)

var twoArms = bandit.Spec{Dim: 1, Arms: []string{"no", "yes"}, IgnoresActions: true, UniformRegret: math.NaN()}

// flips returns a log of n rows: arm 1 is pulled with the propensities ps in turn. Arm 1 pays 1 with probability .7, arm 0 with .3.
func flips(t *testing.T, n int, ps ...float64) *Log {
	t.Helper()
	s := stream.Root(1).Child("logs")
	rows := make([]Row, n)
	for i := range rows {
		r, p := &rows[i], ps[i%len(ps)]
		r.Context, r.Propensity, r.Time = []float32{1}, 1-p, math.NaN()
		if s.Float64() < p {
			r.Arm, r.Propensity = 1, p
		}
		if s.Float64() < 0.3+0.4*float64(r.Arm) {
			r.Reward = 1
		}
	}
	return must.Get(New("made.csv", twoArms, rows))(t)
}

func always(arm int) Policy {
	return Policy{Label: fmt.Sprintf("always %d", arm), New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(arm), nil }}
}

func ucb1(s policy.Setup) (bandit.Policy, error) {
	return policy.UCB1Kind().New(policy.UCB1Kind().Defaults(), s)
}

// evaluation evaluates always 0, always 1 and UCB1, which is replayed.
func evaluation(t *testing.T, l *Log, o Options) *Evaluation {
	t.Helper()
	o.Replay, o.Model = true, linear
	return must.Get(Evaluate(t.Context(), l, []Policy{always(0), always(1), {Label: "UCB1", New: ucb1}}, o))(t)
}

func options(interval string) Options {
	o := DefaultOptions()
	o.Estimators, o.Interval = nil, interval
	for _, e := range Estimators() {
		o.Estimators = append(o.Estimators, e.Name)
	}
	return o
}

// TestSummary checks results for always 1 on a uniform log: its exact interval is that of the rows with arm 1, its IPS the sum of their
// rewards over half the number of rows, and its difference from the log's mean reward is paired.
func TestSummary(t *testing.T) {
	l := flips(t, 2000, 0.5)
	s := evaluation(t, l, options(studentT))
	n, k, earned := 0, 0, 0
	var paired []float64
	for r := range l.Rows() {
		paired = append(paired, 2*r.Reward*float64(r.Arm)-r.Reward)
		earned += int(r.Reward)
		if r.Arm == 1 {
			n++
			k += int(r.Reward)
		}
	}
	ips, snips := s.line("always 1", "ips"), s.line("always 1", "snips")
	must.Near(t, "IPS", ips.Mean.Mean, float64(2*k)/2000, 1e-12)
	if low, high := stats.ClopperPearson(k, n); snips.Exact != [2]float64{low, high} || math.Abs(snips.Mean.Mean-float64(k)/float64(n)) > 1e-12 {
		t.Errorf("SNIPS %g with %v, want %d of %d, [%g, %g]", snips.Mean.Mean, snips.Exact, k, n, low, high)
	}
	if want := stats.NewEstimate(paired); math.Abs(ips.Difference.Mean-want.Mean) > 1e-12 || math.Abs(ips.Difference.StdErr-want.StdErr) > 1e-12 {
		t.Errorf("difference %+v, want %+v", ips.Difference, want)
	}
	// Holm's correction is for the two policies of an estimator: the smaller p is doubled.
	if other := s.line("always 0", "ips"); s.Tests != 2 || !(ips.P > 0) || math.Min(ips.Holm, other.Holm) != 2*math.Min(ips.P, other.P) || math.Abs(other.Difference.Mean+ips.Difference.Mean) > 1e-12 {
		t.Errorf("Holm %g of p %g; differences %g and %g", ips.Holm, ips.P, other.Difference.Mean, ips.Difference.Mean)
	}
	must.That(t, ips.Sequence[0] <= ips.Bernstein[0] && ips.Bernstein[0] < 0.7 && 0.7 < ips.Bernstein[1] &&
		ips.Bernstein[1] <= ips.Sequence[1], "Bernstein %v, sequence %v", ips.Bernstein, ips.Sequence)
	for _, l := range s.Estimates {
		if l.Estimator == "dr" && math.Abs(l.Mean.Mean-map[string]float64{"always 0": 0.3, "always 1": 0.7}[l.Policy]) > 4.5*l.Mean.StdErr {
			t.Errorf("DR of %s is %s", l.Policy, l.Mean)
		}
	}
}

func (e *Evaluation) line(policy, estimator string) *Estimate {
	for i := range e.Estimates {
		if e.Estimates[i].Policy == policy && e.Estimates[i].Estimator == estimator {
			return &e.Estimates[i]
		}
	}
	return nil
}

// TestBaselineAndIntervals checks that policies are compared with the baseline row by row, and that intervals are as requested.
func TestBaselineAndIntervals(t *testing.T) {
	l := flips(t, 600, 0.5)
	o := options(studentT)
	o.Baseline = "always 0"
	o.Against = &Earned{"other", stats.NewEstimate([]float64{0, 1, 1, 0, 1})}
	s := evaluation(t, l, o)
	for _, line := range s.Estimates {
		switch {
		case line.Policy == "always 0" && !math.IsNaN(line.Difference.Mean):
			t.Errorf("the baseline differs from itself by %g", line.Difference.Mean)
		case line.Policy == "always 1" && math.Abs(line.Difference.Mean-line.Mean.Mean+s.line("always 0", line.Estimator).Mean.Mean) > 1e-9:
			t.Errorf("%s differs by %g", line.Estimator, line.Difference.Mean)
		}
		must.Near(t, line.Estimator+" against the other log", line.Against.Mean, line.Mean.Mean-0.6, 1e-9)
	}
	for _, interval := range Intervals() {
		s := evaluation(t, l, options(interval))
		ips, snips := s.line("always 1", "ips"), s.line("always 1", "snips")
		want := map[string][2]float64{studentT: {ips.Student.Low, ips.Student.High}, empiricalBernstein: ips.Bernstein, confidenceSequence: ips.Sequence}[interval]
		got := [2]float64{ips.Mean.Low, ips.Mean.High}
		switch interval {
		case clopperPearson:
			want, got = snips.Exact, [2]float64{snips.Mean.Low, snips.Mean.High}
		case bootstrapT: // close to Student's
			if math.Abs(got[0]-ips.Student.Low) < 0.02 && math.Abs(got[1]-ips.Student.High) < 0.02 && got[0] != ips.Student.Low {
				continue
			}
		}
		must.Equal(t, interval, got, want)
	}
	for name, change := range map[string]func(*Options){
		"unknown policy": func(o *Options) { o.Baseline = "alway 1" }, "rewards outside": func(o *Options) { o.High = 0.5 },
		"estimator": func(o *Options) { o.Estimators = []string{"snip"} }, "interval": func(o *Options) { o.Interval = "u" }, "folds": func(o *Options) { o.Folds = 6 },
	} {
		o, wrong := DefaultOptions(), &InputError{}
		change(&o)
		_, err := Evaluate(t.Context(), l, []Policy{always(1)}, o)
		must.That(t, errors.As(err, &wrong), "%s: error %v", name, err)
	}
}

// TestTrained checks that a policy trained on folds has wider intervals, and none of those that need independent rows; and that the
// difference of two policies has the same standard error whichever is the baseline, and none if the log has no verdict on one of them.
func TestTrained(t *testing.T) {
	l := flips(t, 2000, 0.5)
	kinds := []Policy{{Label: "UCB1", New: ucb1}}
	for folds := 2; folds <= 5; folds++ {
		o := options(studentT)
		o.Folds = folds
		r := must.Get(runPolicies(t.Context(), l, kinds, o))(t)
		s := must.Get(Evaluate(t.Context(), l, kinds, o))(t)
		ips, f := s.line("UCB1", "ips"), 1+float64(folds)/10
		plain := stats.NewEstimate(named("ips").of(r.policies[0].sample).terms)
		if math.Abs(ips.Mean.StdErr/plain.StdErr-f) > 1e-12 || math.Abs(ips.Mean.Half()/plain.Half()-f) > 1e-12 || !math.IsNaN(ips.Bernstein[0]) || !math.IsNaN(s.line("UCB1", "snips").Exact[0]) {
			t.Errorf("%d folds: %+v, want %g times %+v", folds, ips, f, plain)
		}
		if ips.Student != ips.Mean { // the chosen interval is Student's
			t.Errorf("%d folds: Student's interval is %+v, that of the estimate %+v", folds, ips.Student, ips.Mean)
		}
		d := ips.Difference
		must.That(t, ips.P > 0 && math.Abs(d.PValue()-ips.P) <= 1e-12, "%d folds: p %g of the difference %+v", folds, ips.P, d)
	}
	between := func(l *Log, base, other string) *Estimate {
		o := options(studentT)
		o.Baseline = base
		return must.Get(Evaluate(t.Context(), l, append(kinds, always(0), always(1)), o))(t).line(other, "ips")
	}
	must.Near(t, "its error", between(l, "UCB1", "always 0").Difference.StdErr, between(l, "always 0", "UCB1").Difference.StdErr, 1e-12)
	p := between(flips(t, 2000, 0.004), "always 1", "always 0").P
	must.That(t, math.IsNaN(p), "p %g of the difference from a baseline without a verdict", p)
}

// TestFoldFactor simulates the worst case of foldFactor: arms of equal value and a policy that takes the best arm of the other folds. The
// mean over the folds must be within 1.96·foldFactor standard errors in 95 % of 20,000 draws, a share with a standard error of .15 %.
func TestFoldFactor(t *testing.T) {
	const draws = 20_000
	s := stream.Root(1).Child("folds")
	for folds := 2; folds <= maxFolds; folds++ {
		for _, arms := range []int{2, 3, 5, 10, 30} {
			held, normals := 0, make([]float32, folds*arms)
			for range draws {
				s.Normals(normals)
				sum := 0.0
				for k := range folds {
					best, most := 0, math.Inf(-1)
					for a := range arms {
						others := 0.0
						for j := range folds {
							if j != k {
								others += float64(normals[j*arms+a])
							}
						}
						if others > most {
							best, most = a, others
						}
					}
					sum += float64(normals[k*arms+best])
				}
				if math.Abs(sum) <= 1.96*foldFactor(folds)*math.Sqrt(float64(folds)) {
					held++
				}
			}
			share := float64(held) / draws
			must.That(t, share > 0.95-4.5*0.0015, "%d folds, %d arms: intervals hold on %.3f", folds, arms, share)
		}
	}
}

// TestPool checks that groups of terms have the mean of the terms, and about its standard error.
func TestPool(t *testing.T) {
	s := stream.Root(1).Child("pool")
	terms := make([]float64, 3*maxPooled+1234)
	for i := range terms {
		terms[i] = math.Exp(4 * s.Float64())
	}
	all, groups := stats.NewEstimate(terms), stats.NewEstimate(pool(terms))
	must.That(t, groups.N == maxPooled && math.Abs(groups.Mean-all.Mean) <= 1e-9 && math.Abs(groups.StdErr/all.StdErr-1) <= 0.08,
		"groups %+v of terms %+v", groups, all)
}

// TestAvailableArms checks estimates if one of three arms is unavailable in half of the rows. There, Uniform and a policy that wants the
// unavailable arm earn the mean of the other two arms, a learning policy the better of them. Right propensities must not be refused.
func TestAvailableArms(t *testing.T) {
	s := stream.Root(5)
	rows, pays := make([]Row, 8000), []float64{0.2, 0.5, 0.8}
	for i := range rows {
		rows[i] = Row{Context: []float32{1}, Arm: s.IntN(3), Propensity: 1.0 / 3, Time: math.NaN()}
		if i%2 == 0 { // arm 2 is unavailable in half of these, arm 0 in the other half
			rows[i].Available, rows[i].Arm, rows[i].Propensity = []bool{i%4 == 0, true, i%4 == 2}, s.IntN(2), 0.5
			if i%4 == 2 {
				rows[i].Arm++
			}
		}
		if s.Float64() < pays[rows[i].Arm] {
			rows[i].Reward = 1
		}
	}
	three := twoArms
	three.Arms = []string{"0", "1", "2"}
	l := must.Get(New("made.csv", three, rows))(t)
	w := l.Description.Weight.Mean
	must.That(t, math.Abs(w-1) < 1e-9 && !l.Description.Uniform, "mean of 1/(K·p) %g, uniform %t", w, l.Description.Uniform)
	known := Policy{Label: "Uniform", New: func(setup policy.Setup) (bandit.Policy, error) { return policy.UniformKind().New(struct{}{}, setup) }}
	greedy := func(setup policy.Setup) (bandit.Policy, error) {
		k := policy.ThompsonKind(exact.Linear())
		o := k.Defaults()
		o.Act = "mean"
		return k.New(o, setup)
	}
	e := must.Get(Evaluate(t.Context(), l, []Policy{known, always(2), {Label: "greedy", New: greedy}}, DefaultOptions()))(t)
	for policy, want := range map[string]float64{"Uniform": (0.35 + 0.65 + 2*0.5) / 4, "always 2": (0.35 + 3*0.8) / 4, "greedy": (0.5 + 3*0.8) / 4} {
		if got := e.line(policy, "ips"); !got.Verdict || !(math.Abs(got.Mean.Mean-want) < 4.5*got.Mean.StdErr) {
			t.Errorf("%s would have earned %v, verdict %t, want %g", policy, got.Mean, got.Verdict, want)
		}
	}
	// An arm that the log never has concerns only policies that pull it.
	three.Arms = append(three.Arms, "3")
	for i := range rows {
		rows[i].Available = append(rows[i].Available, true)
		if i%2 == 1 {
			rows[i].Available = nil
		}
	}
	l = must.Get(New("made.csv", three, rows))(t)
	e = must.Get(Evaluate(t.Context(), l, []Policy{known, always(1)}, DefaultOptions()))(t)
	must.That(t, e.Diagnostics[1].Verdict(), "always 1: %q", e.Diagnostics[1].Against)
	must.Contain(t, fmt.Sprint(e.Diagnostics[0].Against), "% of its pulls are of arms that the log never has: 3")
}

type wrong struct{ bandit.Policy }
type lost struct{ *witness }

func (wrong) Propensities(dst []float64, _ bandit.Round) error { dst[0], dst[1] = 2, -1; return nil }
func (lost) Predict(dst []float64, _ [][]float32, _ posterior.Prediction) error {
	dst[0] = math.NaN()
	return nil
}

func TestWrongNumbers(t *testing.T) {
	l, o := flips(t, 100, 0.5), DefaultOptions()
	own := func(policy.Setup) (bandit.Policy, error) { return wrong{policy.Fixed(0)}, nil }
	must.Refuse(Evaluate(t.Context(), l, []Policy{{Label: "own", New: own}}, o))(t, "its propensities are [2 -1], want")
	o.Model = func(posterior.Setup) (posterior.Posterior, error) {
		return lost{&witness{learned: map[float32]int{}}}, nil
	}
	must.Refuse(Evaluate(t.Context(), l, []Policy{always(1)}, o))(t, "arm no: a prediction of NaN, want")
}
