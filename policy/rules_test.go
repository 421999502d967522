package policy

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// oracleKind declares the test's posterior, which predicts element i of a context for arm i.
var oracleKind = posterior.Kind[struct{}]{
	Name: "oracle", Defaults: func() struct{} { return struct{}{} },
	New: func(struct{}, posterior.Setup) (posterior.Posterior, error) { return &oracle{}, nil },
}

func make3[O any](t *testing.T, k Kind[O], change func(*O)) bandit.Policy {
	t.Helper()
	o := k.Defaults()
	if change != nil {
		change(&o)
	}
	p, err := k.Build(o, Setup{Spec: bandit.Spec{Dim: 3, Arms: []string{"a", "b", "c"}}, Protocol: bandit.Protocol{Rounds: 2000, Pulls: 1}, Stream: stream.Root(1)})
	must.OK(t, err)
	return p
}

// TestPropensities compares probabilities in pull 4 with numbers worked out by hand for the values 1, 3, 2, and the frequencies
// of the chosen arms with the probabilities, within 5 standard errors at a fixed seed.
func TestPropensities(t *testing.T) {
	const n = 40_000
	s := math.Exp(-2./4) + 1 + math.Exp(-1./4)
	for _, c := range []struct {
		name string
		p    bandit.Policy
		want []float64
	}{
		{"uniform", make3(t, UniformKind(), nil), []float64{1. / 3, 1. / 3, 1. / 3}},
		{"ε-greedy", make3(t, EpsGreedyKind(oracleKind, 0.3), nil), []float64{0.1, 0.8, 0.1}},
		{"ε-greedy, 1/t", make3(t, EpsGreedyKind(oracleKind, 0.6), func(o *EpsGreedyOptions[struct{}]) { o.Harmonic = 1. / 3 }), []float64{0.1, 0.8, 0.1}},
		{"ε-greedy, exponential", make3(t, EpsGreedyKind(oracleKind, 0.6), func(o *EpsGreedyOptions[struct{}]) { o.Exponential = math.Ln2 / 3 }), []float64{0.1, 0.8, 0.1}},
		{"ε-greedy, floor", make3(t, EpsGreedyKind(oracleKind, 0.6), func(o *EpsGreedyOptions[struct{}]) { o.Exponential, o.Floor = 100, 0.3 }), []float64{0.1, 0.8, 0.1}},
		{"ε-greedy, explore", make3(t, EpsGreedyKind(oracleKind, 0.15), func(o *EpsGreedyOptions[struct{}]) { o.Explore = 3. / 17 }), []float64{0.1, 0.8, 0.1}},
		{"greedy, explore", make3(t, ThompsonKind(oracleKind), func(o *ThompsonOptions[struct{}]) { o.Explore = 0.3 }), []float64{0.1, 0.8, 0.1}},
		{"softmax", make3(t, SoftmaxKind(oracleKind, 4), nil), []float64{math.Exp(-2./4) / s, 1 / s, math.Exp(-1./4) / s}},
		// γ = 2·√4 = 4: 1/(3+4·2) and 1/(3+4·1).
		{"SquareCB", make3(t, SquareCBKind(oracleKind, 2), nil), []float64{1. / 11, 1 - 1./11 - 1./7, 1. / 7}},
		{"SquareCB, constant γ", make3(t, SquareCBKind(oracleKind, 2), func(o *SquareCBOptions[struct{}]) { o.Exponent = 0 }), []float64{1. / 7, 1 - 1./7 - 1./5, 1. / 5}},
		{"SquareCB, γt", make3(t, SquareCBKind(oracleKind, 2), func(o *SquareCBOptions[struct{}]) { o.Exponent = 1 }), []float64{1. / 19, 1 - 1./19 - 1./11, 1. / 11}},
		{"explore", make3(t, ExploreThenCommitKind(oracleKind, 4), nil), []float64{1. / 3, 1. / 3, 1. / 3}},
		{"commit", make3(t, ExploreThenCommitKind(oracleKind, 3), nil), []float64{0, 1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := bandit.Round{T: 4, Context: []float32{1, 3, 2}}
			got := make([]float64, 3)
			must.OK(t, c.p.(bandit.Randomizer).Propensities(got, r))
			var counts [3]float64
			for range n {
				arm := must.Get(c.p.Act(r))(t)
				counts[arm]++
			}
			for arm, want := range c.want {
				must.Near(t, "probability", got[arm], want, 1e-15)
				must.Near(t, "frequency", counts[arm]/n, want, 5*math.Sqrt(want*(1-want)/n))
			}
		})
	}
}

// TestSquareCBTies checks that of several arms with the highest value, each but the first gets 1/K, the probability of an arm
// without a gap, and the first gets the rest. γ = 1·√4 = 2, so an arm with gap 2 has 1/(3 + 2·2).
func TestSquareCBTies(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{3, 3, 1}, []float64{1 - 1./3 - 1./7, 1. / 3, 1. / 7}},
		{[]float64{1, 3, 3}, []float64{1. / 7, 1 - 1./3 - 1./7, 1. / 3}},
		{[]float64{3, 3, 3}, []float64{1 - 1./3 - 1./3, 1. / 3, 1. / 3}},
	} {
		p := slices.Clone(c.values)
		squareCB(1, 0.5)(p, nil, 4)
		for arm, want := range c.want {
			must.Near(t, fmt.Sprintf("values %v, arm %d", c.values, arm), p[arm], want, 1e-15)
		}
	}
}

