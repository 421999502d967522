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

// A twin is a second implementation of sgmcmc.Langevin, with histogram and replica exchange, in plain loops in float64.
// It may have a planted fault; without a fault it passes the suite.
type twin struct {
	fault string
	u     setup
	rate  float64 // current ε
	first float64 // ε at the first step

	v       [][]float64
	contour *formula // nil without a contour
	bins    []int
	met     bool        // a particleTwin has done a step
	p       [][]float32 // momentum of each chain; nil without momenta
	xi      []float64   // friction of each chain; nil without a thermostat
	swaps   *stream.Stream
	cold    []sgmcmc.Rung // replica exchange's ladder; nil without exchange
	move    func(t *twin, i int, c *posterior.Chain) error
}

// newTwin returns a twin with a fault, "" for none. exchange enables replica exchange.
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
		f := &formula{o: u.Contour, temperature: u.Temperature, theta: slices.Repeat([]float64{1 / float64(u.Contour.Bins)}, u.Contour.Bins)}
		if u.Theta != nil {
			f.theta = shares(u.Theta)
		}
		switch fault {
		case "overflow in the last bin":
			f.o.Overflow = "lastbin"
		case "forward difference":
			f.o.Difference = "forward"
		case "flipped multiplier":
			f.temperature = -f.temperature
		case "multiplier 5 % too steep":
			f.temperature *= 1.05
		case "multiplier forgets τ":
			f.temperature = 1
		case "θ moves at the first step":
			f.updated = true
		}
		t.contour, t.bins, f.weights = f, make([]int, u.Chains), slices.Repeat([]float64{1}, u.Chains)
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
	for i := range chains {
		chains[i].Multiplier = 1
	}
	if t.contour != nil {
		t.meet(chains)
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

// meet updates the contour with the chains' energies.
func (t *twin) meet(chains []posterior.Chain) {
	f, old := t.contour, slices.Clone(t.contour.theta)
	var energies []float64
	for _, c := range chains {
		switch u := c.Energy; t.fault {
		case "edge in the bin above":
			energies = append(energies, math.Nextafter(u, math.Inf(1)))
		case "bin off by one":
			energies = append(energies, u+f.o.Width)
		default:
			energies = append(energies, u)
		}
	}
	bins, q, inRange := f.count(energies)
	if t.is("q over all chains") {
		inRange = float64(len(bins))
	}
	if f.updated && inRange > 0 {
		t.learn(bins, q, inRange)
	}
	f.updated = true
	f.evaluate(energies, bins)
	late := *f
	late.theta = old
	late.evaluate(energies, bins)
	if t.is("weights from the old θ") {
		f.weights = late.weights
	}
	for p, i := range bins {
		t.bins[p] = i + 1
		chains[p].Multiplier = f.multipliers[p]
		if t.is("multiplier from the old θ") {
			chains[p].Multiplier = late.multipliers[p]
		}
	}
}

// learn updates θ.
func (t *twin) learn(bins []int, q []float64, inRange float64) {
	f, old := t.contour, slices.Clone(t.contour.theta)
	if t.is("θ chain by chain") {
		all := f.o.Omega
		f.o.Omega /= float64(len(bins))
		for _, i := range bins {
			if i >= 0 {
				one := make([]float64, len(q))
				one[i] = 1
				f.move(one, 1)
			}
		}
		f.o.Omega = all
	} else {
		f.move(q, inRange)
	}
	for i := range f.theta {
		if !t.is("no floor of θ") {
			f.theta[i] = max(f.theta[i], 1e-300)
		}
		if t.is("θ does not shrink") {
			f.theta[i] = max(f.theta[i], old[i])
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
	case t.contour != nil:
		copy(w, t.contour.weights)
	case t.cold != nil:
		clear(w)
		w[0] = 1
	default:
		copy(w, slices.Repeat([]float64{1}, len(w)))
	}
}

func (t *twin) Histogram() ([]float64, []int) {
	if t.contour == nil {
		return nil, nil
	}
	return t.contour.theta, t.bins
}

func (t *twin) MarshalBinary() ([]byte, error) { return state.Save(t.state) }
func (t *twin) UnmarshalBinary(b []byte) error { return state.Restore(b, t.state) }

func (t *twin) state(c *state.Codec) {
	c.Float64(&t.rate)
	if f := t.contour; f != nil {
		c.Float64s(f.theta)
		c.Bool(&f.updated)
		c.Int("moves", &f.moves, 0, math.MaxInt)
	}
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
	if t.swaps != nil {
		c.Object(t.swaps)
	}
	for _, n := range t.u.Noise {
		c.Any("noise", n)
	}
}

// A particleTwin is SVGD in plain loops, possibly with a fault.
type particleTwin struct{ *twin }

func newParticleTwin(u setup, fault string) particleTwin {
	t := particleTwin{newTwin(u, fault, false)}
	for range u.Chains {
		t.v = append(t.v, make([]float64, u.Dim))
	}
	return t
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
