package simulation

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/lab/density"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// VarianceOptions are the options of the experiment on the variance of θ. The experiment compares P chains, which share
// a θ and have Steps steps each, with one chain of P·Steps steps.
type VarianceOptions struct {
	Seed         uint64  `json:"seed"`
	Repeats      int     `json:"repeats"`
	Chains       int     `json:"chains"`        // number of interacting chains, P
	Steps        int     `json:"steps"`         // steps of each interacting chain
	LearningRate float64 `json:"learning_rate"` // step size ε
	// Points is the largest number of times at which θ is recorded in a run; the last is the end of the run.
	Points int `json:"points"`
}

// DefaultVariance returns the paper's experiment with 100 repeats instead of ten, because variance ratios need more.
func DefaultVariance() VarianceOptions {
	return VarianceOptions{Seed: 1, Repeats: 100, Chains: 10, Steps: 1_000_000, LearningRate: 0.02, Points: 7}
}

// VarianceContour returns the paper's contour: 100 energy bins of width 1, ζ = .9 and τ = 1. The first bin ends at the
// energy 2.15; the lowest energy of the mixture is 1.43.
func VarianceContour() density.Contour {
	return density.Contour{Bins: 100, Width: 1, Start: 1.15, Zeta: 0.9, Temperature: 1}
}

// The step size of θ in step k is ω_k = 1/(k^.6 + 100).
const (
	varianceExponent = 0.6
	varianceOffset   = 100.0
)

// A VarianceResult is the outcome of the experiment.
type VarianceResult struct {
	Options VarianceOptions `json:"options"`
	Clock   string          `json:"clock"` // name of the clock; "" if nothing was timed
	// Truth is θ*, the θ of the limit ε → 0, and Mass is the probability of each bin. Both are of the first KeptBins bins.
	Truth []float64 `json:"truth"`
	Mass  []float64 `json:"mass"`
	// AtStep has the θ at which a chain of step size ε spends equal time in all bins. It has at most AtStepBins bins, ends
	// before the first bin for which no θ was found, and is empty for ε < AtStepLeast. For ε → 0 its limit is Truth.
	AtStep []float64 `json:"at_step"`
	// Interacting has P chains (ICSGLD), Single has one chain of P times the length (CSGLD).
	Interacting VarianceMethod `json:"interacting"`
	Single      VarianceMethod `json:"single"`
}

// A VarianceMethod is one of the two methods with its runs.
type VarianceMethod struct {
	Name   string        `json:"name"`
	Chains int           `json:"chains"`
	Steps  int           `json:"steps"` // steps of each chain
	Runs   []VarianceRun `json:"runs"`  // by repeat
}

// A VarianceRun is one repeat of a method, with θ at each recorded point.
type VarianceRun struct {
	Evaluations []int       `json:"evaluations"` // evaluations of the gradient up to each point
	Theta       [][]float64 `json:"theta"`       // θ of the first KeptBins bins at each point; the sum over all 100 bins is 1
	Seconds     float64     `json:"seconds"`     // duration by the crew's clock
}

// KeptBins is the number of bins that are reported, starting with the first. The other bins, with energies
// above 16, are hardly ever visited.
const KeptBins = 15

// Validate returns an error that begins with the JSON name of the first option out of range.
func (o *VarianceOptions) Validate() error {
	return cmp.Or(
		check.That(o.Repeats >= 2 && o.Repeats <= maxRepeats, "repeats: %d, want 2 to %d: one has no variance", o.Repeats, maxRepeats),
		check.Within("chains", o.Chains, 2, 10_000),
		check.Within("steps", o.Steps, 1, 1e10),
		check.That(o.LearningRate > 0 && o.LearningRate <= 0.5, "learning_rate: %g, want above 0 and at most 0.5", o.LearningRate),
		check.Within("points", o.Points, 1, 1000),
	)
}

// Theory returns the ratio of the variance of θ from one chain to that from P chains, by the paper's theorem
// on asymptotic normality. After k steps of P chains the variance is proportional to ω_k/P, so that
// the ratio is P·ω_{kP}/ω_k = P(k^.6 + 100)/((kP)^.6 + 100).
func (o *VarianceOptions) Theory() float64 {
	p, k := float64(o.Chains), float64(o.Steps)
	return p * (math.Pow(k, varianceExponent) + varianceOffset) / (math.Pow(k*p, varianceExponent) + varianceOffset)
}

