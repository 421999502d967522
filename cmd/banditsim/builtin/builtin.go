// Package builtin is the list of what the project brings: policies, posteriors, samplers,
// environments and presets.
package builtin

import (
	_ "embed"
	"errors"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/datasets/mushroom"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

//go:embed fielddocs.json
var fieldDocs []byte

// Default returns a new catalog with everything that the project brings. Add to
// it what is your own.
func Default() *experiment.Catalog {
	c := &experiment.Catalog{}
	if err := errors.Join(addPosteriors(c), addSamplers(c),
		experiment.AddPolicy(c, policy.EpsGreedyKind(neural.EpsGreedy, "ε-greedy over RMSProp with a decaying step: 4 networks",
			0.003, preset(neural.EpsGreedy), network[neural.LangevinOptions])),
		experiment.AddPolicy(c, policy.UniformKind),
		experiment.AddPolicy(c, policy.FixedKind("Never", "the first arm always: never eat", 0)),
		experiment.AddPolicy(c, policy.FixedKind("Always", "the second arm always: always eat", 1)),
		experiment.AddEnvironment(c, mushroom.Kind), addPresets(c), c.DescribeFields(fieldDocs)); err != nil {
		panic(err) // two of the project's own names are the same
	}
	return c
}

// ThePaper lists the six policies of the paper's mushroom experiment.
func ThePaper() []string {
	return []string{neural.PICSGLD, neural.PCSGLD, neural.PSGLD, neural.Dropout, neural.ConstSGD, neural.EpsGreedy}
}

// preset returns the options of one of the six by profile.
func preset(name string) func(posterior.Profile) neural.LangevinOptions {
	return func(p posterior.Profile) neural.LangevinOptions {
		o, err := neural.Preset(name, p)
		if err != nil {
			panic(err) // the names here are constants of that package
		}
		return o
	}
}

func addPosteriors(c *experiment.Catalog) error {
	var errs []error
	for _, p := range []struct {
		name, doc string
		claims    []experiment.Claim
	}{
		{neural.PICSGLD, "interacting contour SGLD, preconditioned: 4 chains share one energy histogram", []experiment.Claim{experiment.ClaimSpread}},
		{neural.PCSGLD, "contour SGLD, preconditioned: 1 chain with 4 times the steps", []experiment.Claim{experiment.ClaimSpread}},
		{neural.PSGLD, "SGLD, preconditioned: 4 chains", []experiment.Claim{experiment.ClaimSpread}},
		// Masks blur a prediction the more the larger it is, data or no data: no spread is claimed.
		{neural.Dropout, "Monte Carlo dropout behind the last hidden layer: 4 networks", nil},
		{neural.ConstSGD, "stochastic gradient descent of constant step: 4 networks", []experiment.Claim{experiment.ClaimSpread}},
	} {
		errs = append(errs, experiment.AddPosterior(c, p.name, p.doc, preset(p.name), network[neural.LangevinOptions], p.claims...))
	}
	errs = append(errs,
		experiment.AddPosterior(c, "SGLD", "SGLD without a preconditioner: 4 chains", neural.DefaultSGLD, network[neural.LangevinOptions], experiment.ClaimSpread),
		experiment.AddPosterior(c, "cycSGLD", "cyclical SGLD, preconditioned: 4 chains", neural.DefaultCyclical, network[neural.CyclicalOptions], experiment.ClaimSpread),
		experiment.AddPosterior(c, "reSGLD", "replica exchange SGLD, preconditioned: 4 chains, of which the coldest predicts", neural.DefaultExchange, network[neural.ExchangeOptions], experiment.ClaimSpread),
		experiment.AddPosterior(c, "SGHMC", "stochastic gradient Hamiltonian Monte Carlo: 4 chains", neural.DefaultSGHMC, network[neural.SGHMCOptions], experiment.ClaimSpread),
		experiment.AddPosterior(c, "SVGD", "Stein variational gradient descent: 4 particles", neural.DefaultSVGD, network[neural.SVGDOptions], experiment.ClaimSpread),
		experiment.AddPosterior(c, "GP", "sparse online Gaussian process of the log-odds of a high reward, an arm each",
			exact.DefaultGP, func(o exact.GPOptions, s posterior.Setup) (posterior.Posterior, error) { return o.New(s) }, experiment.ClaimSpread))
	return errors.Join(errs...)
}

func addSamplers(c *experiment.Catalog) error {
	var errs []error
	for _, s := range sgmcmc.Methods() {
		errs = append(errs, experiment.AddSampler(c, s))
	}
	return errors.Join(errs...)
}

// network makes the posterior that options describe.
func network[O interface {
	New(posterior.Setup) (*neural.Network, error)
}](o O, s posterior.Setup) (posterior.Posterior, error) {
	return o.New(s)
}

func addPresets(c *experiment.Catalog) error {
	paper := bandit.Protocol{Rounds: 2000, Pulls: 20, BurnIn: 1024}
	authors := paper
	authors.BurnIn = 1023 // their loop is one short
	quick := paper
	quick.Rounds = quickRounds
	return errors.Join(
		c.AddPreset(experiment.Experiment{
			Name: "quick", Doc: fmt.Sprintf("all six on one seed, the first %d rounds: under a minute", quickRounds),
			Environment: "mushroom", Profile: posterior.Paper, Protocol: quick,
			Policies: ThePaper(), Seeds: []uint64{1},
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-paper", Doc: "the paper's experiment as the paper describes it: six policies, 2,000 rounds",
			Environment: "mushroom", Profile: posterior.Paper, Protocol: paper,
			Policies: ThePaper(), Seeds: seedRange(1, 20),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-authors", Doc: "the same as the authors' program computes it, quirks included",
			Environment: "mushroom", Profile: posterior.Authors, Protocol: authors,
			Policies: ThePaper(), Seeds: seedRange(1, 20),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-best", Doc: "the lowest regret that we know of: a Gaussian process, no burn-in",
			Environment: "mushroom", Profile: posterior.Paper, Protocol: bandit.Protocol{Rounds: 2000, Pulls: 20},
			Policies: []string{"GP"}, Seeds: seedRange(1, 20),
			// Tuned on the seeds 101 to 130: docs/reproduction.md.
			Settings: []experiment.Setting{
				{Key: "GP.act", Value: "sample"}, {Key: "GP.length_scale", Value: "5"},
				{Key: "GP.prior_sd", Value: "3.5"}, {Key: "GP.prior_mean", Value: "3"},
				{Key: "GP.spread", Value: "0.1"}, {Key: "GP.novelty", Value: "0.01"},
			},
		}))
}

// quickRounds is what the preset quick can do in a minute on two cores.
const quickRounds = 300

func seedRange(low, high uint64) []uint64 {
	var list []uint64
	for s := low; s <= high; s++ {
		list = append(list, s)
	}
	return list
}
