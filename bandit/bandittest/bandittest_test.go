package bandittest

import (
	"context"
	"encoding"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior/exact"
)

// coin is an environment with two arms: the reward of off is 0, that of on is the first element of the
// context ± 1. It has the fault of a test case.
type coin struct {
	r     *stream.Stream
	spec  bandit.Spec
	fault string
	own   []float64 // a state that is not saved
}

func (c *coin) Spec() bandit.Spec { return c.spec }

func (c *coin) Next(r *bandit.Round, o *bandit.Outcome) error {
	if r.Row = -1; c.fault == "ends" && r.T > 5000 {
		return io.EOF
	}
	c.r.Normals(r.Context)
	for _, features := range r.Arms {
		c.r.Normals(features)
	}
	o.Reward[0], o.Mean[0] = 0, 0
	o.Mean[1] = float64(r.Context[0])
	o.Reward[1] = o.Mean[1] + 1 - 2*float64(c.r.IntN(2))
	switch c.fault {
	case "short":
		r.Context = r.Context[:1]
	case "few rewards":
		o.Reward = o.Reward[:1]
	case "few means":
		o.Mean = o.Mean[:1]
	case "unset":
		r.Context[1] = float32(math.NaN())
	case "mean":
		o.Reward[1] += 0.1
	case "lead":
		o.Mean[1]++
		o.Reward[1]++
	case "slope":
		o.Reward[1] += 0.1 * float64(r.Context[0])
	case "infinite":
		o.Mean[0] = math.Inf(1)
	case "fails":
		return errors.New("no luck")
	case "few arms":
		r.Arms = r.Arms[:1]
	case "short features":
		r.Arms[1] = r.Arms[1][:1]
	case "unset feature":
		r.Arms[1][0] = float32(math.NaN())
	case "number":
		r.T = 7
	case "features unasked":
		r.Arms = [][]float32{{1}, {2}}
	case "away": // on can be pulled where its mean is below 0
		r.Available = append(r.Available[:0], true, r.Context[0] < 0)
	case "alone":
		r.Available = append(r.Available[:0], r.Context[0] >= 0, true)
	case "stale":
		if r.Available == nil {
			r.Available = []bool{true, false}
		}
	case "drift":
		o.Mean[0], o.Reward[0] = float64(r.T), float64(r.T)
	case "arms not saved":
		r.Available, c.own = []bool{true, c.own != nil}, o.Reward
	case "own memory":
		c.own = append(c.own[:0], o.Reward...)
		o.Reward = c.own
	}
	return nil
}

// saved is a coin with a state. With the fault "forgets" it does not restore the stream.
type saved struct{ coin }

func (s *saved) MarshalBinary() ([]byte, error) { return s.r.MarshalBinary() }
func (s *saved) UnmarshalBinary(b []byte) error {
	if s.fault == "forgets" {
		return nil
	}
	return s.r.UnmarshalBinary(b)
}

func TestEnvironment(t *testing.T) {
	good := bandit.Spec{Dim: 2, Arms: []string{"off", "on"}, IgnoresActions: true, UniformRegret: math.NaN()}
	regret := good
	regret.UniformRegret = 1 / math.Sqrt(2*math.Pi) // E max(Z, 0) − E Z/2
	arms, ends := good, good
	arms.ArmDim, ends.Pulls = 2, 5000
	wrong := good
	wrong.UniformRegret = 0.38
	constant := func(arm string, regret float64) bandit.Spec {
		s := good
		s.ConstantArm = &bandit.ConstantArm{Arm: arm, Regret: regret}
		return s
	}
	away := constant("off", 0)
	away.UniformRegret = regret.UniformRegret / 2
	for _, c := range []struct {
		fault string
		spec  bandit.Spec
		want  string // part of the error; "" for none
	}{
		{"", good, ""},
		{"", regret, ""},
		{"", arms, ""},
		{"few arms", arms, "features of 1 arms, want 2 of length 2"},
		{"short features", arms, "arm 1 has features of length 1, want 2"},
		{"unset feature", arms, "feature 0 of arm 1 is NaN"},
		{"features unasked", good, "features of 2 arms, want 2 of length 0"},
		{"uniform regret", wrong, "UniformRegret, 0.38, are"},
		{"", constant("off", 1/math.Sqrt(2*math.Pi)), ""},
		{"", constant("on", 1/math.Sqrt(2*math.Pi)), ""},
		{"constant regret", constant("off", 0.33), "ConstantArm, 0.33, are"},
		{"constant unknown", constant("half", 0.38), `ConstantArm is half, want one of the arms ["off" "on"]`},
		{"away", away, ""},
		{"away", regret, "UniformRegret, 0.39894"},
		{"alone", constant("off", 1/math.Sqrt(2*math.Pi)), "always on is better"},
		{"drift", good, ""},
		{"ends", ends, ""},
		{"ends", good, "Next gave 5000 of 10000 pulls, but Spec.Pulls is 0"},
		{"stale", good, "pull 2: none of the 2 arms can be pulled, want at least one, and Available set in each Next"},
		{"arms not saved", good, "a restored one continues with other pulls"},
		{"own memory", good, "pull 2: Next changes the slices of the pull before"},
		{"lead", constant("off", 1.0833154705876864), "always on is better than always off"}, // φ(1) + Φ(1)
		{"no names", bandit.Spec{Dim: 1, Arms: []string{"", ""}}, `arm 0 has the name ""`},
		{"a name twice", bandit.Spec{Dim: 1, Arms: []string{"a", "a"}}, `arm 1 has the name "a"`},
		{"one arm", bandit.Spec{Dim: 1, Arms: []string{"a"}}, "1 arms"},
		{"number", good, "pull 1: the environment set its number to 7"},
		{"short", good, "a context of length 1"},
		{"few rewards", good, "1 rewards and 2 means"},
		{"few means", good, "2 rewards and 1 means"},
		{"unset", good, "element 1 of the context is NaN"},
		{"mean", good, "the rewards of arm on are"},
		{"slope", good, "the rewards of arm on, weighted by the mean, are"},
		{"infinite", good, "arm 0 has reward 0 and mean +Inf"},
		{"fails", good, "pull 1: no luck"},
		{"forgets", good, "a restored one continues with other pulls"},
	} {
		err := Environment(10_000, func(r *stream.Stream) (bandit.Environment, error) {
			return &saved{coin{r: r, spec: c.spec, fault: c.fault}}, nil
		})
		must.Want(t, c.fault, err, c.want)
	}
	seeds := uint64(0)
	must.Fail(t, Environment(100, func(*stream.Stream) (bandit.Environment, error) {
		seeds++
		return &coin{r: stream.Root(seeds), spec: good}, nil
	}), "the same stream gives other pulls", "depend on the arms")
}

