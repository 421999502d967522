package logs

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/logged"
	"banditsim/bandit/logged/estimate"
	"banditsim/bandit/logged/evaluate"
	"banditsim/internal/nearest"
	"banditsim/results/stats"
)

// replayName is the estimator of policies that learn.
const replayName = "replay"

// An Interval is a way to compute the 95 % interval of an estimate.
type Interval string

// The intervals. docs/logged.md has their coverage.
const (
	StudentT  Interval = "t"
	Bootstrap Interval = "bootstrap" // bootstrap-t
	Bernstein Interval = "bernstein" // empirical Bernstein, of IPS
	Sequence  Interval = "sequence"  // confidence sequence, of IPS
	Exact     Interval = "exact"     // Clopper–Pearson, of matched rows with rewards 0 and 1
)

// Intervals returns all intervals.
func Intervals() []Interval { return []Interval{StudentT, Bootstrap, Bernstein, Sequence, Exact} }

// ParseInterval returns the interval of that name.
func ParseInterval(name string) (Interval, error) {
	return nearest.Parse("unknown interval", name, Intervals())
}

// Options of a summary.
type Options struct {
	Estimators []estimate.Estimator
	Interval   Interval
	// Low and High bound the rewards, which the intervals bernstein and sequence need; both 0: unknown, or 0 and 1 where all
	// rewards of the log are.
	Low, High  float64
	RangeGiven bool // by the user, who knows it, and not by the rewards of the log
	// Baseline is the label of the policy that the others are compared with; "": what the log earned.
	Baseline string
	Against  *Earned // nil: none
}

// An Earned is the mean reward of a log.
type Earned struct {
	Name string
	Mean stats.Estimate
}

// A Summary has the diagnostics and the estimates of all policies.
type Summary struct {
	Log         *logged.Log
	Options     Options
	Evaluation  evaluate.Options
	Diagnostics []Diagnostic
	Lines       []Line // policy by policy, in the order of the estimators
	Clips       []Clip
	Tests       int // the size of the family of an estimator that Holm's correction is for
}

// A Diagnostic is what the log has for a policy.
type Diagnostic struct {
	Policy string
	estimate.Diagnostics
	Replay  *evaluate.Replay // for a policy that learns by replay, in place of Diagnostics
	Draws   bool
	Trained bool // on other folds than those that it is evaluated on
}

// Reasons returns why there is no verdict, and what log would do.
func (d Diagnostic) Reasons() (against []string, cure string) {
	if d.Replay != nil {
		return d.Replay.Against, d.Replay.Cure
	}
	return d.Against, d.Cure
}

