package posteriortest

import (
	"fmt"
	"math"

	"banditsim/posterior/density"
)

// checkEquilibrium lets θ learn, in replicates. The chains then spend the same time
// in all bins (O5), and ζ·log θ is at the fixed point of the chain at this ε, whatever ζ is (O6).
//
// The quick grade starts in equilibrium, which a sampler with another one leaves
// within the run; the long grade starts from a flat θ, with a falling ω, on wells far apart.
// Where some bins are not held to their standard errors, it is asked that
// their multipliers are nearer to the fixed point's than to those of a
// piecewise-constant Ψ, θ ∝ P^(1/ζ).
func checkEquilibrium(j *judge, s Sampler) error {
	if j.o.Grade != Long {
		if s.Claims.Chains > 0 {
			j.skip("time in the bins, θ", "so few chains take minutes to settle: --grade long")
			return nil
		}
		return j.equilibrium(s, "two humps", humpsTerrain(0.9), 16, 6000, 0.003)
	}
	chains, steps := 64, 16_000
	if s.Claims.Chains > 0 {
		chains, steps = s.Claims.Chains, steps*16
	}
	for _, zeta := range []float64{0.9, 1.8} {
		if err := j.equilibrium(s, fmt.Sprint("two wells far apart, ζ = ", zeta), mixtureTerrain(zeta), chains, steps, 0); err != nil {
			return err
		}
	}
	return nil
}

// equilibrium runs replicates of a number of chains, with a constant ω from equilibrium on or, for
// ω = 0, with a falling one from a flat start.
func (j *judge) equilibrium(s Sampler, name string, c terrain, chains, steps int, omega float64) error {
	const replicates = 128
	l := c.laws()
	u := s.on(c, omega)
	law, warmup := l.settled, 0
	if omega == 0 {
		warmup = steps / 4
		u.Contour.Omega, u.Contour.OmegaExponent, u.Contour.OmegaOffset = 0.075, 0.45, 12
		law = density.Law{}
	} else {
		for _, t := range l.discrete {
			u.Theta = append(u.Theta, math.Exp(t))
		}
	}
	low, high := c.reach()
	logTheta, visits := table(c.Bins, replicates), table(c.Bins, replicates)
	for r := range replicates {
		uniform := j.rand(name, r, "start")
		runs, err := s.walkers(c, u, chains, j.rand(name, r), func() float64 {
			if law.Share != nil {
				return law.Middle[draw(law.Share, uniform.Float64())]
			}
			return low + (high-low)*uniform.Float64()
		})
		if err != nil {
			return err
		}
		if err := watch(runs[0], steps, warmup, func(theta []float64, bins []int) {
			share := 1 / float64(steps-warmup)
			for i, t := range theta {
				logTheta[i][r] += share * math.Log(t/theta[0])
			}
			for _, bin := range bins {
				visits[bin-1][r] += share / float64(len(bins))
			}
		}); err != nil {
			return err
		}
	}
	j.together("time in the bins, "+name, func() {
		for i, v := range visits {
			j.statistic(fmt.Sprint("bin ", i+1), meanOf(v), 1/float64(c.Bins))
		}
	})
	j.together("ζ·log θ at the fixed point, "+name, func() {
		for _, i := range c.sharp {
			j.sharp(fmt.Sprint("bin ", i+1), meanOf(logTheta[i]).times(c.Zeta), c.Zeta*l.discrete[i])
		}
	})
	mean := make([]float64, c.Bins)
	for i, values := range logTheta {
		mean[i] = meanOf(values).value
	}
	wrong := ""
	for i := 1; i < c.Bins; i++ {
		got, want := c.Multiplier(i, mean), c.Multiplier(i, l.discrete)
		constant := 1 + c.Temperature/c.Width*math.Log(l.mass[i]/l.mass[i-1])
		if !(math.Abs(got-want) < math.Abs(got-constant)) {
			wrong += fmt.Sprintf("; bin %d: %.3f, want %.3f, not %.3f", i+1, got, want, constant)
		}
	}
	j.promise("multipliers are those of a log-linear Ψ, "+name, wrong == "", "they are not%s", wrong)
	return nil
}

// reach returns an interval of places whose energies are below the last bin's end.
func (c terrain) reach() (low, high float64) {
	low, high = c.line.Support()
	top := c.Start + float64(c.Bins)*c.Width
	for u, _ := c.line.At(low); u > top; u, _ = c.line.At(low) {
		low += 0.01
	}
	for u, _ := c.line.At(high); u > top; u, _ = c.line.At(high) {
		high -= 0.01
	}
	return low, high
}

// watch does steps and calls f with θ and the bins after each that is past the warm-up.
func watch(g *run, steps, warmup int, f func(theta []float64, bins []int)) error {
	for k := range steps {
		if err := g.sampler.Step(g.chains); err != nil {
			return err
		}
		if k < warmup {
			continue
		}
		theta, bins, err := histogram(g.sampler)
		if err != nil {
			return err
		}
		f(theta, bins)
	}
	return nil
}
