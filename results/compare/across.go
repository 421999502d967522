package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// Across compares policies over several environments, which have equal weight whatever the scale of their regret. In
// each environment, policies are ranked by their mean regret over the seeds that all of them finished.
type Across struct {
	Metric       *Metric             `json:"metric"`
	Environments []AcrossEnvironment `json:"environments"`
	Policies     []AcrossPolicy      `json:"policies"` // the lowest mean rank first
	Parameters   Parameters          `json:"parameters,omitempty"`
	LeftOut      []string            `json:"left_out"` // labels of policies that finished no trial in at least one environment
	Friedman     stats.FriedmanTest  `json:"friedman"`
	// CriticalDifference is the distance above which two mean ranks differ at level stats.Significance (stats.Nemenyi).
	CriticalDifference words.Float `json:"critical_difference"`
	Pairs              []Pair      `json:"pairs"`
	Baseline           string      `json:"baseline"` // label of the policy with which AcrossPolicy.Improvement compares
	Unscored           []string    `json:"unscored"` // labels of environments without Scores: with uniform regret 0 or unknown
	Warnings           []Warning   `json:"warnings"`
}

// Verdict returns a sentence that names the policies with the lowest mean rank and gives Friedman's test.
func (a *Across) Verdict() string {
	var best []string
	for _, p := range a.Policies {
		if p.MeanRank == a.Policies[0].MeanRank {
			best = append(best, words.Plain(p.Policy))
		}
	}
	claim := "has the lowest mean rank"
	if len(best) > 1 {
		claim = "share the lowest mean rank"
	}
	return fmt.Sprintf("%s %s, %.2f, over %s; Friedman: %s.", strings.Join(words.AtMost(best, maxNamed, ""), ", "), claim, a.Policies[0].MeanRank, words.Count(len(a.Environments), "environment"), a.Friedman)
}

// SeedsText returns the number of seeds per environment, such as "6 seeds" or "3 to 10 seeds".
func (a *Across) SeedsText() string {
	counts := lists.Each(a.Environments, func(e AcrossEnvironment) int { return len(e.Seeds) })
	least, most := slices.Min(counts), slices.Max(counts)
	if least == most {
		return words.Count(most, "seed")
	}
	return fmt.Sprintf("%d to %s", least, words.Count(most, "seed"))
}

// An AcrossEnvironment is one environment, with the seeds that all compared policies finished in it.
type AcrossEnvironment struct {
	Label      string             `json:"label"`
	Conditions results.Conditions `json:"setting"`
	Seeds      []uint64           `json:"seeds"`
}

// An AcrossPolicy has the results of one policy. Ranks, Regret and Intervals have one value per environment.
type AcrossPolicy struct {
	Policy   string    `json:"policy"` // label
	MeanRank float64   `json:"mean_rank"`
	Ranks    []float64 `json:"ranks"`
	Regret   []float64 `json:"regret"` // mean over the seeds
	// Intervals has the values of Regret with their t-intervals.
	Intervals []stats.Estimate `json:"regret_intervals"`
	// OfUniform is the regret as a percentage of the uniform policy's regret U. AboveBest is 100·(regret − L)/(U − L),
	// where L is the lowest regret of any policy. Both are means over environments, OfUniform over those with U > 0,
	// AboveBest over those with U > L. A mean over no environment is NaN.
	OfUniform words.Float `json:"percent_of_uniform"`
	AboveBest words.Float `json:"percent_above_best"`
	Best      int         `json:"best"` // number of environments in which no other policy had a lower regret
	// InterquartileMean and OptimalityGap summarize Scores. Improvement is the probability that a trial has less regret
	// than one of Across.Baseline in the same environment. All three have stratified bootstrap intervals (package stats).
	InterquartileMean stats.Estimate `json:"interquartile_mean"`
	OptimalityGap     stats.Estimate `json:"optimality_gap"`
	Improvement       stats.Estimate `json:"improvement"`
	BySeed            [][]float64    `json:"-"` // regret by environment and seed
	Scores            [][]float64    `json:"-"` // 1 − regret/(uniform regret), as BySeed, but without the environments in Across.Unscored
	outcomes                         // summed over the other policies
}

