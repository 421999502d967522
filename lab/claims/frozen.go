package claims

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// A terrain is a density in one dimension with a contour and a step size.
type terrain struct {
	density.Contour
	line density.Line
	rate float64 // ε
	// sharp are the indices of the bins in which checkEquilibrium compares θ. In the other bins the step size
	// of θ's updates, ω, makes the comparison too inexact: it shifts the mean of θ by O(ω), or θ varies too much.
	sharp [4]int
	limit bool // compare with the law and θ in the limit ε → 0
}

// humpsTerrain has the density of type humps. Chains often cross the low barrier between the two humps.
func humpsTerrain(zeta float64) terrain {
	c := density.Contour{Bins: 8, Width: 0.75, Start: -1.585, Zeta: zeta, Temperature: 1}
	return terrain{c, humps{}, 0.0125, [4]int{3, 4, 5, 7}, false}
}

// terrain returns the sampler's terrain in place of t, and the number of warm-up steps. Samplers with momenta are
// compared with the limit ε → 0, as their law at a finite ε is unknown. Their rate is twice t's: even so their law
// differs from the limit by less than a standard error of the quick grade. They need a warm-up, as momenta start at 0.
func (s Sampler) terrain(t terrain) (terrain, int) {
	if s.Claims.MomentumVariance == nil {
		return t, 0
	}
	t.rate, t.limit = 2*t.rate, true
	return t, s.warmup(1, t.rate)
}

// mixtureTerrain is .4 N(−6, 1) + .6 N(4, 1) with ten bins of width 1. The first bin ends at U = 2.15.
func mixtureTerrain(zeta float64) terrain {
	c := density.Contour{Bins: 10, Width: 1, Start: 1.15, Zeta: zeta, Temperature: 1}
	return terrain{c, density.Mixture{}, 0.01, [4]int{2, 4, 6, 8}, false}
}

// A lawOfTerrain has the stationary laws of a chain on a terrain at two values of θ: at θ*, the fixed point for ε → 0,
// and at the discrete fixed point, where a chain with step size ε spends the same time in all bins. If terrain.limit is
// set, both are for ε → 0.
type lawOfTerrain struct {
	logTheta    []float64   // log θ*
	law         density.Law // law at θ*
	discrete    []float64   // log θ at the discrete fixed point; 0 in bin 1
	discreteLaw density.Law // law at the discrete fixed point
	tilted      []float64   // share of time in each bin at θ* if ζ in the multiplier is 5 % too large
	mass        []float64   // probability of each bin under the density
}

// knownLaws is a cache of laws. It maps a terrain to a func() *lawOfTerrain.
var knownLaws sync.Map

func (t terrain) laws() *lawOfTerrain {
	l, _ := knownLaws.LoadOrStore(t, sync.OnceValue(t.solve))
	return l.(func() *lawOfTerrain)()
}

// solve is laws without the cache.
func (t terrain) solve() *lawOfTerrain {
	l := &lawOfTerrain{}
	l.logTheta, l.mass = t.FixedPoint(t.line)
	law := density.Contour.Law
	if t.limit {
		law = density.Contour.Flattened
		l.discrete = lists.Each(l.logTheta, func(theta float64) float64 { return theta - l.logTheta[0] })
	} else {
		l.discrete = t.DiscreteFixedPoint(t.line, t.rate)
	}
	l.law = law(t.Contour, t.line, t.rate, l.logTheta)
	l.discreteLaw = law(t.Contour, t.line, t.rate, l.discrete)
	steeper := t.Contour
	steeper.Zeta *= 1.05
	l.tilted = law(steeper, t.line, t.rate, l.logTheta).Occupancy(t.Bins)
	return l
}

// on returns a setup on a terrain. A preconditioner is frozen at G = ½ and ε is doubled, which gives the same chain.
func (s Sampler) on(t terrain, omega float64) setup {
	u := s.setup(t.rate, t.Temperature, 0, 1)
	if s.Claims.Preconditioner {
		u.LearningRate = 2 * t.rate
		u.V = []float32{frozenV(0.5)}
	}
	u.Contour = contour(t.Bins, t.Start, t.Width, "lastbin")
	u.Contour.Zeta, u.Contour.Omega = t.Zeta, omega
	return u
}

// walkers returns the given number of chains on a terrain, all in one sampler. If the sampler requires a number n of
// chains, walkers returns chains/n samplers with n chains each. start returns the initial position of a chain.
func (s Sampler) walkers(t terrain, u setup, chains int, r *stream.Stream, start func() float64) []*run {
	u.Chains = s.count(chains)
	u.Noise = slices.Repeat([]posterior.Normals{density.NewBuffered(r.Child("noise"))}, u.Chains)
	target := onLine(t.line)(1, nil)
	var all []*run
	for i := range chains / u.Chains {
		u.Stream = r.Child("sampler", i)
		from := func(int) []float32 { return []float32{float32(start())} }
		all = append(all, s.start(u, func(int) posterior.Target { return target }, from))
	}
	return all
}