// Variance runs the experiment on the variance of θ. The options must be valid.
func Variance(ctx context.Context, o VarianceOptions, crew *Crew) (*VarianceResult, error) {
	logTheta, mass := VarianceContour().FixedPoint(density.Mixture{})
	result := &VarianceResult{
		Options:     o,
		Clock:       crew.Clock.Name,
		Truth:       lists.Each(logTheta[:KeptBins], math.Exp),
		Mass:        mass[:KeptBins],
		AtStep:      atStep(o.LearningRate),
		Interacting: VarianceMethod{sgmcmc.ICSGLD().Name, o.Chains, o.Steps, make([]VarianceRun, o.Repeats)},
		Single:      VarianceMethod{sgmcmc.CSGLD().Name, 1, o.Steps * o.Chains, make([]VarianceRun, o.Repeats)},
	}
	root := stream.Root(o.Seed).Child("variance")
	err := crew.each(ctx, 2*o.Repeats, func(i int) error {
		m, repeat := &result.Interacting, i/2
		if i%2 == 0 {
			m = &result.Single
		}
		run, err := o.run(ctx, m, root.Child("repeat", repeat, m.Name), crew)
		if err != nil {
			return fmt.Errorf("simulation: variance: %s, repeat %d: %w", m.Name, repeat+1, err)
		}
		m.Runs[repeat] = run
		return nil
	})
	return result, err
}

// run runs one repeat of a method. Chains start uniformly in [−10, 10].
func (o *VarianceOptions) run(ctx context.Context, m *VarianceMethod, r *stream.Stream, crew *Crew) (run VarianceRun, err error) {
	options := sgmcmc.Plain(o.LearningRate, VarianceContour().Temperature)
	options.Contour = optionsOf(VarianceContour())
	options.Contour.Omega, options.Contour.OmegaExponent, options.Contour.OmegaOffset = 1/varianceOffset, varianceExponent, varianceOffset
	u := sgmcmc.Setup{Chains: m.Chains}
	var chains []posterior.Chain
	for p := range m.Chains {
		r := r.Child("chain", p)
		start := float32(float64(20*r.Child("init").Float64()) - 10)
		chains = append(chains, posterior.NewChain(density.Mixture{}, []float32{start}))
		u.Noise = append(u.Noise, density.NewBuffered(r.Child("noise")))
	}
	s, err := sgmcmc.NewLangevin(options, u)
	if err != nil {
		return run, err
	}
	points := pointsOf(max(m.Steps/1000, 1), m.Steps, o.Points)
	start := crew.Clock.now()
	for k := range m.Steps {
		if err := s.Step(chains); err != nil {
			return run, err
		}
		if k+1 == points[0] {
			points = points[1:]
			theta, _ := s.Histogram()
			run.Evaluations = append(run.Evaluations, (k+1)*m.Chains)
			run.Theta = append(run.Theta, append([]float64(nil), theta[:KeptBins]...))
		}
		if k%100_000 == 0 {
			if err := ctx.Err(); err != nil {
				return run, err
			}
		}
	}
	run.Seconds = crew.Clock.now() - start
	return run, nil
}

// AtStepBins is the maximum length of VarianceResult.AtStep.
const AtStepBins = 10

// AtStepLeast is the smallest ε for which VarianceResult.AtStep is computed. The computation uses a grid whose size
// grows as 1/√ε, and for smaller ε, θ is within 2 % of the limit anyway.
const AtStepLeast = 2e-3

// atStepContours are the numbers of bins of the two contours for which θ at a finite ε is computed. They differ only in
// where the last bin begins, which contains all higher energies. For all hundred bins no such θ exists: with any θ, a
// chain of finite ε spends less time in the rarest bins.
var atStepContours = [2]int{AtStepBins + 2, AtStepBins + 3}

// atStepTolerance limits two relative differences of each bin. If the values of θ from the two atStepContours differ
// more, θ depends on where the last bin begins. If the time in the bin differs more from the mean time over all bins, θ
// is no fixed point. In both cases θ of this bin and of all later bins is not reported.
const atStepTolerance = 0.05

// atStep returns VarianceResult.AtStep, which is empty if ε is below AtStepLeast or too large.
//
// θ sums to 1 over twelve bins instead of a hundred. This hardly changes it: the other bins would total about 1e-6.
func atStep(eps float64) []float64 {
	if eps < AtStepLeast {
		return nil
	}
	var theta, share [2][]float64
	for i, bins := range atStepContours {
		c := VarianceContour()
		c.Bins = bins
		logTheta := c.DiscreteFixedPoint(density.Mixture{}, eps)
		sum := 0.0
		for _, l := range logTheta {
			sum += math.Exp(l)
		}
		theta[i] = lists.Each(logTheta, func(l float64) float64 { return math.Exp(l) / sum })
		// DiscreteFixedPoint does not find a fixed point for every ε. Below, the function near checks the occupancy.
		occupancy := c.Law(density.Mixture{}, eps, logTheta).Occupancy(bins)
		share[i] = lists.Each(occupancy, func(o float64) float64 { return o * float64(bins) })
	}
	near := func(a, b float64) bool { return math.Abs(a/b-1) <= atStepTolerance } // false for NaN
	n := 0
	for n < AtStepBins && near(theta[1][n], theta[0][n]) && near(share[0][n], 1) && near(share[1][n], 1) {
		n++
	}
	return theta[0][:n]
}
