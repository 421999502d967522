package policy

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// TestAvailablePropensities checks probabilities for the values 1, 3, 2 while arm 1 is unavailable: they are those of a bandit with
// the other two arms, even after a call for all three arms in the same pull, and the drawn arms have these frequencies.
func TestAvailablePropensities(t *testing.T) {
	const n = 10_000
	soft := math.Exp(-1. / 4)
	share := func(o *ThompsonOptions[struct{}]) { o.Explore = 0.3 }
	for _, c := range []struct {
		name  string
		p     bandit.Policy
		first float64 // probability of arm 0
	}{
		{"uniform", make3(t, UniformKind(), nil), 1. / 2},
		{"ε-greedy", make3(t, EpsGreedyKind(oracleKind, 0.3), nil), 0.15},
		{"greedy, explore", make3(t, ThompsonKind(oracleKind), share), 0.15},
		{"softmax", make3(t, SoftmaxKind(oracleKind, 4), nil), soft / (1 + soft)},
		{"SquareCB", make3(t, SquareCBKind(oracleKind, 2), nil), 1. / (2 + 4)},
		{"explore", make3(t, ExploreThenCommitKind(oracleKind, 4), nil), 1. / 2},
		{"commit", make3(t, ExploreThenCommitKind(oracleKind, 3), nil), 0},
		{"cover", make3(t, CoverKind(), nil), 1 - 1/(2*math.Sqrt2)}, // with weights 0 its policies choose arm 0; µ = 1/√(2·4)
	} {
		r, got, pulled := bandit.Round{T: 4, Context: []float32{1, 3, 2}}, make([]float64, 3), 0.0
		must.OK(t, c.p.(bandit.Randomizer).Propensities(got, r))
		r.Available = []bool{true, false, true}
		must.OK(t, c.p.(bandit.Randomizer).Propensities(got, r))
		must.Near(t, c.name+": arm 0", got[0], c.first, 1e-15)
		must.Near(t, c.name+": arm 2", got[2], 1-c.first, 1e-15)
		for range n {
			switch must.Get(c.p.Act(r))(t) {
			case 0:
				pulled++
			case 1:
				t.Fatalf("%s: arm 1, which cannot be pulled", c.name)
			}
		}
		must.Near(t, c.name+": frequency of arm 0", pulled/n, c.first, 5*math.Sqrt(c.first*(1-c.first)/n))
		must.Equal(t, c.name+": the propensity of arm 1, which cannot be pulled", got[1], 0)
	}
}

// needy is an oracle that needs pulls of arm 0 and, less urgently, of arm 1.
type needy struct{ oracle }

func (needy) Explore(need []float64, contexts [][]float32) error {
	for i := range contexts {
		copy(need[i*3:], []float64{2, 1, 0})
	}
	return nil
}

func TestForcedPullsOfAvailableArms(t *testing.T) {
	p := NewThompson(&needy{}, posterior.Mean, 3)
	for _, c := range []struct {
		available []bool
		want      int
	}{{nil, 0}, {[]bool{false, true, true}, 1}, {[]bool{false, false, true}, 2}, {[]bool{true, false, true}, 0}} {
		want(t, fmt.Sprint(c.available), available{p, c.available}, c.want)
	}
	want(t, "arm 2, which is away", available{Fixed(2), []bool{false, true, false}}, 1)
	unpulled := must.Get(UCB1Kind().New(UCB1Kind().Defaults(), Setup{Spec: bandit.Spec{Arms: []string{"a", "b"}}}))(t)
	want(t, "no pulls", available{unpulled, []bool{false, true}}, 1)
	learn(t, unpulled, pull{1, 1})
	want(t, "arm 0 has no pulls and is away", available{unpulled, []bool{false, true}}, 1)
}

// available acts in rounds where only some arms can be pulled.
type available struct {
	bandit.Policy
	arms []bool
}

