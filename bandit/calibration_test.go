package bandit

import (
	"context"
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// TestCalibrationByHand: with PIT the share of the predictive law below the reward, p̂ is the share of the PITs up to p.
func TestCalibrationByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		pits []float64
		want float64
	}{
		{"uniform", []float64{0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95}, 0},
		// On the levels: the quantile p itself counts, so that p̂ is p again.
		{"on the levels", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, 0},
		// .1² + .2² + .3² + .4² below ½, .5² + .4² + .3² + .2² + .1² from it on: .85/9
		{"one half", []float64{0.5}, math.Sqrt(0.85 / 9)},
		// p̂ = 0 up to .9, but 1: .1² + … + .9² = 2.85
		{"all above", []float64{0.95, 0.99}, math.Sqrt(2.85 / 9)},
		// p̂ = ½ at each level: 2(.4² + .3² + .2² + .1²) = .6
		{"too narrow", []float64{0.01, 0.99}, math.Sqrt(0.6 / 9)},
	} {
		if got := calibration(c.pits); !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%s: %.12g, want %.12g", c.name, got, c.want)
		}
	}
	for p, z := range map[float64]float64{0.5: 0, 0.9: 1.2815515655446004, 0.025: -1.9599639845400545} { // tables
		if got := normalCDF(z); !(math.Abs(got-p) < 1e-14) {
			t.Errorf("Φ(%g) = %.15g, want %g", z, got, p)
		}
	}
}

// certain is an environment whose arms pay 3 and 1000 by turns, and a policy whose draws are all 3.
type certain struct{}

func (certain) Spec() Spec { return Spec{Dim: 1, Arms: []string{"a", "b"}, IgnoresActions: true} }
func (certain) Next(r *Round, o *Outcome) error {
	r.Row = -1
	for a := range o.Reward {
		o.Reward[a], o.Mean[a] = 3, 3
		if r.T%2 == 0 {
			o.Reward[a] = 1000
		}
	}
	return nil
}
func (certain) Act(Round) (int, error)          { return 0, nil }
func (certain) Learn(Round, int, float64) error { return nil }
func (certain) Record(*RoundRecord) error       { return nil }
func (certain) DrawRewards(dst []float64, _ []Round, _ bool) error {
	for i := range dst {
		dst[i] = 3
	}
	return nil
}

// TestCalibrationOfCertainty: a reward in the middle of its law has the PIT one half, not a number beside it, however
// many draws there are. With the other half of the PITs at 1, p̂ is 0 below .5 and then ½: 2(.1² + .2² + .3² + .4²) = .6.
func TestCalibrationOfCertainty(t *testing.T) {
	for _, draws := range []int{2, 3, 7, 10, 11, 49, 100, 1000, 1001} {
		trial, err := NewTrial(certain{}, certain{}, Protocol{Rounds: 1, Pulls: 1}, stream.Root(1), certain{})
		if err == nil {
			err = trial.Run(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := trial.Score(context.Background(), ScoreOptions{Contexts: 4, Draws: draws, Noise: 0.7})
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Sqrt(0.6 / 9); !(math.Abs(s.Calibration-want) < 1e-12) {
			t.Errorf("%d draws: calibration error %.12g, want %.12g", draws, s.Calibration, want)
		}
	}
}
