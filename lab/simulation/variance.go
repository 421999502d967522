package simulation

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/lab/density"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// VarianceOptions are the options of the experiment on the variance of θ: Chains chains of Steps
// steps that share a θ, against one chain of Chains·Steps steps.
type VarianceOptions struct {
	Seed         uint64  `json:"seed"`
	Repeats      int     `json:"repeats"`
	Chains       int     `json:"chains"`        // P
	Steps        int     `json:"steps"`         // steps of each of the P chains
	LearningRate float64 `json:"learning_rate"` // ε
	// Points is the number of points of a run, up to its end, at which θ is recorded.
	Points int `json:"points"`
}

// DefaultVariance returns the paper's experiment, with more repeats than its ten: a ratio of
// variances needs them.
func DefaultVariance() VarianceOptions {
	return VarianceOptions{Seed: 1, Repeats: 100, Chains: 10, Steps: 1_000_000, LearningRate: 0.02, Points: 7}
}

// VarianceContour has the paper's energy bins: 100 of width 1. The first ends at U = 2.15, so
// that it can be reached: the lowest energy is 1.43.
func VarianceContour() density.Contour {
	return density.Contour{Bins: 100, Width: 1, Start: 1.15, Zeta: 0.9, Temperature: 1}
}

// ω_k = 1/(k^.6 + 100).
const (
	varianceExponent = 0.6
	varianceOffset   = 100.0
)

// A VarianceResult is the outcome of the experiment.
type VarianceResult struct {
	Options VarianceOptions `json:"options"`
	Clock   string          `json:"clock"` // what the seconds are of; "" if nothing was timed
	// Truth is θ* by density.Contour.FixedPoint, and Mass the bins' masses.
	Truth []float64 `json:"truth"`
	Mass  []float64 `json:"mass"`
	// AtStep is θ at which the chain of step ε spends the same time in all bins, of which Truth
	// is the limit ε → 0. It has the first bins, at most AtStepBins; see atStep.
	AtStep []float64 `json:"at_step"`
	// Interacting has P chains (ICSGLD), Single one chain of P times the length (CSGLD).
	Interacting VarianceMethod `json:"interacting"`
	Single      VarianceMethod `json:"single"`
}

// A VarianceMethod is one side of the experiment.
type VarianceMethod struct {
	Name   string        `json:"name"`
	Chains int           `json:"chains"`
	Steps  int           `json:"steps"` // steps of each chain
	Runs   []VarianceRun `json:"runs"`  // by repeat
}

// A VarianceRun is one repeat of a method: θ, which sums to 1, at each of its points.
type VarianceRun struct {
	Evaluations []int       `json:"evaluations"` // evaluations of the gradient, at each point
	Theta       [][]float64 `json:"theta"`       // θ of the first KeptBins bins, at each point
	Seconds     float64     `json:"seconds"`     // by the crew's clock
}

// KeptBins is the number of bins, from the first on, that are reported. Those beyond, of energies
// above 16, are hardly ever reached.
const KeptBins = 15

// Validate returns an error that begins with the name in JSON of the first option out of range.
func (o *VarianceOptions) Validate() error {
	return cmp.Or(
		check.That(o.Repeats >= 2 && o.Repeats <= maxRepeats, "repeats: %d, want 2 to %d: one has no variance", o.Repeats, maxRepeats),
		check.Within("chains", o.Chains, 2, 10_000),
		check.Within("steps", o.Steps, 1, 1e10),
		check.That(o.LearningRate > 0 && o.LearningRate <= 0.5, "learning_rate: %g, want above 0 and at most 0.5", o.LearningRate),
		check.Within("points", o.Points, 1, 1000),
	)
}

// Theory returns the ratio of the variances, of one chain to P, by the paper's theorem on
// asymptotic normality: after k steps of P chains the variance of θ is proportional to ω_k/P, so
// that the ratio is P·ω_{kP}/ω_k = P(k^.6 + 100)/((kP)^.6 + 100).
func (o *VarianceOptions) Theory() float64 {
	p, k := float64(o.Chains), float64(o.Steps)
	return p * (math.Pow(k, varianceExponent) + varianceOffset) / (math.Pow(k*p, varianceExponent) + varianceOffset)
}

// Variance runs the experiment.
func Variance(ctx context.Context, o VarianceOptions, crew *Crew) (*VarianceResult, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("simulation: variance: %w", err)
	}
	logTheta, mass := VarianceContour().FixedPoint(density.Mixture{})
	result := &VarianceResult{
		Options:     o,
		Clock:       crew.Clock.Name,
		Truth:       make([]float64, KeptBins),
		Mass:        mass[:KeptBins],
		AtStep:      atStep(o.LearningRate),
		Interacting: VarianceMethod{sgmcmc.ICSGLD().Name, o.Chains, o.Steps, make([]VarianceRun, o.Repeats)},
		Single:      VarianceMethod{sgmcmc.CSGLD().Name, 1, o.Steps * o.Chains, make([]VarianceRun, o.Repeats)},
	}
	for i := range result.Truth {
		result.Truth[i] = math.Exp(logTheta[i])
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

// run runs one repeat. Chains start uniformly in [−10, 10].
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
		u.Noise = append(u.Noise, stream.NewBuffered(r.Child("noise")))
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

// AtStepBins is the largest number of bins with a θ of the finite step.
const AtStepBins = 10

// AtStepLeast is the smallest ε for which θ of the finite step is computed. The grid grows with
// 1/√ε. Below, θ is within 2 % of the limit.
const AtStepLeast = 2e-3

// θ of the finite step is computed for contours with two numbers of bins, with the same bins
// except for the last, which is open. It does not exist for all hundred: a chain of finite step
// never spends as long in rare bins as in others, whatever θ.
var atStepContours = [2]int{AtStepBins + 2, AtStepBins + 3}

// atStepTolerance is the largest relative difference between the two, and from equal times in all
// bins. A bin with a larger one has no θ of its own: it depends on where the bins end.
const atStepTolerance = 0.05

// atStep returns θ of the first bins at which the chain of step ε spends the same time in all
// bins: of those bins that have one; none if ε is too large or below AtStepLeast.
//
// Σθ = 1 over twelve bins stands for that over a hundred: those beyond have some 1e-6.
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
		for _, l := range logTheta {
			theta[i] = append(theta[i], math.Exp(l)/sum)
		}
		// Check that it is a fixed point: the search does not find one for each ε.
		for _, o := range c.Law(density.Mixture{}, eps, logTheta).Occupancy(bins) {
			share[i] = append(share[i], o*float64(bins))
		}
	}
	near := func(a, b float64) bool { return math.Abs(a/b-1) <= atStepTolerance } // NaN is not
	n := 0
	for n < AtStepBins && near(theta[1][n], theta[0][n]) && near(share[0][n], 1) && near(share[1][n], 1) {
		n++
	}
	return theta[0][:n]
}
