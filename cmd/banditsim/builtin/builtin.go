// Package builtin lists what the project provides: policies, posteriors, samplers, environments and
// presets.
package builtin

import (
	_ "embed"
	"errors"

	"banditsim/bandit/experiment"
	"banditsim/datasets/images"
	"banditsim/datasets/mushroom"
	"banditsim/datasets/synthetic"
	"banditsim/datasets/table"
	"banditsim/policy"
	"banditsim/posterior/exact"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

//go:embed fielddocs.json
var fieldDocs []byte

// Default returns a new catalog with everything that the project provides, to which a program can
// add its own.
func Default() *experiment.Catalog {
	c := &experiment.Catalog{Renamed: renamed, FieldDocs: fieldDocs}
	if err := errors.Join(
		experiment.AddSampler(c, neural.PICSGLD()),
		experiment.AddSampler(c, neural.PCSGLD()),
		experiment.AddSampler(c, neural.Over(sgmcmc.PSGLD())),
		experiment.AddPosterior(c, neural.Dropout()),
		experiment.AddSampler(c, neural.ConstSGD()),
		experiment.AddSampler(c, neural.Over(sgmcmc.SGLD())),
		experiment.AddSampler(c, neural.Over(sgmcmc.CycSGLD()).With(", preconditioned: 4 chains")),
		experiment.AddSampler(c, neural.Over(sgmcmc.ReSGLD()).With(", preconditioned: 4 chains, of which the coldest predicts")),
		experiment.AddSampler(c, neural.Over(sgmcmc.SGHMC())),
		experiment.AddSampler(c, neural.Over(sgmcmc.SGNHT())),
		experiment.AddSampler(c, neural.Over(sgmcmc.ICSGHMC()).With(": 4 chains share one energy histogram")),
		experiment.AddSampler(c, neural.Over(sgmcmc.SVGD()).With(": 4 particles")),
		experiment.AddPosterior(c, neural.Gradient(), policy.SamplingKind(neural.Gradient()).As("NeuralTS", "Thompson sampling over a network and its gradients (Zhang et al. 2021)")),
		experiment.AddPosterior(c, neural.NeuralLinear()),
		experiment.AddPosterior(c, neural.LastLayerLaplace()),
		experiment.AddPosterior(c, neural.Ensemble()),
		experiment.AddPosterior(c, neural.Bootstrap()),
		experiment.AddPosterior(c, neural.EnsemblePlus()),
		experiment.AddPosterior(c, neural.EnsemblePlusPlus()),
		experiment.AddPosterior(c, neural.ParamNoise()),
		experiment.AddPosterior(c, neural.BayesByBackprop()),
		experiment.AddPosterior(c, neural.SWAG()),
		experiment.AddPosterior(c, neural.LMCTS()),
		experiment.AddPosterior(c, exact.GP()),
		experiment.AddPosterior(c, exact.Linear(), policy.SamplingKind(exact.Linear()).As("LinTS", "Thompson sampling over exact Bayesian linear regression (Agrawal and Goyal 2013)")),
		experiment.AddPosterior(c, exact.Logistic(), policy.SamplingKind(exact.Logistic()).As("LogisticTS", "Thompson sampling over Bayesian logistic regression (Chapelle and Li 2011)")),
		experiment.AddPosterior(c, exact.Bag(), policy.SamplingKind(exact.Bag()).As("Bag", "online bootstrap of exact linear regression, 10 models: an arm by the share of votes (Oza and Russell 2001)")),
		experiment.AddPosterior(c, exact.Trees()),
		experiment.AddPosterior(c, exact.KNN()),
		experiment.AddPosterior(c, exact.KernelRegression()),
		experiment.AddPosterior(c, exact.DPMM()),
		experiment.AddMethod(c, sgmcmc.CSGLD()),
		experiment.AddMethod(c, sgmcmc.ICSGLD()),
		experiment.AddMethod(c, sgmcmc.CycSGHMC()),
		experiment.AddMethod(c, sgmcmc.ReSGHMC()),
		experiment.AddMethod(c, sgmcmc.MALA()),
		experiment.AddMethod(c, sgmcmc.HMC()),
		experiment.AddPolicy(c, policy.EpsGreedyKind(neural.EpsGreedy(), 0.003)),
		experiment.AddPolicy(c, policy.UCBKind(exact.Linear(), 1).As("LinUCB", "upper confidence bounds over exact linear regression (Li et al. 2010)")),
		experiment.AddPolicy(c, policy.EpsGreedyKind(exact.Linear(), 0.05).As("LinEpsGreedy", "ε-greedy over exact linear regression (Sutton and Barto 2018)")),
		experiment.AddPolicy(c, policy.SoftmaxKind(exact.Linear(), 0.1).As("LinSoftmax", "Boltzmann exploration over exact linear regression (Sutton and Barto 2018)")),
		experiment.AddPolicy(c, policy.ExploreThenCommitKind(exact.Linear(), 1000).As("LinETC", "explore then commit: arms at random, then the best one, by exact linear regression (Langford and Zhang 2007)")),
		experiment.AddPolicy(c, policy.SquareCBKind(exact.Linear(), 10).As("LinSquareCB", "inverse gap weighting over exact linear regression (Foster and Rakhlin 2020)")),
		experiment.AddPolicy(c, policy.SoftmaxKind(neural.EpsGreedy(), 0.1).As("NeuralSoftmax", "Boltzmann exploration over 4 networks (Sutton and Barto 2018)")),
		experiment.AddPolicy(c, policy.SquareCBKind(neural.EpsGreedy(), 10).As("NeuralSquareCB", "inverse gap weighting over 4 networks (Foster and Rakhlin 2020)")),
		experiment.AddPolicy(c, policy.UCBKind(neural.Gradient(), 1).As("NeuralUCB", "upper confidence bounds over a network and its gradients (Zhou et al. 2020)")),
		experiment.AddPolicy(c, policy.UCBKind(exact.KNN(), 1).As("kNNUCB", "upper confidence bounds over the nearest contexts (Guan and Jiang 2018)")),
		experiment.AddPolicy(c, policy.UCBKind(exact.KernelRegression(), 1).As("KernelUCB", "upper confidence bounds over kernel regression (Nadaraya 1964; Watson 1964)")),
		experiment.AddPolicy(c, policy.CoverKind()),
		experiment.AddPolicy(c, policy.VOIKind(exact.DPMM()).As("DPMMVOI", "value of information to the end of the trial, over a Dirichlet process mixture of contexts")),
		experiment.AddPolicy(c, policy.OracleKind()),
		experiment.AddPolicy(c, policy.SupervisedKind(exact.Linear()).As("Supervised", "yardstick: exact linear regression of the rewards of all arms, seen or not")),
		experiment.AddPolicy(c, policy.UCB1Kind()),
		experiment.AddPolicy(c, policy.KLUCBKind()),
		experiment.AddPolicy(c, policy.BetaTSKind()),
		experiment.AddPolicy(c, policy.GaussianTSKind()),
		experiment.AddPolicy(c, policy.UniformKind()),
		experiment.AddPolicy(c, policy.FixedKind("Never", "always the first arm: on the mushrooms, never eat", 0)),
		experiment.AddPolicy(c, policy.FixedKind("Always", "always the second arm: on the mushrooms, always eat", 1)),
		experiment.AddEnvironment(c, mushroom.Kind()),
		experiment.AddEnvironment(c, table.Kind()),
		experiment.AddEnvironment(c, images.Kind()),
		experiment.AddEnvironment(c, synthetic.Wheel()),
		experiment.AddEnvironment(c, synthetic.Linear()),
		experiment.AddEnvironment(c, synthetic.SparseLinear()),
		experiment.AddEnvironment(c, synthetic.Logistic()),
		experiment.AddEnvironment(c, synthetic.Quadratic()),
		experiment.AddEnvironment(c, synthetic.Testbed()),
		experiment.AddEnvironment(c, synthetic.Bernoulli()),
		experiment.AddEnvironment(c, synthetic.Gaussian()),
		c.AddProfile(experiment.Profile{Name: paper, Doc: "the method as the paper describes it"}),
		c.AddProfile(experiment.Profile{Name: authors, Doc: "the method as the authors' program computes it", Settings: authorsSettings()}),
		c.AddProfile(experiment.Profile{Name: quickProfile, Doc: "small batches and wide bins, for the first rounds", Settings: quickSettings()}),
		c.AddProfile(experiment.Profile{Name: general, Doc: "networks that find their own scale, for any problem", Settings: generalSettings()}),
		addPresets(c)); err != nil {
		panic(err) // two of the project's own names are the same
	}
	return c
}

// renamed are former names of policies, with what they are now.
var renamed = map[string]string{
	"LinLMCTS": "LMCTS with hidden: []", "ULMCTS": "LMCTS with dynamics: underdamped", "MALATS": "LMCTS with dynamics: metropolis",
	"HMCTS": "LMCTS with dynamics: hamiltonian", "FGLMCTS": "LMCTS with feel_good.kind: hard", "SFGLMCTS": "LMCTS with feel_good.kind: smooth",
	"MultiSWAG": "SWAG with chains: 4", "UCBTuned": "UCB1 with tuned: true", "Linear": "LinTS, with act: mean", "Logistic": "LogisticTS, with act: mean",
	"LinearBag": "Bag, with act: mean", "NeuralGradient": "NeuralTS, with act: mean",
}

// Names of the profiles.
const (
	paper        = "paper"
	authors      = "authors"
	quickProfile = "quick"
)

// thePaper lists the six policies of the paper's mushroom experiment.
func thePaper() []string {
	var list []string
	for _, k := range neural.Paper() {
		list = append(list, k.Name)
	}
	return list
}

// authorsSettings are the differences of the authors' program from the paper, for the six.
func authorsSettings() []experiment.Setting {
	var list []experiment.Setting
	for _, k := range neural.Paper() {
		list = append(list, settingsOf([]string{k.Name}, "preconditioner.multiplied=true", "dropout.train_samples=5")...)
		if k.Defaults().Sampler.Contour.Kind != "off" {
			list = append(list, experiment.Setting{Key: k.Name + ".contour.kind", Value: "authors"})
		}
	}
	return list
}
