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

// A Policy is what is evaluated.
type Policy struct {
	Label   string
	New     func(policy.Setup) (bandit.Policy, error)
	Columns *Columns // in place of New: what a fixed policy does stands in columns
}

// Options of Evaluate.
type Options struct {
	// Model returns a model of rewards; nil: estimators that need predictions are left out.
	Model func(posterior.Setup) (posterior.Posterior, error)
	// Folds is the number of parts of the log, at least 2: the model of a row has not seen its part.
	Folds int
	// Replay: policies that learn go through the log and learn by replay. Otherwise they learn the other parts too, are frozen, and
	// evaluated on the part that they have not seen.
	Replay bool
	// Round is the number of rows that a model or a policy learns between two calls of its training: at least 1.
	Round int
	// Pulls is the number of accepted rows after which a replay ends; 0: with the log.
	Pulls    int
	Seed     uint64
	Parallel posterior.Parallel // nil: one after the other; results do not depend on it

	Estimators []string // names of Estimators
	Interval   string   // of estimates, one of Intervals
	// Low and High bound the rewards, which some intervals need; both 0: unknown, or 0 and 1 where all rewards of the log are.
	Low, High float64
	// Baseline is the label of the policy that the others are compared with; "": what the log earned.
	Baseline string
	Against  *Earned // nil: none
}

// DefaultOptions returns two folds, rounds of 100 rows, the estimators without a bias that are used most, and t-intervals.
func DefaultOptions() Options {
	return Options{Folds: 2, Round: 100, Seed: 1, Estimators: []string{"dr", "snips", "ips"}, Interval: studentT}
}

// maxFolds is the largest number of folds on which policies are trained: with more, what folds have in common makes estimates
// vary too much (see foldFactor).
const maxFolds = 5

// The intervals. docs/logged.md has their coverage.
const (
	studentT           = "t"
	bootstrapT         = "bootstrap" // bootstrap-t
	empiricalBernstein = "bernstein" // empirical Bernstein, of IPS
	confidenceSequence = "sequence"  // confidence sequence, of IPS
	clopperPearson     = "exact"     // Clopper–Pearson, of matched rows with rewards 0 and 1
)

// Intervals returns the names of all intervals.
func Intervals() []string {
	return []string{studentT, bootstrapT, empiricalBernstein, confidenceSequence, clopperPearson}
}

// check returns an error for options that do not fit a log and policies, and the estimators.
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

// ErrNoContext is the error of a policy that learns, on a log of which no column was recognized as context.
var ErrNoContext = errors.New("without a context: no column was recognized as one")

// An Earned is the mean reward of a log.
type Earned struct {
	Name string
	Mean stats.Estimate
}

// An Evaluation has the diagnostics and the estimates of all policies.
type Evaluation struct {
	Log         *Log
	Options     Options
	Low, High   float64 // range of the rewards; equal if it is unknown
	Interval    string  // the interval in words
	AnyStop     bool    // the intervals hold at all rows of the log at once: confidence sequences, if the range of rewards is not that of the log
	Diagnostics []Diagnostics
	Estimates   []Estimate // policy by policy, in the order of the estimators
	Clips       []Clip
	Tests       int     // the size of the family of an estimator that Holm's correction is for
	FoldFactor  float64 // by how much intervals of trained policies are wider than those of independent rows
}

// An Estimate is that of a policy's mean reward.
type Estimate struct {
	Policy     string
	Estimator  string // name; ByReplay for a replay
	Title      string
	Biased     bool
	Verdict    bool
	Mean       stats.Estimate // its interval is by the method of Options
	Student    stats.Estimate // its interval is Student's
	Sequence   [2]float64     // NaN where there is none
	Bernstein  [2]float64
	Exact      [2]float64
	Parameter  float64
	Difference stats.Estimate // difference from the baseline, paired by row; NaN for the baseline
	P, Holm    float64
	Truth      float64        // NaN if it is unknown
	Against    stats.Estimate // the difference from the other log, not paired
	Skewed     bool
}

