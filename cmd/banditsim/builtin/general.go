package builtin

import (
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
)

// general names a profile whose options suit any problem (measured in docs/showdown.md), and the preset that uses it.
const general = "general"

// Policies with a network. Those in preconditioned divide gradients by their size, as RMSProp does; those in plain and
// withMomenta do not. The other lists have the policies with a temperature (tempered), a contour, or a linear model
// over the last hidden layer.
var (
	preconditioned = []string{"pICSGLD", "pCSGLD", "pSGLD", "cycSGLD", "reSGLD", "EpsGreedy", "NeuralSoftmax", "NeuralSquareCB", "Ensemble", "Bootstrap", "EnsemblePlus", "EnsemblePlusPlus",
		"NeuralLinear", "LastLayerLaplace", "ParamNoise", "BayesByBackprop", "NeuralUCB", "NeuralTS", "NeuralLinUCB", "SWAG"}
	plain       = []string{"SGLD", "Dropout", "ConstSGD"}
	withMomenta = []string{"SGHMC", "SGNHT", "ICSGHMC"}
	tempered    = []string{"pICSGLD", "pCSGLD", "pSGLD", "cycSGLD", "reSGLD", "SGLD", "SGHMC", "SGNHT", "ICSGHMC", "SVGD", "BayesByBackprop"}
	contoured   = []string{"pICSGLD", "pCSGLD", "ICSGHMC"}
	lastLayers  = []string{"NeuralLinear", "NeuralLinUCB", "LastLayerLaplace"}
)

// Policies without a network. Those in scaled have the option own_scale, those in global and local the option
// cover_first. A global posterior fits one function to all rewards; a local one predicts from similar contexts.
var (
	scaled = []string{"LinTS", "LinUCB", "LinEpsGreedy", "LinSoftmax", "LinETC", "LinSquareCB", "RegCB", "Bag", "Cover", "LogisticTS", "VITS", "GP", "kNN", "kNNUCB", "KernelRegression", "KernelUCB"}
	global = []string{"LinTS", "LinUCB", "LinEpsGreedy", "LinSoftmax", "LinSquareCB", "RegCB", "Bag", "LogisticTS", "VITS"}
	local  = []string{"GP", "kNN", "kNNUCB", "KernelRegression", "KernelUCB", "TreeBootstrap", "DPMM"}
)

// generalSettings returns the options in which the profile general differs from the profile paper. Policies in
// preconditioned have the highest learning rate, because they divide the gradient by its size.
func generalSettings() []experiment.Setting {
	networks := slices.Concat(preconditioned, plain, withMomenta, []string{"SVGD"})
	cold := slices.DeleteFunc(slices.Clone(networks), func(name string) bool { return slices.Contains(tempered, name) })
	return slices.Concat(
		settingsOf(networks, "hidden=50,50", "train_after=49", "buffer=16384", "own_scale=true", "skip=true", "skip_decay=1",
			"weight_decay=0.7", "moment_decay=true", "rank_tails=20", "coverage=10", "cover_rim=5", "cover_core=5", "rate_width=128", "model=auto"),
		settingsOf(cold, "anchor=true", "last_decay_limit=3"), // the noise of tempered policies keeps hidden layers from shrinking to 0
		settingsOf(lastLayers, "lambda=1", "noise=0.5"),
		settingsOf([]string{"NeuralUCB"}, "alpha=0.5"),
		settingsOf(preconditioned, "learning_rate=0.1", "preconditioner.rho=0.01", "preconditioner.scale=1"),
		settingsOf(plain, "learning_rate=0.05"),
		settingsOf(withMomenta, "learning_rate=0.07", "friction=1.4"),
		settingsOf(slices.Concat(plain, withMomenta), "input_limit=10"),
		settingsOf([]string{"SVGD"}, "learning_rate=0.005", "weight_decay=0.3"),
		settingsOf([]string{"ParamNoise"}, "deviation=0.2"),
		settingsOf([]string{"EnsemblePlus"}, "prior_scale=0.3", "noise=0.3"),
		settingsOf(tempered, "temperature=0.3"),
		settingsOf(contoured, "contour.range=auto", "contour.gain=0.6", "contour.limit=0.9", "contour.bins=50"),
		settingsOf(scaled, "own_scale=true"),
		settingsOf(global, "cover_first=10", "cover_rim=5", "cover_core=5"),
		settingsOf(local, "cover_first=20", "cover_rim=5", "cover_core=5"),
		settingsOf([]string{"LinSoftmax", "LinSquareCB", "NeuralSoftmax", "NeuralSquareCB"}, "relative=true"),
		settingsOf([]string{"kNN", "kNNUCB"}, "repeats=true", "cover_rim=20", "cover_core=20"),
		settingsOf([]string{"DPMM"}, "linear=true", "cover_rim=10", "cover_core=10"),
		settingsOf([]string{"GP"}, "length_scale=1", "act=sample"), // with act=mean GP stops eating on some seeds of mushroom
		settingsOf([]string{"GP", "kNN", "kNNUCB", "KernelRegression", "KernelUCB"}, "standardize=true"),
		settingsOf([]string{"KernelRegression", "KernelUCB"}, "bandwidth=0.35"),
		settingsOf([]string{"GP", "LogisticTS"}, "spread=0.3"),
		settingsOf([]string{"LinTS", "NeuralTS", "VITS"}, "noise=0.5"),
		settingsOf([]string{"KernelUCB"}, "alpha=0.3"),
	)
}

// generalPreset is the experiment on which run --environment is based.
func generalPreset() experiment.Experiment {
	return experiment.Experiment{
		Name: general, Doc: "the six with options for any problem, each arm pulled twice first; 400 rounds, or each row of a table once: what run --environment begins with",
		Environment: "mushroom", Profile: general,
		Protocol: bandit.Protocol{Rounds: 400, Pulls: 20, Initial: 2, Sequential: true}, FollowRows: true,
		Policies: thePaper(), Seeds: []uint64{1},
	}
}
