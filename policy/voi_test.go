package policy

import (
	"bytes"
	"encoding"
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// herd is a posterior that reads its answers off the context: the cluster, its share, and then the mean and the improvement of
// each arm after the first, whose mean is 0.
type herd struct {
	oracle
	met int
}

func (h *herd) Meet(contexts [][]float32) error { h.met += len(contexts); return nil }

func (h *herd) Predict(dst []float64, contexts [][]float32, _ posterior.Prediction) error {
	for i, c := range contexts {
		arms := len(c) / 2
		for a := 1; a < arms; a++ {
			dst[i*arms+a] = float64(c[2*a])
		}
	}
	return nil
}

func (h *herd) Clusters(ids []int, shares []float64, contexts [][]float32) error {
	for i, c := range contexts {
		ids[i], shares[i] = int(c[0]), float64(c[1])
	}
	return nil
}

func (h *herd) Improvement(dst []float64, contexts [][]float32, over []float64) error {
	for i, c := range contexts {
		arms := len(c) / 2
		dst[i*arms] = max(0, -over[i])
		for a := 1; a < arms; a++ {
			dst[i*arms+a] = float64(c[2*a+1])
		}
	}
	return nil
}

func (h *herd) MarshalBinary() ([]byte, error) { return nil, nil }
func (h *herd) UnmarshalBinary([]byte) error   { return nil }

func newVOI(t *testing.T, arms ...string) (*voi, *herd) {
	t.Helper()
	h := &herd{}
	k := posterior.Kind[struct{}]{Name: "herd", Defaults: oracleKind.Defaults, New: func(struct{}, posterior.Setup) (posterior.Posterior, error) { return h, nil }}
	p, err := VOIKind(k).New(VOIOptions[struct{}]{Tests: 2}, Setup{Spec: bandit.Spec{Dim: 2 * len(arms), Arms: arms}, Protocol: bandit.Protocol{Rounds: 10, Pulls: 20}, Stream: stream.Root(1)})
	must.OK(t, err)
	return p.(*voi), h
}

// acts returns the arms that a policy chooses in the rounds.
func acts(t *testing.T, p bandit.Policy, rounds ...bandit.Round) (arms []int) {
	t.Helper()
	for _, r := range rounds {
		arms = append(arms, must.Get(p.Act(r))(t))
	}
	return arms
}

// TestVOI checks that an arm of mean −3 is tested if (200 − t)·share·improvement exceeds 6, the cost of two tests, and only once
// at a time in a cluster.
func TestVOI(t *testing.T) {
	v, h := newVOI(t, "a", "b")
	inf := float32(math.Inf(1))
	list := rounds(
		[]float32{1, 0.1, -3, 0.31},
		[]float32{1, 0.1, -3, 0.31}, // arm 1 is already being tested in cluster 1
		[]float32{2, 0.1, -3, 0.29},
		[]float32{3, 0.05, -3, 0.31},
		[]float32{4, 0.1, 1, 0}, // arm 1 has the highest mean
		[]float32{4, 0.1, 1, 0},
		[]float32{5, 0.1, 0, inf}, // arm 1 has no rewards yet
		[]float32{5, 0.1, 0, inf},
	)
	arms := acts(t, v, list...)
	if want := []int{1, 0, 0, 0, 1, 1, 1, 0}; !slices.Equal(arms, want) || h.met != len(list) {
		t.Errorf("arms %v after %d contexts were met, want %v after %d", arms, h.met, want, len(list))
	}
	again := func(v *voi, first int, want ...int) bool {
		var rounds []bandit.Round
		for i := range want {
			rounds = append(rounds, bandit.Round{T: first + i, Context: list[0].Context})
		}
		return slices.Equal(acts(t, v, rounds...), want)
	}
	b := must.Get(v.MarshalBinary())(t)
	other, _ := newVOI(t, "a", "b")
	must.OK(t, encoding.BinaryUnmarshaler(other).UnmarshalBinary(b))
	c, err := other.MarshalBinary()
	must.That(t, err == nil && bytes.Equal(b, c), "the restored policy saves other bytes: %v", err)
	for _, v := range []*voi{v, other} {
		for i := range 2 { // first the reward of list[1], which was no test, then that of list[0], which ends one
			must.That(t, again(v, 2, 0, 0), "a cluster is tested twice at a time")
			must.OK(t, v.Learn(list[1-i], 1-i, 0))
		}
		must.That(t, again(v, 2, 1, 0), "a cluster is not tested when the reward of the last test has come")
		v.pending = nil
		must.That(t, again(v, 5, 1) && !again(v, 200, 1), "the pulls that are left do not count")
	}
	setup := Setup{Spec: bandit.Spec{Dim: 3, Arms: make([]string, 3)}, Stream: stream.Root(1)}
	must.Refuse(VOIKind(oracleKind).New(VOIOptions[struct{}]{Tests: 1}, setup))(t, "posterior.Clusterer")
}

// TestVOITestsOneArmAtATime checks that while an arm is being tested in a cluster, another arm may be tested in that cluster,
// and the same arm in another cluster.
func TestVOITestsOneArmAtATime(t *testing.T) {
	v, _ := newVOI(t, "a", "b", "c")
	list := rounds(
		[]float32{1, 0.1, -3, 0.5, -3, 0.4}, // a test of arm 1 is worth more than one of arm 2
		[]float32{1, 0.1, -3, 0.5, -3, 0.4}, // arm 1 is being tested
		[]float32{1, 0.1, -3, 0.5, -3, 0.4}, // arms 1 and 2 are being tested
		[]float32{2, 0.1, -3, 0.5, -3, 0.4},
	)
	must.Equal(t, "arms", acts(t, v, list...), []int{1, 2, 0, 1})
}
