package builtin

import (
	"errors"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/internal/lists"
)

// networks lists the policies of the showdown that train networks.
var networks = []string{"pICSGLD", "pCSGLD", "pSGLD", "SGLD", "cycSGLD", "reSGLD", "SGHMC", "SVGD", "Dropout", "ConstSGD",
	"NeuralLinear", "NeuralLinUCB", "LastLayerLaplace", "Ensemble", "Bootstrap", "ParamNoise", "BayesByBackprop",
	"EpsGreedy", "NeuralSoftmax", "NeuralSquareCB", "NeuralUCB", "NeuralTS"}

// showdownEnvironments returns the environments of the showdown by family; docs/showdown.md says what each one tests.
func showdownEnvironments() []experiment.EnvironmentVariant {
	abrupt := []string{"drift.kind=abrupt", "drift.period=1000"}
	return []experiment.EnvironmentVariant{
		variantOf("mushroom", "mushroom"),
		variantOf("mushroom", "mushroom ordinal", "encoding=ordinal"),
		{Name: "iris", Environment: "table", Data: "iris", Settings: settings("replacement=true")},
		{Name: "digits", Environment: "table", Data: "digits", Settings: settings("replacement=true")},

		variantOf("wheel", "wheel 0.5", "delta=0.5"),
		variantOf("wheel", "wheel 0.9", "delta=0.9"),
		variantOf("wheel", "wheel 0.95"),
		variantOf("wheel", "wheel 0.99", "delta=0.99"),
		variantOf("wheel", "wheel inside", "inside=true"),

		variantOf("linear", "linear"),
		variantOf("linear", "linear 40", "dim=40"),
		variantOf("linear", "linear shared", "parameters=shared"),
		variantOf("linear", "linear noisy", "noise.sd=2"),
		variantOf("linear", "linear heavy tails", "noise.kind=student-t", "noise.degrees=2.1"),
		variantOf("linear", "linear thousands", "scale=1000", "noise.sd=500"),
		variantOf("sparse-linear", "sparse"),
		variantOf("logistic", "logistic"),
		variantOf("logistic", "logistic 10 arms", "arms=10"),

		variantOf("quadratic", "quadratic"),
		variantOf("friedman", "friedman 1"),
		variantOf("friedman", "friedman 2", "function=2"),
		variantOf("friedman", "friedman 3", "function=3"),
		variantOf("testbed", "testbed"),

		variantOf("classes", "xor", "law=xor"),
		variantOf("classes", "xor noisy", "law=xor", "noise=0.2"),
		variantOf("classes", "checkerboard", "law=checkerboard"),
		variantOf("classes", "spirals", "law=spirals"),
		variantOf("classes", "plans", "law=plans"),
		variantOf("classes", "imbalance", "law=imbalance"),
		variantOf("classes", "category", "law=category"),
		variantOf("classes", "tails", "law=tails"),
		variantOf("classes", "twonorm", "law=twonorm", "irrelevant=0"),
		variantOf("classes", "twonorm and 40", "law=twonorm", "irrelevant=40"),
		variantOf("classes", "threenorm", "law=threenorm", "irrelevant=0"),
		variantOf("classes", "ringnorm", "law=ringnorm", "irrelevant=0"),
		variantOf("classes", "waveform", "law=waveform", "irrelevant=0"),
		variantOf("classes", "led", "law=led", "irrelevant=17"),

		variantOf("linear", "linear drift", abrupt...),
		variantOf("logistic", "logistic drift", abrupt...),
		variantOf("wheel", "wheel drift", append(abrupt, "delta=0.9")...),
	}
}

// addShowdown adds the preset of docs/showdown.md.
func addShowdown(c *experiment.Catalog) error {
	return c.AddPreset(experiment.Experiment{
		Name: "showdown", Doc: "41 policies in 40 environments of six families, 3,000 pulls each: docs/showdown.md",
		Profile:      general,
		Protocol:     bandit.Protocol{Rounds: 150, Pulls: 20, Initial: 2, Sequential: true},
		Environments: showdownEnvironments(),
		Policies: slices.Concat(networks, []string{"GP", "LogisticTS", "LinTS", "LinUCB", "LinUCB shared", "LinEpsGreedy", "LinSoftmax", "LinETC", "LinSquareCB",
			"RegCB", "Bag", "Cover", "TreeBootstrap", "kNNUCB", "KernelUCB", "Exp4", "KLUCB", "GaussianTS", "Uniform"}),
		Variants: []experiment.Variant{{Name: "LinUCB shared", Policy: "LinUCB", Settings: settings("model=shared")}},
		Seeds:    seedRange(1, 10),
	})
}

func variantOf(environment, name string, options ...string) experiment.EnvironmentVariant {
	return experiment.EnvironmentVariant{Name: name, Environment: environment, Settings: settings(options...)}
}

// settings parses options of the form key=value.
func settings(options ...string) []experiment.Setting {
	return lists.Each(options, func(o string) experiment.Setting {
		key, value, _ := strings.Cut(o, "=")
		return experiment.Setting{Key: key, Value: value}
	})
}

// settingsOf returns the settings scope.key=value for every scope, which is a policy, "environment" or "all", and every
// option, which has the form key=value.
func settingsOf(scopes []string, options ...string) []experiment.Setting {
	var list []experiment.Setting
	for _, scope := range scopes {
		for _, o := range options {
			s, err := experiment.ParseSetting(scope + "." + o)
			if err != nil {
				panic(err) // programming error in this package
			}
			list = append(list, s)
		}
	}
	return list
}

// addProtocols adds presets with the protocols of other papers and programs. docs/showdown.md says how they differ.
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