// checkFrozen keeps θ at θ* (ω = 0) and follows independent chains, which start in their stationary law except for
// momenta. It compares three quantities with the law: the time in the bins, the masses of the bins estimated with the
// weights Ψ_θ(U)^ζ (see density.Contour.LogPsi), and those estimated with the weights θ(J)^ζ, where J is the bin of the
// energy U. At this ε the masses by Ψ are within 5 % of the true masses; those by θ(J) are biased. checkFrozen computes
// the weights by formula; checkMultiplier compares the weights that the sampler returns with the formula. A test of
// package density shows that the masses by Ψ tend to the true masses as ε → 0.
//
// On the two wells far apart, an error of 5 % in the slope of the multiplier changes the time in the last
// of the ten bins relative to the first by the factor exp(.05·ζ·log(θ(1)/θ(10))) = 1.6.
func checkFrozen(j *judge, s Sampler) {
	j.frozen(s, "two humps", humpsTerrain(0.9), 6000)
	if j.Long() {
		j.frozen(s, "two wells far apart", mixtureTerrain(0.9), 40_000)
	}
}

func (j *judge) frozen(s Sampler, name string, c terrain, steps int) {
	const chains = 640
	c, warmup := s.terrain(c)
	l := c.laws()
	u := s.on(c, 0)
	u.Theta = lists.Each(l.logTheta, math.Exp)
	r := j.Rand(name)
	uniform := r.Child("start")
	runs := s.walkers(c, u, chains, r, func() float64 { return l.law.Draw(uniform.Float64()) })
	// By bin and chain, over the steps that end in the bin: their number, the sum of Ψ^ζ and the sum of θ(J)^ζ.
	visits, psi, theta := table(c.Bins, chains), table(c.Bins, chains), table(c.Bins, chains)
	// In bin i, Ψ^ζ = base·exp(slope·(U − lower edge)) with base = θ(i−1)^ζ; in bin 1 it is θ(1)^ζ.
	powers, base, slope := make([]float64, c.Bins), make([]float64, c.Bins), make([]float64, c.Bins)
	for i, t := range u.Theta {
		powers[i] = math.Pow(t, c.Zeta)
		base[i] = powers[max(i-1, 0)]
		slope[i] = math.Log(powers[i]/base[i]) / c.Width
	}
	at := 0
	for _, g := range runs {
		watch(g, warmup+steps, warmup, func(_ []float64, bins []int) {
			for p, bin := range bins {
				visits[bin-1][at+p]++
				psi[bin-1][at+p] += float64(base[bin-1] * math.Exp(slope[bin-1]*(g.chains[p].Energy-c.Start-float64(float64(bin-1)*c.Width))))
				theta[bin-1][at+p] += powers[bin-1]
			}
		})
		at += len(g.chains)
	}
	// The expected values of the sums psi and theta under the law, with Ψ from package density.
	byPsi, byTheta := make([]float64, c.Bins), make([]float64, c.Bins)
	for i, share := range l.law.Share {
		bin := l.law.Index[i]
		energy, _ := c.line.At(l.law.Middle[i])
		byPsi[bin] += float64(share * math.Exp(c.Zeta*c.LogPsi(energy, l.logTheta)))
		byTheta[bin] += float64(share * math.Exp(c.Zeta*l.logTheta[bin]))
	}
	for i, t := range []struct {
		name string
		sums [][]float64
		want []float64
	}{
		{"time in the bins", visits, l.law.Occupancy(c.Bins)},
		{"masses by weights Ψ^ζ", psi, shares(byPsi)},
		{"masses by weights θ(J)^ζ, which are biased", theta, shares(byTheta)},
	} {
		all := make([]float64, chains)
		for _, row := range t.sums {
			floats.Add(all, row)
		}
		j.Together(t.name+", "+name, func() {
			for bin, row := range t.sums {
				e := verify.RatioOf(row, all)
				if i == 0 && bin == c.Bins-1 { // the bin in which an error of the slope has the largest effect
					j.Detects(fmt.Sprint("bin ", bin+1), e, t.want[bin], l.tilted[bin]-t.want[bin])
					continue
				}
				j.Statistic(fmt.Sprint("bin ", bin+1), e, t.want[bin])
			}
		})
	}
}

// table returns a matrix of zeros.
func table(rows, columns int) [][]float64 {
	t := make([][]float64, rows)
	for i := range t {
		t[i] = make([]float64, columns)
	}
	return t
}
