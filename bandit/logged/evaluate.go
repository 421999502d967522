package logged

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results/stats"
)

// A Policy is a policy to evaluate, with either New or Columns.
type Policy struct {
	Label   string
	New     func(policy.Setup) (bandit.Policy, error)
	Columns *Columns // columns of a table that say what the policy does in each row
}

// Options of Evaluate.
type Options struct {
	// Model returns a model of rewards; nil: estimators that need predictions are left out.
	Model func(posterior.Setup) (posterior.Posterior, error)
	// Folds is the number of folds of the log, at least 2: the model that predicts a row has not seen the row's fold.
	Folds int
	// With Replay, policies that learn do so as they go through the log. Else each is trained on all folds but one,
	// frozen, and evaluated on that one, for every fold.
	Replay bool
	// Round: a model or a policy trains after every Round rows; at least 1.
	Round int
	// Pulls is the number of accepted rows after which a replay ends; 0: it ends with the log.
	Pulls    int
	Seed     uint64
	Parallel posterior.Parallel // nil: sequential; results do not depend on it

	Estimators []string // names of Estimators
	Interval   string   // kind of interval, one of Intervals
	// Low and High bound the rewards; some intervals need them. If both are 0, the bounds are 0 and 1 if the log has no
	// other rewards, else unknown.
	Low, High float64
	// Baseline is the label of the policy that the others are compared with; "": the rewards in the log.
	Baseline string
	Against  *Earned // another log to compare with; nil: none
}

// DefaultOptions returns two folds, rounds of 100 rows, the estimators DR, SNIPS and IPS, and t-intervals.
func DefaultOptions() Options {
	return Options{Folds: 2, Round: 100, Seed: 1, Estimators: []string{"dr", "snips", "ips"}, Interval: studentT}
}

// maxFolds is the largest number of folds without Replay. The more folds, the more the estimates vary: see foldFactor.
const maxFolds = 5

// The names of intervals. docs/logged.md has their coverage.
const (
	studentT           = "t"
	bootstrapT         = "bootstrap" // bootstrap-t
	empiricalBernstein = "bernstein" // empirical Bernstein, for IPS
	confidenceSequence = "sequence"  // confidence sequence, for IPS
	clopperPearson     = "exact"     // Clopper–Pearson, for rewards 0 and 1 in the rows whose arm the policy takes
)

// Intervals returns the names of all intervals.
func Intervals() []string {
	return []string{studentT, bootstrapT, empiricalBernstein, confidenceSequence, clopperPearson}
}

// check returns the estimators that o names, or an error if o does not fit the log or the policies.
func (o *Options) check(l *Log, policies []Policy) ([]Estimator, error) {
	labels := lists.Each(policies, func(p Policy) string { return p.Label })
	estimators, err := estimatorsOf(o.Estimators)
	if err == nil {
		_, err = nearest.Parse("--interval: unknown interval", o.Interval, Intervals())
	}
	if err == nil && o.Baseline != "" {
		_, err = nearest.Parse("--baseline: unknown policy", o.Baseline, labels)
	}
	most := maxFolds
	if o.Replay {
		most = 100
	}
	if weighted := func(e Estimator) bool { return e.Name != "dm" }; err == nil && l.Unrecorded && (o.Replay || slices.ContainsFunc(estimators, weighted)) {
		return nil, l.wrap(ErrNoPropensities)
	}
	low, high := o.bounds(l)
	d, ranged := l.Description, o.Interval == empiricalBernstein || o.Interval == confidenceSequence
	err = cmp.Or(err,
		check.That(o.Folds >= 2 && o.Folds <= most, "--folds %d: want 2 to %d", o.Folds, most),
		check.That(o.Round >= 1 && o.Round <= 1e6, "--round %d: want 1 to 1000000", o.Round),
		check.That(o.Pulls >= 0, "--accept %d: want at least 0", o.Pulls),
		check.That(!ranged && o.Interval != clopperPearson || l.propensity == nil, "--interval %s: it holds for propensities that were recorded, "+
			"not for estimates: want t or bootstrap", o.Interval),
		check.That(low < high || !ranged, "--interval %s: it holds for rewards in a known range, and what the log has is none: "+
			"give the least and the largest possible with --range LOW,HIGH", o.Interval),
		check.That(low >= high || low <= d.RewardMin && high >= d.RewardMax, "rewards from %g to %g: the log has %g to %g: want a range that holds them", low, high, d.RewardMin, d.RewardMax))
	if err != nil {
		return nil, &InputError{err.Error()}
	}
	return estimators, nil
}

