package logs

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"banditsim/bandit/logged"
	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An Evaluation is what Beside needs of the output of 'banditsim evaluate LOG -o json'.
type Evaluation struct {
	Log       string
	Baseline  string // "" is what the log earned
	Estimates []logEstimate
}

// A logEstimate is an estimate, from a log, of a policy's mean reward. Numbers that are null in JSON are NaN.
type logEstimate struct {
	Policy, Estimator               string
	Verdict                         bool
	Rows                            int
	Estimate, Low, High, Difference float64
	StandardError                   float64 `json:"standard_error"`
	DifferenceLow                   float64 `json:"difference_low"`
	DifferenceHigh                  float64 `json:"difference_high"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *logEstimate) UnmarshalJSON(b []byte) error {
	type plain logEstimate
	nan := math.NaN()
	*e = logEstimate{Estimate: nan, Low: nan, High: nan, Difference: nan, StandardError: nan, DifferenceLow: nan, DifferenceHigh: nan}
	return json.Unmarshal(b, (*plain)(e))
}

func (e *logEstimate) mean() stats.Estimate {
	return stats.Estimate{N: e.Rows, Mean: e.Estimate, StdErr: e.StandardError, Low: e.Low, High: e.High}
}

// ReadEvaluation reads the JSON of an evaluation.
func ReadEvaluation(path string) (*Evaluation, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("evaluation: %w", err)
	}
	var e Evaluation
	err = json.Unmarshal(b, &e)
	if err == nil && len(e.Estimates) == 0 {
		err = errors.New("it has no estimates")
	}
	if i := slices.IndexFunc(e.Estimates, func(l logEstimate) bool { return l.Policy == "" || l.Estimator == "" || l.Rows < 0 }); err == nil && i >= 0 {
		err = fmt.Errorf("estimate %d has no policy, estimator or rows", i+1)
	}
	if err != nil {
		return nil, fmt.Errorf("evaluation %s: %w: want what 'banditsim evaluate LOG -o json' writes", path, err)
	}
	return &e, nil
}

// of returns the estimate by which a policy is compared: dr, else snips, else a replay's, else the first, else nil.
func (e *Evaluation) of(policy string) *logEstimate {
	for _, name := range []string{"dr", "snips", logged.ByReplay, ""} {
		for i := range e.Estimates {
			if l := &e.Estimates[i]; l.Policy == policy && (l.Estimator == name || name == "") {
				return l
			}
		}
	}
	return nil
}

// A comparison is a policy with its results in simulations and its estimate from a log.
type comparison struct {
	*logEstimate
	simulated *compare.PolicySummary
	regret    stats.Estimate // regret per pull in the simulations
	// Reward per pull less that of the baseline; NaN for the baseline itself.
	inLog, inSimulations stats.Estimate
	comparable           bool // the log has a verdict on the policy and on the baseline, and both were replayed or neither was
}

// agree returns "yes" if the interval of the difference between inLog and inSimulations contains 0, else "no". It
// returns words.None if there is no interval or the two are not comparable.
func (b *comparison) agree() string {
	switch d, _ := stats.Unpaired(b.inLog, b.inSimulations); {
	case !d.HasInterval() || !b.comparable:
		return words.None
	case d.Low <= 0 && d.High >= 0:
		return "yes"
	}
	return "no"
}

func besideColumns(base string) report.Columns[*comparison] {
	more := "more than " + words.Plain(base)
	return report.Columns[*comparison]{
		{Name: "policy", Header: "policy", Text: func(b *comparison) string { return words.Plain(b.Policy) }},
		{Name: "estimator", Header: "estimator", Text: func(b *comparison) string { return b.Estimator }},
		{Name: "rows", Header: "rows", Text: func(b *comparison) string { return words.Int(b.Rows) }},
		{Name: "reward", Header: "log: reward", Text: func(b *comparison) string { return b.mean().MeanText() }},
		{Name: "reward_interval", Header: "95 % interval", Text: func(b *comparison) string { return b.mean().Interval() }},
		{Name: "more", Header: more, Text: func(b *comparison) string { return b.inLog.MeanText() }},
		{Name: "more_interval", Header: "its interval", Text: func(b *comparison) string { return b.inLog.Interval() }},
		{Name: "seeds", Header: "seeds", Text: func(b *comparison) string { return words.Int(b.regret.N) }},
		{Name: "regret", Header: "simulated: regret", Text: func(b *comparison) string { return b.regret.MeanText() }},
		{Name: "regret_interval", Header: "95 % interval", Text: func(b *comparison) string { return b.regret.Interval() }},
		{Name: "simulated_more", Header: more, Text: func(b *comparison) string { return b.inSimulations.MeanText() }},
		{Name: "simulated_more_interval", Header: "its interval", Text: func(b *comparison) string { return b.inSimulations.Interval() }},
		{Name: "agree", Header: "agree", Text: (*comparison).agree},
	}
}

// Beside returns a table of the policies that a summary of simulations and an evaluation of a log have in common, by
// label. It has the reward per pull in the log and the regret per pull in the simulations. These are on different
// scales, but the differences from a baseline can be compared: how much more a policy earns per pull, in the log and in
// the simulations. The baseline is that of the evaluation, else the policy with the lowest regret.
func (e *Evaluation) Beside(s *compare.Summary) (report.Table, error) {
	var list []*comparison
	for i := range s.Policies {
		p := &s.Policies[i]
		if l := e.of(p.Policy); l != nil {
			list = append(list, &comparison{logEstimate: l, simulated: p})
		}
	}
	if len(list) == 0 {
		simulated := lists.Each(s.Policies, func(p compare.PolicySummary) string { return p.Policy })
		inLog := slices.Compact(lists.Each(e.Estimates, func(l logEstimate) string { return l.Policy }))
		return report.Table{}, fmt.Errorf("no policy of the log %s (%s) was simulated here (%s): evaluate the log with policies of this folder, of the same labels", words.Plain(e.Log), words.Plain(strings.Join(inLog, ", ")), words.Plain(strings.Join(simulated, ", ")))
	}
	base := list[0]
	if k := slices.IndexFunc(list, func(b *comparison) bool { return b.Policy == e.Baseline }); k >= 0 {
		base = list[k]
	}
	name, pulls := words.Plain(base.Policy), float64(s.Conditions.Protocol.AllPulls())
	var notes []string
	for _, b := range list {
		b.regret = stats.NewEstimate(perPull(b.simulated, pulls))
		b.inLog, b.inSimulations = e.more(b, base), earned(b, base, pulls)
		b.comparable = b.Verdict && base.Verdict && (b.Estimator == logged.ByReplay) == (base.Estimator == logged.ByReplay)
		if !b.Verdict {
			notes = append(notes, fmt.Sprintf("warning: no verdict on %s: the log cannot tell", words.Plain(b.Policy)))
		}
	}
	t := report.NewTable(besideColumns(base.Policy), list,
		fmt.Sprintf("Log %s: reward a pull, 95 %% intervals; simulations: %s regret a pull, t-intervals over seeds", words.Plain(e.Log), compare.Primary().String()),
		fmt.Sprintf("more than %s: how much more a policy earns, a pull, in the log and in the simulations, there paired by seed; they agree if the interval of the difference of the two contains 0; –: no verdict, or one learned as it went and the other did not", name),
		fmt.Sprintf("a policy that learns earns more a pull the longer it runs: here %s, by replay as many as rows it accepted ('evaluate --accept')", words.Count(int(pulls), "pull")))
	t.Notes = notes
	return t, nil
}

// more returns how much more per pull a policy earns than base in the log. This is the evaluation's difference, paired
// by row, if base is its baseline and there is an interval. Else it is the difference of the two estimates, not paired.
func (e *Evaluation) more(b, base *comparison) stats.Estimate {
	if b == base {
		return stats.NewEstimate(nil)
	}
	d := stats.Estimate{N: b.Rows, Mean: b.Difference, Low: b.DifferenceLow, High: b.DifferenceHigh}
	if base.Policy == e.Baseline && d.HasInterval() {
		unit, _ := stats.Unpaired(stats.Estimate{N: d.N, StdErr: 1}, stats.Estimate{N: d.N}) // half the interval of unit is the t-quantile
		d.StdErr = d.Half() / unit.Half()
		return d
	}
	d, _ = stats.Unpaired(b.mean(), base.mean())
	return d
}

// earned returns how much more per pull a policy earns than base in the simulations, from regrets paired by seed.
func earned(b, base *comparison, pulls float64) stats.Estimate {
	var differences []float64
	if b != base {
		own, others := perPull(b.simulated, pulls), perPull(base.simulated, pulls)
		for i, seed := range b.simulated.Seeds {
			if k := slices.Index(base.simulated.Seeds, seed); k >= 0 {
				differences = append(differences, others[k]-own[i])
			}
		}
	}
	return stats.NewEstimate(differences)
}

// perPull returns the regret per pull of a policy for each of its seeds.
func perPull(p *compare.PolicySummary, pulls float64) []float64 {
	return lists.Each(p.Regret[compare.Primary()].BySeed, func(regret float64) float64 { return regret / pulls })
}
