package claims

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// subject returns one of the project's samplers.
func subject(name string) Sampler {
	all := subjects()
	return all[slices.IndexFunc(all, func(s Sampler) bool { return s.Name == name })]
}

// twinOf returns a subject with the claims of one of the project's samplers, but implemented by a twin with a fault.
func twinOf(name, fault string) Sampler {
	s := subject(name)
	s.New = func(o sgmcmc.LangevinOptions, of sgmcmc.Setup) (posterior.Sampler, error) {
		u := setup{o, of}
		if fault == "a seed used twice" && u.Chains > 1 {
			twice := *of.Noise[0].(*stream.Stream)
			u.Noise[1] = &twice
		}
		switch name {
		case "SGHMC", "ICSGHMC", "reSGHMC", "SGNHT":
			return newMomentumTwin(u, fault, name == "SGNHT", name == "reSGHMC"), nil
		case "MALA":
			return newMetropolisTwin(u, fault, 1), nil
		case "HMC":
			return newMetropolisTwin(u, fault, 4), nil
		case "SVGD":
			return newParticleTwin(u, fault), nil
		}
		return newTwin(u, fault, name == "reSGLD"), nil
	}
	return s
}

// TestTwinsArePlain checks that twins without a fault follow the samplers' paths to within 1e-5.
func TestTwinsArePlain(t *testing.T) {
	for _, name := range []string{"SGLD", "pSGLD", "ICSGLD", "pICSGLD", "reSGLD", "SGHMC", "ICSGHMC", "reSGHMC", "SGNHT", "MALA", "HMC", "SVGD"} {
		j := &judge{verify.NewJudge(verify.Check{}, verify.Options{Seed: 3})}
		var paths [2][]float32
		for i, s := range []Sampler{subject(name), twinOf(name, "")} {
			paths[i] = s.run(j, s.lively(), j.noise).walk(runSteps)
		}
		worst := 0.0
		for i, x := range paths[0] {
			if d := math.Abs(float64(x - paths[1][i])); !(d <= worst) {
				worst = d
			}
		}
		t.Logf("%s: the twin is off by %.1e after %d steps", name, worst, runSteps)
		must.That(t, worst < 1e-5, "%s: the twin is off by %g", name, worst)
	}
}

// TestTwinsPass checks that twins without a fault pass all checks. Slow checks run only if long is set.
func TestTwinsPass(t *testing.T) {
	for _, name := range []string{"pICSGLD", "SGHMC", "ICSGHMC", "SGNHT", "MALA", "HMC", "SVGD"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := twinOf(name, "")
			for _, c := range s.Checks() {
				if everyday(c) {
					passes(t, c, verify.Options{Grade: verify.Quick, Seed: 1})
				}
			}
		})
	}
}

