package deep

import (
	"cmp"
	"context"

	"banditsim/internal/check"
	"banditsim/internal/nearest"
	"banditsim/posterior/sgmcmc"
)

// BasinsOptions are the options of the experiment on the basins of a network's loss, in which chains start at the same points
// with and without a contour. The energies Low and High are per training image, in nats.
type BasinsOptions struct {
	Shape        Shape   `json:"shape"`
	HeldOut      float64 `json:"held_out"`      // share of the images held out; minima are distinguished by predictions on these
	Train        int     `json:"train"`         // largest number N of training images among the others; 0 for all
	Chains       int     `json:"chains"`        // chains of each method, P; only those of ICSGLD interact
	Steps        int     `json:"steps"`         // steps of each chain
	Batch        int     `json:"batch"`         // images in a batch, n
	LearningRate float64 `json:"learning_rate"` // ε
	Temperature  float64 `json:"temperature"`   // τ
	Decay        float64 `json:"weight_decay"`  // λ

	Contour

	Low  float64 `json:"low"`  // energies up to this are low
	High float64 `json:"high"` // energies from this on are high; in between a chain keeps its last level

	Snapshots    int     `json:"snapshots"`     // points of each chain, evenly spaced in time, from which gradient descent starts
	DescentSteps int     `json:"descent_steps"` // steps of each descent
	DescentRate  float64 `json:"descent_rate"`  // learning rate of the descents
	Distance     float64 `json:"distance"`      // minima are distinct if their predictions are at least this far apart, in total variation

	Points int `json:"points"` // recorded points of a chain: of its energies, and of its path
	Grid   int `json:"grid"`   // points along each side of the grid on which the loss around the path is computed
	Images int `json:"images"` // training images over which that loss is averaged
}

// BasinsMethods are the methods of the experiment.
func BasinsMethods() []string { return []string{"SGD", sgmcmc.SGLD().Name, sgmcmc.ICSGLD().Name} }

// BasinsPresets are the names of the presets, the default first.
func BasinsPresets() []string { return []string{"small", "paper", "authors"} }

// BasinsPreset returns the options of a preset for a number of images. "paper" has the settings of the paper's appendix, which does
// not say how many chains there are and how many steps they take. "authors" has instead what differs in its authors' program.
// "small" takes two idle cores 10 minutes on three seeds; it scales learning rates, weight decay and bins by the number of images.
func BasinsPreset(name string, images int) (BasinsOptions, error) {
	o := BasinsOptions{
		Shape:   Shape{Maps: []int{32, 64}, Size: 5, Pool: 2, Hidden: []int{50, 50}},
		HeldOut: 0.2, Chains: 4, Steps: 10_000, Batch: 2500, LearningRate: 1e-6, Temperature: 0.1, Decay: 25,
		Contour: Contour{Zeta: 3e4, Bins: 100_000, Width: 10, Omega: 0.01, OmegaExponent: 0.6, OmegaOffset: 100},
		Low:     0.1, High: 0.8,
		Snapshots: 12, DescentSteps: 100, DescentRate: 2e-6, Distance: 0.01,
		Points: 200, Grid: 21, Images: 500,
	}
	_, err := nearest.Parse("unknown preset", name, BasinsPresets())
	switch name {
	case "authors":
		// The program draws 5,000 images of all ten digits and keeps the digits 0 to 4: 2,550 on average.
		o.Shape.Maps, o.Shape.Hidden = []int{16, 32}, []int{10}
		o.Batch, o.Bins, o.LearningRate = 2550, 1_000_000, 2e-6
	case "small":
		o.Shape.Maps = []int{8, 16}
		o.Train, o.Chains, o.Steps, o.Batch = 4000, 2, 2500, 256
		_, n := o.images(images)
		o.LearningRate, o.DescentRate = 0.06/float64(n), 0.08/float64(n)
		o.Decay = 7.5e-4 * float64(n)
		o.Bins, o.Width = 5000, 2e-3*float64(n)
		o.Zeta = 300 * o.Width / o.Temperature // ζτ/Δu is 300, as in the paper
		o.Snapshots, o.DescentSteps = 8, 150
	}
	return o, err
}

// images returns how many of n images are held out, and how many are for training.
func (o *BasinsOptions) images(n int) (heldOut, train int) {
	heldOut = max(int(o.HeldOut*float64(n)), 1)
	train = n - heldOut
	if o.Train > 0 {
		train = min(train, o.Train)
	}
	return heldOut, train
}

// Validate returns an error that names the first option out of range.
func (o *BasinsOptions) Validate() error {
	return cmp.Or(
		check.Positive("held_out", o.HeldOut),
		check.NotNegative("1 − held_out", 1-o.HeldOut),
		check.Within("train", o.Train, 0, check.MaxNumbers),
		check.Within("chains", o.Chains, 1, 100),
		check.Within("steps", o.Steps, 10, 100*check.MaxSteps),
		check.Within("batch", o.Batch, 1, check.MaxNumbers),
		check.Positive("learning_rate", o.LearningRate),
		check.Positive("temperature", o.Temperature),
		check.NotNegative("weight_decay", o.Decay),
		check.Positive("low", o.Low),
		check.Positive("high − low", o.High-o.Low),
		check.Within("snapshots", o.Snapshots, 1, o.Steps),
		check.Within("descent_steps", o.DescentSteps, 1, check.MaxSteps),
		check.Positive("descent_rate", o.DescentRate),
		check.Positive("distance", o.Distance),
		check.Within("points", o.Points, 3, min(o.Steps, 2000)),
		check.Within("grid", o.Grid, 2, 200),
		check.Within("images", o.Images, 1, check.MaxNumbers),
	)
}

// BasinsFormat is incremented when the same options give other numbers than before.
const BasinsFormat = 1

// Basins runs the experiment on the basins of a network's loss.
func Basins(ctx context.Context, r *Run[BasinsOptions]) (*Result[BasinsOptions, BasinsRecord], error) {
	if err := r.CheckMethods(BasinsMethods()); err != nil {
		return nil, err
	}
	setup, err := newBasinsSetup(r.Options, r.Images)
	if err != nil {
		return nil, err
	}
	return play(ctx, r, "basins", BasinsFormat, setup.run)
}
