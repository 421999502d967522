package exact

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// TestSampleOfDPMM: contexts of one cluster have one value, and two clusters whose laws differ have independent ones.
func TestSampleOfDPMM(t *testing.T) {
	p, err := DPMM().New(DPMM().Defaults(), posterior.Setup{Dim: 20, Arms: 1, Rounds: 1, Groups: []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9}, Stream: stream.Root(1)})
	if err != nil {
		t.Fatal(err)
	}
	d := p.(*dpmm)
	// Two kinds of contexts, alike in six groups and with all values of the others, which give 5, or a toss of 5 and −35.
	at := func(kind, rest int) []float32 {
		c := make([]float32, 20)
		for g := range 6 {
			c[2*g+kind] = 1
		}
		for g := range 4 {
			c[12+2*g+rest>>g&1] = 1
		}
		return c
	}
	toss := stream.Root(2)
	for i := range 160 {
		reward := 5.0
		if i%2 == 1 && toss.Float64() < 0.5 {
			reward = -35
		}
		if err := d.Observe(at(i%2, i/2%16), 0, reward); err != nil {
			t.Fatal(err)
		}
		if err := d.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	contexts := [][]float32{at(0, 0), at(0, 7), at(1, 3), at(1, 12)}
	mean, sd, v := make([]float64, 4), make([]float64, 4), make([]float64, 4)
	if err := d.Predict(mean, contexts, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	if err := d.Spread(sd, contexts); err != nil {
		t.Fatal(err)
	}
	const n = 4000
	together := 0.0
	for range n {
		if err := d.DrawSamples(v, contexts); err != nil {
			t.Fatal(err)
		}
		if v[0] != v[1] || v[2] != v[3] {
			t.Fatalf("values %v, want one of each cluster", v)
		}
		together += (v[0] - mean[0]) / sd[0] * (v[2] - mean[2]) / sd[2] / n
	}
	if !(sd[0] > 0 && sd[2] > 0 && math.Abs(together) <= 6/math.Sqrt(n)*3) { // kurtosis up to 9
		t.Errorf("clusters with standard deviations %g and %g have the correlation %g, want 0", sd[0], sd[2], together)
	}
}
