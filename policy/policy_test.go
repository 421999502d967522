package policy

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// oracle is a posterior that predicts element i of the context for arm i.
type oracle struct {
	how      posterior.Prediction
	observed int
	updates  int
	err      error
}

func (o *oracle) Observe([]float32, int, float64) error { o.observed++; return o.err }
func (o *oracle) Update(context.Context) error          { o.updates++; return o.err }

func (o *oracle) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	o.how = how
	for i, c := range contexts {
		for a, v := range c {
			dst[i*len(c)+a] = float64(v)
		}
	}
	return o.err
}

func rounds(values ...[]float32) []bandit.Round {
	var list []bandit.Round
	for i, v := range values {
		list = append(list, bandit.Round{T: i + 1, Context: v})
	}
	return list
}

func TestThompsonTakesTheBestArmAndTheLowestOfEquals(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name   string
		values []float32
		want   int
	}{
		{"first", []float32{3, 1, 2}, 0},
		{"last", []float32{1, 2, 3}, 2},
		{"tie", []float32{1, 2, 2}, 1},
		{"all equal", []float32{0, 0, 0}, 0},
		{"negative", []float32{-3, -1, -2}, 1},
		{"infinite", []float32{1, inf, 2}, 1},
		{"minus infinite", []float32{-inf, -inf, -inf}, 0},
	} {
		p := NewThompson(&oracle{}, posterior.Mean, 3).(*greedy)
		if arm, err := p.Act(bandit.Round{Context: c.values}); err != nil || arm != c.want {
			t.Errorf("%s: arm %d, %v, want %d", c.name, arm, err, c.want)
		}
	}
	for i := range 3 {
		values := []float32{1, 2, 3}
		values[i] = nan
		if _, err := NewThompson(&oracle{}, posterior.Mean, 3).(*greedy).Act(bandit.Round{Context: values}); err == nil || !strings.Contains(err.Error(), "not a number") {
			t.Errorf("NaN at %d: %v, want an error", i, err)
		}
	}
}

func TestThompsonPredictsAsItIsTold(t *testing.T) {
	for _, how := range []posterior.Prediction{posterior.Mean, posterior.Draw} {
		o := &oracle{}
		p := NewThompson(o, how, 2).(*greedy)
		arms := make([]int, 3)
		if err := p.ActBatch(arms, rounds([]float32{1, 0}, []float32{0, 1}, []float32{2, 3})); err != nil {
			t.Fatal(err)
		}
		if o.how != how || !slices.Equal(arms, []int{0, 1, 1}) {
			t.Errorf("asked for %v, acted %v, want %v and [0 1 1]", o.how, arms, how)
		}
	}
}

