// Package builtin lists the policies, posteriors, samplers, environments and presets of the project. 'The paper' is the
// one that docs/algorithms.md names, by Deng and others; 'the authors' are its authors.
package builtin

import (
	"embed"
	"errors"

	"banditsim/bandit/experiment"
	"banditsim/datasets/images"
	"banditsim/datasets/mushroom"
	"banditsim/datasets/synthetic"
	"banditsim/datasets/table"
	"banditsim/internal/kinds"
	"banditsim/internal/lists"
	"banditsim/posterior"
	"banditsim/posterior/neural"
)

//go:embed fielddocs.json
var fieldDocs []byte

// presets has the experiment files of the presets: quick, the experiments of the paper, of docs/judges.md and of
// docs/showdown.md, and the protocols of other papers and programs.
//
//go:embed presets
var presets embed.FS

// Default returns a new catalog with everything that the project provides. A program can add its own components to it.
func Default() *experiment.Catalog {
	c := &experiment.Catalog{Renamed: renamed, FieldDocs: fieldDocs, Advice: advice}
	errs := lists.Each(kinds.All(), func(p kinds.Part) error { return c.Add(p) })
	if err := errors.Join(errors.Join(errs...),
		experiment.AddEnvironment(c, mushroom.Kind()),
		experiment.AddEnvironment(c, table.Kind()),
		experiment.AddEnvironment(c, images.Kind()),
		experiment.AddEnvironment(c, synthetic.Wheel()),
		experiment.AddEnvironment(c, synthetic.Linear()),
		experiment.AddEnvironment(c, synthetic.SparseLinear()),
		experiment.AddEnvironment(c, synthetic.Logistic()),
		experiment.AddEnvironment(c, synthetic.Quadratic()),
		experiment.AddEnvironment(c, synthetic.Testbed()),
		experiment.AddEnvironment(c, synthetic.Classes()),
		experiment.AddEnvironment(c, synthetic.Friedman()),
		experiment.AddEnvironment(c, synthetic.Bernoulli()),
		experiment.AddEnvironment(c, synthetic.Gaussian()),
		c.AddProfile(experiment.Profile{Name: "paper", Doc: "the method as the paper describes it"}),
		c.AddProfile(experiment.Profile{Name: "authors", Doc: "the method as the authors' program computes it", Settings: authorsSettings()}),
		c.AddProfile(experiment.Profile{Name: "quick", Doc: "small batches and wide bins, for the first rounds", Settings: quickSettings()}),
		c.AddProfile(experiment.Profile{Name: general, Doc: "networks that find their own scale, for any problem", Settings: generalSettings()}),
		c.AddPreset(generalPreset()),
		c.AddPresets(presets)); err != nil {
		panic(err) // programming error, such as two policies with the same name
	}
	return c
}

// renamed maps the names of removed policies to the policies, with settings, that replace them.
var renamed = map[string]string{
	"LinLMCTS": "LMCTS with hidden: []", "ULMCTS": "LMCTS with dynamics: underdamped", "MALATS": "LMCTS with dynamics: metropolis",
	"HMCTS": "LMCTS with dynamics: hamiltonian", "FGLMCTS": "LMCTS with feel_good.kind: hard", "SFGLMCTS": "LMCTS with feel_good.kind: smooth",
	"MultiSWAG": "SWAG with chains: 4", "UCBTuned": "UCB1 with tuned: true", "Linear": "LinTS, with act: mean", "Logistic": "LogisticTS, with act: mean",
	"LinearBag": "Bag, with act: mean", "NeuralGradient": "NeuralTS, with act: mean",
}

// thePaper lists the six policies of the paper's mushroom experiment.
func thePaper() []string {
	return lists.Each(neural.Paper(), func(k posterior.Kind[neural.LangevinOptions]) string { return k.Name })
}

// authorsSettings returns the options of the paper's six policies in which the authors' program differs from the paper.
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

// quickSettings returns options for a short run. Batches have 128 rows instead of the paper's 512. The paper's bins of
// the contour end at 1,000, but in a short run energies fall from 600,000 to 2,000: here bins end at 750,000. As
// contour.width (Δu) is larger, contour.zeta (ζ) is too: a chain's multiplier depends on ζτ/Δu, with the temperature τ.
func quickSettings() []experiment.Setting {
	return settingsOf([]string{"all"}, "batch=128", "contour.bins=150", "contour.width=5000", "contour.zeta=15000")
}

// settingsOf returns a setting for each scope, a policy or "all", and each option, which has the form key=value.
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
