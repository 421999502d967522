package verify

import (
	"context"
	"encoding"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// A pupil is an exact linear regression that may have a fault.
type pupil struct {
	posterior.Posterior
	fault    string
	setup    posterior.Setup
	rows     int       // number of observed rows
	kept     []func()  // observations that the next Update makes
	spoiled  bool      // a reward of NaN was accepted: predictions are NaN from then on
	energies []float64 // energy of each chain
}

// pupilCount is global state that one of the planted faults depends on.
var pupilCount int

func newPupil(fault string) func(posterior.Setup) (posterior.Posterior, error) {
	return func(s posterior.Setup) (posterior.Posterior, error) {
		p := &pupil{fault: fault, setup: s}
		switch fault {
		case "ignores its stream":
			s.Stream = stream.Root(1)
		case "depends on how many there were":
			pupilCount++
			s.Stream = s.Stream.Child(pupilCount)
		}
		for m := range 4 {
			if fault == "one stream for all chains" {
				m = 0
			}
			p.energies = append(p.energies, s.Stream.Child("chain", m).Float64())
		}
		k := exact.Linear()
		var err error
		p.Posterior, err = k.New(k.Defaults(), s)
		return p, err
	}
}

func (p *pupil) Observe(c []float32, arm int, reward float64) error {
	switch fits := len(c) == p.setup.Dim; {
	case p.fault == "learns nothing",
		p.fault == "takes any context" && !fits,
		p.fault == "takes any arm" && (arm < 0 || arm >= p.setup.Arms):
		return nil
	case p.fault == "takes any reward" && math.IsNaN(reward):
		p.spoiled = true
		return nil
	case p.fault == "keeps the context" && fits && arm >= 0 && arm < p.setup.Arms:
		p.kept = append(p.kept, func() { p.Posterior.Observe(c, arm, reward) })
		return nil
	}
	err := p.Posterior.Observe(c, arm, reward)
	if err != nil && p.fault == "a rejected row leaves a trace" {
		p.Posterior.Observe(slices.Repeat([]float32{1}, p.setup.Dim), 0, 100)
	}
	p.rows++
	return err
}

func (p *pupil) Update(ctx context.Context) error {
	for _, observe := range p.kept {
		observe()
	}
	p.kept = nil
	return p.Posterior.Update(ctx)
}

func (p *pupil) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) (err error) {
	other := func(c []float32) bool { return len(c) != p.setup.Dim }
	switch draw := how == posterior.Draw; {
	case p.fault == "takes any room" && len(dst) != len(contexts)*p.setup.Arms,
		p.fault == "takes any kind of prediction" && how.Validate() != nil,
		p.fault == "takes any context" && slices.ContainsFunc(contexts, other):
	case p.fault == "one draw for all contexts" && draw && len(dst) == len(contexts)*p.setup.Arms:
		saved := Value(p.MarshalBinary())
		for i := range contexts {
			Must(p.UnmarshalBinary(saved))
			Must(p.Posterior.Predict(dst[i*p.setup.Arms:][:p.setup.Arms], contexts[i:i+1], how))
		}
	case p.fault == "no spread" && draw:
		err = p.Posterior.Predict(dst, contexts, posterior.Mean)
	default:
		err = p.Posterior.Predict(dst, contexts, how)
	}
	for i := range dst {
		switch {
		case p.fault == "learns two fifths": // a share of 0.6² = 36 % of the variance is left
			dst[i] *= 0.4
		case p.spoiled,
			p.fault == "predicts nothing before training" && p.rows == 0,
			p.fault == "predicts nothing after training" && p.rows > 0,
			p.fault == "leaves out the 65th context" && i/p.setup.Arms == 64:
			dst[i] = math.NaN()
		}
	}
	return err
}

func (p *pupil) Spread(dst []float64, contexts [][]float32) error {
	err := p.Posterior.(posterior.Spreader).Spread(dst, contexts)
	for i := range dst {
		if p.fault == "gives variances" {
			dst[i] *= dst[i]
		}
	}
	return err
}

func (p *pupil) Diagnostics() diagnostics.Round {
	return diagnostics.Round{Chains: lists.Each(p.energies, func(u float64) diagnostics.Chain { return diagnostics.Chain{Energy: u} })}
}

func (p *pupil) MarshalBinary() ([]byte, error) {
	return p.Posterior.(encoding.BinaryMarshaler).MarshalBinary()
}

func (p *pupil) UnmarshalBinary(b []byte) error {
	err := p.Posterior.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	if p.fault == "forgets a draw when saved" {
		p.Posterior.Predict(make([]float64, p.setup.Arms), [][]float32{make([]float32, p.setup.Dim)}, posterior.Draw)
	}
	return err
}

// TestPlantedFaultsOfPosteriors checks that a pupil without a fault passes, and that the listed check detects each fault.
func TestPlantedFaultsOfPosteriors(t *testing.T) {
	checks := func(fault string) []Check {
		return Posterior(posterior.Subject{Name: "pupil", New: newPupil(fault), Claims: posterior.Claims{Rounds: 100, Spread: true}})
	}
	for _, r := range Verify(checks(""), Options{Grade: Quick, Seed: 1}) {
		must.That(t, r.Verdict != Fail && r.Verdict != Skip, "without a fault: %s", r)
	}
	for _, c := range []struct{ fault, check, statistic string }{
		{"takes any arm", "shapes", "arm −1 is rejected"},
		{"takes any context", "shapes", "observing a short context is rejected"},
		{"takes any room", "shapes", "too little room for predictions is rejected"},
		{"takes any kind of prediction", "shapes", "an unknown kind of prediction is rejected"},
		{"gives variances", "spread", "standard deviations"},
		{"predicts nothing before training", "shapes", "predictions before training"},
		{"predicts nothing after training", "shapes", "predictions after training"},
		{"leaves out the 65th context", "shapes", "predictions after training"},
		{"a rejected row leaves a trace", "shapes", "rejected calls leave no trace, and contexts are copied"},
		{"keeps the context", "shapes", "rejected calls leave no trace, and contexts are copied"},
		{"ignores its stream", "same stream", "another stream gives other draws"},
		{"depends on how many there were", "same stream", "the same stream twice"},
		{"one stream for all chains", "same stream", "chains differ"},
		{"one draw for all contexts", "one by one", "draws"},
		{"forgets a draw when saved", "restored posterior", "going on after round 1"},
		{"takes any reward", "hostile rewards", "a reward of NaN"},
		{"learns nothing", "learning", "share of the variance left, from sparse contexts"},
		{"learns two fifths", "learning", "share of the variance left, from sparse contexts"},
		{"learns two fifths", "learning", "share of the variance left, from dense contexts"},
		{"no spread", "spread", "standard deviation of draws without data, over that with data"},
	} {
		t.Run(c.fault+"/"+c.statistic, func(t *testing.T) {
			caught := false
			for _, r := range Verify(checks(c.fault), Options{Grade: Quick, Seed: 1}) {
				if r.Verdict == Fail {
					t.Logf("%.200s", r)
					caught = caught || r.Check == c.check && r.Statistic == c.statistic
				}
			}
			must.That(t, caught, "%s has not caught it", c.check)
		})
	}
}
