package builtin

import (
	"embed"
	"errors"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
)

// presets are experiment files: the paper's experiments, the protocols of other papers and programs, and those of
// docs/judges.md and docs/showdown.md.
//
//go:embed presets
var presets embed.FS

func addPresets(c *experiment.Catalog) error {
	return errors.Join(
		c.AddPreset(experiment.Experiment{
			Name: "quick", Doc: fmt.Sprintf("the six on one seed, %d rounds, with options of its own and not the paper's: 10 seconds", quickRounds),
			Environment: "mushroom", Profile: quickProfile, Protocol: bandit.Protocol{Rounds: quickRounds, Pulls: 20, BurnIn: 1024},
			Policies: thePaper(), Seeds: []uint64{1},
		}),
		// The preset on which run --environment is based.
		c.AddPreset(experiment.Experiment{
			Name: general, Doc: "the six with options for any problem, each arm pulled twice first; 400 rounds, or each row of a table once: what run --environment begins with",
			Environment: "mushroom", Profile: general,
			Protocol: bandit.Protocol{Rounds: 400, Pulls: 20, Initial: 2, Sequential: true}, FollowRows: true,
			Policies: thePaper(), Seeds: []uint64{1},
		}),
		c.AddPresets(presets))
}

// quickRounds is the number of rounds of the preset quick: it takes ten seconds on two cores.
const quickRounds = 400
