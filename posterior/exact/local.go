package exact

import (
	"math"
	"slices"

	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// maxMemory is the upper limit of the option memory.
const maxMemory = 10_000_000

// local is a posterior whose values average the rewards in nearby contexts. They are normal and independent between
// arms and contexts, except within a sample of DrawSamples. A sample perturbs the data (Papandreou and Yuille, NIPS
// 2010): each reward and the prior mean have one random error, the same number of standard deviations in all contexts.
type local struct {
	base
	memory    int
	neighbors []*neighbors
	estimate  estimate
	own       bool            // own_scale: the units depend on the rewards and contexts so far
	rewards   moments.Running // rewards of all arms
	columns   columns
	units     units
	x         ridge.Vector // the current context
	norm      float64      // squared norm of x
}

// An estimate returns the mean and the standard deviation of an arm's value in the context x, whose squared norm is
// norm. If n.errors is not nil, the mean includes these errors.
type estimate func(n *neighbors, x *ridge.Vector, norm float64, u *units) (mean, sd float64)

// units holds the prior mean, the unit of the option noise, and the unit of the option bandwidth.
type units struct{ mean, noise, distance float64 }

func newLocal(setup posterior.Setup, memory int, own, standardize bool, f estimate) *local {
	l := &local{memory: memory, estimate: f, own: own, units: units{0, 1, 1}, columns: newColumns(setup.Dim, own && standardize)}
	l.base = newBase(setup, l, l.state, l.learn)
	for range setup.Arms {
		l.neighbors = append(l.neighbors, &neighbors{history: history{dim: setup.Dim}, rounded: l.columns.standardize})
	}
	return l
}

// neighbors holds the last rewards of an arm, at most local.memory.
type neighbors struct {
	history
	norms   []float64 // squared norms of the contexts
	rounded bool      // whether the contexts have the rounding errors of rescale
	nearest []near    // scratch memory of KNN
	errors  []float32 // in DrawSamples, errors of the rewards and, last, of the prior, in standard deviations; otherwise nil
}

func (n *neighbors) setNorms() {
	n.norms = n.norms[:0]
	for i := range n.rewards {
		n.norms = append(n.norms, squaredNorm(n.row(i)))
	}
}

// near is a row of the history and the square of its distance from the current context.
type near struct {
	distance float64
	row      int
}

// rounding bounds the relative error of a number after many calls of rescale, each with an error of at most 6e-8.
const rounding = 1e-6

// squared returns the squared distance of a row from x, whose squared norm is norm. Numbers that differ by rounding
// errors of rescale alone count as equal.
func (n *neighbors) squared(row int, x *ridge.Vector, norm float64) float64 {
	dot, c := 0.0, n.row(row)
	for k, i := range x.Index {
		dot += float64(x.Value[k] * float64(c[i]))
	}
	if d := n.norms[row] + norm - 2*dot; d > 1e-9*norm {
		return d
	}
	sum, k := 0.0, 0 // d may be nothing but the rounding errors of the norms and dot
	for i, v := range c {
		d := float64(v)
		if k < len(x.Index) && int(x.Index[k]) == i {
			d -= x.Value[k]
			k++
		}
		if !n.rounded || math.Abs(d) > rounding*math.Abs(float64(v)) {
			sum += float64(d * d)
		}
	}
	return sum
}

func squaredNorm(context []float32) float64 {
	sum := 0.0
	for _, v := range context {
		sum += float64(v) * float64(v) // the product is exact in float64, so FMA gives the same result
	}
	return sum
}

// learn adds a reward of an arm and drops the arm's oldest reward if there are now more than l.memory.
func (l *local) learn(context []float32, arm int, reward float64) error {
	n, scaled := l.neighbors[arm], l.columns.scale(context)
	n.add(scaled, reward)
	n.norms = append(n.norms, squaredNorm(scaled))
	if l.own {
		l.rewards.Add(reward)
		if ratio := l.columns.add(context); ratio != nil && l.columns.standardize {
			for _, n := range l.neighbors {
				n.rescale(ratio)
				n.setNorms()
			}
		}
	}
	if len(n.rewards) > l.memory {
		n.contexts, n.rewards, n.norms = n.contexts[l.dim:], n.rewards[1:], n.norms[1:]
	}
	return nil
}

func (l *local) setContext(context []float32, _ posterior.Prediction) error {
	context = l.columns.scale(context)
	l.x.Set(context, false)
	l.norm = squaredNorm(context)
	if l.own {
		l.units = units{l.rewards.Mean, l.rewards.SD(), l.columns.distance()}
	}
	return nil
}

func (l *local) moments(arm int) (mean, sd float64) {
	return l.estimate(l.neighbors[arm], &l.x, l.norm, &l.units)
}

func (l *local) draw(arm int) float64 {
	mean, sd := l.moments(arm)
	return mean + float64(sd*l.rand.Normal())
}

// DrawSamples averages rewards. In each sample, every reward and an arm's prior get one random error for all contexts.
func (l *local) DrawSamples(dst []float64, contexts [][]float32) error {
	for _, n := range l.neighbors {
		n.errors = make([]float32, len(n.rewards)+1)
		defer func() { n.errors = nil }()
	}
	for sample := range slices.Chunk(dst, len(contexts)*l.arms) {
		for _, n := range l.neighbors {
			l.rand.Normals(n.errors)
		}
		if err := l.Predict(sample, contexts, posterior.Mean); err != nil {
			return err
		}
	}
	return nil
}

func (l *local) state(c *state.Codec) {
	c.Object(l.rand)
	if l.own {
		l.rewards.State(c)
		l.columns.state(c)
	}
	for _, n := range l.neighbors {
		if n.state(c); c.Reading() {
			n.setNorms()
		}
	}
}