// bounds returns the range of the rewards; 0 and 0 if it is unknown.
func (o *Options) bounds(l *Log) (low, high float64) {
	if o.Low == 0 && o.High == 0 && l.Description.Binary {
		return 0, 1
	}
	return o.Low, o.High
}

// ErrNoContext is returned if a policy or propensity model would learn although no column was recognized as context.
var ErrNoContext = errors.New("without a context: no column was recognized as one")

// An Earned is the mean reward of a log.
type Earned struct {
	Name string
	Mean stats.Estimate
}

// An Evaluation is the result of Evaluate.
type Evaluation struct {
	Log         *Log
	Options     Options
	Low, High   float64 // range of the rewards; equal if it is unknown
	Interval    string  // the interval in words
	AnyStop     bool    // intervals are confidence sequences, which hold after any number of rows, and Options has the range of rewards
	Diagnostics []Diagnostics
	Estimates   []Estimate // policy by policy, and for each policy in the order of Estimators
	Clips       []Clip
	Tests       int     // largest number of tests of one estimator; Holm's method corrects them per estimator
	FoldFactor  float64 // factor by which intervals of trained policies are widened
}

// An Estimate is an estimate of a policy's mean reward. Intervals that do not apply are NaN.
type Estimate struct {
	Policy     string
	Estimator  string // name; ByReplay for a replay
	Title      string
	Biased     bool
	Verdict    bool
	Mean       stats.Estimate // with the interval of Options.Interval
	Student    stats.Estimate // with Student's interval
	Sequence   [2]float64     // confidence sequence
	Bernstein  [2]float64
	Exact      [2]float64
	Parameter  float64
	Difference stats.Estimate // difference from the baseline, paired by row unless it is a replay; NaN for the baseline itself
	P, Holm    float64
	Truth      float64        // expected reward in the simulated environment; NaN without one
	Against    stats.Estimate // unpaired difference from Options.Against
	Skewed     bool
}

// ByReplay is the name of the estimator of policies that learn by replay.
const ByReplay = "replay"

// A Clip is the estimate by DR, or by IPS without a model of rewards, with weights above the field Clip lowered to it.
type Clip struct {
	Policy string
	Clip   float64
	Mean   stats.Estimate
}

// Preferred returns the name of the estimator for verdicts: dr, else snips, else the first one; "" without estimates.
func (e *Evaluation) Preferred() string {
	for _, name := range []string{"dr", "snips"} {
		if slices.ContainsFunc(e.Estimates, func(l Estimate) bool { return l.Estimator == name }) {
			return name
		}
	}
	if len(e.Estimates) == 0 {
		return ""
	}
	return e.Estimates[0].Estimator
}

// Evaluate estimates from a log what policies would have earned. It trains them on a part of the log and evaluates them
// on the rest; with Options.Replay, policies that learn are replayed instead.
func Evaluate(ctx context.Context, l *Log, policies []Policy, o Options) (*Evaluation, error) {
	estimators, err := o.check(l, policies)
	if err != nil {
		return nil, err
	}
	r, err := runPolicies(ctx, l, policies, o)
	if err != nil {
		return nil, err
	}
	return r.evaluate(estimators), nil
}

func (r *run) evaluate(estimators []Estimator) *Evaluation {
	e := &Evaluation{Log: r.log, Options: r.Options, FoldFactor: foldFactor(r.Folds), AnyStop: r.Interval == confidenceSequence && r.Low < r.High}
	e.Interval = map[string]string{studentT: "t-interval", bootstrapT: "bootstrap-t interval", empiricalBernstein: "empirical Bernstein interval (of IPS)",
		confidenceSequence: "confidence sequence (of IPS)", clopperPearson: "Clopper–Pearson interval of matched rows"}[r.Interval]
	e.Low, e.High = r.bounds(r.log)
	estimators = slices.DeleteFunc(estimators, func(estimator Estimator) bool { return estimator.Model && r.Model == nil })
	base := r.baseline(estimators)
	for i := range r.policies {
		p := &r.policies[i]
		e.Diagnostics = append(e.Diagnostics, p.diagnostics)
		if p.replay != nil {
			estimator := Estimator{Name: ByReplay, Title: "rejection"}
			if r.log.Description.Uniform {
				estimator.Title = "replay"
			}
			e.add(base, p, estimator, estimate{terms: p.rewards, parameter: math.NaN()})
			continue
		}
		for _, estimator := range estimators {
			e.add(base, p, estimator, estimator.of(p.sample))
		}
		s := p.sample
		if s.model == nil {
			s = s.withoutModel()
		}
		for _, c := range clips(s) {
			if r.log.Unrecorded {
				break
			}
			clipped := terms(s, func(w float64) float64 { return min(w, c) })
			e.Clips = append(e.Clips, Clip{p.label, c, stats.NewEstimate(clipped)})
		}
	}
	e.correct()
	return e
}