// outcomes counts environments. In Wins the policy's regret was significantly lower than that of another policy, in
// Losses significantly higher, in Ties neither. The test is the paired t-test over the seeds, with Holm's correction
// for all pairs in the environment. An environment with fewer than MinSeeds seeds is a tie.
type outcomes struct {
	Wins   int `json:"wins"`
	Ties   int `json:"ties"`
	Losses int `json:"losses"`
}

// A Pair compares two policies.
type Pair struct {
	Policy string `json:"policy"`
	Other  string `json:"other"`
	outcomes
	// P is the p-value of the Wilcoxon signed-rank test of one number per environment: the difference in mean regret in
	// percent of uniform regret. Environments where that is unknown or 0 are left out. Holm is P corrected for all pairs.
	P    words.Float `json:"p"`
	Holm words.Float `json:"p_holm"`
	// Improvement is the probability that a trial of Policy has less regret than one of Other in the same environment
	// (equal regrets count half), averaged over the environments.
	Improvement words.Float `json:"improvement"`
}

// CompareAcross compares the policies that finished a trial in every set. Labels identify policies. The argument
// baseline is the label of one of them, or "" for the one with the lowest mean rank. There must be at least two sets,
// with different labels; in each set these policies must have a finished seed in common. It reads no trial files.
func CompareAcross(sets []*results.Set, m *Metric, baseline string) (*Across, error) {
	if len(sets) < 2 {
		return nil, errors.New("compare: one environment, want at least two")
	}
	a := &Across{Metric: m, Parameters: NewParameters(sets...), LeftOut: []string{}, Unscored: []string{}, Pairs: []Pair{}, Environments: []AcrossEnvironment{}, Warnings: []Warning{}}
	regrets := make([]map[string]regretBySeed, len(sets))
	for e, set := range sets {
		if slices.ContainsFunc(a.Environments, func(other AcrossEnvironment) bool { return other.Label == set.Label }) {
			return nil, fmt.Errorf("compare: two environments are named %s: give them names of their own in the experiment", words.Plain(set.Label))
		}
		a.Environments = append(a.Environments, AcrossEnvironment{Label: set.Label, Conditions: set.Conditions, Seeds: []uint64{}})
		policies, err := finished(set, Options{Metric: m, From: 1, To: set.Conditions.Protocol.Rounds})
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		regrets[e] = make(map[string]regretBySeed)
		for _, p := range policies {
			regrets[e][p.label] = p
		}
	}
	lacks := func(label string) bool {
		return slices.ContainsFunc(regrets, func(policies map[string]regretBySeed) bool { return policies[label].seeds == nil })
	}
	labels := slices.Sorted(slices.Values(results.Labels(sets)))
	for _, label := range labels {
		if lacks(label) {
			a.LeftOut = append(a.LeftOut, label)
		}
	}
	if labels = slices.DeleteFunc(labels, lacks); len(labels) == 0 {
		return nil, errors.New("no policy finished a trial in every environment")
	}
	a.Policies = lists.Each(labels, func(label string) AcrossPolicy { return AcrossPolicy{Policy: label} })
	for e, set := range sets {
		env, policies := &a.Environments[e], lists.Each(labels, func(label string) regretBySeed { return regrets[e][label] })
		if env.Seeds = commonSeeds(policies); len(env.Seeds) == 0 {
			return nil, fmt.Errorf("compare: environment %s: no seed was finished by all policies: run the seeds that are missing", words.Plain(env.Label))
		}
		var tuned []string
		for i, p := range policies {
			if slices.ContainsFunc(set.Find(p.label).TunedSeeds, func(seed uint64) bool { return slices.Contains(env.Seeds, seed) }) {
				tuned = append(tuned, words.Plain(p.label))
			}
			a.Policies[i].BySeed = append(a.Policies[i].BySeed, lists.Each(env.Seeds, func(seed uint64) float64 { return p.total[seed] }))
		}
		if lone := loneSeeds(env.Seeds, lists.Each(policies, func(p regretBySeed) []uint64 { return p.seeds })...); len(lone) > 0 {
			warn(&a.Warnings, Warning{Kind: UnpairedSeeds, Seeds: lone}, "%s: on the %d of %s that all policies finished; left out: %s",
				words.Plain(env.Label), len(env.Seeds), words.Count(len(env.Seeds)+len(lone), "seed"), words.Shorten(words.Ranges(lone), 60))
		}
		if len(tuned) > 0 {
			warn(&a.Warnings, Warning{Kind: tunedSeeds}, "%s: options were chosen with some of these seeds in view, whose regret flatters %s",
				words.Plain(env.Label), words.Shorten(strings.Join(tuned, ", "), 200))
		}
	}
	a.rank()
	a.pair()
	a.score()
	slices.SortStableFunc(a.Policies, func(p, q AcrossPolicy) int { return cmp.Compare(p.MeanRank, q.MeanRank) })
	return a, a.improve(baseline)
}