// moody is ε-greedy over a linear regression, with the fault of a test case.
type moody struct {
	bandit.Policy
	fault string
	kept  []float32
}

func newMoody(fault string, spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
	k := policy.EpsGreedyKind(exact.Linear(), 0.5)
	p, err := k.New(k.Defaults(), policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, Stream: r})
	return &moody{Policy: p, fault: fault}, err
}

func (m *moody) Act(r bandit.Round) (int, error) {
	switch m.fault {
	case "range":
		return 3, nil
	case "fails":
		return 0, errors.New("no luck")
	case "stubborn":
		r.Available = nil
	}
	arm, err := m.Policy.Act(r)
	if len(m.kept) > 0 && m.kept[0] > 0 && r.CanPull(0) {
		arm = 0
	}
	switch {
	case m.fault == "changes":
		r.Context[0] = 0
	case m.fault == "keeps":
		m.kept = r.Context
	case m.fault == "changes features" && r.Arms != nil:
		r.Arms[1][0] = 0
	case m.fault == "keeps features" && r.Arms != nil:
		m.kept = r.Arms[2]
	case m.fault == "changes the arms" && r.Available != nil:
		r.Available[0] = false
	}
	return arm, err
}

func (m *moody) Propensities(dst []float64, r bandit.Round) error {
	if m.fault == "propensity of one away" {
		r.Available = nil
	}
	err := m.Policy.(bandit.Randomizer).Propensities(dst, r)
	best := slices.Index(dst, slices.Max(dst))
	switch m.fault {
	case "propensities":
		dst[best] += 0.1
	case "propensity of none":
		clear(dst)
		dst[(best+1)%3] = 1
	case "negative propensity":
		copy(dst, []float64{-1, 1, 1})
	case "propensities draw":
		m.Policy.Act(r)
	}
	return err
}

func (m *moody) ActBatch(arms []int, rounds []bandit.Round) error {
	for i := range rounds {
		k := i
		if m.fault == "batch" {
			k = len(rounds) - 1 - i
		}
		var err error
		if arms[k], err = m.Act(rounds[k]); err != nil {
			return err
		}
	}
	return nil
}

func (m *moody) EndRound(ctx context.Context, round int) error {
	return m.Policy.(bandit.RoundEnder).EndRound(ctx, round)
}

func (m *moody) MarshalBinary() ([]byte, error) {
	if m.fault == "no state" {
		return nil, errors.New("it has none")
	}
	return m.Policy.(encoding.BinaryMarshaler).MarshalBinary()
}

func (m *moody) UnmarshalBinary(b []byte) error {
	switch m.fault {
	case "refuses":
		return errors.New("not mine")
	case "forgets":
		return nil
	}
	return m.Policy.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
}

func TestPolicy(t *testing.T) {
	for fault, want := range map[string]string{
		"":                 "",
		"no state":         "",
		"range":            "one by one: arm 3, want 0 to 2",
		"changes":          "the policy changes the context",
		"keeps":            "with contexts overwritten after each call the policy chooses other arms",
		"fails":            "no luck",
		"changes features": "the policy changes the features of arms",
		"keeps features":   "with contexts overwritten after each call the policy chooses other arms",
		"batch":            "in batches the policy chooses other arms",
		"forgets":          "saved and restored the policy chooses other arms",
		"refuses":          "restore: not mine",

		"propensities":        "sum to 1.0999999999999999, want 1",
		"propensity of none":  "whose propensity is 0",
		"negative propensity": "the propensity of arm 0 is -1",
		"propensities draw":   "a second time the policy chooses other arms",

		"stubborn":               "with arms that come and go: the policy chose arm 1, whose propensity is 0",
		"changes the arms":       "the policy changes the available arms",
		"propensity of one away": "with arms that come and go: the propensity of arm 0, which cannot be pulled, is 0.",
	} {
		err := Policy(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) { return newMoody(fault, spec, r) })
		must.Want(t, fault, err, want)
	}
	must.Fail(t, Policy(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
		p, err := newMoody("stubborn", spec, r)
		return struct{ bandit.Policy }{p}, err // without propensities
	}), "with arms that come and go: pull ", "which cannot be pulled")
	seeds := uint64(0)
	must.Fail(t, Policy(func(spec bandit.Spec, _ *stream.Stream) (bandit.Policy, error) {
		seeds++
		return newMoody("", spec, stream.Root(seeds))
	}), "a second time the policy chooses other arms")
}