// add appends the estimate of a policy. P and the interval of Difference are NaN if the policy or the baseline has no
// verdict, or the estimator is biased. An interval of Mean, Student or Difference that is one point becomes NaN.
func (e *Evaluation) add(base *reference, p *candidate, estimator Estimator, found estimate) {
	none, unknown := [2]float64{math.NaN(), math.NaN()}, stats.NewEstimate(nil)
	l := Estimate{Policy: p.label, Estimator: estimator.Name, Title: estimator.Title, Verdict: p.diagnostics.Verdict(),
		Biased: estimator.Biased, Student: stats.NewEstimate(found.terms), Sequence: none, Bernstein: none, Exact: none,
		Parameter: found.parameter, Difference: unknown, P: math.NaN(), Holm: math.NaN(), Truth: p.truth, Against: unknown}
	switch d, s := e.Log.Description, p.sample; {
	case p.trained: // none of the intervals below: with policies trained on folds, terms are not independent
	case e.Log.propensity != nil || e.Log.Unrecorded: // none of the intervals below: they hold for known weights
	case estimator.Name == "ips" && e.Low < e.High:
		l.Bernstein[0], l.Bernstein[1] = stats.EmpiricalBernstein(s.weight, s.reward, e.Low, e.High)
		l.Sequence[0], l.Sequence[1] = stats.ConfidenceSequence(s.weight, s.reward, e.Low, e.High)
	case estimator.Name == "snips" && d.Uniform && d.Binary:
		l.Exact[0], l.Exact[1] = matched(s.weight, s.reward)
	case estimator.Name == ByReplay && d.Binary && len(p.rewards) > 0:
		l.Exact[0], l.Exact[1] = matched(slices.Repeat([]float64{1}, len(p.rewards)), p.rewards)
	}
	l.Skewed = p.sample != nil && skewed(found.terms)
	l.choose(e.Options.Interval, found.terms)
	if p.trained {
		l.Student, l.Mean = l.Student.Widened(e.FoldFactor), l.Mean.Widened(e.FoldFactor)
	}
	e.compare(&l, found.terms, base.terms)
	if p.trained || base.trained {
		l.Difference = l.Difference.Widened(e.FoldFactor)
		l.P = l.Difference.PValue()
	}
	if !l.Verdict || !base.verdict || l.Biased {
		l.P, l.Difference.Low, l.Difference.High = math.NaN(), math.NaN(), math.NaN()
	}
	dropPoints(&l.Mean, &l.Student, &l.Difference)
	e.Estimates = append(e.Estimates, l)
}

// dropPoints replaces intervals that are a single point, because all terms are equal, by NaN.
func dropPoints(list ...*stats.Estimate) {
	for _, e := range list {
		if e.StdErr == 0 && e.Low == e.High {
			e.Low, e.High = math.NaN(), math.NaN()
		}
	}
}

// foldFactor returns the factor that widens the intervals of a policy trained on folds. The policy prefers arms lucky
// in its training folds, and each fold also trains the policies judged on the others, so the errors of folds have a
// positive covariance, largest if all arms have equal values and each policy takes the best arm of its training folds.
// Even then, with 1 + J/10 for J folds, 95 % intervals hold on ≥ 95 % of logs, for 2 to 30 arms (TestFoldFactor).
func foldFactor(folds int) float64 { return 1 + float64(folds)/10 }

// matched returns the Clopper–Pearson interval of the value of a deterministic policy from a uniform log with rewards 0
// and 1. In the rows whose arm the policy takes, rewards are independent and 1 with a probability equal to the value.
// The interval is NaN if weights above 0 differ: the policy is random then.
func matched(weights, reward []float64) (low, high float64) {
	n, k, weight := 0, 0, 0.0
	for i, r := range reward {
		switch w := weights[i]; {
		case w == 0:
			continue
		case weight == 0:
			weight = w
		case math.Abs(w-weight) > 1e-6*weight:
			return math.NaN(), math.NaN()
		}
		n++
		k += int(r)
	}
	if n == 0 {
		return 0, 1
	}
	return stats.ClopperPearson(k, n)
}

