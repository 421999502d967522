package bandit_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/state"
)

// rows is an environment whose contexts, features and rewards encode the number of the pull.
type rows struct{ pulls int }

func (e *rows) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"a", "b"}, ArmDim: 2, IgnoresActions: true}
}

func (e *rows) Next(r *bandit.Round, o *bandit.Outcome) error {
	e.pulls++
	r.Row, r.Context[0] = e.pulls-1, float32(e.pulls)
	for arm := range r.Arms {
		r.Arms[arm][0], r.Arms[arm][1] = float32(arm), float32(e.pulls)
		o.Mean[arm], o.Reward[arm] = 0, float64(10*e.pulls+arm)
	}
	return nil
}

func (e *rows) MarshalBinary() ([]byte, error) { return state.Save(e.state) }
func (e *rows) UnmarshalBinary(b []byte) error { return state.Restore(b, e.state) }
func (e *rows) state(c *state.Codec)           { c.Int("pulls", &e.pulls, 0, math.MaxInt) }

// diary alternates between the arms and records each reward with the number of the pull after which it was learned.
type diary struct {
	noState
	acted   int
	learned []string
	delays  []int
}

func (d *diary) Act(r bandit.Round) (int, error) {
	d.acted = r.T
	return r.T % 2, nil
}

func (d *diary) Learn(r bandit.Round, arm int, reward float64) error {
	d.learned = append(d.learned, fmt.Sprintf("%d: %v arm %d %g", d.acted, r, arm, reward))
	d.delays = append(d.delays, d.acted-r.T)
	return nil
}

func delayed(t *testing.T, d bandit.Delay, pulls int) (*bandit.Trial, *diary) {
	t.Helper()
	p := &diary{}
	trial, err := bandit.NewTrial(&rows{}, p, bandit.Protocol{Rounds: 20_000, Pulls: pulls, Delay: d}, stream.Root(1), &sink{})
	must.OK(t, err)
	return trial, p
}

func playRounds(t *testing.T, trial *bandit.Trial, n int) {
	t.Helper()
	for range n {
		must.OK(t, trial.Round(t.Context()))
	}
}

// TestDelay checks after which pull each reward is learned, for each kind of delay. As rounds have one
// pull, this is the pull of the last call of Act.
func TestDelay(t *testing.T) {
	for _, c := range []struct {
		delay bandit.Delay
		want  []int // number of the pull after which the reward of pull 1, 2, … is learned; 0: not in 7 pulls
	}{
		{bandit.Delay{}, []int{1, 2, 3, 4, 5, 6, 7}},
		{bandit.Delay{Kind: "fixed"}, []int{1, 2, 3, 4, 5, 6, 7}},
		{bandit.Delay{Kind: "fixed", Pulls: 1}, []int{2, 3, 4, 5, 6, 7, 0}},
		{bandit.Delay{Kind: "fixed", Pulls: 5}, []int{6, 7, 0, 0, 0, 0, 0}},
		{bandit.Delay{Kind: "batch", Pulls: 1}, []int{1, 2, 3, 4, 5, 6, 7}},
		{bandit.Delay{Kind: "batch", Pulls: 3}, []int{3, 3, 3, 6, 6, 6, 0}},
	} {
		trial, p := delayed(t, c.delay, 1)
		playRounds(t, trial, 7)
		var want []string
		for i, when := range c.want {
			if when > 0 {
				n := i + 1
				r := bandit.Round{T: n, Row: i, Context: []float32{float32(n)}, Arms: [][]float32{{0, float32(n)}, {1, float32(n)}}}
				want = append(want, fmt.Sprintf("%d: %v arm %d %d", when, r, n%2, 10*n+n%2))
			}
		}
		must.That(t, slices.Equal(p.learned, want),
			"%+v: learned\n%s\nwant\n%s", c.delay, strings.Join(p.learned, "\n"), strings.Join(want, "\n"))
	}
}