// ByReplay is the estimator of policies that learn by replay.
const ByReplay = "replay"

// A Clip is an estimate at a clip of the weights: of IPS or, with a model, DR.
type Clip struct {
	Policy string
	Clip   float64
	Mean   stats.Estimate
}

// Preferred returns the estimator that verdicts go by: doubly robust, else self-normalized, else the first.
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

// Evaluate estimates from a log what policies would have earned: it trains them on a part of the log, asks them for their
// probabilities, and lets learning policies learn by replay.
func Evaluate(ctx context.Context, l *Log, policies []Policy, o Options) (*Evaluation, error) {
	estimators, err := o.check(l, policies)
	if err != nil {
		return nil, err
	}
	r, err := take(ctx, l, policies, o)
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
	estimators = slices.DeleteFunc(estimators, func(by Estimator) bool { return by.Model && r.Model == nil })
	base := r.newBase(estimators)
	for i := range r.policies {
		p := &r.policies[i]
		e.Diagnostics = append(e.Diagnostics, p.diagnostics)
		if p.replay != nil {
			by := Estimator{Name: ByReplay, Title: "rejection"}
			if r.log.Description.Uniform {
				by.Title = "replay"
			}
			e.add(base, p, by, estimate{terms: p.rewards, parameter: math.NaN()})
			continue
		}
		for _, by := range estimators {
			e.add(base, p, by, by.of(p.sample))
		}
		s := p.sample
		if s.model == nil {
			s = s.withoutModel()
		}
		for _, c := range clips(s) {
			if r.log.Unrecorded {
				break
			}
			clipped := terms(s, func(w float64) float64 { return clip(w, c) })
			e.Clips = append(e.Clips, Clip{p.label, c, stats.NewEstimate(clipped)})
		}
	}
	e.correct()
	return e
}

// add appends the estimate of a policy, without what its assumptions do not bear: tests without a verdict or with a bias, and
// intervals of terms that do not vary.
func (e *Evaluation) add(base *base, p *candidate, by Estimator, found estimate) {
	none, unknown := [2]float64{math.NaN(), math.NaN()}, stats.NewEstimate(nil)
	l := Estimate{Policy: p.label, Estimator: by.Name, Title: by.Title, Verdict: p.diagnostics.Verdict(), Biased: by.Biased,
		Student: stats.NewEstimate(found.terms), Sequence: none, Bernstein: none, Exact: none, Parameter: found.parameter,
		Difference: unknown, P: math.NaN(), Holm: math.NaN(), Truth: p.truth, Against: unknown}
	switch d, s := e.Log.Description, p.sample; {
	case p.trained: // rows of folds are not independent
	case e.Log.propensity != nil || e.Log.Unrecorded: // these hold for known weights
	case by.Name == "ips" && e.Low < e.High:
		l.Bernstein[0], l.Bernstein[1] = stats.EmpiricalBernstein(s.weight, s.reward, e.Low, e.High)
		l.Sequence[0], l.Sequence[1] = stats.ConfidenceSequence(s.weight, s.reward, e.Low, e.High)
	case by.Name == "snips" && d.Uniform && d.Binary:
		l.Exact[0], l.Exact[1] = matched(s.weight, s.reward)
	case by.Name == ByReplay && d.Binary && len(p.rewards) > 0:
		l.Exact[0], l.Exact[1] = matched(nil, p.rewards)
	}
	l.Skewed = p.sample != nil && skewed(found.terms)
	l.choose(e.Options.Interval, found.terms)
	if p.trained {
		l.Student, l.Mean = l.Student.Widened(e.FoldFactor), l.Mean.Widened(e.FoldFactor)
	}
	base.compare(&l, found.terms)
	if p.trained {
		l.Difference = l.Difference.Widened(e.FoldFactor)
		l.P = l.Difference.PValue()
	}
	if !l.Verdict || l.Biased {
		l.P, l.Difference.Low, l.Difference.High = math.NaN(), math.NaN(), math.NaN()
	}
	for _, of := range []*stats.Estimate{&l.Mean, &l.Student, &l.Difference} {
		if of.StdErr == 0 && of.Low == of.High {
			of.Low, of.High = math.NaN(), math.NaN()
		}
	}
	e.Estimates = append(e.Estimates, l)
}

