package logged

import (
	"context"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
)

// A scribe is a policy that records its calls. The arm that it pulls depends on the number of rewards so far.
type scribe struct {
	draws        uint64 // first draw of its stream
	times, acted []int
	rewards      []float64
	ends         []int
}

func (s *scribe) Act(r bandit.Round) (int, error) {
	s.acted = append(s.acted, r.T)
	return len(s.times) % 3, nil
}

func (s *scribe) Learn(r bandit.Round, _ int, reward float64) error {
	s.times, s.rewards = append(s.times, r.T), append(s.rewards, reward)
	return nil
}

func (s *scribe) EndRound(_ context.Context, round int) error {
	s.ends = append(s.ends, round)
	return nil
}

// scribes returns a policy that makes scribes, and those that it has made.
func scribes(label string) (Policy, *[]*scribe) {
	var all []*scribe
	return Policy{Label: label, New: func(setup policy.Setup) (bandit.Policy, error) {
		s := &scribe{draws: setup.Stream.Uint64()}
		all = append(all, s)
		return s, nil
	}}, &all
}

// TestTrainingByHand checks that with two folds each copy learns the rows of the other fold, once and in order, with T counted from 1,
// and trains after every seven rows and at the end.
func TestTrainingByHand(t *testing.T) {
	rows := draw(stream.Root(1), uniformLogger, 41)
	for i := range rows {
		rows[i].Reward = float64(i + 1) // the number of the row
	}
	l := must.Get(New("log", spec, rows))(t)
	p, made := scribes("scribe")
	must.Get(runPolicies(t.Context(), l, []Policy{p}, Options{Folds: 2, Round: 7, Seed: 3}))(t)
	var learned []float64
	for k, s := range *made {
		n := len(s.times)
		learned = append(learned, s.rewards...)
		if !slices.IsSorted(s.rewards) || s.times[0] != 1 || s.times[n-1] != n || len(s.ends) != (n+6)/7 || s.ends[len(s.ends)-1] != (n+6)/7 {
			t.Errorf("copy %d learned the rows %v at the times %v, ends of training %v", k, s.rewards, s.times, s.ends)
		}
		// It acts in the other rows: once, and in the first ones once more, to see whether it draws.
		for _, row := range s.acted {
			must.That(t, !slices.Contains(s.rewards, float64(row)), "copy %d is judged in row %d, which it has learned", k, row)
		}
	}
	slices.Sort(learned)
	must.That(t, len(*made) == 2 && len(learned) == 41 && learned[0] == 1 && learned[40] == 41,
		"%d copies learned %v", len(*made), learned)
	must.That(t, (*made)[0].draws != (*made)[1].draws, "two copies have one stream")
}

// TestReplayByHand checks that policies that differ only in their label get the same random numbers, that a learning policy sees T
// counted from 1, and that truth is the mean expected reward of its online run.
func TestReplayByHand(t *testing.T) {
	rows := draw(stream.Root(2), skewedLogger, 300)
	for i := range rows {
		x := int(rows[i].Context[1])
		rows[i].Means = means[x][:]
		rows[i].Rewards = []float64{10, 20, 30} // not the means
	}
	l := must.Get(New("log", spec, rows))(t)
	a, madeA := scribes("a")
	b, madeB := scribes("another label")
	r := must.Get(runPolicies(t.Context(), l, []Policy{a, b}, Options{Folds: 2, Round: 5, Replay: true, Seed: 1}))(t)
	first, second := (*madeA)[0], (*madeB)[0]
	must.That(t, first.draws == second.draws && slices.Equal(r.policies[0].rewards, r.policies[1].rewards),
		"the luck of a policy depends on its label")
	must.That(t, len(*madeA) == 2 && (*madeA)[1].draws == first.draws, "the run in the world has other luck than the replay")
	n := len(first.times)
	for i, at := range first.times {
		must.Hold(t, at == i+1, "learned the pulls %v, want 1 to %d", first.times, n)
	}
	d := r.policies[0].diagnostics
	must.That(t, d.Rows == 300 && d.Used == n && n != 0, "%d rows offered, %d accepted, %d learned", d.Rows, d.Used, n)
	want := 0.0 // the online run pulls arm k mod 3 in pull k, counted from 0
	for k := range n {
		want += means[int(rows[k].Context[1])][k%3] / float64(n)
	}
	must.Near(t, "truth", r.policies[0].truth, want, 1e-12)
}