// A Line is an estimate of a policy's mean reward.
type Line struct {
	Policy     string
	Estimator  string
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

// A Clip is an estimate at a clip of the weights.
type Clip struct {
	Policy string
	Clip   float64
	Mean   stats.Estimate
}

// Summarize computes the estimates of an evaluation.
func Summarize(r *evaluate.Result, o Options) (*Summary, error) {
	d := r.Log.Description
	if o.Low == 0 && o.High == 0 && d.Binary {
		o.Low, o.High = 0, 1
	}
	if given := o.Low < o.High; !given && (o.Interval == Bernstein || o.Interval == Sequence) {
		return nil, fmt.Errorf("--interval %s: it holds for rewards in a known range, and what the log has is none: give the least and the largest possible with --range LOW,HIGH", o.Interval)
	} else if given && (o.Low > d.RewardMin || o.High < d.RewardMax) {
		return nil, fmt.Errorf("rewards from %g to %g: the log has %g to %g: want a range that holds them", o.Low, o.High, d.RewardMin, d.RewardMax)
	}
	s := &Summary{Log: r.Log, Options: o, Evaluation: r.Options}
	var labels []string
	for _, p := range r.Policies {
		labels = append(labels, p.Label)
	}
	base, err := newBase(r, o, labels)
	if err != nil {
		return nil, err
	}
	for _, p := range r.Policies {
		s.Diagnostics = append(s.Diagnostics, Diagnostic{p.Label, p.Diagnostics, p.Replay, p.Draws, p.Trained})
		if p.Replay != nil {
			l := replayLine(p, o, d.Binary)
			base.compare(&l, p.Replay.Rewards)
			l.settle()
			s.Lines = append(s.Lines, l)
			continue
		}
		for _, e := range o.Estimators {
			if e.Model && r.Options.Model == nil {
				continue
			}
			found := e.Of(p.Sample)
			l := line(p, e, found, o, d, r.Options.Folds)
			base.compare(&l, found.Terms)
			if p.Trained {
				l.Difference = l.Difference.Widened(foldFactor(r.Options.Folds))
				l.P = l.Difference.PValue()
			}
			l.settle()
			s.Lines = append(s.Lines, l)
		}
		for c := range estimate.Clipped(p.Sample) {
			s.Clips = append(s.Clips, Clip{p.Label, c.Clip, stats.NewEstimate(c.Terms)})
		}
	}
	s.correct()
	return s, nil
}

// line returns an estimate of a fixed policy.
func line(p evaluate.Evaluated, e estimate.Estimator, found estimate.Estimate, o Options, d logged.Description, folds int) Line {
	l := newLine(p, e.Name, e.Title, found.Terms)
	l.Biased, l.Verdict, l.Parameter = e.Biased, p.Diagnostics.Verdict(), found.Parameter
	l.Skewed = Skewed(found.Terms)
	if bounded := o.Low < o.High; e.Name == estimate.IPS().Name && bounded && !p.Trained { // rows of folds are not independent
		l.Bernstein[0], l.Bernstein[1] = stats.EmpiricalBernstein(p.Sample.Weight, p.Sample.Reward, o.Low, o.High)
		l.Sequence[0], l.Sequence[1] = stats.ConfidenceSequence(p.Sample.Weight, p.Sample.Reward, o.Low, o.High)
	}
	if e.Name == estimate.SNIPS().Name && d.Uniform && d.Binary && !p.Trained {
		l.Exact[0], l.Exact[1] = Matched(p.Sample)
	}
	l.choose(o.Interval, found.Terms)
	if p.Trained {
		l.Student, l.Mean = l.Student.Widened(foldFactor(folds)), l.Mean.Widened(foldFactor(folds))
	}
	return l
}

// foldFactor is by how much the standard error of a policy that is trained on folds is larger than that of independent rows.
// A policy takes the arms that its folds happened to pay for, and is judged on a fold by which those of other folds were
// chosen: the errors of folds have a positive covariance, whatever the arms are worth. It is largest where they are worth the
// same and the policy takes the best of its folds: there 95 % intervals hold on at least 95 % of logs with 1 + J/10 for J folds,
// for 2 to 300 arms (TestFoldFactor).
func foldFactor(folds int) float64 { return 1 + float64(folds)/10 }

// settle takes from a line what its assumptions do not bear: tests without a verdict or with a bias, and intervals of terms that
// do not vary.
func (l *Line) settle() {
	if !l.Verdict || l.Biased {
		l.P, l.Difference.Low, l.Difference.High = math.NaN(), math.NaN(), math.NaN()
	}
	for _, e := range []*stats.Estimate{&l.Mean, &l.Student, &l.Difference} {
		if e.StdErr == 0 && e.Low == e.High {
			e.Low, e.High = math.NaN(), math.NaN()
		}
	}
}

func newLine(p evaluate.Evaluated, name, title string, terms []float64) Line {
	none := [2]float64{math.NaN(), math.NaN()}
	l := Line{Policy: p.Label, Estimator: name, Title: title, Student: stats.NewEstimate(terms), Sequence: none, Bernstein: none, Exact: none, Parameter: math.NaN(), Truth: p.Truth}
	l.Difference, l.P, l.Holm, l.Against = stats.NewEstimate(nil), math.NaN(), math.NaN(), stats.NewEstimate(nil)
	return l
}

// Matched returns the exact interval of the rewards of the rows that a policy with one arm in each context matches on a uniform log: they are
// independent, and 1 with the probability that is the policy's value. NaN if weights differ: its probabilities do.
func Matched(s *estimate.Sample) (low, high float64) {
	n, k, weight := 0, 0, 0.0
	for i, w := range s.Weight {
		if w == 0 {
			continue
		}
		if weight == 0 {
			weight = w
		}
		if math.Abs(w-weight) > 1e-6*weight {
			return math.NaN(), math.NaN()
		}
		if n++; s.Reward[i] == 1 {
			k++
		}
	}
	if n == 0 {
		return 0, 1
	}
	return stats.ClopperPearson(k, n)
}

// replayLine returns the estimate of a policy that learns: the mean of what it earned.
func replayLine(p evaluate.Evaluated, o Options, binary bool) Line {
	title := "rejection"
	if p.Replay.Uniform {
		title = "replay"
	}
	l := newLine(p, replayName, title, p.Replay.Rewards)
	l.Verdict = p.Replay.Verdict()
	if n := len(p.Replay.Rewards); binary && n > 0 {
		k := 0
		for _, r := range p.Replay.Rewards {
			k += int(r)
		}
		l.Exact[0], l.Exact[1] = stats.ClopperPearson(k, n)
	}
	l.choose(o.Interval, p.Replay.Rewards)
	return l
}

// choose sets Mean.
func (l *Line) choose(method Interval, terms []float64) {
	l.Mean = l.Student
	nan := math.NaN()
	switch method {
	case Bootstrap:
		l.Mean.Low, l.Mean.High = nan, nan
		if l.Mean.N > 1 && !math.IsNaN(l.Mean.Mean) {
			l.Mean.Low, l.Mean.High = BootstrapInterval(terms, stats.Resamples)
		}
	case Bernstein:
		l.Mean.Low, l.Mean.High = l.Bernstein[0], l.Bernstein[1]
	case Sequence:
		l.Mean.Low, l.Mean.High = l.Sequence[0], l.Sequence[1]
	case Exact:
		l.Mean.Low, l.Mean.High = l.Exact[0], l.Exact[1]
	}
}

// BootstrapInterval returns the bootstrap-t interval of the mean of terms by so many resamples. More than maxPooled terms are pooled.
func BootstrapInterval(terms []float64, resamples int) (low, high float64) {
	return stats.BootstrapTWith(pool(terms), resamples)
}

// Skewed reports whether terms are so skewed, or vary so little, that their t-interval is not to be trusted.
func Skewed(terms []float64) bool {
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
func newBase(r *evaluate.Result, o Options, labels []string) (*base, error) {
	b := &base{policy: o.Baseline, terms: make(map[string][]float64), against: o.Against}
	if o.Baseline == "" {
		b.terms[""] = r.Reward
		return b, nil
	}
	if _, err := nearest.Parse("--baseline: unknown policy", o.Baseline, labels); err != nil {
		return nil, err
	}
	p := r.Policies[slices.Index(labels, o.Baseline)]
	if p.Replay != nil {
		b.terms[replayName] = p.Replay.Rewards
		return b, nil
	}
	for _, e := range o.Estimators {
		if !e.Model || r.Options.Model != nil {
			b.terms[e.Name] = e.Of(p.Sample).Terms
		}
	}
	return b, nil
}

// compare sets the differences of a line with the given terms. Fixed policies are paired with the baseline row by row; a replay is not paired, as its
// rows are its own.
func (b *base) compare(l *Line, terms []float64) {
	if b.against != nil {
		l.Against = stats.Unpaired(l.Student, b.against.Mean)
	}
	from := b.terms[""]
	if b.policy != "" {
		from = b.terms[l.Estimator]
	}
	switch {
	case from == nil || l.Policy == b.policy || math.IsNaN(l.Student.Mean):
		return
	case l.Estimator == replayName && b.policy == "":
		return // the log's pulls are many, and did not learn from the first on
	case l.Estimator == replayName:
		earned := stats.NewEstimate(from)
		l.Difference, l.P = stats.Unpaired(l.Student, earned), stats.UnpairedPValue(l.Student, earned)
		return
	}
	var m stats.Moments
	for k, t := range terms {
		m.Add(t - from[k])
	}
	l.Difference = m.Estimate()
	l.P = l.Difference.PValue()
}

// correct sets the corrected p-values: the policies of an estimator are a family.
func (s *Summary) correct() {
	families := map[string][]int{} // lines by estimator
	for i, l := range s.Lines {
		families[l.Estimator] = append(families[l.Estimator], i)
	}
	for _, lines := range families {
		p, tests := make([]float64, len(lines)), 0
		for k, i := range lines {
			if p[k] = s.Lines[i].P; !math.IsNaN(p[k]) {
				tests++
			}
		}
		for k, holm := range stats.Holm(p) {
			s.Lines[lines[k]].Holm = holm
		}
		s.Tests = max(s.Tests, tests)
	}
}