// TestGeometricDelay checks the mean, m, and the proportion of zeros, 1/(1+m), of geometric delays within
// 5 standard errors. Their variance is m(1+m).
func TestGeometricDelay(t *testing.T) {
	const m, n = 3, 20_000
	trial, p := delayed(t, bandit.Delay{Kind: "geometric", Pulls: m}, 1)
	playRounds(t, trial, n)
	held := n - len(p.learned)
	must.That(t, held <= 60, "%d rewards are held back after %d pulls, want about %d", held, n, m)
	sum, zero := 0.0, 0.0
	for _, d := range p.delays {
		sum += float64(d)
		if d == 0 {
			zero++
		}
	}
	count := float64(len(p.delays))
	must.Near(t, "the mean delay", sum/count, m, 5*math.Sqrt(m*(1+m)/count))
	p0 := 1.0 / (1 + m)
	must.Near(t, "the share of no delay", zero/count, p0, 5*math.Sqrt(p0*(1-p0)/count))
}

// TestDelayIsSaved checks that a trial restored after any round continues like one that was not interrupted.
func TestDelayIsSaved(t *testing.T) {
	for _, d := range []bandit.Delay{{Kind: "fixed", Pulls: 7}, {Kind: "geometric", Pulls: 7}, {Kind: "batch", Pulls: 11}} {
		whole, p := delayed(t, d, 3)
		for round := range 20 {
			b := must.Get(whole.MarshalBinary())(t)
			restored, q := delayed(t, d, 3)
			must.OK(t, restored.UnmarshalBinary(b))
			if again, err := restored.MarshalBinary(); err != nil || !reflect.DeepEqual(again, b) {
				t.Fatalf("%v: round %d: the restored trial saves other bytes (error %v)", d, round, err)
			}
			for cut := range b {
				if trial, _ := delayed(t, d, 3); trial.UnmarshalBinary(b[:cut]) == nil {
					t.Fatalf("%v: %d bytes of %d are restored", d, cut, len(b))
				}
			}
			before := len(p.learned)
			playRounds(t, whole, 1)
			playRounds(t, restored, 1)
			if !slices.Equal(q.learned, p.learned[before:]) {
				t.Fatalf("%v: round %d: the restored trial learns %v, want %v", d, round+1, q.learned, p.learned[before:])
			}
		}
	}
}

// TestDelayIsNeutralAtZero checks that a delay of 0 pulls changes neither a trial nor the JSON of its protocol, hence its identity.
func TestDelayIsNeutralAtZero(t *testing.T) {
	for _, d := range []bandit.Delay{{}, {Kind: "fixed"}, {Kind: "geometric"}} {
		b, err := json.Marshal(bandit.Protocol{Rounds: 3, Pulls: 2, BurnIn: 1, Delay: d})
		want := `{"rounds":3,"pulls":2,"burn_in":1}`
		must.That(t, err == nil && string(b) == want, "%+v: %s (error %v), want %s", d, b, err, want)
		with, p := delayed(t, d, 3)
		without, q := delayed(t, bandit.Delay{}, 3)
		playRounds(t, with, 5)
		playRounds(t, without, 5)
		a, err1 := with.MarshalBinary()
		c, err2 := without.MarshalBinary()
		must.That(t, err1 == nil && err2 == nil && slices.Equal(a, c) && slices.Equal(p.learned, q.learned),
			"%+v: the trial differs from one without a delay", d)
	}
	for want, d := range map[string]bandit.Delay{
		"protocol.delay.pulls: -1, want 0 to 100000":                              {Kind: "fixed", Pulls: -1},
		"protocol.delay.pulls: 100001, want 0 to 100000":                          {Kind: "batch", Pulls: 100_001},
		`protocol.delay.kind: "", want one of fixed, geometric, batch`:            {Pulls: 1},
		`protocol.delay.kind: "exponential", want one of fixed, geometric, batch`: {Kind: "exponential", Pulls: 1},
	} {
		err := (bandit.Protocol{Rounds: 1, Pulls: 1, Delay: d}).Validate()
		must.That(t, err != nil && err.Error() == want, "%+v: error %v, want %s", d, err, want)
	}
}
