package claims

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A twin is Langevin with Histogram and Exchange in plain loops in float64. It may have a fault;
// without one it passes the suite.
type twin struct {
	fault string
	u     setup
	rate  float64 // ε now
	first float64 // ε at the first step

	v           [][]float64
	theta       []float64
	bins        []int
	energies    []float64
	weights     []float64
	multipliers []float64
	met         bool
	moves       int
	p           [][]float32 // momenta, and
	xi          []float64   // frictions, of momentumTwin
	swaps       *stream.Stream
	cold        []sgmcmc.Rung
	move        func(t *twin, i int, c *posterior.Chain) error
}

// newTwin returns a twin with a fault; exchange makes it replica exchange.
func newTwin(u setup, fault string, exchange bool) *twin {
	t := &twin{fault: fault, u: u, rate: u.LearningRate, move: langevinMove}
	if u.Preconditioner.Kind == "rmsprop" {
		for range u.Chains {
			v := slices.Repeat([]float64{1}, u.Dim)
			for i, x := range u.V {
				v[i] = float64(x)
			}
			t.v = append(t.v, v)
		}
	}
	if u.Contour.Kind != "off" {
		t.theta = slices.Repeat([]float64{1 / float64(u.Contour.Bins)}, u.Contour.Bins)
		if u.Theta != nil {
			t.theta = shares(u.Theta)
		}
		t.bins, t.weights = make([]int, u.Chains), slices.Repeat([]float64{1}, u.Chains)
	}
	if exchange {
		t.swaps = u.Stream.Child("exchange")
		t.cold = sgmcmc.Ladder(u.Chains, hottestRate, hottestTemperature)
	}
	return t
}

func (t *twin) is(fault string) bool { return t.fault == fault }

func (t *twin) Step(chains []posterior.Chain) error {
	if err := t.evaluate(chains); err != nil {
		return err
	}
	for i := range chains {
		if err := t.move(t, i, &chains[i]); err != nil {
			return err
		}
	}
	return nil
}

// evaluate fills in energies and gradients, and lets the chains interact.
func (t *twin) evaluate(chains []posterior.Chain) error {
	for i := range chains {
		c := &chains[i]
		energy, err := c.Target.EnergyGrad(c.Grad, c.X)
		if err != nil {
			return err
		}
		if math.IsNaN(energy) && !t.is("NaN passes") {
			return fmt.Errorf("chain %d: the energy is NaN", i)
		}
		c.Energy = energy
	}
	if t.first == 0 {
		t.first = t.rate
	}
	if t.cold != nil {
		t.swap(chains)
	}
	t.multipliers = slices.Repeat([]float64{1}, len(chains))
	if t.theta != nil {
		t.meet(chains)
	}
	for i := range chains {
		chains[i].Multiplier = t.multipliers[i]
	}
	return nil
}

func (t *twin) swap(chains []posterior.Chain) {
	for i := range len(chains) - 1 {
		a, b := &chains[i], &chains[i+1]
		d := (1/t.cold[i].Temperature - 1/t.cold[i+1].Temperature) / t.u.Temperature
		logS := d * (a.Energy - b.Energy)
		if t.is("swap with the wrong sign") {
			logS = -logS
		}
		if t.is("swap twice as often") {
			logS *= 0.5
		}
		if math.Log(t.swaps.Float64()) < logS {
			if t.p != nil && !t.is("momenta stay half a step behind a swap") {
				for k := range a.Grad {
					half := t.rate / 2 * float64(b.Grad[k]-a.Grad[k])
					t.p[i][k] += float32(half * t.cold[i].Rate)
					t.p[i+1][k] -= float32(half * t.cold[i+1].Rate)
				}
			}
			a.X, b.X = b.X, a.X
			a.Energy, b.Energy = b.Energy, a.Energy
			if !t.is("gradient stays behind a swap") {
				a.Grad, b.Grad = b.Grad, a.Grad
			}
		}
	}
}

// bin returns J of an energy from 1; 0 out of range.
func (t *twin) bin(energy float64) int {
	o := t.u.Contour
	i := 1
	for i <= o.Bins && energy > o.Start+float64(float64(i)*o.Width) {
		i++
	}
	if t.is("edge in the bin above") && energy == o.Start+float64(float64(i)*o.Width) {
		i++
	}
	if t.is("bin off by one") {
		i++
	}
	if i > o.Bins {
		if o.Overflow == "skip" && !t.is("overflow in the last bin") {
			return 0
		}
		return o.Bins
	}
	return i
}