func (a available) Act(r bandit.Round) (int, error) {
	r.Context, r.Available = []float32{0, 0, 1}, a.arms
	return a.Policy.Act(r)
}

// TestCoverAvailable checks that forced pulls, in all contexts and in extreme ones, are of available arms, in both models.
func TestCoverAvailable(t *testing.T) {
	for _, model := range []Model{Disjoint, Shared} {
		p := make3(t, SoftmaxKind(exact.Linear(), 1e-3), func(o *SoftmaxOptions[exact.LinearOptions]) {
			o.Model, o.CoverFirst, o.CoverRim = model, 3, 20
		}).(*sampled)
		r, forced := stream.Root(2), 0
		for i := range 1500 {
			round := bandit.Round{T: i + 1, Context: make([]float32, 3), Available: []bool{i%2 == 0, true, i%3 == 0}}
			r.Normals(round.Context)
			if i%50 == 49 {
				round.Context[2] -= 30
			}
			one := []int{-1}
			must.Get(p.predict([]bandit.Round{round}, posterior.Mean))(t)
			must.OK(t, p.seek(one, []bandit.Round{round}))
			if one[0] >= 0 {
				forced++
			}
			arm := must.Get(p.Act(round))(t)
			must.That(t, round.CanPull(arm) && (one[0] < 0 || arm == one[0]),
				"%s, pull %d: arm %d of %v, forced: %d", model, i, arm, round.Available, one[0])
			must.OK(t, p.Learn(round, arm, float64(round.Context[arm])))
		}
		must.That(t, forced >= 10, "%s: %d forced pulls", model, forced)
	}
}

// TestYardsticksOfAvailableArms checks that the oracle takes the best available arm, and that the supervised yardstick learns
// only the rewards of available arms.
func TestYardsticksOfAvailableArms(t *testing.T) {
	r := bandit.Round{Context: []float32{0, 5, 0}, Available: []bool{true, false, true}}
	o := bandit.Outcome{Reward: []float64{1, 9, 2}, Mean: []float64{1, 9, 2}}
	arm, err := make3(t, OracleKind(), nil).(bandit.OutcomeActor).ActOnOutcome(r, o)
	must.That(t, arm == 2 && err == nil, "the oracle takes arm %d, %v, want 2", arm, err)
	p := make3(t, SupervisedKind(oracleKind), nil).(*supervised)
	must.OK(t, p.LearnOutcome(r, 0, o))
	must.Equal(t, "rewards", p.posterior.(*oracle).observed, 2)
	must.Equal(t, "arms", r.Pullable(nil, 3), []int{0, 2})
}

func TestOracle(t *testing.T) {
	p := make3(t, OracleKind(), nil)
	arm, err := p.(bandit.OutcomeActor).ActOnOutcome(bandit.Round{}, bandit.Outcome{Reward: []float64{9, 0, 0},
		Mean: []float64{1, 2, 2}})
	must.That(t, arm == 1 && err == nil, "arm %d, %v, want 1, the lowest of the best means", arm, err)
	if _, err := p.Act(bandit.Round{}); err == nil {
		t.Error("the oracle acts without an outcome")
	}
}

// TestSupervised checks that every arm's reward reaches the posterior, and that its predictions decide.
func TestSupervised(t *testing.T) {
	p := make3(t, SupervisedKind(oracleKind), nil).(*supervised)
	for range 3 {
		must.OK(t, p.LearnOutcome(bandit.Round{Context: []float32{0, 0, 0}}, 0, bandit.Outcome{Reward: []float64{1, 2, 3}}))
	}
	arm, err := p.Act(bandit.Round{Context: []float32{0, 5, 0}})
	got := p.posterior.(*oracle).observed
	must.That(t, arm == 1 && got == 9 && err == nil, "arm %d after %d rewards, %v, want 1 after 9", arm, got, err)
	must.That(t, p.Learn(bandit.Round{}, 0, 1) != nil, "the yardstick learns from one arm")
}
