package compare

import (
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/results"
	"banditsim/results/stats"
)

// ErrNoScores is wrapped by the error of Scores if no trial has a score.
var ErrNoScores = errors.New("no trial has a score: they are recorded with 'banditsim run --record scores'")

// A scoreMeasure describes one number of a score, which is a field of bandit.Score and of results.Score.
type scoreMeasure struct {
	Name  string // name in files, such as "log_loss"
	Title string // title of columns
	Unit  string // unit, or ""
	Doc   string // description for the documentation
	Of    func(bandit.Score) float64
}

// ScoreMeasures returns all measures. Lower is better for each of them.
func ScoreMeasures() []scoreMeasure {
	return []scoreMeasure{
		{"log_loss", "log loss", "nats", "how well the posterior predicted rewards at the end ([policies.md](policies.md)); null without `--record scores`", func(s bandit.Score) float64 { return s.LogLoss }},
		{"joint_log_loss", "joint log loss", "nats", "the same for pairs of contexts; NaN if the posterior has no samples for two contexts at once", func(s bandit.Score) float64 { return s.JointLogLoss }},
		{"calibration_error", "calibration error", "", "error of the predicted quantiles", func(s bandit.Score) float64 { return s.Calibration }},
	}
}

// A PolicyScore is the mean score of a policy's posterior over the trials that have a score.
type PolicyScore struct {
	Environment string `json:"environment"` // label
	Policy      string `json:"policy"`      // label
	// Regret is the regret of the scored trials, by the Primary metric; nil for scores without trial files.
	Regret *stats.Estimate `json:"regret,omitempty"`
	// Measures has the mean of each of ScoreMeasures, by name. That of the joint loss may be NaN; see bandit.Score.
	Measures map[string]stats.Estimate `json:"scores"`
	Seeds    int                       `json:"seeds"`
	Failures []string                  `json:"failures,omitempty"` // why trials could not be scored
}

// PolicyScores returns the mean scores by environment and policy, in the order of their first scores. The function at
// returns score i, for i from 0 to n−1, with the labels of its environment and its policy.
func PolicyScores(n int, at func(i int) (environment, policy string, score bandit.Score)) []PolicyScore {
	var order [][2]string
	scores := make(map[[2]string][]bandit.Score)
	for i := range n {
		environment, policy, score := at(i)
		key := [2]string{environment, policy}
		if scores[key] == nil {
			order = append(order, key)
		}
		scores[key] = append(scores[key], score)
	}
	return lists.Each(order, func(key [2]string) PolicyScore { return newPolicyScore(key[0], key[1], scores[key]) })
}

func newPolicyScore(environment, policy string, scores []bandit.Score) PolicyScore {
	p := PolicyScore{Environment: environment, Policy: policy, Measures: make(map[string]stats.Estimate), Seeds: len(scores)}
	for _, m := range ScoreMeasures() {
		p.Measures[m.Name] = stats.NewEstimate(lists.Each(scores, m.Of))
	}
	return p
}

// Scores returns the recorded scores of a set's policies, lowest mean regret first, and the options they were computed
// with. Policies without a score are left out. It reads the sidecars. Trials with different options are an error.
func Scores(set *results.Set) ([]PolicyScore, bandit.ScoreOptions, error) {
	var list []PolicyScore
	var how []bandit.ScoreOptions
	for _, p := range set.Policies {
		var scores []bandit.Score
		var regret []float64
		var failures []string
		for _, rec := range results.Finished(p.Records) {
			s, err := rec.Sidecar()
			if err != nil || s.Score == nil {
				continue
			}
			if !slices.Contains(how, s.Score.ScoreOptions) {
				how = append(how, s.Score.ScoreOptions)
			}
			if s.Score.Failure != "" {
				failures = append(failures, s.Score.Failure)
				continue
			}
			scores, regret = append(scores, s.Score.Values()), append(regret, Primary().Total(rec.Totals))
		}
		if len(scores)+len(failures) == 0 {
			continue
		}
		score, mean := newPolicyScore(set.Label, p.Label, scores), stats.NewEstimate(regret)
		score.Regret, score.Failures = &mean, failures
		list = append(list, score)
	}
	switch len(how) {
	case 0:
		return nil, bandit.ScoreOptions{}, fmt.Errorf("compare: scores: %w", ErrNoScores)
	case 1:
		slices.SortStableFunc(list, func(a, b PolicyScore) int { return compareMeans(*a.Regret, *b.Regret) })
		return list, how[0], nil
	}
	a, b := how[0], how[1]
	return nil, a, fmt.Errorf("compare: scores: trials are scored in %d ways, such as %d contexts, %d draws and a noise of %g, and %d, %d and %g: run the experiment again with --record scores and one of them",
		len(how), a.Contexts, a.Draws, a.Noise, b.Contexts, b.Draws, b.Noise)
}
