package builtin

import (
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
)

// general is the profile of options that suit any problem: docs/showdown.md has what was measured.
const general = "general"

// Policies over networks that Langevin's step trains, and that can learn in their own scale: with RMSProp, without, and
// those of them that have a temperature.
var (
	preconditioned = []string{"pICSGLD", "pCSGLD", "pSGLD", "cycSGLD", "reSGLD", "EpsGreedy", "NeuralSoftmax", "NeuralSquareCB", "Ensemble", "Bootstrap"}
	plain          = []string{"SGLD", "Dropout", "ConstSGD"}
	warm           = []string{"pICSGLD", "pCSGLD", "pSGLD", "cycSGLD", "reSGLD", "SGLD"}
	contoured      = []string{"pICSGLD", "pCSGLD"}
)

// generalSettings are the differences of the profile general from the paper's. Rates without RMSProp are lower, as nothing
// divides the gradient by its size.
func generalSettings() []experiment.Setting {
	all := slices.Concat(preconditioned, plain)
	return slices.Concat(
		settingsOf(all, "hidden=50,50", "train_after=49", "buffer=16384", "own_scale=true", "skip=true", "skip_decay=1",
			"weight_decay=0.7", "coverage=20", "model=auto"),
		settingsOf(preconditioned, "learning_rate=0.1", "preconditioner.rho=0.01", "preconditioner.scale=1"),
		settingsOf(plain, "learning_rate=0.05"),
		settingsOf(warm, "temperature=0.3"),
		settingsOf(contoured, "contour.range=auto", "contour.gain=0.6", "contour.limit=0.9", "contour.bins=50"),
	)
}

// addGeneral adds the preset that runs on an environment begin with.
func addGeneral(c *experiment.Catalog) error {
	return c.AddPreset(experiment.Experiment{
		Name: general, Doc: "the six with options for any problem, 400 rounds, each arm pulled twice first: what run --environment begins with",
		Environment: "mushroom", Profile: general,
		Protocol: bandit.Protocol{Rounds: 400, Pulls: 20, Initial: 2, Sequential: true},
		Policies: ThePaper(), Seeds: []uint64{1},
	})
}