func (t *twin) meet(chains []posterior.Chain) {
	o := t.u.Contour
	old := slices.Clone(t.theta)
	t.energies = t.energies[:0]
	for p := range chains {
		t.energies = append(t.energies, chains[p].Energy)
		t.bins[p] = t.bin(chains[p].Energy)
	}
	if t.met || t.is("θ moves at the first step") {
		t.learn()
	}
	t.met = true
	theta := t.theta
	if t.is("multiplier from the old θ") {
		theta = old
	}
	for p, bin := range t.bins {
		t.multipliers[p] = t.multiplier(bin, theta)
	}
	theta = t.theta
	if t.is("weights from the old θ") {
		theta = old
	}
	for p, bin := range t.bins {
		f := formula{o: o, theta: theta}
		switch {
		case o.Weights == "psi":
			t.weights[p] = math.Pow(f.psi(t.energies[p], bin-1), o.Zeta)
		case bin > 0:
			t.weights[p] = math.Pow(theta[bin-1], o.Zeta) + o.WeightRegularizer
		default:
			t.weights[p] = o.WeightRegularizer
		}
	}
}

func (t *twin) multiplier(bin int, theta []float64) float64 {
	o := t.u.Contour
	low, high := bin-1, bin // from 1
	if (o.Difference == "forward") != t.is("forward difference") {
		low, high = bin, bin+1
	}
	if bin == 0 || low < 1 || high > o.Bins {
		return 1
	}
	slope := o.Zeta * t.u.Temperature / o.Width
	switch {
	case t.is("flipped multiplier"):
		slope = -slope
	case t.is("multiplier 5 % too steep"):
		slope *= 1.05
	case t.is("multiplier forgets τ"):
		slope /= t.u.Temperature
	}
	return 1 + float64(slope*math.Log(theta[high-1]/theta[low-1]))
}

// learn computes θ_i ← θ_i + ω(q_i·field_i − θ_i·S).
func (t *twin) learn() {
	o := t.u.Contour
	t.moves++
	omega := o.Omega
	if o.OmegaExponent != 0 || o.OmegaOffset != 0 {
		omega = math.Min(omega, 1/(math.Pow(float64(t.moves), o.OmegaExponent)+o.OmegaOffset))
	}
	var groups [][]int // the bins that are learned from at once
	groups = append(groups, t.bins)
	if t.is("θ chain by chain") {
		groups = nil
		for _, bin := range t.bins {
			groups = append(groups, []int{bin})
		}
		omega /= float64(len(t.bins))
	}
	for _, bins := range groups {
		counts, inRange := make([]float64, o.Bins), 0.0
		for _, bin := range bins {
			if bin > 0 {
				counts[bin-1]++
				inRange++
			}
		}
		if t.is("q over all chains") {
			inRange = float64(len(bins))
		}
		if inRange == 0 {
			continue
		}
		s := 0.0
		field := make([]float64, o.Bins)
		for i, c := range counts {
			field[i] = c / inRange * t.theta[i]
			if o.Field == "theta^zeta" && o.Zeta != 1 {
				field[i] = c / inRange * math.Pow(t.theta[i], o.Zeta)
			}
			s += field[i]
		}
		if t.is("θ does not shrink") {
			s = 0
		}
		for i := range t.theta {
			next := t.theta[i] + float64(omega*(field[i]-float64(t.theta[i]*s)))
			if !t.is("no floor of θ") {
				next = math.Max(next, 1e-300)
			}
			t.theta[i] = next
		}
	}
}