// TestPlantedFaults checks that every listed check detects the fault. Slow checks run only if long is set.
func TestPlantedFaults(t *testing.T) {
	for _, c := range []struct {
		sampler, fault string
		checks         []string // names of the checks that must detect the fault
	}{
		{"SGLD", "noise variance 5 % off", []string{"variance", "linear regression", "hand-computed steps"}},
		{"SGLD", "drift 5 % off", []string{"variance", "linear regression"}},
		{"SGLD", "noise of √ε·τ", []string{"variance", "linear regression"}},
		{"SGLD", "noise forgets the decayed rate", []string{"decaying rate"}},
		{"SGLD", "one noise for all chains", []string{"same bits"}},
		{"SGLD", "a seed used twice", []string{"same bits"}},
		{"SGLD", "NaN passes", []string{"hostile energies"}},
		{"SGLD", "leaves the box", []string{"bounded target"}},
		{"SGLD", "stops at the wall", []string{"bounded target"}},
		{"pSGLD", "unscaled preconditioned noise", []string{"fixed preconditioner", "linear regression", "hand-computed steps"}},
		{"pSGLD", "drift from the old V", []string{"moving preconditioner", "hand-computed steps"}},
		{"pSGLD", "forgets V when saved", []string{"save and restore"}},
		{"ICSGLD", "noise variance 5 % off", []string{"variance", "linear regression"}},
		{"ICSGLD", "flipped multiplier", []string{"multiplier and weights", "hand-computed steps", "frozen contour", "equilibrium"}},
		{"ICSGLD", "multiplier 5 % too steep", []string{"multiplier and weights", "frozen contour", "equilibrium"}},
		{"ICSGLD", "multiplier forgets τ", []string{"multiplier and weights", "hand-computed steps"}},
		{"ICSGLD", "forward difference", []string{"multiplier and weights", "frozen contour"}},
		{"ICSGLD", "bin off by one", []string{"energy bins", "multiplier and weights", "hand-computed steps", "frozen contour"}},
		{"ICSGLD", "edge in the bin above", []string{"energy bins"}},
		{"ICSGLD", "overflow in the last bin", []string{"energy bins", "multiplier and weights"}},
		{"ICSGLD", "θ chain by chain", []string{"multiplier and weights", "degenerate contour", "hand-computed steps"}},
		{"ICSGLD", "multiplier from the old θ", []string{"multiplier and weights", "hand-computed steps"}},
		{"ICSGLD", "weights from the old θ", []string{"multiplier and weights"}},
		{"ICSGLD", "θ moves at the first step", []string{"multiplier and weights", "hand-computed steps"}},
		{"ICSGLD", "q over all chains", []string{"multiplier and weights"}},
		{"ICSGLD", "no floor of θ", []string{"sum of θ"}},
		{"ICSGLD", "θ does not shrink", []string{"sum of θ", "multiplier and weights", "hand-computed steps"}},
		{"ICSGLD", "noise times the multiplier", []string{"frozen contour"}},
		{"pICSGLD", "V from the multiplied gradient", []string{"hand-computed steps"}},
		{"pICSGLD", "unscaled preconditioned noise", []string{"fixed preconditioner", "frozen contour", "hand-computed steps"}},
		{"reSGLD", "swap with the wrong sign", []string{"hand-computed steps", "variance", "Stein discrepancy"}},
		{"reSGLD", "swap twice as often", []string{"variance"}},
		{"reSGLD", "gradient stays behind a swap", []string{"hand-computed steps", "variance"}},
		{"SGHMC", "momentum noise without friction", []string{"hand-computed steps", "variance", "linear regression"}},
		{"SGHMC", "momentum noise 5 % off", []string{"hand-computed steps", "variance", "linear regression"}},
		{"SGHMC", "place first", []string{"hand-computed steps", "variance"}},
		{"SGHMC", "momentum goes on at the wall", []string{"bounded target"}},
		{"ICSGHMC", "no multiplier", []string{"hand-computed steps", "degenerate contour", "frozen contour", "equilibrium"}},
		{"ICSGHMC", "flipped multiplier", []string{"multiplier and weights", "hand-computed steps", "frozen contour", "equilibrium"}},
		{"ICSGHMC", "multiplier 5 % too steep", []string{"multiplier and weights", "frozen contour"}},
		{"ICSGHMC", "multiplied friction", []string{"hand-computed steps", "frozen contour"}},
		{"ICSGHMC", "multiplied noise", []string{"hand-computed steps", "frozen contour"}},
		{"ICSGHMC", "θ moves at the first step", []string{"multiplier and weights", "hand-computed steps"}},
		{"ICSGHMC", "momentum noise 5 % off", []string{"hand-computed steps", "variance"}},
		{"reSGHMC", "momenta stay half a step behind a swap", []string{"hand-computed steps", "variance"}},
		{"SGNHT", "no thermostat", []string{"hand-computed steps", "variance"}},
		{"SGNHT", "thermostat of τ = 1", []string{"hand-computed steps", "variance", "linear regression"}},
		{"SGNHT", "thermostat 5 % off", []string{"hand-computed steps", "variance"}},
		{"SGNHT", "half the heat", []string{"hand-computed steps", "variance"}},
		{"SGNHT", "thermostat in the noise", []string{"hand-computed steps"}},
		{"SGNHT", "momentum noise 5 % off", []string{"hand-computed steps"}}, // the thermostat makes up for it
		{"MALA", "accepts everything", []string{"hand-computed steps", "variance"}},
		{"MALA", "accepts with the wrong sign", []string{"hand-computed steps", "variance"}},
		{"MALA", "accepts at τ = 1", []string{"hand-computed steps", "variance"}},
		{"MALA", "momenta 5 % too hot", []string{"hand-computed steps", "variance"}},
		{"MALA", "energy without the prior", []string{"linear regression"}},
		{"MALA", "leaves the box", []string{"bounded target"}},
		{"HMC", "accepts everything", []string{"variance", "linear regression"}},
		{"HMC", "momenta 5 % too hot", []string{"variance"}},
		{"HMC", "gradient of the start", []string{"hand-computed steps", "variance"}},
		{"HMC", "no second half step", []string{"hand-computed steps", "variance"}},
		{"HMC", "energy without the prior", []string{"linear regression"}},
		{"SVGD", "kernel gradient's sign", []string{"hand-computed steps", "particles"}},
		{"SVGD", "temperature 5 % off", []string{"hand-computed steps", "particles"}},
		{"SVGD", "no kernel gradient", []string{"hand-computed steps", "particles"}},
	} {
		t.Run(c.sampler+" "+c.fault, func(t *testing.T) {
			s := twinOf(c.sampler, c.fault)
			var checks []verify.Check
			for _, name := range c.checks {
				i := slices.IndexFunc(s.Checks(), func(k verify.Check) bool { return k.Name == name })
				if i < 0 {
					t.Fatalf("there is no check %q", name)
				}
				if k := s.Checks()[i]; everyday(k) {
					checks = append(checks, k)
				}
			}
			if len(checks) == 0 {
				t.Skip("slow checks alone: set BANDITSIM_LONG=1")
			}
			t.Parallel()
			for _, k := range checks {
				worst := ""
				for _, r := range k.Run(verify.Options{Grade: verify.Quick, Seed: 1}) {
					if r.Verdict == verify.Fail {
						worst = fmt.Sprint(r)
						t.Logf("%s", r)
					}
				}
				must.That(t, worst != "", "%s has not caught it", k.Name)
			}
		})
	}
}

// Parameters that the twins share with the project's samplers.
const (
	friction           = 0.8
	hottestRate        = 1.25
	hottestTemperature = 2
)
