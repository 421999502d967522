package deep

import (
	"context"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A BasinsRecord is the result of one method on one seed.
type BasinsRecord struct {
	Method string `json:"method"`
	Seed   uint64 `json:"seed"`
	// Shares of the steps of all chains with a multiplier below 0, and with one of exactly 1.
	Negative float64 `json:"negative"`
	One      float64 `json:"one"`
	// Shares of the steps of all chains with an energy that is low, or high.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Energy is the mean energy per image over the last tenth of the steps.
	Energy float64       `json:"energy"`
	Chains []BasinsChain `json:"chains"`
	// Distances[i][j] is the distance between the predictions of minima i and j < i, which are numbered chain by chain.
	Distances [][]float64 `json:"distances"`
	// Between is the median distance between two minima of different chains; 0 if there are none.
	Between float64 `json:"between"`
	// Series and Plane are those of the first chain.
	Series BasinsSeries `json:"series"`
	Plane  Plane        `json:"plane"`
}

// A BasinsChain is the result of one chain.
type BasinsChain struct {
	Falls    int       `json:"falls"`    // passages from high energy to low, including the first one from a high start
	Escapes  int       `json:"escapes"`  // passages from low energy to high
	Descents []Descent `json:"descents"` // one from each snapshot
	Minima   int       `json:"minima"`   // descents that ended at a low energy
	Distinct int       `json:"distinct"` // number of distinct minima among those
}

// A BasinsSeries has a chain's numbers at evenly spaced steps.
type BasinsSeries struct {
	Step       []int     `json:"step"`
	Energy     []float64 `json:"energy"` // energy of the batch, per image
	Multiplier []float64 `json:"multiplier"`
}

// basinsSetup is what all units of the experiment share.
type basinsSetup struct {
	trainingSetup
	o BasinsOptions
}

// newBasinsSetup divides the images into training and held-out ones, in the same way for all seeds.
func newBasinsSetup(o BasinsOptions, data *Data) (*basinsSetup, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if _, err := sgmcmc.NewHistogram(o.Contour.options(), o.Temperature, o.Chains); err != nil {
		return nil, err // at once, not when the first method with a contour starts
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
	if method == "SGD" {
		o.Temperature = 0
	}
	s, err := sgmcmc.NewLangevin(o, u)
	if err != nil || method != sgmcmc.ICSGLD().Name {
		return s, err
	}
	s.Contour, err = sgmcmc.NewHistogram(g.o.Contour.options(), g.o.Temperature, g.o.Chains)
	return s, err
}

// run runs a method on a seed. Starts, batches and noise are the same for all methods.
func (g *basinsSetup) run(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (record BasinsRecord, err error) {
	r := stream.Root(seed).Child("basins")
	chains, u := g.start(g.o.Chains, r, parallel)
	sampler, err := g.langevin(method, u)
	if err != nil {
		return record, err
	}
	l := newLog(g.o, float64(g.train.Len()))
	if err := walk(ctx, sampler, chains, g.o.Steps, nothing, func(step int) { l.add(step, chains) }); err != nil {
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

// A log accumulates the numbers of a record while the chains run. Its shares are numbers of steps until the end.
type log struct {
	BasinsRecord
	o         BasinsOptions
	images    float64
	lastSteps int           // number of energies in the last tenth of the steps, whose sum is Energy
	levels    []int         // by chain, the last level that was low or high; neither before the first
	snapshots [][][]float32 // by chain
	path      [][]float32
}

func newLog(o BasinsOptions, images float64) *log {
	l := &log{o: o, images: images, levels: make([]int, o.Chains), snapshots: make([][][]float32, o.Chains)}
	l.Chains = make([]BasinsChain, o.Chains)
	return l
}

// due reports whether step, counted from 0, is the last of one of n equal parts of all steps.
func due(step, steps, n int) bool { return (step+1)*n/steps > step*n/steps }

// add records a step: the energies are those before the move, the positions those after it.
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

// end returns the record of all steps.
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

// visit counts the passage of a chain from its last level to an energy, if there is one, and returns the energy's level.
func (c *BasinsChain) visit(last *int, energy, lowest, highest float64) int {
	at := neither
	switch {
	case energy <= lowest:
		at = low
	case energy >= highest:
		at = high
	}
	switch {
	case at == low && *last == high:
		c.Falls++
	case at == high && *last == low:
		c.Escapes++
	}
	if at != neither {
		*last = at
	}
	return at
}