// langevinMove is the step of SGLD and its variants.
func langevinMove(t *twin, i int, c *posterior.Chain) error {
	rate, temperature := t.rate, t.u.Temperature
	if t.cold != nil {
		rate *= t.cold[i].Rate
		temperature *= t.cold[i].Temperature
	}
	noiseRate := rate
	if t.is("noise forgets the decayed rate") {
		noiseRate = t.first
	}
	w := make([]float32, len(c.X))
	if temperature > 0 {
		from := t.u.Noise[i]
		if t.is("one noise for all chains") {
			from = t.u.Noise[0]
		}
		from.Normals(w)
	}
	before := slices.Clone(c.X)
	pre := t.u.Preconditioner
	for k, gradient := range c.Grad {
		g := float64(gradient)
		scale := 1.0 // G
		if t.v != nil {
			scale = 1 / (pre.Rho + math.Sqrt(t.v[i][k]))
			q := g / pre.Scale
			if t.is("V from the multiplied gradient") {
				q *= c.Multiplier
			}
			t.v[i][k] = (1-pre.Alpha)*t.v[i][k] + pre.Alpha*q*q
			if !t.is("drift from the old V") {
				scale = 1 / (pre.Rho + math.Sqrt(t.v[i][k]))
			}
		}
		drift, variance := rate*c.Multiplier*scale*g, 2*noiseRate*temperature*scale
		switch t.fault {
		case "noise variance 5 % off":
			variance *= 1.05
		case "unscaled preconditioned noise":
			variance /= scale
		case "noise of √ε·τ":
			variance *= temperature
		case "noise times the multiplier":
			variance *= math.Abs(c.Multiplier)
		case "drift 5 % off":
			drift *= 1.05
		}
		c.X[k] = float32(float64(c.X[k]) - drift + math.Sqrt(variance)*float64(w[k]))
	}
	b, ok := c.Target.(posterior.Bounded)
	if !ok || b.Inside(c.X) {
		return nil
	}
	switch {
	case t.is("leaves the box"):
	case t.is("stops at the wall"):
		for k, x := range c.X {
			c.X[k] = max(min(x, 1), -1)
		}
	default:
		copy(c.X, before)
	}
	return nil
}

func (t *twin) StartRound(int, int) { t.rate *= t.u.Decay }

func (t *twin) Weights(w []float64) {
	switch {
	case t.theta != nil:
		copy(w, t.weights)
	case t.cold != nil:
		clear(w)
		w[0] = 1
	default:
		copy(w, slices.Repeat([]float64{1}, len(w)))
	}
}

func (t *twin) Histogram() ([]float64, []int) { return t.theta, t.bins }

func (t *twin) MarshalBinary() ([]byte, error) { return state.Save(t.state) }
func (t *twin) UnmarshalBinary(b []byte) error { return state.Restore(b, t.state) }

func (t *twin) state(c *state.Codec) {
	c.Float64(&t.rate)
	c.Float64s(t.theta)
	for _, v := range t.v {
		saved := slices.Clone(v)
		c.Float64s(saved)
		if !t.is("forgets V when saved") {
			copy(v, saved)
		}
	}
	for _, p := range t.p {
		c.Float32s(p)
	}
	c.Float64s(t.xi)
	c.Bool(&t.met)
	c.Int("moves", &t.moves, 0, math.MaxInt)
	if t.swaps != nil {
		c.Object(t.swaps)
	}
	for _, n := range t.u.Noise {
		c.Any("noise", n)
	}
}

// A particleTwin is SVGD in plain loops. It may have a fault.
type particleTwin struct{ *twin }

func newParticleTwin(fault string) func(setup) posterior.Sampler {
	return func(u setup) posterior.Sampler {
		u.Contour.Kind, u.Preconditioner.Kind = "off", "off"
		t := particleTwin{newTwin(u, fault, false)}
		for range u.Chains {
			t.v = append(t.v, make([]float64, u.Dim))
		}
		return t
	}
}

func (t particleTwin) Step(chains []posterior.Chain) error {
	n := len(chains)
	if err := t.evaluate(chains); err != nil {
		return err
	}
	var distances []float64
	for i := range chains {
		for k := range i {
			distances = append(distances, squared(chains[i].X, chains[k].X))
		}
	}
	slices.Sort(distances)
	width := 1.0
	if len(distances) > 0 && distances[len(distances)/2] > 0 {
		width = distances[len(distances)/2] / math.Log(float64(n+1))
	}
	place := make([][]float32, n)
	for i := range chains {
		place[i] = slices.Clone(chains[i].X)
	}
	first, temperature := !t.met, t.u.Temperature
	t.met = true
	if t.fault == "temperature 5 % off" {
		temperature *= 1.05
	}
	for i := range chains {
		for d := range place[i] {
			phi := 0.0
			for k := range chains {
				kernel := math.Exp(-squared(place[i], place[k]) / width)
				apart := 2 / width * kernel * float64(place[i][d]-place[k][d])
				switch t.fault {
				case "kernel gradient's sign":
					apart = -apart
				case "no kernel gradient":
					apart = 0
				}
				phi += (-kernel*float64(chains[k].Grad[d])/temperature + apart) / float64(n)
			}
			h := &t.v[i][d]
			if *h = 0.9**h + 0.1*phi*phi; first {
				*h = phi * phi
			}
			chains[i].X[d] += float32(t.rate * phi / (1e-6 + math.Sqrt(*h)))
		}
	}
	return nil
}

func squared(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return sum
}
