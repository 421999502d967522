package logs

import (
	"fmt"
	"math"

	"banditsim/bandit/logged"
	"banditsim/bandit/logged/estimate"
	"banditsim/bandit/logged/evaluate"
	"banditsim/internal/nearest"
	"banditsim/results/stats"
)

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

// Intervals are all intervals.
var Intervals = []Interval{StudentT, Bootstrap, Bernstein, Sequence, Exact}

// ParseInterval returns the interval of that name.
func ParseInterval(name string) (Interval, error) {
	return nearest.Parse("unknown interval", name, Intervals)
}

// Options of a summary.
type Options struct {
	Estimators []estimate.Estimator
	Interval   Interval
	// Low and High bound the rewards, which the intervals bernstein and sequence need; both 0: those of the log.
	Low, High float64
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
	Replay *evaluate.Replay // of a policy that learns, in place of Diagnostics
	Draws  bool
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
	Mean       stats.Estimate // with the interval of Options
	Student    stats.Estimate // with Student's
	Sequence   [2]float64     // NaN where there is none
	Bernstein  [2]float64
	Exact      [2]float64
	Parameter  float64
	Difference stats.Estimate // from the baseline, paired by row; NaN of the baseline
	P, Holm    float64
	Truth      float64        // NaN if it is unknown
	Against    stats.Estimate // the difference from the other log, not paired
	Skewed     bool

	terms []float64
}

// A Clip is an estimate at a clip of the weights.
type Clip struct {
	Policy string
	Clip   float64
	Mean   stats.Estimate
}

// Summarise computes the estimates of an evaluation.
func Summarise(r *evaluate.Result, o Options) (*Summary, error) {
	d := r.Log.Description
	if o.Low == 0 && o.High == 0 {
		o.Low, o.High = d.RewardMin, d.RewardMax
		if d.Binary {
			o.Low, o.High = 0, 1
		}
	}
	if o.Low > d.RewardMin || o.High < d.RewardMax {
		return nil, fmt.Errorf("rewards from %g to %g: the log has %g to %g: want a range that holds them", o.Low, o.High, d.RewardMin, d.RewardMax)
	}
	s := &Summary{Log: r.Log, Options: o, Evaluation: r.Options}
	var labels []string
	for _, p := range r.Policies {
		labels = append(labels, p.Label)
		s.Diagnostics = append(s.Diagnostics, Diagnostic{p.Label, p.Diagnostics, p.Replay, p.Draws})
		if p.Replay != nil {
			s.Lines = append(s.Lines, replayLine(p, o, d.Binary))
			continue
		}
		for _, e := range o.Estimators {
			if e.Model && r.Options.Model == nil {
				continue
			}
			s.Lines = append(s.Lines, line(p, e, o, d))
		}
		for _, c := range estimate.Clipped(p.Sample) {
			s.Clips = append(s.Clips, Clip{p.Label, c.Clip, stats.NewEstimate(c.Terms)})
		}
	}
	if o.Baseline != "" {
		if _, err := nearest.Parse("--baseline: unknown policy", o.Baseline, labels); err != nil {
			return nil, err
		}
	}
	s.compare(r.Reward)
	for i := range s.Lines {
		s.Lines[i].terms = nil
	}
	return s, nil
}

// line returns an estimate of a fixed policy.
func line(p evaluate.Evaluated, e estimate.Estimator, o Options, d logged.Description) Line {
	found := e.Of(p.Sample)
	l := newLine(p, e.Name, e.Title, found.Terms)
	l.Biased, l.Verdict, l.Parameter = e.Biased, p.Diagnostics.Verdict(), found.Parameter
	l.Skewed = stats.Skewed(pool(found.Terms))
	if e.Name == estimate.IPS.Name {
		l.Bernstein[0], l.Bernstein[1] = stats.EmpiricalBernstein(p.Sample.Weight, p.Sample.Reward, o.Low, o.High)
		l.Sequence[0], l.Sequence[1] = stats.ConfidenceSequence(p.Sample.Weight, p.Sample.Reward, o.Low, o.High)
	}
	if e.Name == estimate.SNIPS.Name && d.Uniform && d.Binary {
		l.Exact[0], l.Exact[1] = matched(p.Sample)
	}
	l.choose(o.Interval)
	return l
}

