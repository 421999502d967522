package compare

import (
	"fmt"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/results"
)

// A Metric is a way to count regret. A new one is an entry of Metrics: summaries, comparisons, curves,
// thresholds, figures and pages read it there.
type Metric struct {
	Name  string // in flags, tables and files, such as "expected"
	About string // a sentence for captions
	// NonNegative says that no round's regret is below zero: intervals are drawn from zero on.
	NonNegative bool

	round func(*results.Round) float64
	total func(results.Totals) (all, afterBurnIn float64)
}

// Expected regret (pseudo-regret) counts the chosen arm's expected reward. Realised regret counts the
// reward received, which adds the luck of the draw.
var (
	Expected = &Metric{
		Name: "expected", NonNegative: true,
		About: "Expected regret counts the chosen arm's expected reward, without the luck of the draw.",
		round: func(r *results.Round) float64 { return r.Expected },
		total: func(t results.Totals) (all, afterBurnIn float64) { return t.Expected, t.ExpectedAfter },
	}
	Realised = &Metric{
		Name:  "realised",
		About: "Realised regret counts the reward received, the luck of the draw included.",
		round: func(r *results.Round) float64 { return r.Realised },
		total: func(t results.Totals) (all, afterBurnIn float64) { return t.Realised, t.RealisedAfter },
	}
)

// Metrics are all metrics. Summaries are sorted by the first, verdicts go by it, and tables show it in
// full.
var Metrics = []*Metric{Expected, Realised}

// MetricNames returns the names of all metrics.
func MetricNames() []string {
	var names []string
	for _, m := range Metrics {
		names = append(names, m.Name)
	}
	return names
}

// ParseMetric returns the metric with the given name.
func ParseMetric(name string) (*Metric, error) {
	for _, m := range Metrics {
		if m.Name == name {
			return m, nil
		}
	}
	names := MetricNames()
	return nil, fmt.Errorf("unknown metric %q%s, want %s", name, nearest.DidYouMean(name, names), strings.Join(names, " or "))
}

// String returns the name.
func (m *Metric) String() string { return m.Name }

// Round returns the regret of a round.
func (m *Metric) Round(r *results.Round) float64 { return m.round(r) }

// Total returns the regret of a trial over all its rounds.
func (m *Metric) Total(t results.Totals) float64 {
	total, _ := m.total(t)
	return total
}

// MarshalText returns the name.
func (m *Metric) MarshalText() ([]byte, error) { return []byte(m.Name), nil }
