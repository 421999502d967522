package exact

import (
	"context"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// maxMemory bounds the rewards of an arm that a prediction looks at.
const maxMemory = 10_000_000

// local is a posterior whose values are averages of the rewards in nearby contexts. Values of arms
// and contexts are normal and independent, but for draws for several contexts together: there the error of a reward, and
// that of the prior, is the same number of its standard deviations in all contexts, as where a normal law is
// sampled by perturbing its data (Papandreou and Yuille, NIPS 2010).
type local struct {
	dim, memory int
	own         *localScale // nil without own_scale
	arms        []*neighbors
	rand        *stream.Stream
	x           ridge.Vector // the context at hand
	normal      [1]float32
	// estimate returns mean and standard deviation of an arm's value in a context with the squared
	// norm, which is in x. Where the arm has errors they are in the mean.
	estimate func(n *neighbors, x *ridge.Vector, norm float64, u *units) (mean, sd float64)
}

// units are those of the numbers that estimate takes: the prior's mean, the noise and a distance.
type units struct{ mean, noise, distance float64 }

// A localScale has the units with the option own_scale: mean and deviation of the rewards of all arms, and the distance of contexts.
type localScale struct {
	rewards  moments.Running
	contexts moments.Vectors
}

// units returns those of what was seen; without own_scale those of the options.
func (s *localScale) units() *units {
	if s == nil {
		return &units{0, 1, 1}
	}
	return &units{s.rewards.Mean, s.rewards.SD(), s.contexts.Distance()}
}

var (
	_ posterior.Posterior    = (*local)(nil)
	_ posterior.Spreader     = (*local)(nil)
	_ posterior.SampleDrawer = (*local)(nil)
)

func newLocal(setup posterior.Setup, memory int, own bool, estimate func(*neighbors, *ridge.Vector, float64, *units) (mean, sd float64)) *local {
	l := &local{dim: setup.Dim, memory: memory, rand: setup.Stream.Child("draw"), estimate: estimate}
	if own {
		l.own = &localScale{contexts: moments.NewVectors(setup.Dim)}
	}
	for range setup.Arms {
		l.arms = append(l.arms, &neighbors{history: history{dim: setup.Dim}})
	}
	return l
}

// neighbors are the last rewards of an arm.
type neighbors struct {
	history
	norms   []float64 // squared norms of the contexts
	nearest []near
	errors  []float32 // errors of the rewards and, last, of the prior, in standard deviations; nil but in draws for several contexts
}

// near is a row of the history and its squared distance.
type near struct {
	distance float64
	row      int
}

// squared returns the squared distance of a row from x.
func (n *neighbors) squared(row int, x *ridge.Vector, norm float64) float64 {
	dot, c := 0.0, n.row(row)
	for k, i := range x.Index {
		dot += float64(x.Value[k] * float64(c[i]))
	}
	return max(0, n.norms[row]+norm-2*dot)
}

func squaredNorm(context []float32) float64 {
	sum := 0.0
	for _, v := range context {
		sum += float64(v) * float64(v) // exact: fused or not, the same bits
	}
	return sum
}

// Observe adds a row, in place of the arm's oldest if the memory is full.
func (l *local) Observe(context []float32, arm int, reward float64) error {
	if err := checkRow(context, l.dim, arm, len(l.arms), reward); err != nil {
		return err
	}
	if l.own != nil {
		l.own.rewards.Add(reward)
		l.own.contexts.Add(context)
	}
	n := l.arms[arm]
	n.add(context, reward)
	n.norms = append(n.norms, squaredNorm(context))
	if len(n.rewards) > l.memory {
		n.contexts, n.rewards, n.norms = n.contexts[l.dim:], n.rewards[1:], n.norms[1:]
	}
	return nil
}

// Update does nothing.
func (l *local) Update(ctx context.Context) error { return ctx.Err() }

// Predict writes the means or normal draws about them.
func (l *local) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	return l.each(dst, contexts, func(mean, sd float64) float64 {
		if how == posterior.Draw {
			l.rand.Normals(l.normal[:])
			mean += float64(sd * float64(l.normal[0]))
		}
		return mean
	})
}

// DrawSamples writes the averages of rewards with errors, which are drawn once for all contexts of a sample.
func (l *local) DrawSamples(dst []float64, contexts [][]float32) error {
	for _, n := range l.arms {
		n.errors = make([]float32, len(n.rewards)+1)
		defer func() { n.errors = nil }()
	}
	for sample := range slices.Chunk(dst, len(contexts)*len(l.arms)) {
		for _, n := range l.arms {
			l.rand.Normals(n.errors)
		}
		if err := l.each(sample, contexts, func(mean, _ float64) float64 { return mean }); err != nil {
			return err
		}
	}
	return nil
}

// Spread writes the standard deviations.
func (l *local) Spread(dst []float64, contexts [][]float32) error {
	return l.each(dst, contexts, func(_, sd float64) float64 { return sd })
}

func (l *local) each(dst []float64, contexts [][]float32, f func(mean, sd float64) float64) error {
	norm, u := 0.0, l.own.units()
	return each(dst, contexts, l.dim, l.arms, func(c []float32) {
		l.x.Set(c, false)
		norm = squaredNorm(c)
	}, func(n *neighbors) float64 { return f(l.estimate(n, &l.x, norm, u)) })
}

// MarshalBinary saves the rows and the stream.
func (l *local) MarshalBinary() ([]byte, error) { return state.Save(l.state) }

// UnmarshalBinary restores the state that MarshalBinary saved.
func (l *local) UnmarshalBinary(b []byte) error { return state.Restore(b, l.state) }

func (l *local) state(c *state.Codec) {
	c.Object(l.rand)
	if l.own != nil {
		l.own.rewards.State(c)
		l.own.contexts.State(c)
	}
	for _, n := range l.arms {
		if n.state(c); !c.Reading() {
			continue
		}
		n.norms = nil
		for i := range n.rewards {
			n.norms = append(n.norms, squaredNorm(n.row(i)))
		}
	}
}

// insert puts a row among the k nearest so far, which are in ascending order of their distances; of equals the older is the
// nearer. If there are more, they are repeats, than which none is nearer.
func (n *neighbors) insert(k int, d near) {
	if len(n.nearest) >= k {
		if d.distance >= n.nearest[k-1].distance {
			return
		}
		n.nearest = n.nearest[:k-1]
	}
	i := len(n.nearest)
	n.nearest = append(n.nearest, d)
	for ; i > 0 && n.nearest[i-1].distance > d.distance; i-- {
		n.nearest[i] = n.nearest[i-1]
	}
	n.nearest[i] = d
}

// average returns the mean reward of the nearest rows.
func (n *neighbors) average() float64 {
	sum := 0.0
	for _, d := range n.nearest {
		sum += n.rewards[d.row]
	}
	return sum / math.Max(1, float64(len(n.nearest)))
}