func newLine(p evaluate.Evaluated, name, title string, terms []float64) Line {
	none := [2]float64{math.NaN(), math.NaN()}
	l := Line{Policy: p.Label, Estimator: name, Title: title, Student: stats.NewEstimate(terms), Sequence: none, Bernstein: none, Exact: none, Parameter: math.NaN(), Truth: p.Truth, terms: terms}
	l.Difference, l.P, l.Holm, l.Against = stats.NewEstimate(nil), math.NaN(), math.NaN(), stats.NewEstimate(nil)
	return l
}

// matched returns the exact interval of the rewards of the rows that a policy with one arm in each context matches on a uniform log: they are
// independent, and 1 with the probability that is the policy's value. NaN if weights differ: its probabilities do.
func matched(s *estimate.Sample) (low, high float64) {
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
	l := newLine(p, "replay", title, p.Replay.Rewards)
	l.Verdict = p.Replay.Verdict()
	if n := len(p.Replay.Rewards); binary && n > 0 {
		k := 0
		for _, r := range p.Replay.Rewards {
			k += int(r)
		}
		l.Exact[0], l.Exact[1] = stats.ClopperPearson(k, n)
	}
	l.choose(o.Interval)
	return l
}

// choose sets Mean.
func (l *Line) choose(method Interval) {
	l.Mean = l.Student
	nan := math.NaN()
	switch method {
	case Bootstrap:
		l.Mean.Low, l.Mean.High = nan, nan
		if l.Mean.N > 1 && !math.IsNaN(l.Mean.Mean) {
			l.Mean.Low, l.Mean.High = stats.BootstrapT.Of(pool(l.terms), 1)
		}
	case Bernstein:
		l.Mean.Low, l.Mean.High = l.Bernstein[0], l.Bernstein[1]
	case Sequence:
		l.Mean.Low, l.Mean.High = l.Sequence[0], l.Sequence[1]
	case Exact:
		l.Mean.Low, l.Mean.High = l.Exact[0], l.Exact[1]
	}
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

// compare sets the differences from the baseline and from the other log. Fixed policies are paired with the baseline row by row; a replay is not
// paired, as its rows are its own.
func (s *Summary) compare(rewards []float64) {
	families := map[string][]int{} // lines by estimator
	var order []string
	earned := stats.NewEstimate(rewards)
	for i := range s.Lines {
		l := &s.Lines[i]
		if a := s.Options.Against; a != nil {
			l.Against = stats.Unpaired(l.Student, a.Mean)
		}
		base, mean := rewards, earned
		if s.Options.Baseline != "" {
			b := s.find(s.Options.Baseline, l.Estimator)
			if b == nil || b == l {
				continue // there is none, or it is this one
			}
			base, mean = b.terms, b.Student
		}
		if len(base) == len(l.terms) && l.Estimator != "replay" {
			d := make([]float64, len(base))
			for k, t := range l.terms {
				d[k] = t - base[k]
			}
			l.Difference = stats.NewEstimate(d)
			l.P = l.Difference.PValue()
		} else {
			l.Difference = stats.Unpaired(l.Student, mean)
			l.P = stats.UnpairedPValue(l.Student, mean)
		}
		if families[l.Estimator] == nil {
			order = append(order, l.Estimator)
		}
		families[l.Estimator] = append(families[l.Estimator], i)
	}
	for _, name := range order {
		p := make([]float64, len(families[name]))
		for k, i := range families[name] {
			p[k] = s.Lines[i].P
		}
		for k, holm := range stats.Holm(p) {
			s.Lines[families[name][k]].Holm = holm
		}
		s.Tests = max(s.Tests, len(p))
	}
}

// find returns the line of a policy with an estimator, or nil.
func (s *Summary) find(policy, estimator string) *Line {
	for i := range s.Lines {
		if s.Lines[i].Policy == policy && s.Lines[i].Estimator == estimator {
			return &s.Lines[i]
		}
	}
	return nil
}
