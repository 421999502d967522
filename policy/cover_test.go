package policy

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// denseCover is a reference for Cover that solves each regression anew in each pull.
type denseCover struct {
	o       CoverOptions
	arms    int
	rows    [][]float64
	pulled  []int
	reward  []float64
	targets [][][]float64 // by policy, pull and arm
}

// ridge returns the weights of the regression on the targets y. It leaves out rows whose y is NaN.
func (d *denseCover) ridge(y func(row int) float64) []float64 {
	n := len(d.rows[0])
	a, b := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		a.SetSym(i, i, d.o.Lambda)
	}
	for i, row := range d.rows {
		if v := y(i); !math.IsNaN(v) {
			x := mat.NewVecDense(n, row)
			a.SymRankOne(a, 1, x)
			b.AddScaledVec(b, v, x)
		}
	}
	var c mat.Cholesky
	c.Factorize(a)
	var w mat.VecDense
	if err := c.SolveVecTo(&w, b); err != nil {
		panic(err)
	}
	return w.RawVector().Data
}

func product(w, x []float64) (sum float64) {
	for i := range w {
		sum += w[i] * x[i]
	}
	return sum
}

// model returns m(a) at x, computed from pulls 0 to rows−1.
func (d *denseCover) model(a int, x []float64, rows int) float64 {
	return product(d.ridge(func(row int) float64 {
		if row >= rows || d.pulled[row] != a {
			return math.NaN()
		}
		return d.reward[row]
	}), x)
}

func (d *denseCover) choice(i int, x []float64, rows int) int {
	best, highest := 0, math.Inf(-1)
	for a := range d.arms {
		v := product(d.ridge(func(row int) float64 {
			if row >= rows {
				return math.NaN()
			}
			return d.targets[i][row][a]
		}), x)
		if v > highest {
			best, highest = a, v
		}
	}
	return best
}

// TestCover compares the probabilities of 40 pulls with those of denseCover.
func TestCover(t *testing.T) {
	const arms, pulls, burnIn = 3, 40, 6
	o := CoverOptions{Policies: 3, Epsilon: 0.5, Psi: 0.7, Clip: 4, Lambda: 0.3, Intercept: true}
	p, err := CoverKind().New(o, Setup{Spec: bandit.Spec{Dim: 2, Arms: []string{"a", "b", "c"}}, Stream: stream.Root(1)})
	must.OK(t, err)
	d := &denseCover{o: o, arms: arms, targets: make([][][]float64, o.Policies)}
	r := stream.Root(2)
	differ := false
	for n := 1; n <= pulls; n++ {
		round := bandit.Round{T: n, Context: make([]float32, 2)}
		r.Normals(round.Context)
		x := []float64{float64(round.Context[0]), float64(round.Context[1]), 1}
		d.rows = append(d.rows, x)
		d.pulled, d.reward = append(d.pulled, 0), append(d.reward, 0)
		before := n - 1
		mu := o.Epsilon * math.Min(1./arms, 1/math.Sqrt(float64(arms*n)))
		choices, want := make([]int, o.Policies), []float64{mu, mu, mu}
		for i := range choices {
			choices[i] = d.choice(i, x, before)
			want[choices[i]] += (1 - arms*mu) / float64(o.Policies)
			differ = differ || choices[i] != choices[0]
		}
		got := make([]float64, arms)
		must.OK(t, p.(bandit.Randomizer).Propensities(got, round))
		for a := range want {
			must.Near(t, "probability", got[a], want[a], 1e-12)
		}
		must.Hold(t, !t.Failed(), "pull %d", n)
		arm, probability := r.IntN(arms), 1./arms
		if n > burnIn {
			arm = must.Get(p.Act(round))(t)
			probability = want[arm]
		}
		reward := x[0]*float64(arm-1) + 0.2*r.Float64()
		must.OK(t, p.Learn(round, arm, reward))
		estimate := make([]float64, arms)
		for a := range estimate {
			if estimate[a] = d.model(a, x, before); a == arm {
				estimate[a] += (reward - estimate[a]) * min(1/probability, 4)
			}
		}
		d.pulled[before], d.reward[before] = arm, reward
		for i := range d.targets {
			target := append([]float64(nil), estimate...)
			for a := range target {
				if i > 0 {
					q := 0.0
					for _, c := range choices[:i] {
						if c == a {
							q += 1 / float64(i)
						}
					}
					target[a] += o.Psi * mu / ((1-arms*mu)*q + mu)
				}
			}
			d.targets[i] = append(d.targets[i], target)
		}
	}
	must.That(t, differ, "the policies never differ: the test shows nothing")
}

// TestCoverAfterInitialPulls pulls arms that pay 1, 2 and 3 in turn, ten times each. In the pulls before an arm's first, its r̂
// is 0; in the first it is three times the reward, since p(b) is 1/3; then it is the reward. So over 30 pulls r̂ sums to 32, 31
// and 30 times the reward.
func TestCoverAfterInitialPulls(t *testing.T) {
	o := CoverOptions{Policies: 1, Epsilon: 1, Psi: 1, Clip: 10, Lambda: 1e-9, Intercept: true}
	p, err := CoverKind().New(o, Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b", "c"}}, Stream: stream.Root(1)})
	must.OK(t, err)
	for n := range 30 {
		must.OK(t, p.Learn(bandit.Round{T: n + 1, Context: []float32{0}}, n%3, float64(n%3+1)))
	}
	for arm, times := range []float64{32, 31, 30} {
		must.Near(t, "constant of policy 1", p.(*cover).policyWeights(1)[arm][1], times/30*float64(arm+1), 1e-6)
	}
}