// choose sets Mean, with the interval that method names; terms are those of the estimate.
func (l *Estimate) choose(method string, terms []float64) {
	l.Mean = l.Student
	m := &l.Mean
	switch method {
	case bootstrapT:
		if m.Low, m.High = math.NaN(), math.NaN(); m.N > 1 && !math.IsNaN(m.Mean) {
			m.Low, m.High = stats.BootstrapT.Of(pool(terms), 1)
		}
	case empiricalBernstein:
		m.Low, m.High = l.Bernstein[0], l.Bernstein[1]
	case confidenceSequence:
		m.Low, m.High = l.Sequence[0], l.Sequence[1]
	case clopperPearson:
		m.Low, m.High = l.Exact[0], l.Exact[1]
	}
}

// skewed reports whether terms are so skewed that their t-interval is not to be trusted, or are all equal.
func skewed(terms []float64) bool {
	return !slices.ContainsFunc(terms, func(t float64) bool { return t != terms[0] }) || stats.Skewed(pool(terms))
}

// maxPooled is the largest number of terms that the bootstrap resamples one by one. More are resampled in groups.
const maxPooled = 4000

// pool returns terms if there are at most maxPooled, else means of maxPooled groups to which they are dealt in turn.
// Their mean has about the standard error and standardized skewness of the terms' mean, on which the bootstrap depends.
func pool(terms []float64) []float64 {
	if len(terms) <= maxPooled {
		return terms
	}
	rows := len(terms) / maxPooled * maxPooled // the terms after these, fewer than maxPooled, count only in the mean
	groups := make([]float64, maxPooled)
	for i, t := range terms[:rows] {
		groups[i%maxPooled] += t
	}
	sum, all := 0.0, 0.0
	for i := range groups {
		groups[i] /= float64(rows / maxPooled)
		sum += groups[i]
	}
	for _, t := range terms {
		all += t
	}
	for i := range groups { // center on the mean of all terms
		groups[i] += all/float64(len(terms)) - sum/maxPooled
	}
	return groups
}

// A reference is what policies are compared with.
type reference struct {
	terms            map[string][]float64 // terms of the baseline policy, by name of the estimator; without one, the rewards of the log under ""
	verdict, trained bool
}

// baseline returns the terms of the baseline policy, or the rewards of the log if Options names no baseline.
func (r *run) baseline(estimators []Estimator) *reference {
	if r.Baseline == "" {
		return &reference{map[string][]float64{"": r.reward}, true, false}
	}
	p := &r.policies[slices.IndexFunc(r.policies, func(c candidate) bool { return c.label == r.Baseline })]
	base := &reference{map[string][]float64{}, p.diagnostics.Verdict(), p.trained}
	if p.replay != nil {
		base.terms[ByReplay] = p.rewards
		return base
	}
	for _, estimator := range estimators {
		base.terms[estimator.Name] = estimator.of(p.sample).terms
	}
	return base
}

// compare sets the differences of l from base and from Options.Against; terms are those of l. A fixed policy is paired
// with the baseline row by row. A replay is not, since each replay accepts other rows.
func (e *Evaluation) compare(l *Estimate, terms []float64, base map[string][]float64) {
	if a := e.Options.Against; a != nil {
		l.Against, _ = stats.Unpaired(l.Student, a.Mean)
	}
	from := base[l.Estimator]
	if e.Options.Baseline == "" {
		from = base[""]
	}
	switch {
	case from == nil || l.Policy == e.Options.Baseline || math.IsNaN(l.Student.Mean):
	case l.Estimator == ByReplay && e.Options.Baseline == "": // not comparable: a replay is shorter, and starts untrained
	case l.Estimator == ByReplay:
		l.Difference, l.P = stats.Unpaired(l.Student, stats.NewEstimate(from))
	default:
		var m stats.Moments
		for k, t := range terms {
			m.Add(t - from[k])
		}
		l.Difference = m.Estimate()
		l.P = l.Difference.PValue()
	}
}

// correct sets the corrected p-values. Holm's correction is for the tests of one estimator.
func (e *Evaluation) correct() {
	families := map[string][]int{} // indices of estimates, by estimator
	for i, l := range e.Estimates {
		families[l.Estimator] = append(families[l.Estimator], i)
	}
	for _, places := range families {
		p, tests := make([]float64, len(places)), 0
		for k, i := range places {
			if p[k] = e.Estimates[i].P; !math.IsNaN(p[k]) {
				tests++
			}
		}
		for k, holm := range stats.Holm(p) {
			e.Estimates[places[k]].Holm = holm
		}
		e.Tests = max(e.Tests, tests)
	}
}
