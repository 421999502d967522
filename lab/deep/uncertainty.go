package deep

import (
	"cmp"
	"context"
	"fmt"

	"banditsim/internal/check"
	"banditsim/internal/nearest"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// UncertaintyOptions are the options of the experiment on how uncertain networks are. All methods compute about
// Chains × Steps gradients, in parallel chains or in one long chain.
type UncertaintyOptions struct {
	Shape   Shape `json:"shape"`
	Train   int   `json:"train"`   // number of training images, but at most four fifths of all images; the others are held out
	Outside int   `json:"outside"` // maximum number of images from each outside set
	Batch   int   `json:"batch"`   // images in a batch, n
	Chains  int   `json:"chains"`  // number of chains, P
	Steps   int   `json:"steps"`   // steps of each chain if there are P chains
	// LearningRate is the learning rate η of SGD with momentum on the mean loss. With N training images the samplers have
	// ε = √(η/N) and friction (1 − Momentum)/ε.
	LearningRate float64 `json:"learning_rate"`
	Momentum     float64 `json:"momentum"`
	Temperature  float64 `json:"temperature"`  // τ of the sampling methods
	Decay        float64 `json:"weight_decay"` // λ of CrossEntropy

	Anneal    float64 `json:"anneal"`    // factor by which SGHMC, reSGHMC and ICSGHMC multiply ε after 1/2 and after 3/4 of the steps
	Tail      float64 `json:"tail"`      // share of steps in the tail of SGHMC, reSGHMC and ICSGHMC: the last steps, in which snapshots are taken
	Snapshots int     `json:"snapshots"` // snapshots of each chain in the tail
	Refresh   int     `json:"refresh"`   // evaluations between renewals of the energy's control variate, which reSGHMC and ICSGHMC have in the tail

	Cycles         int     `json:"cycles"`          // number of cycles of cycSGHMC and MultiSWAG
	Hold           float64 `json:"hold"`            // share of a cycle in its held part: the last steps, in which the learning rate is constant
	CycleSnapshots int     `json:"cycle_snapshots"` // snapshots of cycSGHMC in each held part
	FitSnapshots   int     `json:"fit_snapshots"`   // snapshots in each held part, to which MultiSWAG fits a Gaussian
	Rank           int     `json:"rank"`            // rank of MultiSWAG's Gaussian
	Draws          int     `json:"draws"`           // draws from MultiSWAG's Gaussian after each cycle

	RateFactor        float64 `json:"rate_factor"`        // learning rate of reSGHMC's last chain, relative to the first chain
	TemperatureFactor float64 `json:"temperature_factor"` // temperature of reSGHMC's last chain, relative to the first chain
	Correction        float64 `json:"correction"`         // correction factor F of sgmcmc.Exchange

	Contour

	Members int     `json:"members"` // number of networks of Ensemble
	Dropout float64 `json:"dropout"` // probability of dropping a unit of the last hidden layer
	Samples int     `json:"samples"` // number of masks of the method Dropout, and of draws of Laplace
}

// A Contour has the options of the energy histogram that the chains share, see sgmcmc.Contour. θ are the values of the
// bins; the step size of θ in step k is ω_k = min(Omega, 1/(k^OmegaExponent + OmegaOffset)).
type Contour struct {
	Zeta          float64 `json:"zeta"`  // strength ζ of the flattening
	Bins          int     `json:"bins"`  // number of bins, m
	Width         float64 `json:"width"` // width Δu of a bin, for the sum of the energies of all training images
	Omega         float64 `json:"omega"`
	OmegaExponent float64 `json:"omega_exponent"`
	OmegaOffset   float64 `json:"omega_offset"`
}

// options returns the options of the samplers' contour.
func (o Contour) options() sgmcmc.ContourOptions {
	c := sgmcmc.DefaultContour()
	c.Kind, c.Zeta, c.Bins, c.Width = "paper", o.Zeta, o.Bins, o.Width
	c.Omega, c.OmegaExponent, c.OmegaOffset = o.Omega, o.OmegaExponent, o.OmegaOffset
	return c
}

// UncertaintyPresets are the names of the presets, the default first.
func UncertaintyPresets() []string { return []string{"small", "paper", "tiny"} }

// UncertaintyPreset returns the options of a preset. "paper" has the paper's settings where they exist, but the network
// of the paper's experiment on MNIST in place of ResNets; each of four chains makes about 500 passes over the images.
// "small" takes half an hour for ten seeds on two idle cores, "tiny" a second.
func UncertaintyPreset(name string) (UncertaintyOptions, error) {
	o := UncertaintyOptions{
		Shape: Shape{Maps: []int{32, 64}, Size: 5, Pool: 2, Hidden: []int{50, 50}},
		Train: 4000, Outside: 4861, Batch: 256, Chains: 4, Steps: 8000,
		LearningRate: 0.1, Momentum: 0.9, Temperature: 3e-4, Decay: 2,
		Anneal: 0.2, Tail: 0.2, Snapshots: 10, Refresh: 32,
		Cycles: 10, Hold: 0.15, CycleSnapshots: 4, FitSnapshots: 40, Rank: 20, Draws: 10,
		RateFactor: 1.5, TemperatureFactor: 10, Correction: 1e4,
		Contour: Contour{Zeta: 3e4, Bins: 200, Width: 10, Omega: 0.01, OmegaExponent: 0.6, OmegaOffset: 100},
		Members: 10, Dropout: 0.5, Samples: 40,
	}
	_, err := nearest.Parse("unknown preset", name, UncertaintyPresets())
	switch name {
	case "small":
		o.Shape.Maps, o.Shape.Hidden = []int{8, 16}, []int{50}
		o.Outside, o.Batch, o.Steps = 2000, 128, 1000
		o.LearningRate, o.Refresh, o.FitSnapshots = 0.03, 64, 30
	case "tiny":
		o.Shape = Shape{Maps: []int{4}, Size: 3, Pool: 2, Hidden: []int{12}}
		o.Train, o.Outside, o.Batch, o.Steps = 160, 100, 16, 50
		o.LearningRate, o.Refresh, o.Snapshots = 0.03, 5, 3
		o.Cycles, o.CycleSnapshots, o.FitSnapshots, o.Rank, o.Draws = 4, 2, 5, 4, 2
		o.Members, o.Samples = 5, 5
	}
	return o, err
}

// Validate returns an error that names the first option out of range.
func (o *UncertaintyOptions) Validate() error {
	share := func(name string, v float64) error {
		return check.That(v > 0 && v < 1, "%s: %g, want above 0 and below 1", name, v)
	}
	_, contour := sgmcmc.NewHistogram(o.Contour.options(), o.Temperature, o.Chains)
	if err := cmp.Or(
		check.Within("train", o.Train, 1, check.MaxNumbers),
		check.Within("outside", o.Outside, 1, check.MaxNumbers),
		check.Within("batch", o.Batch, 1, check.MaxNumbers),
		check.Within("chains", o.Chains, 2, 100),
		check.Within("steps", o.Steps, 20, 100*check.MaxSteps),
		check.Positive("learning_rate", o.LearningRate),
		share("momentum", o.Momentum),
		check.Positive("temperature", o.Temperature),
		check.Positive("weight_decay", o.Decay),
		check.Positive("anneal", o.Anneal),
		share("tail", o.Tail), share("hold", o.Hold),
		check.Within("cycles", o.Cycles, 1, o.Chains*o.Steps/2),
		check.Within("refresh", o.Refresh, 1, check.MaxSteps),
		check.Within("draws", o.Draws, 1, 1000),
		check.Within("members", o.Members, 1, min(100, o.Chains*o.Steps)),
		check.Within("samples", o.Samples, 1, 1000),
		share("dropout", o.Dropout),
		contour,
	); err != nil {
		return err
	}
	held := o.held()
	return cmp.Or(
		check.Within("snapshots", o.Snapshots, 1, o.tail()),
		check.Within("cycle_snapshots", o.CycleSnapshots, 1, held),
		check.Within("fit_snapshots", o.FitSnapshots, 2, held),
		check.That(len(o.Shape.Hidden) > 0,
			"shape.hidden: no layer, want at least one: Dropout drops units of the last, and Laplace has the weights after it"),
	)
}

// tail and held return the number of steps in the tail (see Tail) and in the held part of a cycle (see Hold).
func (o *UncertaintyOptions) tail() int { return max(1, int(o.Tail*float64(o.Steps))) }
func (o *UncertaintyOptions) held() int { return max(1, int(o.Hold*float64(o.cycle()))) }

// cycle returns the number of steps of a cycle.
func (o *UncertaintyOptions) cycle() int { return o.Chains * o.Steps / o.Cycles }

// UncertaintyFormat must be incremented with every change of the program that changes the results for the same options.
const UncertaintyFormat = 1

// An UncertaintyRecord is the result of one method on one seed.
type UncertaintyRecord struct {
	Method    string `json:"method"`
	Seed      uint64 `json:"seed"`
	Gradients int    `json:"gradients"` // number of gradients of all chains together
	Models    int    `json:"models"`    // number of networks with a positive weight in the mean of the predictions
	Train     int    `json:"train"`     // number of training images
	HeldOut   int    `json:"held_out"`  // number of held-out images
	Scores
	Single  float64         `json:"single"` // accuracy of the first model alone; for Laplace, of the trained network
	Outside []OutsideScores `json:"outside"`
	// Negative is the share of steps, over all chains, with a multiplier below 0. Low and High are the smallest and the
	// largest of 1 and all multipliers.
	Negative float64 `json:"negative"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Moves    int     `json:"moves"` // changes of a chain's temperature and learning rate with reSGHMC; 2 per swap
}

// Uncertainty runs the experiment on how uncertain networks are. r.Outside must have at least one set.
func Uncertainty(ctx context.Context, r *Run[UncertaintyOptions]) (*Result[UncertaintyOptions, UncertaintyRecord], error) {
	d := r.Images
	if err := cmp.Or(r.CheckMethods(UncertaintyMethods()), r.Options.Validate()); err != nil {
		return nil, err
	}
	for _, o := range r.Outside {
		if out := o.Images; out.Height != d.Height || out.Width != d.Width {
			return nil, fmt.Errorf("%s: images of %d×%d, want %d×%d as those to train on", o.Set, out.Height, out.Width, d.Height, d.Width)
		}
	}
	return play(ctx, r, "uncertainty", UncertaintyFormat,
		func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (UncertaintyRecord, error) {
			s, err := newStudy(r, seed, parallel)
			if err != nil {
				return UncertaintyRecord{}, err
			}
			return s.run(ctx, method)
		})
}
