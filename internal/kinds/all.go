package kinds

import (
	"banditsim/policy"
	"banditsim/posterior/exact"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// All returns what the project provides: its policies, posteriors and samplers.
func All() []Part {
	return []Part{
		Sampler(neural.PICSGLD()),
		Sampler(neural.PCSGLD()),
		Sampler(neural.Over(sgmcmc.PSGLD())),
		Posterior(neural.Dropout()),
		Sampler(neural.ConstSGD()),
		Sampler(neural.Over(sgmcmc.SGLD())),
		Sampler(neural.Over(sgmcmc.CycSGLD()).With(", preconditioned: 4 chains")),
		Sampler(neural.Over(sgmcmc.ReSGLD()).With(", preconditioned: 4 chains, of which the coldest predicts")),
		Sampler(neural.Over(sgmcmc.SGHMC())),
		Sampler(neural.Over(sgmcmc.SGNHT())),
		Sampler(neural.Over(sgmcmc.ICSGHMC()).With(": 4 chains share one energy histogram")),
		Sampler(neural.Over(sgmcmc.SVGD()).With(": 4 particles")),
		Posterior(neural.Gradient(), policy.SamplingKind(neural.Gradient()).As("NeuralTS", "Thompson sampling over a network and its gradients (Zhang et al. 2021)")),
		Posterior(neural.NeuralLinear()),
		Posterior(neural.LastLayerLaplace()),
		Posterior(neural.Ensemble()),
		Posterior(neural.Bootstrap()),
		Posterior(neural.EnsemblePlus()),
		Posterior(neural.EnsemblePlusPlus()),
		Posterior(neural.ParamNoise()),
		Posterior(neural.BayesByBackprop()),
		Posterior(neural.SWAG()),
		Posterior(neural.LMCTS()),
		Posterior(exact.GP()),
		Posterior(exact.Linear(), policy.SamplingKind(exact.Linear()).As("LinTS", "Thompson sampling over exact Bayesian linear regression (Agrawal and Goyal 2013)")),
		Posterior(exact.Logistic(), policy.SamplingKind(exact.Logistic()).As("LogisticTS", "Thompson sampling over Bayesian logistic regression (Chapelle and Li 2011)")),
		Posterior(exact.Bag(), policy.SamplingKind(exact.Bag()).As("Bag", "online bootstrap of exact linear regression, 10 models: an arm by the share of votes (Oza and Russell 2001)")),
		Posterior(exact.Trees()),
		Posterior(exact.KNN()),
		Posterior(exact.KernelRegression()),
		Posterior(exact.DPMM()),
		Method(sgmcmc.CSGLD()),
		Method(sgmcmc.ICSGLD()),
		Method(sgmcmc.CycSGHMC()),
		Method(sgmcmc.ReSGHMC()),
		Method(sgmcmc.MALA()),
		Method(sgmcmc.HMC()),
		Policy(policy.EpsGreedyKind(neural.EpsGreedy(), 0.003)),
		Policy(policy.UCBKind(exact.Linear(), 1).As("LinUCB", "upper confidence bounds over exact linear regression (Li et al. 2010)")),
		Policy(policy.EpsGreedyKind(exact.Linear(), 0.05).As("LinEpsGreedy", "ε-greedy over exact linear regression (Sutton and Barto 2018)")),
		Policy(policy.SoftmaxKind(exact.Linear(), 0.1).As("LinSoftmax", "Boltzmann exploration over exact linear regression (Sutton and Barto 2018)")),
		Policy(policy.ExploreThenCommitKind(exact.Linear(), 1000).As("LinETC", "explore then commit: arms at random, then the best one, by exact linear regression (Langford and Zhang 2007)")),
		Policy(policy.SquareCBKind(exact.Linear(), 10).As("LinSquareCB", "inverse gap weighting over exact linear regression (Foster and Rakhlin 2020)")),
		Policy(policy.SoftmaxKind(neural.EpsGreedy(), 0.1).As("NeuralSoftmax", "Boltzmann exploration over 4 networks (Sutton and Barto 2018)")),
		Policy(policy.SquareCBKind(neural.EpsGreedy(), 10).As("NeuralSquareCB", "inverse gap weighting over 4 networks (Foster and Rakhlin 2020)")),
		Policy(policy.UCBKind(neural.Gradient(), 1).As("NeuralUCB", "upper confidence bounds over a network and its gradients (Zhou et al. 2020)")),
		Policy(policy.UCBKind(neural.NeuralLinear(), 1).As("NeuralLinUCB", "upper confidence bounds over a network's last hidden layer (Xu et al. 2022)")),
		Policy(policy.UCBKind(exact.KNN(), 1).As("kNNUCB", "upper confidence bounds over the nearest contexts (Guan and Jiang 2018)")),
		Policy(policy.UCBKind(exact.KernelRegression(), 1).As("KernelUCB", "upper confidence bounds over kernel regression (Nadaraya 1964; Watson 1964)")),
		Policy(policy.CoverKind()),
		Policy(policy.VOIKind(exact.DPMM()).As("DPMMVOI", "value of information to the end of the trial, over a Dirichlet process mixture of contexts")),
		Policy(policy.OracleKind()),
		Policy(policy.SupervisedKind(exact.Linear()).As("Supervised", "yardstick: exact linear regression of the rewards of all arms, seen or not")),
		Policy(policy.UCB1Kind()),
		Policy(policy.KLUCBKind()),
		Policy(policy.BetaTSKind()),
		Policy(policy.GaussianTSKind()),
		Policy(policy.UniformKind()),
		Policy(policy.FixedKind("Never", "always the first arm: on the mushrooms, never eat", 0)),
		Policy(policy.FixedKind("Always", "always the second arm: on the mushrooms, always eat", 1)),
	}
}