// rank sets the regrets and ranks of Policies, and the tests of ranks.
func (a *Across) rank() {
	ofUniform, aboveBest := make([]stats.Moments, len(a.Policies)), make([]stats.Moments, len(a.Policies))
	var blocks [][]float64
	for e, env := range a.Environments {
		var means []float64
		for i := range a.Policies {
			p := &a.Policies[i]
			p.Intervals = append(p.Intervals, stats.NewEstimate(p.BySeed[e]))
			p.Regret = append(p.Regret, p.Intervals[e].Mean)
			means = append(means, p.Regret[e])
		}
		blocks = append(blocks, means)
		lowest := slices.Min(means)
		uniform, _ := env.Conditions.UniformRegret()
		for i := range a.Policies {
			if means[i] == lowest {
				a.Policies[i].Best++
			}
			if uniform > 0 {
				ofUniform[i].Add(100 * means[i] / uniform)
			}
			if uniform > lowest {
				aboveBest[i].Add(100 * (means[i] - lowest) / (uniform - lowest))
			}
		}
	}
	a.Friedman = stats.Friedman(blocks)
	a.CriticalDifference = words.Float(stats.Nemenyi(len(a.Policies), len(blocks)))
	for i := range a.Policies {
		p := &a.Policies[i]
		p.MeanRank = a.Friedman.MeanRanks[i]
		for _, ranks := range a.Friedman.Ranks {
			p.Ranks = append(p.Ranks, ranks[i])
		}
		p.OfUniform, p.AboveBest = words.Float(ofUniform[i].Estimate().Mean), words.Float(aboveBest[i].Estimate().Mean)
	}
}

// pair sets Pairs, and the wins, ties and losses of Policies.
func (a *Across) pair() {
	var of [][2]*AcrossPolicy // the two policies of each pair
	for i := range a.Policies {
		for j := i + 1; j < len(a.Policies); j++ {
			of = append(of, [2]*AcrossPolicy{&a.Policies[i], &a.Policies[j]})
			a.Pairs = append(a.Pairs, Pair{Policy: a.Policies[i].Policy, Other: a.Policies[j].Policy})
		}
	}
	relative := make([][]float64, len(a.Pairs)) // differences by pair and environment, as percentages of the uniform regret
	for e, env := range a.Environments {
		uniform, _ := env.Conditions.UniformRegret()
		means, p := make([]float64, len(a.Pairs)), make([]float64, len(a.Pairs))
		for k, pair := range of {
			a.Pairs[k].Improvement += words.Float(higher(pair[1].BySeed[e], pair[0].BySeed[e]) / float64(len(a.Environments)))
			d := stats.NewEstimate(floats.SubTo(make([]float64, len(env.Seeds)), pair[0].BySeed[e], pair[1].BySeed[e]))
			if means[k], p[k] = d.Mean, math.NaN(); d.N >= MinSeeds {
				p[k] = d.PValue()
			}
			if percentage := 100 * d.Mean / uniform; words.Finite(percentage) {
				relative[k] = append(relative[k], percentage)
			}
		}
		for k, holm := range stats.Holm(p) {
			pair := &a.Pairs[k]
			switch significant := holm < stats.Significance; {
			case significant && means[k] < 0:
				pair.Wins++
			case significant && means[k] > 0:
				pair.Losses++
			default:
				pair.Ties++
			}
		}
	}
	p := lists.Each(relative, stats.Wilcoxon)
	for k, holm := range stats.Holm(p) {
		pair := &a.Pairs[k]
		pair.P, pair.Holm = words.Float(p[k]), words.Float(holm)
		one, other := of[k][0], of[k][1]
		one.outcomes = outcomes{one.Wins + pair.Wins, one.Ties + pair.Ties, one.Losses + pair.Losses}
		other.outcomes = outcomes{other.Wins + pair.Losses, other.Ties + pair.Ties, other.Losses + pair.Wins}
	}
}

