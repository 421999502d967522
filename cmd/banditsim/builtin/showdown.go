package builtin

import (
	"errors"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
)

// networks are the policies of the showdown that train networks.
var networks = []string{"pICSGLD", "pCSGLD", "pSGLD", "SGLD", "cycSGLD", "reSGLD", "SGHMC", "SVGD", "Dropout", "ConstSGD",
	"NeuralLinear", "LastLayerLaplace", "Ensemble", "Bootstrap", "ParamNoise", "BayesByBackprop",
	"EpsGreedy", "NeuralSoftmax", "NeuralSquareCB", "NeuralUCB", "NeuralTS"}

// replaced makes the trials of the showdown draw the rows of a table with replacement.
var replaced = []experiment.Setting{{Key: "replacement", Value: "true"}}

// addShowdown adds the preset of docs/showdown.md: the field's policies on nine environments.
func addShowdown(c *experiment.Catalog) error {
	policies := append(networks[:len(networks):len(networks)], "GP", "LogisticTS", "LinTS", "LinUCB", "LinTS shared", "LinUCB shared",
		"LinEpsGreedy", "LinSoftmax", "LinETC", "LinSquareCB", "Bag", "Cover", "DPMMVOI", "kNNUCB", "KernelUCB", "KLUCB", "GaussianTS", "Uniform")
	return c.AddPreset(experiment.Experiment{
		Name: "showdown", Doc: "39 policies on mushroom, wheel (3), linear, logistic, testbed, iris and digits: docs/showdown.md",
		Profile:  general,
		Protocol: bandit.Protocol{Rounds: 500, Pulls: 20, Initial: 2, Sequential: true},
		Environments: []experiment.EnvironmentVariant{
			{Name: "mushroom", Environment: "mushroom"},
			variantOf("wheel", "wheel 0.5", experiment.Setting{Key: "delta", Value: "0.5"}),
			variantOf("wheel", "wheel 0.9", experiment.Setting{Key: "delta", Value: "0.9"}),
			variantOf("wheel", "wheel 0.99", experiment.Setting{Key: "delta", Value: "0.99"}),
			{Name: "linear", Environment: "linear"},
			{Name: "logistic", Environment: "logistic"},
			{Name: "testbed", Environment: "testbed"},
			{Name: "iris", Environment: "table", Data: "iris", Settings: replaced},
			{Name: "digits", Environment: "table", Data: "digits", Settings: replaced},
		},
		Policies: policies,
		Variants: []experiment.Variant{
			{Name: "LinTS shared", Policy: "LinTS", Settings: []experiment.Setting{{Key: "model", Value: "shared"}}},
			{Name: "LinUCB shared", Policy: "LinUCB", Settings: []experiment.Setting{{Key: "model", Value: "shared"}}},
		},
		// The options of the profile when the committed trials ran.
		Settings: slices.Concat(settingsOf([]string{"all"}, "moment_decay=false", "rank_tails=0", "anchor=false", "last_decay_limit=0", "standardize=false"),
			settingsOf([]string{"NeuralLinear", "LastLayerLaplace"}, "lambda=0.25", "noise=1"), settingsOf([]string{"NeuralUCB"}, "alpha=1")),
		Seeds: seedRange(1, 10),
	})
}

func variantOf(environment, name string, settings ...experiment.Setting) experiment.EnvironmentVariant {
	return experiment.EnvironmentVariant{Name: name, Environment: environment, Settings: settings}
}

// settingsOf returns the setting SCOPE.OPTION for every scope, which is a policy or the environment, and every
// option, written key=value.
func settingsOf(scopes []string, options ...string) []experiment.Setting {
	var list []experiment.Setting
	for _, scope := range scopes {
		for _, o := range options {
			s, err := experiment.ParseSetting(scope + "." + o)
			if err != nil {
				panic(err) // a mistake in the lists of this package
			}
			list = append(list, s)
		}
	}
	return list
}

// addProtocols adds the protocols of other papers and programs; docs/showdown.md says what is known of each
// and what differs.
func addProtocols(c *experiment.Catalog) error {
	riquelme := []string{"EpsGreedy", "Dropout", "ConstSGD", "pSGLD", "NeuralLinear", "Bootstrap", "ParamNoise", "BayesByBackprop"}
	lmcts := []string{"NeuralUCB", "NeuralTS"}
	greedy := func(name, epsilon string) experiment.Variant {
		return experiment.Variant{Name: name, Policy: "EpsGreedy", Settings: []experiment.Setting{{Key: "epsilon", Value: epsilon}, {Key: "chains", Value: "1"}}}
	}
	return errors.Join(
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-riquelme", Doc: "the protocol of the Deep Bayesian Bandits Showdown (Riquelme et al. 2018): 50,000 contexts, training every 50",
			Environment: "mushroom", Profile: paper,
			Protocol: bandit.Protocol{Rounds: 1000, Pulls: 50, Initial: 2, Sequential: true},
			Policies: append(riquelme[:len(riquelme):len(riquelme)], "LinTS", "GP", "Uniform"),
			Settings: append(settingsOf(riquelme, "hidden=50", "steps=100", "buffer=50000", "train_after=3"),
				settingsOf(riquelme[:4], "chains=1")...),
			Seeds: seedRange(1, 10),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-blundell", Doc: "the protocol of Bayes by backprop (Blundell et al. 2015): 50,000 pulls, 64 steps after each",
			Environment: "mushroom", Profile: paper,
			Protocol: bandit.Protocol{Rounds: 50000, Pulls: 1},
			Policies: []string{"Bayes by backprop", "5 % greedy", "1 % greedy", "greedy", "Uniform"},
			Variants: []experiment.Variant{
				{Name: "Bayes by backprop", Policy: "BayesByBackprop"},
				greedy("5 % greedy", "0.05"), greedy("1 % greedy", "0.01"), greedy("greedy", "0"),
			},
			Settings: settingsOf([]string{"all"}, "hidden=100,100", "steps=64", "batch=64", "train_after=64"),
			Seeds:    seedRange(1, 5),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "mushroom-lmcts", Doc: "the protocol of Langevin Monte Carlo Thompson sampling (Xu et al. 2022): 10,000 pulls, 22 features in arm blocks",
			Environment: "mushroom", Profile: paper,
			Protocol: bandit.Protocol{Rounds: 10000, Pulls: 1},
			Policies: append([]string{"LMCTS", "LinTS", "LinUCB", "Uniform"}, lmcts...),
			Settings: slices.Concat(settingsOf(lmcts, "hidden=100", "steps=100", "train_after=1", "buffer=10000"),
				settingsOf([]string{"LMCTS"}, "hidden=100", "steps=50", "memory=10000", "learning_rate=0.01", "temperature=1e-6", "weight_decay=0", "loss=mean"),
				settingsOf([]string{"environment"}, "encoding=ordinal"),
				settingsOf([]string{"LMCTS", "LinTS", "LinUCB", "NeuralUCB", "NeuralTS"}, "model=shared")),
			Seeds: seedRange(1, 5),
		}),
		c.AddPreset(experiment.Experiment{
			Name: "digits-progressive", Doc: "progressive validation as Vowpal Wabbit reports it (Bietti et al. 2021): one pass over the rows of digits",
			Environment: "table", Data: "digits", Profile: paper,
			Protocol: bandit.Protocol{Rounds: 1797, Pulls: 1},
			Policies: []string{"LinEpsGreedy", "LinSquareCB", "LinUCB", "Bag", "Cover", "Uniform"},
			Seeds:    seedRange(1, 10),
		}))
}
