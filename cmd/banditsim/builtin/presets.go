package builtin

import (
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
)

func addPresets(c *experiment.Catalog) error {
	protocol := bandit.Protocol{Rounds: 2000, Pulls: 20, BurnIn: 1024}
	short := protocol
	short.BurnIn = 1023 // the burn-in of the authors' program ends one pull early
	quick := protocol
	quick.Rounds = quickRounds
	return errors.Join(
		c.AddPreset(experiment.Experiment{
			Name: "quick", Doc: fmt.Sprintf("the six on one seed, %d rounds, with options of its own and not the paper's: 10 seconds", quickRounds),
			Environment: "mushroom", Profile: quickProfile, Protocol: quick,
			Policies: thePaper(), Seeds: []uint64{1},
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-paper", Doc: "the paper's experiment as the paper describes it: six policies, 2,000 rounds",
			Environment: "mushroom", Profile: paper, Protocol: protocol,
			Policies: thePaper(), Seeds: seedRange(1, 20),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-authors", Doc: "the same as the authors' program computes it, quirks included",
			Environment: "mushroom", Profile: authors, Protocol: short,
			Policies: thePaper(), Seeds: seedRange(1, 20),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-best", Doc: "the lowest regret that we know of: a mixture of contexts and the value of information, no burn-in",
			Environment: "mushroom", Profile: paper, Protocol: bandit.Protocol{Rounds: 2000, Pulls: 20},
			Policies: []string{"DPMMVOI"}, Seeds: seedRange(1, 20),
			TunedSeeds: seedRange(101, 200), // see docs/lowest-regret.md
			Settings: settingsOf([]string{"DPMMVOI"}, "tests=2", "concentration=10", "strength=0.02", "sweep=100", "moves=4", "laws=10",
				"beta=0.0001", "pool_values=false"),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-gp", Doc: "a Gaussian process, no burn-in; on 1 seed of 100 it stops eating",
			Environment: "mushroom", Profile: paper, Protocol: bandit.Protocol{Rounds: 2000, Pulls: 20},
			Policies: []string{"GP"}, Seeds: seedRange(1, 20),
			TunedSeeds: slices.Concat(seedRange(1, 6), seedRange(101, 130)), // see docs/lowest-regret.md
			Settings:   settingsOf([]string{"GP"}, "act=sample", "length_scale=5", "prior_sd=3.5", "prior_mean=3", "spread=0.1", "novelty=0.01"),
		}),
		addGeneral(c), addShowdown(c), addProtocols(c), addJudges(c))
}

// quickRounds is the number of rounds of the preset quick: it takes ten seconds on two cores.
const quickRounds = 400

// quickSettings returns options for a short run: batches of 128 instead of the paper's 512, and bins of the contour
// that cover the energies of the run, which fall from 600,000 to 2,000; the paper's bins end at 1,000. ζ grows with the
// width Δu of the bins, because the gradient multiplier depends on ζτ/Δu.
func quickSettings() []experiment.Setting {
	return settingsOf([]string{"all"}, "batch=128", "contour.bins=150", "contour.width=5000", "contour.zeta=15000")
}

func seedRange(low, high uint64) []uint64 {
	var list []uint64
	for s := low; s <= high; s++ {
		list = append(list, s)
	}
	return list
}
