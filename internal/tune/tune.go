// Package tune searches for options with which policies have the lowest regret, as the section tune of an
// experiment describes, and judges what it finds on seeds that the search has not seen.
//
// A search goes through the rungs of its schedule. In each rung, all configurations that remain run on the same
// seeds for the same number of rounds; the best of them go on to the next rung (successive halving: Jamieson and
// Talwalkar, AISTATS 2016). Random search (Bergstra and Bengio, JMLR 2012) has one rung. What runs depends only on the
// experiment, on the regret of finished trials and, if the budget is in minutes, on their processor time. So a search
// that is repeated over the same finished trials runs the same ones again.
package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Configuration is a policy of the experiment with a value for each of its ranges.
type Configuration struct {
	Policy string   // its name in the experiment
	Number int      // 0: the policy with the settings of the experiment itself
	Values []string // one for each range of its Space; nil for number 0
}

// Label returns the name of the configuration, such as "GP #17"; for number 0 it is the name of the policy.
func (c Configuration) Label() string {
	if c.Number == 0 {
		return c.Policy
	}
	return fmt.Sprintf("%s #%d", c.Policy, c.Number)
}

// A Stage is a rung of the search, a batch of a search by minutes, or the final evaluation on the seeds held out. Every
// configuration runs on every seed.
type Stage struct {
	Name           string // such as "rung 2 of 4", "batch 3" or "seeds held out"
	Folder         string // folder of its trials: rungs with the same number of rounds share one, and the seeds held out have another
	Configurations []Configuration
	Seeds          []uint64
	Rounds         int
	Environments   []string // names; nil unless the experiment has several
}

// Trials runs a stage. The set has a policy for each configuration, under its label, with a record for each seed.
type Trials func(context.Context, Stage) (*results.Set, error)

// A Search holds everything that a search depends on, except the regret of its trials.
type Search struct {
	Tune     *Section
	Policies []Space
	Rungs    []Rung
	HeldOut  []uint64 // seeds
	Judges   []string // environments of the trials on HeldOut, if the experiment has several
	// Seconds returns the processor time of a configuration's finished trials. Only budgets in minutes need it.
	Seconds func(Configuration) (float64, error)

	draw func(policy string, n int) (Space, error) // calls newSpace
}

// heldOutFolder is the folder of the trials on seeds held out.
const heldOutFolder = "held-out"

// New returns the search for options of the named policies. Trials have the given protocol, and heldOut are the seeds
// of the experiment. resolve returns the policy that a configuration of a space makes.
func New(t *Section, policies []string, protocol bandit.Protocol, heldOut []uint64, resolve func(Space, Configuration) (results.Policy, error)) (*Search, error) {
	s := &Search{Tune: t, HeldOut: heldOut}
	var err error
	if s.Rungs, err = schedule(t, protocol.Rounds); t.Halving != nil {
		if first := protocol.AfterBurnIn(); t.Halving.Rounds < first {
			err = fmt.Errorf("tune.halving: burn-in ends in round %d: want trials of at least %d rounds", first-1, first)
		}
		err = t.Halving.Wrap(err)
	}
	if err != nil {
		return nil, err
	}
	s.draw = func(policy string, n int) (Space, error) { return newSpace(t, policy, n, resolve) }
	for _, name := range policies {
		space, err := s.draw(name, s.Rungs[0].Configurations)
		if err != nil {
			return nil, err
		}
		s.Policies = append(s.Policies, space)
	}
	switch tuned, all := len(s.tuned()), len(s.First().Configurations); {
	case tuned == 0:
		return nil, errors.New("tune: no policy of this run has ranges")
	case all > maxConfigurations:
		return nil, fmt.Errorf("tune: a budget of %d makes %d configurations of %d policies, want at most %d: lower it, or tune policies one by one with --policies", t.Budget, all, tuned, maxConfigurations)
	}
	return s, nil
}

// maxConfigurations is the largest number of policies in a stage, as in an experiment.
const maxConfigurations = 1000

// A Scored is a configuration with its regret in a rung.
type Scored struct {
	Configuration
	Regret []float64 // by seed; NaN where the trial failed
	Score  float64   // what the search minimizes: the objective of Regret, +Inf if a trial failed
}

// A Found is the result of the search for one policy.
type Found struct {
	Space
	Rungs   [][]Scored // configurations of each rung, the best first
	Best    Scored     // best configuration of the last rung
	Minutes float64    // processor time spent on the policy, in minutes, if the budget is in minutes
}

// A Result is the result of a search.
type Result struct {
	*Search
	Found   []Found      // one for each policy with ranges
	HeldOut *results.Set // trials on the seeds held out: of the best configurations, and of every policy as it is in the experiment
}

