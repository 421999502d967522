package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Curve is a policy's regret by round: the mean over the seeds whose trials played all their rounds, with a band.
type Curve struct {
	Policy string
	Seeds  []uint64
	Rounds []int // rounds of the points; with View Cumulative the first is the round before the curve begins
	// Regret has a point for each of Rounds, with the band as its interval. With View Cumulative a point is the regret up
	// to and including that round, and the first point is 0. With View Window it is the mean regret per round since the
	// previous point; with View Rate it is the mean regret per round since the beginning of the curve.
	Regret []stats.Estimate
	BySeed [][]float64 // by seed and round, as in Seeds and Rounds; only with SeedsBand
}

// End returns the regret at the last point.
func (c *Curve) End() stats.Estimate { return c.Regret[len(c.Regret)-1] }

// Curves reads the rounds of all trials and returns the curves of the policies. Regret before round o.From is left out.
// Policies without a finished trial have no curve; if no policy has one, the error is ErrNoneFinished. Memory does not
// grow with the length of the trials; it grows with their number only for bands that need the values of all seeds.
func Curves(set *results.Set, o CurveOptions) ([]Curve, error) {
	marks, err := o.marks(set.Conditions.Protocol.Rounds)
	if err != nil {
		return nil, err
	}
	shown := marks
	if o.View != Cumulative {
		shown = marks[1:]
	}
	var all []Curve
	for _, p := range set.Policies {
		c := Curve{Policy: p.Label, Rounds: shown}
		at := make([]stats.Moments, len(shown))
		var values [][]float64 // regret by seed and point
		err := results.InOrder(results.Finished(p.Records), func(rec results.Record) ([]float64, error) {
			t, err := trace(rec, marks, o.Metric)
			if err != nil {
				return nil, err
			}
			return o.View.of(t.Regret[0], marks), nil
		}, func(rec results.Record, regret []float64) {
			for i, v := range regret {
				at[i].Add(v)
			}
			if o.Band != TBand && o.Band != noBand {
				values = append(values, regret)
			}
			c.Seeds = append(c.Seeds, rec.Seed)
		})
		if err != nil {
			return nil, err
		}
		if len(c.Seeds) == 0 {
			continue
		}
		for i := range at {
			c.Regret = append(c.Regret, o.Band.estimate(at[i].Estimate(), values, i))
		}
		if o.Band == SeedsBand {
			c.BySeed = values
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("compare: curves: %w", ErrNoneFinished)
	}
	return all, nil
}

// ThinLog is Thin for logarithmic axes: distances from first grow by a nearly constant factor. last must exceed first.
func ThinLog(first, last, n int) []int {
	marks := []int{first}
	for i := range n - 1 {
		mark := last
		if i < n-2 {
			mark = first + int(math.Round(math.Pow(float64(last-first), float64(i)/float64(n-2))))
		}
		if mark > marks[len(marks)-1] {
			marks = append(marks, mark)
		}
	}
	return marks
}

// Thin returns at most n integers from first to last, evenly spaced, both included. n must be at least 2.
func Thin(first, last, n int) []int {
	n = min(n, last-first+1)
	marks := make([]int, n)
	for i := range marks {
		// Integer arithmetic: with rounding, two marks could fall on the same round.
		marks[i] = first + i*(last-first)/max(n-1, 1)
	}
	return marks
}

// A Trace has the cumulative regret of one trial at chosen rounds, the marks, by one or more metrics.
type Trace struct {
	Regret  [][]float64 // by metric and mark, cumulative from the first mark, where it is 0
	marks   []int
	metrics []*Metric
	next    int // index of the next mark
}

// NewTrace returns a trace at marks, which are increasing rounds. Regret counts from the round after the first mark on.
func NewTrace(marks []int, metrics ...*Metric) *Trace {
	t := &Trace{marks: marks, metrics: metrics, next: 1}
	for range metrics {
		t.Regret = append(t.Regret, make([]float64, len(marks)))
	}
	return t
}

// Add adds the next round.
func (t *Trace) Add(r *results.Round) {
	if t.next >= len(t.marks) || r.Round <= t.marks[0] {
		return
	}
	for k, m := range t.metrics {
		t.Regret[k][t.next] += m.Round(r)
	}
	if r.Round < t.marks[t.next] {
		return
	}
	t.next++
	for _, regret := range t.Regret {
		copy(regret[t.next:], regret[t.next-1:t.next]) // the sum continues from this mark
	}
}

func trace(rec results.Record, marks []int, metrics ...*Metric) (*Trace, error) {
	t := NewTrace(marks, metrics...)
	for r, err := range rec.Regrets() {
		if err != nil {
			return nil, err
		}
		t.Add(r)
	}
	return t, nil
}

// departureMarks is the number of rounds at which SetDepartures compares the seeds' regrets: 2,001, and fewer for more
// than 262 seeds, so that time and memory do not grow with the product of rounds and seeds.
func departureMarks(seeds int) int { return max(min(2001, 1<<19/seeds), 64) }

// DepartureTrace returns an empty trace of a trial with the given number of rounds, by the metrics by which the worst
// seed is an outlier; nil without such a metric. Add the rounds of a trial to it, and pass it to SetDepartures.
func (s *PolicySummary) DepartureTrace(rounds int) *Trace {
	outlying := slices.DeleteFunc(Metrics(), func(m *Metric) bool {
		return !slices.Contains(stats.Outliers(s.Regret[m].BySeed), s.worst(m))
	})
	if len(outlying) == 0 {
		return nil
	}
	return NewTrace(Thin(0, rounds, departureMarks(len(s.Seeds))), outlying...)
}

// SetDepartures sets Worst.Departs for each metric by which the worst seed is an outlier at the end. traces is empty,
// or has for each finished trial, in the order of the seeds, a DepartureTrace to which all rounds were added.
func (s *PolicySummary) SetDepartures(traces []*Trace) {
	if len(traces) == 0 {
		return
	}
	marks := traces[0].marks
	for k, m := range traces[0].metrics {
		r, at := s.Regret[m], make([]float64, len(traces))
		for i := len(marks) - 1; i > 0; i-- {
			for j, t := range traces {
				at[j] = t.Regret[k][i]
			}
			if !slices.Contains(stats.Outliers(at), s.worst(m)) {
				break
			}
			r.Worst.Departs = marks[i]
		}
		s.Regret[m] = r
	}
}

// findDepartures calls SetDepartures with traces from the trial files, if the worst seed is an outlier.
func (s *PolicySummary) findDepartures(set *results.Set) error {
	empty := s.DepartureTrace(set.Conditions.Protocol.Rounds)
	if empty == nil {
		return nil
	}
	var traces []*Trace
	err := results.InOrder(results.Finished(set.Find(s.Policy).Records), func(rec results.Record) (*Trace, error) {
		return trace(rec, empty.marks, empty.metrics...)
	}, func(_ results.Record, t *Trace) { traces = append(traces, t) })
	if err == nil {
		s.SetDepartures(traces)
	}
	return err
}

// worst returns the index of the worst seed in s.Seeds.
func (s *PolicySummary) worst(m *Metric) int { return slices.Index(s.Seeds, s.Regret[m].Worst.Seed) }

// A View is the form in which a curve shows regret.
type View string

// The views.
const (
	Cumulative View = "cumulative"
	Window     View = "window" // mean regret per round in each of successive windows of rounds
	Rate       View = "rate"   // mean regret per round since the beginning of the curve
)

// Views returns all views.
func Views() []View { return []View{Cumulative, Window, Rate} }

// A Band is the form in which a curve shows the spread of the seeds around their mean.
type Band string

// The bands. Intervals hold with probability stats.Confidence at each single round, not at all rounds at once.
const (
	TBand          Band = "t"           // Student's t-interval of the mean
	BootstrapTBand Band = "bootstrap-t" // bootstrap-t interval of the mean
	quantileBand   Band = "quantile"    // from the 10 % to the 90 % quantile of the seeds
	SeedsBand      Band = "seeds"       // one curve per seed
	noBand         Band = "none"
)

// Bands returns all bands.
func Bands() []Band { return []Band{TBand, BootstrapTBand, quantileBand, SeedsBand, noBand} }

// About returns a description for captions, such as "95 % t-interval at each round"; "" for noBand.
func (b Band) About() string {
	return map[Band]string{
		TBand:          "95 % t-interval at each round",
		BootstrapTBand: "95 % bootstrap-t interval at each round, from four seeds on",
		quantileBand:   "10 to 90 % of the seeds at each round",
		SeedsBand:      "every seed",
	}[b]
}

// LastRound as CurveOptions.To means the last round of the protocol.
const LastRound = math.MaxInt

// CurveOptions are the options of Curves.
type CurveOptions struct {
	Metric *Metric
	View   View
	Band   Band
	From   int // first round that counts, from 1
	To     int // last round, or LastRound
	Points int // maximum number of points per curve, at least 2; ignored with View Window
	// Log spaces the points evenly on a logarithmic axis that counts rounds from From on. View Window ignores it.
	Log bool
}

// marks returns the rounds at which curves are computed, preceded by the round before From.
func (o CurveOptions) marks(rounds int) ([]int, error) {
	if o.To == LastRound {
		o.To = rounds
	}
	switch {
	case o.Metric == nil:
		return nil, errors.New("compare: curves: no metric")
	case !slices.Contains(Views(), o.View) || !slices.Contains(Bands(), o.Band):
		return nil, fmt.Errorf("compare: curves: view %q with band %q, want one of %q and one of %q", o.View, o.Band, Views(), Bands())
	case o.From < 1 || o.From > rounds:
		return nil, fmt.Errorf("compare: curves: from round %d, want 1 to %d", o.From, rounds)
	case o.To < o.From || o.To > rounds:
		return nil, fmt.Errorf("compare: curves: to round %d, want %d to %d", o.To, o.From, rounds)
	case o.Points < 2:
		return nil, fmt.Errorf("compare: curves: %d points, want at least 2", o.Points)
	case o.View == Window:
		marks := []int{o.From - 1}
		for width := WindowWidth(o.To - o.From + 1); marks[len(marks)-1] < o.To; {
			marks = append(marks, min(marks[len(marks)-1]+width, o.To))
		}
		return marks, nil
	case o.Log:
		return ThinLog(o.From-1, o.To, o.Points), nil
	}
	return Thin(o.From-1, o.To, o.Points), nil
}

// WindowWidth returns the number of rounds per window of View Window for a curve over the given number of rounds: the
// smallest of the numbers 1, 2, 5, 10, 20, 50, … with which there are at most 50 windows.
func WindowWidth(rounds int) int {
	for power := 1; ; power *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*power*50 >= rounds {
				return m * power
			}
		}
	}
}

// of returns what the view shows, given the cumulative regret at marks.
func (v View) of(regret []float64, marks []int) []float64 {
	if v == Cumulative {
		return regret
	}
	shown := make([]float64, len(marks)-1)
	for i := range shown {
		since := 0
		if v == Window {
			since = i
		}
		shown[i] = (regret[i+1] - regret[since]) / float64(marks[i+1]-marks[since])
	}
	return shown
}

// estimate returns the estimate e at mark i with the interval of the band in place of its t-interval. values has the
// regret by seed and mark; it may be nil for TBand and noBand.
func (b Band) estimate(e stats.Estimate, values [][]float64, i int) stats.Estimate {
	at := lists.Each(values, func(v []float64) float64 { return v[i] })
	switch {
	case b == BootstrapTBand:
		e.Low, e.High = stats.BootstrapT.Of(at, 1)
	case b == quantileBand && len(at) > 1:
		slices.Sort(at)
		e.Low, e.High = stats.Quantile(at, 0.1), stats.Quantile(at, 0.9)
	case b != TBand:
		e.Low, e.High = math.NaN(), math.NaN()
	}
	return e
}
