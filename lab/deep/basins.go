package deep

import (
	"cmp"
	"context"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/nearest"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// BasinsOptions are the options of the experiment on the basins of a network's loss. Chains start at the same points
// with all methods. The energies Low and High are per training image, in nats.
type BasinsOptions struct {
	Shape        Shape   `json:"shape"`
	HeldOut      float64 `json:"held_out"`      // share of held-out images; minima are distinguished by their predictions for these images
	Train        int     `json:"train"`         // maximum number N of training images, taken from those that are not held out; 0 for no maximum
	Chains       int     `json:"chains"`        // number of chains per method, P; only the chains of ICSGLD interact
	Steps        int     `json:"steps"`         // steps of each chain
	Batch        int     `json:"batch"`         // images in a batch, n
	LearningRate float64 `json:"learning_rate"` // step size ε of the chains
	Temperature  float64 `json:"temperature"`   // temperature τ of SGLD and ICSGLD; that of SGD is 0
	Decay        float64 `json:"weight_decay"`  // λ of CrossEntropy

	Contour

	Low  float64 `json:"low"`  // energies ≤ Low are low
	High float64 `json:"high"` // energies ≥ High are high; those between Low and High are neither

	Snapshots    int     `json:"snapshots"`     // number of points of a chain, evenly spaced in time, from which gradient descent starts
	DescentSteps int     `json:"descent_steps"` // steps of each descent
	DescentRate  float64 `json:"descent_rate"`  // learning rate of the descents
	Distance     float64 `json:"distance"`      // minima are distinct if their predictions are at least this far apart, in total variation

	Points int `json:"points"` // number of recorded energies and positions of a chain
	Grid   int `json:"grid"`   // points along each side of the grid on which the loss around the path is computed
	Images int `json:"images"` // number of training images for the loss on the grid
}

// BasinsMethods are the methods of the experiment.
func BasinsMethods() []string { return []string{"SGD", sgmcmc.SGLD().Name, sgmcmc.ICSGLD().Name} }

// BasinsPresets are the names of the presets, the default first.
func BasinsPresets() []string { return []string{"small", "paper", "authors"} }

// BasinsPreset returns the options of a preset for a number of images. "paper" has the settings of the paper's
// appendix, which does not give the numbers of chains and steps. "authors" is "paper" with the settings that differ in
// the authors' program. "small" takes 10 minutes for three seeds on two idle cores; it scales learning rates, weight
// decay and bins by the number of images.
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
		// The authors' program draws batches of 5,000 images of all ten digits and keeps the digits 0 to 4: 2,550 on average.
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

// images returns the numbers of held-out and training images among n images.
func (o *BasinsOptions) images(n int) (heldOut, train int) {
	heldOut = max(int(o.HeldOut*float64(n)), 1)
	train = n - heldOut
	if o.Train > 0 {
		train = min(train, o.Train)
	}
	return heldOut, train
}

// Validate returns an error that names the first option out of range. It does not check Shape.
func (o *BasinsOptions) Validate() error {
	_, contour := sgmcmc.NewHistogram(o.Contour.options(), o.Temperature, o.Chains)
	return cmp.Or(
		check.That(o.HeldOut > 0 && o.HeldOut < 1, "held_out: %g, want above 0 and below 1", o.HeldOut),
		check.Within("train", o.Train, 0, check.MaxNumbers),
		check.Within("chains", o.Chains, 1, 100),
		check.Within("steps", o.Steps, 10, 100*check.MaxSteps),
		check.Within("batch", o.Batch, 1, check.MaxNumbers),
		check.Positive("learning_rate", o.LearningRate),
		check.Positive("temperature", o.Temperature),
		check.NotNegative("weight_decay", o.Decay),
		contour,
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

// BasinsFormat must be incremented with every change of the program that changes the results for the same options.
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

// A BasinsRecord is the result of one method on one seed.
type BasinsRecord struct {
	Method string `json:"method"`
	Seed   uint64 `json:"seed"`
	// Negative and One are the shares of steps, over all chains, with a multiplier below 0 and with one of exactly 1.
	Negative float64 `json:"negative"`
	One      float64 `json:"one"`
	// Low and High are the shares of steps, over all chains, with a low energy and with a high energy.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Energy is the mean energy per image over the last tenth of the steps of all chains.
	Energy float64       `json:"energy"`
	Chains []BasinsChain `json:"chains"`
	// Distances[i][j] is the distance between the predictions of minima i and j < i. Minima are numbered chain by chain.
	Distances [][]float64 `json:"distances"`
	// Between is the median distance between two minima of different chains, or 0 if there is no such pair.
	Between float64 `json:"between"`
	// Series and Plane describe the first chain.
	Series BasinsSeries `json:"series"`
	Plane  Plane        `json:"plane"`
}

// A BasinsChain is the result of one chain.
type BasinsChain struct {
	Falls    int       `json:"falls"`    // passages from high to low energy, also the first of a chain that starts high
	Escapes  int       `json:"escapes"`  // passages from low to high energy
	Descents []Descent `json:"descents"` // one from each snapshot
	Minima   int       `json:"minima"`   // descents that ended at a low energy
	Distinct int       `json:"distinct"` // number of distinct minima among Minima
}

// A BasinsSeries has energies and multipliers of a chain at evenly spaced steps.
type BasinsSeries struct {
	Step       []int     `json:"step"`
	Energy     []float64 `json:"energy"` // energy of the batch, per image
	Multiplier []float64 `json:"multiplier"`
}

// basinsSetup has what all units of the experiment share. A unit is one method on one seed.
type basinsSetup struct {
	trainingSetup
	o BasinsOptions
}

// newBasinsSetup returns the setup. It divides the images into training and held-out ones, the same way for all seeds.
func newBasinsSetup(o BasinsOptions, data *Data) (*basinsSetup, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	held, n := o.images(data.Len())
	heldOut, train, err := data.Split(held, stream.Root(0).Child("basins", "images"))
	if err != nil {
		return nil, err
	}
	train = train.first(n)
	batch := min(o.Batch, train.Len())
	net, err := NewNetwork(o.Shape, data, batch)
	return &basinsSetup{trainingSetup{net, train, heldOut, o.Batch, o.Decay}, o}, err
}

// langevin returns the sampler of a method.
func (g *basinsSetup) langevin(method string, u sgmcmc.Setup) (*sgmcmc.Langevin, error) {
	o := sgmcmc.Plain(g.o.LearningRate, g.o.Temperature)
	switch method {
	case "SGD":
		o.Temperature = 0
	case sgmcmc.ICSGLD().Name:
		o.Contour = g.o.Contour.options()
	}
	return sgmcmc.NewLangevin(o, u)
}

// run runs a method on a seed. Initial positions, batches and noise are the same for all methods.
func (g *basinsSetup) run(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (record BasinsRecord, err error) {
	r := stream.Root(seed).Child("basins")
	chains, u := g.start(g.o.Chains, r, parallel)
	sampler, err := g.langevin(method, u)
	if err != nil {
		return record, err
	}
	l := newLog(g.o, float64(g.train.Len()))
	if err := walk(ctx, sampler, chains, g.o.Steps, func(step int) { l.add(step, chains) }); err != nil {
		return record, err
	}
	record = l.end()
	record.Method, record.Seed = method, seed
	if err := g.descend(ctx, &record, l.snapshots, r); err != nil {
		return record, err
	}
	record.Plane = g.plane(l.path)
	return record, nil
}

// A log accumulates a record while chains run. Until end is called, the record's shares are counts and Energy is a sum.
type log struct {
	BasinsRecord
	o         BasinsOptions
	images    float64
	lastSteps int           // number of energies that were added to Energy, all in the last tenth of the steps
	levels    []int         // low or high, the level that each chain visited last; before any visit the constant neither
	snapshots [][][]float32 // by chain
	path      [][]float32   // recorded positions of the first chain
}

func newLog(o BasinsOptions, images float64) *log {
	record := BasinsRecord{Chains: make([]BasinsChain, o.Chains)}
	return &log{BasinsRecord: record, o: o, images: images, levels: make([]int, o.Chains), snapshots: make([][][]float32, o.Chains)}
}

// due reports whether a step is the last one of any of n equal parts of all steps. The first step is 0.
func due(step, steps, n int) bool { return (step+1)*n/steps > step*n/steps }

// add records a step. Energies in chains are those at the positions before the move; the positions are those after it.
func (l *log) add(step int, chains []posterior.Chain) {
	for i := range chains {
		c := &chains[i]
		energy := c.Energy / l.images
		switch {
		case c.Multiplier < 0:
			l.Negative++
		case c.Multiplier == 1:
			l.One++
		}
		switch l.Chains[i].visit(&l.levels[i], energy, l.o.Low, l.o.High) {
		case low:
			l.Low++
		case high:
			l.High++
		}
		if step >= l.o.Steps-l.o.Steps/10 {
			l.Energy += energy
			l.lastSteps++
		}
		if due(step, l.o.Steps, l.o.Snapshots) {
			l.snapshots[i] = append(l.snapshots[i], slices.Clone(c.X))
		}
	}
	if due(step, l.o.Steps, l.o.Points) {
		first := &chains[0]
		l.path = append(l.path, slices.Clone(first.X))
		l.Series.Step = append(l.Series.Step, step+1)
		l.Series.Energy = append(l.Series.Energy, first.Energy/l.images)
		l.Series.Multiplier = append(l.Series.Multiplier, first.Multiplier)
	}
}

// end converts counts and sums to shares and means, and returns the record.
func (l *log) end() BasinsRecord {
	for _, share := range []*float64{&l.Negative, &l.One, &l.Low, &l.High} {
		*share /= float64(l.o.Steps * l.o.Chains)
	}
	l.Energy /= float64(l.lastSteps)
	return l.BasinsRecord
}

// The levels of an energy.
const (
	neither = iota
	low
	high
)

// visit returns the level of an energy, and counts the passage if the level is low and *last is high, or the reverse.
// *last is the chain's last level that was low or high; visit updates it.
func (c *BasinsChain) visit(last *int, energy, lowest, highest float64) int {
	switch {
	case energy <= lowest:
		if *last == high {
			c.Falls++
		}
		*last = low
		return low
	case energy >= highest:
		if *last == low {
			c.Escapes++
		}
		*last = high
		return high
	}
	return neither
}