func TestLearningReachesThePosterior(t *testing.T) {
	o := &oracle{}
	p := NewThompson(o, posterior.Mean, 2).(*greedy)
	if err := p.Learn(bandit.Round{Context: []float32{1, 0}}, 0, 1); err != nil {
		t.Fatal(err)
	}
	if err := p.EndRound(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if o.observed != 1 || o.updates != 1 {
		t.Errorf("observed %d and updated %d times, want once each", o.observed, o.updates)
	}
	o.err = errors.New("boom")
	if _, err := p.Act(bandit.Round{Context: []float32{1, 0}}); !errors.Is(err, o.err) {
		t.Errorf("act: %v, want the posterior's error", err)
	}
	if _, ok := bandit.As[diagnostics.Reporter](p); ok {
		t.Error("the policy claims diagnostics of a posterior that has none")
	}
}

// TestEpsGreedyExplores checks the share of the other of two arms, ε/2, within 5 standard errors.
func TestEpsGreedyExplores(t *testing.T) {
	const n = 100_000
	for _, epsilon := range []float64{0, 0.003, 0.5, 1} {
		p := NewEpsGreedy(&oracle{}, epsilon, 2, stream.Root(1)).(*epsGreedy)
		other := 0
		for range n {
			arm, err := p.Act(bandit.Round{Context: []float32{0, 1}})
			if err != nil {
				t.Fatal(err)
			}
			other += 1 - arm
		}
		q := epsilon / 2
		if got, se := float64(other)/n, math.Sqrt(q*(1-q)/n); !(math.Abs(got-q) <= 5*se) {
			t.Errorf("ε = %g: the other arm in %g of the pulls, want %g ± %g", epsilon, got, q, se)
		}
	}
}

func TestEpsGreedyInABatchIsEpsGreedyOneByOne(t *testing.T) {
	list := rounds(make([][]float32, 50)...)
	for i := range list {
		list[i].Context = []float32{0, 1, 0}
	}
	batch, single := make([]int, len(list)), make([]int, len(list))
	if err := NewEpsGreedy(&oracle{}, 0.5, 3, stream.Root(2)).(*epsGreedy).ActBatch(batch, list); err != nil {
		t.Fatal(err)
	}
	p := NewEpsGreedy(&oracle{}, 0.5, 3, stream.Root(2)).(*epsGreedy)
	for i, r := range list {
		arm, err := p.Act(r)
		if err != nil {
			t.Fatal(err)
		}
		single[i] = arm
	}
	if !slices.Equal(batch, single) {
		t.Errorf("in a batch %v, one by one %v", batch, single)
	}
}

func TestUniformAndFixed(t *testing.T) {
	const n = 90_000
	u := NewUniform(3, stream.Root(1))
	var counts [3]float64
	for range n {
		arm, err := u.Act(bandit.Round{})
		if err != nil {
			t.Fatal(err)
		}
		counts[arm]++
	}
	se := math.Sqrt(n * 2. / 9)
	for arm, c := range counts {
		if !(math.Abs(c-n/3) <= 5*se) {
			t.Errorf("uniform pulled arm %d %g times, want %d ± %.0f", arm, c, n/3, se)
		}
	}
	if arm, err := Fixed(2).Act(bandit.Round{}); arm != 2 || err != nil {
		t.Errorf("fixed on 2 pulled %d, %v", arm, err)
	}
}

// TestPosteriorWithoutState checks that the error of saving names the posterior.
func TestPosteriorWithoutState(t *testing.T) {
	for name, p := range map[string]interface{ MarshalBinary() ([]byte, error) }{
		"Thompson":  NewThompson(&oracle{}, posterior.Mean, 2).(*greedy),
		"EpsGreedy": NewEpsGreedy(&oracle{}, 0.1, 2, stream.Root(1)).(*epsGreedy),
	} {
		if _, err := p.MarshalBinary(); err == nil || !strings.Contains(err.Error(), "the posterior: a *policy.oracle cannot be saved") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestSaveAndRestore(t *testing.T) {
	a, b := NewUniform(1000, stream.Root(1)), NewUniform(1000, stream.Root(2))
	for range 7 {
		if _, err := a.Act(bandit.Round{}); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.UnmarshalBinary(saved); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		x, _ := a.Act(bandit.Round{})
		if y, _ := b.Act(bandit.Round{}); x != y {
			t.Fatalf("restored it draws %d, want %d", y, x)
		}
	}
	fixed, err := Fixed(1).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := Fixed(1).UnmarshalBinary(fixed); err != nil {
		t.Error(err)
	}
	if err := Fixed(0).UnmarshalBinary(fixed); err == nil {
		t.Error("the state of another arm: no error")
	}
}

// TestEpsGreedyAverages: whatever ε is, the arm that is not random has the highest mean, not the
// highest draw.
func TestEpsGreedyAverages(t *testing.T) {
	for _, epsilon := range []float64{0, 0.5, 1} {
		o := &oracle{how: -1}
		if _, err := NewEpsGreedy(o, epsilon, 2, stream.Root(1)).(*epsGreedy).Act(bandit.Round{Context: []float32{0, 1}}); err != nil {
			t.Fatal(err)
		}
		if o.how != posterior.Mean {
			t.Errorf("ε = %g: asked the posterior for %d, want %d, the mean", epsilon, o.how, posterior.Mean)
		}
	}
}

// TestKindsAct: over a posterior whose draws are its members the policy samples by default, over others it takes the mean,
// and SamplingKind samples over any.
func TestKindsAct(t *testing.T) {
	members := oracleKind
	members.Draws = true
	for _, c := range []struct {
		name, got, want string
	}{
		{"plain", ThompsonKind(oracleKind).Defaults().Act, "mean"},
		{"of members", ThompsonKind(members).Defaults().Act, "sample"},
		{"sampling", SamplingKind(oracleKind).Defaults().Act, "sample"},
	} {
		if c.got != c.want {
			t.Errorf("%s: act is %q, want %q", c.name, c.got, c.want)
		}
	}
}

// TestCoverRim: with cover_rim a policy pulls each arm in extreme contexts, with cover_first and without, but where it expects a high
// reward already; a rule that draws says that it is certain of them.
func TestCoverRim(t *testing.T) {
	rim := func(first int) bandit.Policy {
		return make3(t, ThompsonKind(oracleKind), func(o *ThompsonOptions[struct{}]) { o.CoverFirst, o.CoverRim = first, 4 })
	}
	for _, c := range []struct {
		name  string
		p     bandit.Policy
		value float32 // of arm 0 in extreme contexts; 0 to 2 elsewhere
		want  bool
	}{
		{"nothing special", rim(1), 0.9, true},
		{"a high reward", rim(1), 3, false},
		{"the rim alone", rim(0), 0.9, true},
		{"the rim alone, a high reward", rim(0), 3, false},
		{"greedy", make3(t, EpsGreedyKind(oracleKind, 0), func(o *EpsGreedyOptions[struct{}]) { o.CoverRim = 4 }), 0.9, true},
		{"softmax", make3(t, SoftmaxKind(oracleKind, 1e-3), func(o *SoftmaxOptions[struct{}]) { o.CoverRim = 4 }), 0.9, true},
	} {
		r, pulls := stream.Root(2), make([]int, 3)
		for i := range 2000 {
			x := []float32{2 * float32(r.Float64()), 0, -float32(r.Float64())}
			extreme := i%50 == 49
			if extreme {
				x = []float32{c.value, 0, -30 - float32(r.Float64())}
			}
			round := bandit.Round{T: i + 1, Context: x}
			arm, err := c.p.Act(round)
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := c.p.(bandit.Randomizer); ok {
				probabilities := make([]float64, 3)
				if err := r.Propensities(probabilities, round); err != nil {
					t.Fatal(err)
				}
				if x[arm] < slices.Max(x)-0.1 && probabilities[arm] != 1 {
					t.Fatalf("%s: pull %d is of arm %d, with propensities %g", c.name, i, arm, probabilities)
				}
			}
			if extreme && i > 300 { // until then cover_first asks for pulls too
				pulls[arm]++
			}
			if err := c.p.Learn(round, arm, float64(x[arm])); err != nil {
				t.Fatal(err)
			}
		}
		if got := pulls[1]+pulls[2] > 0; got != c.want {
			t.Errorf("%s: pulls in extreme contexts %v, of another arm: %t, want %t", c.name, pulls, got, c.want)
		}
	}
}