// TestCommit checks that the posterior gets no rewards after the first pulls, unless keep_on is set.
func TestCommit(t *testing.T) {
	for keepOn, want := range map[bool]int{false: 3, true: 10} {
		p := make3(t, ExploreThenCommitKind(oracleKind, 3), func(o *ExploreThenCommitOptions[struct{}]) { o.KeepOn = keepOn }).(*sampled)
		for i := range 10 {
			must.OK(t, p.Learn(bandit.Round{T: i + 1, Context: []float32{0, 0, 0}}, 0, 1))
		}
		must.Equal(t, fmt.Sprintf("keep on %t rows", keepOn), p.posterior.(*oracle).observed, want)
	}
}

// wide is a posterior that predicts 1, 3, 2, with the context as standard deviations.
type wide struct{ oracle }

func (w *wide) Predict(dst []float64, contexts [][]float32, _ posterior.Prediction) error {
	for i := range contexts {
		copy(dst[3*i:], []float64{1, 3, 2})
	}
	return nil
}

func (w *wide) Spread(dst []float64, contexts [][]float32) error {
	return w.oracle.Predict(dst, contexts, posterior.Mean)
}

func TestUCBAddsTheSpread(t *testing.T) {
	k := posterior.Kind[struct{}]{Name: "wide", Defaults: oracleKind.Defaults, New: func(struct{}, posterior.Setup) (posterior.Posterior, error) { return &wide{}, nil }}
	list := rounds([]float32{0, 0, 0}, []float32{5, 0, 0}, []float32{3, 0, 2}, []float32{0, 0, 2.5})
	for alpha, want := range map[float64][]int{0: {1, 1, 1, 1}, 0.5: {1, 0, 1, 2}, 2: {1, 0, 0, 2}} {
		p := make3(t, UCBKind(k, alpha), nil)
		arms := make([]int, len(list))
		must.OK(t, p.(bandit.BatchActor).ActBatch(arms, list))
		for i, arm := range arms {
			must.Equal(t, fmt.Sprintf("α = %g, pull %d: arm", alpha, i+1), arm, want[i])
		}
	}
	_, err := UCBKind(oracleKind, 1).New(UCBOptions[struct{}]{}, Setup{Spec: bandit.Spec{Dim: 3, Arms: make([]string, 3)}, Stream: stream.Root(1)})
	must.That(t, err != nil && strings.Contains(err.Error(), "UCB over oracle: it has no standard deviations"),
		"a posterior without spread: error %v", err)
}

// recorder is a posterior with one output that records its rows and counts joint draws.
type recorder struct {
	setup  posterior.Setup
	rows   [][]float32
	joints int
}

func (k *recorder) Observe(c []float32, arm int, _ float64) error {
	if arm != 0 {
		panic("an arm of a posterior with one output")
	}
	k.rows = append(k.rows, append([]float32(nil), c...))
	return nil
}
func (*recorder) Update(context.Context) error { return nil }
func (k *recorder) Predict(dst []float64, contexts [][]float32, _ posterior.Prediction) error {
	for i, c := range contexts {
		for j, v := range c {
			dst[i] += float64(v) * float64(j+1)
		}
	}
	return nil
}
func (k *recorder) DrawJoint(dst []float64, contexts [][]float32) error {
	k.joints++
	return k.Predict(dst, contexts, posterior.Mean)
}

// TestSharedModel checks the input of a posterior with one output, either the context and the arm's features or the context in
// the arm's block, and that the values of a pull's arms are drawn jointly.
func TestSharedModel(t *testing.T) {
	for _, c := range []struct {
		armDim int
		arms   [][]float32
		want   []float32 // input for arm 1
		dim    int
	}{
		{0, nil, []float32{0, 0, 5, 7, 0, 0}, 6},
		{1, [][]float32{{1}, {9}, {3}}, []float32{5, 7, 9}, 3},
	} {
		var k *recorder
		kind := posterior.Kind[struct{}]{Name: "recorder", Defaults: oracleKind.Defaults, New: func(_ struct{}, s posterior.Setup) (posterior.Posterior, error) {
			k = &recorder{setup: s}
			return k, nil
		}}
		p, err := SamplingKind(kind).New(ThompsonOptions[struct{}]{Act: "sample", Model: Shared}, Setup{
			Spec: bandit.Spec{Dim: 2, Arms: []string{"a", "b", "c"}, ArmDim: c.armDim}, Stream: stream.Root(1)})
		must.OK(t, err)
		must.That(t, k.setup.Dim == c.dim && k.setup.Arms == 1,
			"a posterior of %d inputs and %d outputs, want %d and 1", k.setup.Dim, k.setup.Arms, c.dim)
		r := bandit.Round{T: 1, Context: []float32{5, 7}, Arms: c.arms}
		must.OK(t, p.Learn(r, 1, 1))
		for j, v := range c.want {
			must.That(t, k.rows[0][j] == v, "features %d: the posterior sees %v, want %v", c.armDim, k.rows[0], c.want)
		}
		arms := make([]int, 2)
		must.OK(t, p.(bandit.BatchActor).ActBatch(arms, []bandit.Round{r, r}))
		want := 2
		if c.armDim > 0 {
			want = 1 // the largest feature
		}
		must.That(t, arms[0] == want && arms[1] == want && k.joints == 2,
			"features %d: arms %v in %d joint draws, want %d twice", c.armDim, arms, k.joints, want)
	}
	m := Model(7)
	err := m.validate()
	must.That(t, err != nil && m.String() == "Model(7)", "%s: error %v", m, err)
	must.Fail(t, m.UnmarshalText([]byte("both")), "disjoint, shared")
}