// The score of a trial is 1 − regret/(uniform regret): 1 without regret, 0 for the uniform policy. It is defined in
// environments with a known, positive uniform regret.

// score sets Unscored, and Scores, InterquartileMean and OptimalityGap of Policies.
func (a *Across) score() {
	for e, env := range a.Environments {
		uniform, _ := env.Conditions.UniformRegret()
		if !(uniform > 0) { // also if it is NaN
			a.Unscored = append(a.Unscored, env.Label)
			continue
		}
		for i := range a.Policies {
			p := &a.Policies[i]
			p.Scores = append(p.Scores, lists.Each(p.BySeed[e], func(regret float64) float64 { return 1 - regret/uniform }))
		}
	}
	for i := range a.Policies {
		p := &a.Policies[i]
		p.InterquartileMean, p.OptimalityGap = stats.InterquartileMean(p.Scores), stats.OptimalityGap(p.Scores)
	}
}

// improve sets Baseline, and Improvement of Policies relative to it. If the argument is "", it is the first policy.
func (a *Across) improve(baseline string) error {
	labels := lists.Each(a.Policies, func(p AcrossPolicy) string { return p.Policy })
	k := max(0, slices.Index(labels, baseline))
	if baseline != "" && labels[k] != baseline {
		return nearest.Unknown("no policy compared that finished a trial in every environment is named", baseline, labels)
	}
	a.Baseline = labels[k]
	for i := range a.Policies { // the probability of a higher value, here of a higher regret of the baseline
		a.Policies[i].Improvement = stats.ProbabilityOfImprovement(a.Policies[k].BySeed, a.Policies[i].BySeed)
	}
	a.Policies[k].Improvement = stats.Estimate{Mean: .5, StdErr: math.NaN(), Low: math.NaN(), High: math.NaN()} // by definition
	return nil
}

// higher returns the share of pairs of a value of x and a value of y in which that of x is higher; ties count half. It
// is the Mann–Whitney statistic U, computed from the ranks of x, divided by the number of pairs.
func higher(x, y []float64) float64 {
	n, sum := float64(len(x)), 0.0
	for _, rank := range stats.Ranks(slices.Concat(x, y))[:len(x)] {
		sum += rank
	}
	return (sum - n*(n+1)/2) / (n * float64(len(y)))
}

// Profiles returns evenly spaced thresholds, and by policy the share of its scores above each
// (stats.PerformanceProfile). The first threshold is the next tenth below the lowest score, or 0 if that is negative;
// the last is 1. At least one environment must have scores.
func (a *Across) Profiles() (thresholds []float64, above [][]stats.Estimate) {
	const steps = 50
	lowest := 1.
	for _, p := range a.Policies {
		lowest = min(lowest, slices.Min(slices.Concat(p.Scores...)))
	}
	lowest = max(math.Floor(10*lowest-1e-9)/10, 0)
	for i := range steps + 1 {
		thresholds = append(thresholds, lowest+(1-lowest)*float64(i)/steps)
	}
	return thresholds, lists.Each(a.Policies, func(p AcrossPolicy) []stats.Estimate { return stats.PerformanceProfile(p.Scores, thresholds) })
}