// foldFactor is by how much the standard error of a policy that is trained on folds is larger than that of independent rows.
// A policy takes the arms that its folds happened to pay for, and is judged on a fold by which those of other folds were
// chosen: the errors of folds have a positive covariance, whatever the arms are worth. It is largest where they are worth the
// same and the policy takes the best of its folds: there 95 % intervals hold on at least 95 % of logs with 1 + J/10 for J folds,
// for 2 to 300 arms (TestFoldFactor).
func foldFactor(folds int) float64 { return 1 + float64(folds)/10 }

// matched returns the exact interval of the rewards of the rows that a policy with one arm in each context matches on a uniform log: they are
// independent, and 1 with the probability that is the policy's value. NaN if weights differ: its probabilities do. Without
// weights all rows match.
func matched(weights, reward []float64) (low, high float64) {
	n, k, weight := 0, 0, 0.0
	for i, r := range reward {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w == 0 {
			continue
		}
		if weight == 0 {
			weight = w
		}
		if math.Abs(w-weight) > 1e-6*weight {
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

// choose sets Mean.
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

// skewed reports whether terms are so skewed, or vary so little, that their t-interval is not to be trusted.
func skewed(terms []float64) bool {
	return !slices.ContainsFunc(terms, func(t float64) bool { return t != terms[0] }) || stats.Skewed(pool(terms))
}

// maxPooled is the number of terms up to which resamples are of single rows.
const maxPooled = 4000

// pool returns the means of maxPooled groups of terms, dealt out in turn, if there are more terms, and else the terms. The mean of the groups has the
// spread of that of the terms, and its skewness in units of the standard error, which the bootstrap follows.
func pool(terms []float64) []float64 {
	if len(terms) <= maxPooled {
		return terms
	}
	rows := len(terms) / maxPooled * maxPooled // the last few rows, less than one of each group, are left out of the spread
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
	for i := range groups { // about the mean of all rows
		groups[i] += all/float64(len(terms)) - sum/maxPooled
	}
	return groups
}

// A base is what policies are compared with.
type base struct {
	policy  string               // "" for what the log earned
	terms   map[string][]float64 // by estimator; of the log by ""
	against *Earned
}

// newBase returns the baseline, whose terms are held while those of the policies come and go.
func (r *run) newBase(estimators []Estimator) *base {
	b := &base{policy: r.Baseline, terms: make(map[string][]float64), against: r.Against}
	if b.policy == "" {
		b.terms[""] = r.reward
		return b
	}
	p := &r.policies[slices.IndexFunc(r.policies, func(c candidate) bool { return c.label == b.policy })]
	if p.replay != nil {
		b.terms[ByReplay] = p.rewards
		return b
	}
	for _, by := range estimators {
		b.terms[by.Name] = by.of(p.sample).terms
	}
	return b
}

// compare sets the differences of a line with the given terms. Fixed policies are paired with the baseline row by row; a replay is not paired, as its
// rows are its own.
func (b *base) compare(l *Estimate, terms []float64) {
	if b.against != nil {
		l.Against, _ = stats.Unpaired(l.Student, b.against.Mean)
	}
	from := b.terms[""]
	if b.policy != "" {
		from = b.terms[l.Estimator]
	}
	switch {
	case from == nil || l.Policy == b.policy || math.IsNaN(l.Student.Mean):
	case l.Estimator == ByReplay && b.policy == "": // the log's pulls are many, and did not learn from the first on
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

// correct sets the corrected p-values: the policies of an estimator are a family.
func (e *Evaluation) correct() {
	families := map[string][]int{} // places of estimates by estimator
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
