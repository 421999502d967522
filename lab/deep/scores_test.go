package deep

import (
	"math"
	"testing"
)

// By hand, two classes: the greatest probabilities .63 and .68 lie in two of 15 parts of [0, 1], .95 and .96 in one. The first is
// right, the second wrong, the others right: the calibration error is (|1 − .63| + |0 − .68| + |2 − 1.91|)/4.
func TestCalibrationByHand(t *testing.T) {
	p := []float64{0.63, 0.37, 0.68, 0.32, 0.05, 0.95, 0.96, 0.04}
	s := newScores(p, []int32{0, 1, 1, 0}, 2)
	if want := (0.37 + 0.68 + 0.09) / 4; !(math.Abs(s.Calibration-want) < 1e-12) || s.Accuracy != 0.75 {
		t.Errorf("calibration %g, accuracy %g, want %g and .75", s.Calibration, s.Accuracy, want)
	}
}

// The AUROC is the chance that a known image is surer than an unknown one: 1 where all are, ½ for equal ones.
func TestAUROCByHand(t *testing.T) {
	sure, unsure := []float64{0.9, 0.1, 0.2, 0.8}, []float64{0.6, 0.4, 0.3, 0.7}
	for _, c := range []struct {
		out, in []float64
		want    float64
	}{{unsure, sure, 1}, {sure, unsure, 0}, {sure, sure, 0.5}, {[]float64{0.9, 0.1, 0.5, 0.5}, []float64{0.7, 0.3, 0.8, 0.2}, 0.5}} {
		if got := newOutsideScores(c.out, c.in, 2).AUROC; got != c.want {
			t.Errorf("AUROC of %v in, %v out: %g, want %g", c.in, c.out, got, c.want)
		}
	}
}
