package logged

import (
	"context"
	"math"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/results/stats"
)

// means and spec are of a bandit with two contexts, a or b with equal probability, three arms and rewards of 0 and 1.
var (
	means = [2][3]float64{{0.2, 0.5, 0.8}, {0.6, 0.3, 0.1}}
	spec  = bandit.Spec{Dim: 2, Arms: []string{"0", "1", "2"}, IgnoresActions: true, UniformRegret: math.NaN()}
)

// target pulls arm 2 in context a and each arm with ⅓ in b: it earns (.8 + 1/3)/2.
var target = [2][3]float64{{0, 0, 1}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}

const truth = (0.8 + 1.0/3) / 2

// The propensities of a uniform log and of one that is not.
var (
	uniformLogger = [2][3]float64{{1.0 / 3, 1.0 / 3, 1.0 / 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}
	skewedLogger  = [2][3]float64{{0.6, 0.2, 0.2}, {0.2, 0.2, 0.6}}
)

// draw returns n rows logged with the propensities of logger.
func draw(s *stream.Stream, logger [2][3]float64, n int) []Row {
	contexts := [2][]float32{{1, 0}, {0, 1}}
	rows := make([]Row, n)
	for i := range rows {
		x := s.IntN(2)
		u, arm := s.Float64(), 0
		for arm < 2 && u >= logger[x][arm] {
			u -= logger[x][arm]
			arm++
		}
		r := &rows[i]
		r.Context, r.Arm, r.Propensity, r.Time = contexts[x], arm, logger[x][arm], math.NaN()
		if s.Float64() < means[x][arm] {
			r.Reward = 1
		}
	}
	return rows
}

// sampleOf returns the sample of target with the given propensities and model.
func sampleOf(rows []Row, propensity func(x, arm int) float64, model [2][3]float64) *sample {
	s := &sample{}
	for _, r := range rows {
		x := int(r.Context[1])
		value := 0.0
		for a, p := range target[x] {
			value += p * model[x][a]
		}
		s.weight = append(s.weight, target[x][r.Arm]/propensity(x, r.Arm))
		s.reward, s.model, s.value = append(s.reward, r.Reward), append(s.model, model[x][r.Arm]), append(s.value, value)
	}
	return s
}

// simulated is the number of logs in a test of bias.
const simulated = 2000

// TestBias checks that over 2,000 logs the means of IPS and DR are within 4 standard errors of the truth, and that DR varies less than
// IPS with the right model. DR must be unbiased with a wrong model or wrong propensities but not with both, IPS must be biased with wrong
// propensities, the direct method with a wrong model.
func TestBias(t *testing.T) {
	right := func(x, arm int) float64 { return skewedLogger[x][arm] }
	wrong := func(x, arm int) float64 { return 0.5*skewedLogger[x][arm] + 0.3*float64(arm) }
	wrongModel := [2][3]float64{{0.5, 0.1, 0.2}, {0.9, 0.9, 0.9}}
	type test struct {
		name       string
		estimator  Estimator
		propensity func(x, arm int) float64
		model      [2][3]float64
		unbiased   bool
		values     stats.Moments
	}
	tests := []*test{
		{name: "IPS", estimator: named("ips"), propensity: right, unbiased: true},
		{name: "DR, right model", estimator: named("dr"), propensity: right, model: means, unbiased: true},
		{name: "DR, wrong model", estimator: named("dr"), propensity: right, model: wrongModel, unbiased: true},
		{name: "DR, wrong propensities", estimator: named("dr"), propensity: wrong, model: means, unbiased: true},
		{name: "DR, both wrong", estimator: named("dr"), propensity: wrong, model: wrongModel},
		{name: "IPS, wrong propensities", estimator: named("ips"), propensity: wrong},
		{name: "DM, right model", estimator: named("dm"), propensity: right, model: means, unbiased: true},
		{name: "DM, wrong model", estimator: named("dm"), propensity: right, model: wrongModel},
	}
	for run := range simulated {
		rows := draw(stream.Root(uint64(run)).Child("bias"), skewedLogger, 100)
		for _, test := range tests {
			test.values.Add(stats.NewEstimate(test.estimator.of(sampleOf(rows, test.propensity, test.model)).terms).Mean)
		}
	}
	for _, test := range tests {
		e := test.values.Estimate()
		off := math.Abs(e.Mean-truth) / e.StdErr
		t.Logf("%s: %.5f ± %.5f, %.1f standard errors from %.5f", test.name, e.Mean, e.StdErr, off, truth)
		must.That(t, (!test.unbiased || off <= 4) && (test.unbiased || off > 10),
			"%s: %.5f ± %.5f, %.1f standard errors from the truth", test.name, e.Mean, e.StdErr, off)
	}
	ips, dr := tests[0].values.StdDev(), tests[1].values.StdDev()
	must.That(t, dr < ips, "DR varies by %g, IPS by %g: want less", dr, ips)
}

// targets is target as a policy that reports its probabilities.
type targets struct{ draw *stream.Stream }

func (p targets) Propensities(dst []float64, r bandit.Round) error {
	copy(dst, target[int(r.Context[1])][:])
	return nil
}
func (p targets) Act(r bandit.Round) (int, error) {
	u, arm := p.draw.Float64(), 0
	for of := target[int(r.Context[1])]; arm < 2 && u >= of[arm]; arm++ {
		u -= of[arm]
	}
	return arm, nil
}
func (targets) Learn(bandit.Round, int, float64) error { return nil }

// hidden is target as a policy that does not report its probabilities.
type hidden struct{ p targets }

func (h hidden) Act(r bandit.Round) (int, error)        { return h.p.Act(r) }
func (h hidden) Learn(bandit.Round, int, float64) error { return nil }

func newTargets(s policy.Setup) (bandit.Policy, error) { return targets{s.Stream.Child("draw")}, nil }
func newHidden(s policy.Setup) (bandit.Policy, error) {
	return hidden{targets{s.Stream.Child("draw")}}, nil
}

func linear(s posterior.Setup) (posterior.Posterior, error) {
	return exact.Linear().New(exact.LinearOptions{Lambda: 1, Noise: 1, Discount: 1}, s)
}

// TestBiasOfSamples checks that runPolicies is unbiased over logs, with models trained on the other folds: for fixed policies that report
// their probabilities or act once, and for replay and rejection sampling of a policy that does not learn.
func TestBiasOfSamples(t *testing.T) {
	const logs, rows = 400, 120
	type key struct {
		logger, policy, what string
	}
	values := map[key]stats.Moments{}
	add := func(k key, v float64) {
		m := values[k]
		m.Add(v)
		values[k] = m
	}
	policies := []Policy{{Label: "known", New: newTargets}, {Label: "hidden", New: newHidden}}
	for name, logger := range map[string][2][3]float64{"uniform": uniformLogger, "skewed": skewedLogger} {
		for run := range logs {
			l := must.Get(New(name, spec, draw(stream.Root(uint64(run)).Child("run", name), logger, rows)))(t)
			if l.Description.Uniform != (name == "uniform") {
				t.Fatalf("%s: uniform is %v", name, l.Description.Uniform)
			}
			for _, train := range []bool{true, false} {
				r := must.Get(runPolicies(context.Background(), l, policies, Options{Model: linear, Folds: 2, Round: 20, Replay: !train, Seed: uint64(run)}))(t)
				for _, p := range r.policies {
					if !train {
						sum := 0.0
						for _, v := range p.rewards {
							sum += v
						}
						// The number of accepted rows does not depend on their rewards, so the sum of rewards less truth has mean 0.
						add(key{name, p.diagnostics.Policy, "accepted reward less truth"}, sum-truth*float64(len(p.rewards)))
						continue
					}
					for _, e := range []Estimator{named("ips"), named("dr")} {
						add(key{name, p.diagnostics.Policy, e.Name}, stats.NewEstimate(e.of(p.sample).terms).Mean-truth)
					}
				}
			}
		}
	}
	must.Equal(t, "means", len(values), 12)
	for k, m := range values {
		e := m.Estimate()
		must.That(t, math.Abs(e.Mean) <= 4.5*e.StdErr && e.StdErr > 0, "%v: %.5f ± %.5f from the truth", k, e.Mean, e.StdErr)
	}
}

// learner pulls the arm of the highest mean reward so far, each arm once at first: what it earns depends on what it has learned.
type learner struct {
	sum, n [3]float64
}

func (p *learner) Act(bandit.Round) (int, error) {
	best, at := math.Inf(-1), 0
	for a := range p.n {
		if p.n[a] == 0 {
			return a, nil
		}
		if v := p.sum[a] / p.n[a]; v > best {
			best, at = v, a
		}
	}
	return at, nil
}

func (p *learner) Learn(_ bandit.Round, arm int, reward float64) error {
	p.sum[arm] += reward
	p.n[arm]++
	return nil
}

// TestReplayOfLearner checks that a learning policy earns as much in its first 20 pulls by replay on a uniform log, and by rejection
// sampling on another, as online: the means over 2,000 runs are within 4.5 standard errors (Li et al. 2011).
func TestReplayOfLearner(t *testing.T) {
	const pulls = 20
	var online stats.Moments
	for run := range simulated {
		s := stream.Root(uint64(run)).Child("online")
		p, sum := &learner{}, 0.0
		for range pulls {
			x := s.IntN(2)
			arm, _ := p.Act(bandit.Round{})
			reward := 0.0
			if s.Float64() < means[x][arm] {
				reward = 1
			}
			p.Learn(bandit.Round{}, arm, reward)
			sum += reward
		}
		online.Add(sum / pulls)
	}
	for name, logger := range map[string][2][3]float64{"uniform": uniformLogger, "skewed": skewedLogger} {
		var replayed stats.Moments
		for run := range simulated {
			l := must.Get(New(name, spec, draw(stream.Root(uint64(run)).Child("replay", name), logger, 250)))(t)
			r := must.Get(runPolicies(context.Background(), l, []Policy{{Label: "learner", New: func(policy.Setup) (bandit.Policy, error) { return &learner{}, nil }}}, Options{Folds: 2, Round: 10, Replay: true, Pulls: pulls, Seed: uint64(run)}))(t)
			got := r.policies[0]
			if len(got.rewards) != pulls || l.Description.Uniform != (name == "uniform") {
				t.Fatalf("%s: log %d accepts %d rows of %d", name, run, len(got.rewards), got.diagnostics.Rows)
			}
			replayed.Add(stats.NewEstimate(got.rewards).Mean)
		}
		a, b := replayed.Estimate(), online.Estimate()
		t.Logf("%s: %.4f ± %.4f, in the world %.4f ± %.4f", name, a.Mean, a.StdErr, b.Mean, b.StdErr)
		must.That(t, math.Abs(a.Mean-b.Mean)/math.Hypot(a.StdErr, b.StdErr) <= 4.5,
			"%s: replay earns %.4f ± %.4f, the world %.4f ± %.4f", name, a.Mean, a.StdErr, b.Mean, b.StdErr)
	}
}

// TestRunPolicies checks that results do not depend on Parallel, and that policies are judged on rows they have not learned.
func TestRunPolicies(t *testing.T) {
	l := must.Get(New("log", spec, draw(stream.Root(1), skewedLogger, 3000)))(t)
	kind := policy.UCBKind(exact.Linear(), 1)
	ucb := Policy{Label: "UCB", New: func(s policy.Setup) (bandit.Policy, error) { return kind.New(kind.Defaults(), s) }}
	policies := []Policy{ucb, always(1)}
	o := Options{Model: linear, Folds: 3, Round: 50, Seed: 7}
	one := must.Get(runPolicies(context.Background(), l, policies, o))(t)
	o.Parallel = func(n int, f func(int)) {
		done := make(chan bool)
		for i := range n {
			go func() { f(i); done <- true }()
		}
		for range n {
			<-done
		}
	}
	two := must.Get(runPolicies(context.Background(), l, policies, o))(t)
	for i, p := range one.policies {
		for k, w := range p.sample.weight {
			if q := two.policies[i].sample; w != q.weight[k] || p.sample.model[k] != q.model[k] || p.sample.value[k] != q.value[k] {
				t.Fatalf("%s: row %d depends on what runs at a time", p.diagnostics.Policy, k+1)
			}
		}
	}
	// UCB learns to pull arm 2 in a and arm 0 in b, which earns .7.
	v := stats.NewEstimate(named("dr").of(one.policies[0].sample).terms)
	must.That(t, math.Abs(v.Mean-0.7) <= 4*v.StdErr && v.StdErr <= 0.05, "UCB would earn %g ± %g, want .7", v.Mean, v.StdErr)
	must.That(t, !one.policies[0].diagnostics.Draws && !one.policies[1].diagnostics.Draws,
		"policies that choose one arm are said to draw")
	short := must.Get(New("short", spec, draw(stream.Root(1), skewedLogger, 60)))(t)
	o = Options{Folds: 2, Round: 50, Replay: true, Seed: 1}
	r := must.Get(runPolicies(context.Background(), short, []Policy{ucb}, o))(t)
	p := r.policies[0].diagnostics
	must.That(t, p.Replay && !p.Verdict() && strings.Contains(p.Cure, "uniform pulls"), "replay of few rows: %+v", p)
	oracle := Policy{Label: "Oracle", New: func(s policy.Setup) (bandit.Policy, error) { return policy.OracleKind().New(struct{}{}, s) }}
	must.Refuse(runPolicies(context.Background(), short, []Policy{oracle}, o))(t, "leave it out")
}

// TestPropensitiesContradict checks that no policy has a verdict on a log with propensities of ⅓ but uneven pulls, or with the
// propensities of other rows. Right propensities pass on all of 300 logs; the chance of a false alarm is one in 10,000 per log.
func TestPropensitiesContradict(t *testing.T) {
	reasons := func(rows []Row) []string {
		l := must.Get(New("log", spec, rows))(t)
		r := must.Get(runPolicies(t.Context(), l, []Policy{always(1)}, Options{Folds: 2, Round: 50, Seed: 1}))(t)
		return r.policies[0].diagnostics.Against
	}
	refused := func(against []string) bool {
		return len(against) > 0 && strings.HasPrefix(against[0], "the propensities contradict the pulls: the mean of 1{arm = ")
	}
	for run := range 300 {
		against := reasons(draw(stream.Root(uint64(run)), skewedLogger, 1000))
		must.Hold(t, !refused(against), "log %d with right propensities: %q", run, against)
	}
	flat, dealt := draw(stream.Root(1), skewedLogger, 3000), draw(stream.Root(1), skewedLogger, 3000)
	for i := range flat {
		flat[i].Propensity = 1. / 3
		dealt[i].Propensity = dealt[(i+1)%len(dealt)].Propensity
	}
	for name, rows := range map[string][]Row{"flat": flat, "dealt": dealt} {
		against := reasons(rows)
		must.That(t, refused(against), "%s: reasons %q", name, against)
	}
}
