package compare

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/results"
)

// A Metric is a way to count regret. A new one is an entry of metrics: summaries, comparisons, curves,
// thresholds, figures and pages read it there.
type Metric struct {
	name        string
	about       string
	nonNegative bool

	round func(*results.Round) float64
	total func(results.Totals) (all, afterBurnIn float64)
}

var (
	expected = &Metric{
		name: "expected", nonNegative: true,
		about: "Expected regret counts the chosen arm's expected reward, without the luck of the draw.",
		round: func(r *results.Round) float64 { return r.Expected },
		total: func(t results.Totals) (all, afterBurnIn float64) { return t.Expected, t.ExpectedAfter },
	}
	realised = &Metric{
		name:  "realised",
		about: "Realised regret counts the reward received, the luck of the draw included.",
		round: func(r *results.Round) float64 { return r.Realised },
		total: func(t results.Totals) (all, afterBurnIn float64) { return t.Realised, t.RealisedAfter },
	}
)

// Expected returns expected regret (pseudo-regret), which counts the chosen arm's expected reward.
func Expected() *Metric { return expected }

// Realised returns realised regret, which counts the reward received and so adds the luck of the draw.
func Realised() *Metric { return realised }

// Primary returns the metric by which summaries are sorted and verdicts go, and which tables show in full: expected regret.
func Primary() *Metric { return expected }

// Metrics returns all metrics, Primary first.
func Metrics() []*Metric { return slices.Clone(metrics) }

var metrics = []*Metric{expected, realised}

// MetricNames returns the names of all metrics.
func MetricNames() []string {
	var names []string
	for _, m := range Metrics() {
		names = append(names, m.name)
	}
	return names
}

// ParseMetric returns the metric with the given name.
func ParseMetric(name string) (*Metric, error) {
	for _, m := range Metrics() {
		if m.name == name {
			return m, nil
		}
	}
	names := MetricNames()
	return nil, fmt.Errorf("unknown metric %q%s, want %s", name, nearest.DidYouMean(name, names), strings.Join(names, " or "))
}

// About returns a sentence for captions.
func (m *Metric) About() string { return m.about }

// NonNegative reports whether no round's regret is below zero: intervals are drawn from zero on then.
func (m *Metric) NonNegative() bool { return m.nonNegative }

// String returns the name in flags, tables and files, such as "expected".
func (m *Metric) String() string { return m.name }

// Round returns the regret of a round.
func (m *Metric) Round(r *results.Round) float64 { return m.round(r) }

// Total returns the regret of a trial over all its rounds.
func (m *Metric) Total(t results.Totals) float64 {
	total, _ := m.total(t)
	return total
}

// MarshalText returns the name.
func (m *Metric) MarshalText() ([]byte, error) { return []byte(m.name), nil }
