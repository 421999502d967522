package compare

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/results"
)

// A Metric is a way to count regret. Metrics returns all of them.
type Metric struct {
	name        string
	About       string // a sentence for captions
	NonNegative bool   // reports whether the regret of a round is never below 0; figures then cut intervals off at 0

	Round       func(*results.Round) float64 // returns the regret of one round
	Total       func(results.Totals) float64 // returns the regret of a trial over all rounds
	AfterBurnIn func(results.Totals) float64 // returns the regret of a trial over the rounds after burn-in
}

var metrics = []*Metric{
	{
		name: "expected", NonNegative: true,
		About:       "Expected regret counts the chosen arm's expected reward, without the luck of the draw.",
		Round:       func(r *results.Round) float64 { return r.Expected },
		Total:       func(t results.Totals) float64 { return t.Expected },
		AfterBurnIn: func(t results.Totals) float64 { return t.ExpectedAfter },
	},
	{
		name:        "realised",
		About:       "Realised regret counts the reward received, the luck of the draw included.",
		Round:       func(r *results.Round) float64 { return r.Realised },
		Total:       func(t results.Totals) float64 { return t.Realised },
		AfterBurnIn: func(t results.Totals) float64 { return t.RealisedAfter },
	},
}

// Expected returns the metric of expected regret (pseudo-regret), which counts the chosen arm's expected reward.
func Expected() *Metric { return metrics[0] }

// Realised returns the metric of realised regret, which counts the reward received, including its noise.
func Realised() *Metric { return metrics[1] }

// Primary returns the metric that sorts summaries, decides verdicts and is shown in full in tables: expected regret.
func Primary() *Metric { return metrics[0] }

// Metrics returns all metrics, Primary first.
func Metrics() []*Metric { return slices.Clone(metrics) }

// MetricNames returns the names of all metrics.
func MetricNames() []string { return lists.Each(metrics, (*Metric).String) }

// ParseMetric returns the metric with the given name.
func ParseMetric(name string) (*Metric, error) {
	names := MetricNames()
	if i := slices.Index(names, name); i >= 0 {
		return metrics[i], nil
	}
	return nil, fmt.Errorf("unknown metric %q%s, want %s", name, nearest.DidYouMean(name, names), strings.Join(names, " or "))
}

// String returns the name in flags, tables and files, such as "expected".
func (m *Metric) String() string { return m.name }

// MarshalText returns the name.
func (m *Metric) MarshalText() ([]byte, error) { return []byte(m.name), nil }