// Run searches, then runs the best configurations, and every policy as it is in the experiment, on the seeds held out.
func (s *Search) Run(ctx context.Context, trials Trials) (*Result, error) {
	r := &Result{Search: s}
	var left [][]Configuration
	for _, p := range s.tuned() {
		r.Found = append(r.Found, Found{Space: p})
		left = append(left, p.Configurations)
	}
	rungs := s.Rungs
	if s.Tune.Minutes > 0 {
		if err := s.spend(ctx, r.Found, trials); err != nil {
			return nil, err
		}
		rungs = nil // the only rung has run
	}
	for k, rung := range rungs {
		stage := s.stage(k, slices.Concat(left...))
		set, err := trials(ctx, stage)
		if err != nil {
			return nil, err
		}
		for i := range r.Found {
			f := &r.Found[i]
			scored := s.score(set, left[i], stage.Seeds)
			f.Rungs, f.Best, left[i] = append(f.Rungs, scored), scored[0], nil
			if k+1 < len(s.Rungs) {
				for _, c := range scored[:ceilDiv(len(scored), rung.Eta)] {
					left[i] = append(left[i], c.Configuration)
				}
			}
		}
	}
	stage := Stage{Name: "seeds held out", Folder: heldOutFolder, Seeds: s.HeldOut, Rounds: s.Rungs[len(s.Rungs)-1].Rounds, Environments: s.Judges}
	for _, f := range r.Found {
		if f.Best.Number != 0 {
			stage.Configurations = append(stage.Configurations, f.Best.Configuration)
		}
	}
	for _, p := range s.Policies {
		stage.Configurations = append(stage.Configurations, Configuration{Policy: p.Policy})
	}
	var err error
	r.HeldOut, err = trials(ctx, stage)
	return r, err
}

// First returns the stage of the first rung.
func (s *Search) First() Stage {
	each := lists.Each(s.tuned(), func(p Space) []Configuration { return p.Configurations })
	return s.stage(0, slices.Concat(each...))
}

// tuned returns the policies with ranges.
func (s *Search) tuned() []Space {
	return slices.DeleteFunc(slices.Clone(s.Policies), func(p Space) bool { return len(p.Ranges) == 0 })
}

// stage returns the stage of rung k, from 0, for the configurations in left.
func (s *Search) stage(k int, left []Configuration) Stage {
	r := s.Rungs[k]
	return Stage{
		Name: fmt.Sprintf("rung %d of %d", k+1, len(s.Rungs)), Folder: fmt.Sprintf("rounds-%d", r.Rounds),
		Configurations: left, Seeds: s.Tune.Seeds[:r.Seeds], Rounds: r.Rounds, Environments: s.Tune.Environments,
	}
}

// score returns the configurations of the list with their regret, the lowest score first.
func (s *Search) score(set *results.Set, list []Configuration, seeds []uint64) []Scored {
	return sorted(lists.Each(list, func(c Configuration) Scored {
		at := Scored{Configuration: c, Regret: regret(set, c, seeds, s.Tune.Metric.Total)}
		switch {
		case slices.ContainsFunc(at.Regret, math.IsNaN):
			at.Score = math.Inf(1)
		case s.Tune.Objective == Worst:
			at.Score = slices.Max(at.Regret)
		default:
			at.Score = stats.NewEstimate(at.Regret).Mean
		}
		return at
	}))
}

// sorted sorts the list by score, the lowest first, and by number if scores are equal. It returns the list.
func sorted(list []Scored) []Scored {
	slices.SortFunc(list, func(a, b Scored) int { return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Number, b.Number)) })
	return list
}

// regret returns the regret of a configuration on each seed, NaN where there is no trial with all its rounds.
func regret(set *results.Set, c Configuration, seeds []uint64, total func(results.Totals) float64) []float64 {
	list := slices.Repeat([]float64{math.NaN()}, len(seeds))
	if p := set.Find(c.Label()); p != nil {
		for _, rec := range results.Finished(p.Records) {
			if at := slices.Index(seeds, rec.Seed); at >= 0 {
				list[at] = total(rec.Totals)
			}
		}
	}
	return list
}

// Best returns one configuration for each policy: the best that was found. For a policy without ranges, it is number 0.
func (r *Result) Best() []Configuration {
	return lists.Each(r.Policies, func(p Space) Configuration {
		if at := slices.IndexFunc(r.Found, func(f Found) bool { return f.Policy == p.Policy }); at >= 0 {
			return r.Found[at].Best.Configuration
		}
		return Configuration{Policy: p.Policy}
	})
}

// A Judgment is the regret of the best configuration of a policy, with t-intervals: on the seeds of the search, which
// flatter it, and on those held out. Trials that failed do not count.
type Judgment struct {
	Best            Configuration
	Search, HeldOut stats.Estimate
	Minutes         float64 // Found.Minutes
	// Untuned is the regret of the policy as it is in the experiment, on the seeds held out. Difference is HeldOut less
	// Untuned, paired by seed. If Best is the policy as it is, both are estimates of no values.
	Untuned, Difference stats.Estimate
}

// Judge returns the judgment of the best configuration of each policy with ranges.
func (r *Result) Judge() []Judgment {
	return lists.Each(r.Found, func(f Found) Judgment {
		on := func(c Configuration) []float64 {
			return regret(r.HeldOut, c, r.Search.HeldOut, r.Tune.Metric.Total)
		}
		best := on(f.Best.Configuration)
		j := Judgment{Best: f.Best.Configuration, Search: Estimate(f.Best.Regret), HeldOut: Estimate(best), Minutes: f.Minutes, Untuned: Estimate(nil), Difference: Estimate(nil)}
		if f.Best.Number != 0 {
			untuned := on(Configuration{Policy: f.Policy})
			j.Untuned, j.Difference = Estimate(untuned), Difference(best, untuned)
		}
		return j
	})
}

// Estimate returns the mean of the values that are not NaN, with its t-interval.
func Estimate(values []float64) stats.Estimate {
	return stats.NewEstimate(slices.DeleteFunc(slices.Clone(values), math.IsNaN))
}

// Difference returns the mean of a[i] − b[i], with its t-interval. It ignores differences that are NaN, and elements of
// the longer list beyond the end of the shorter one.
func Difference(a, b []float64) stats.Estimate {
	var list []float64
	for i := range min(len(a), len(b)) {
		list = append(list, a[i]-b[i])
	}
	return Estimate(list)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
