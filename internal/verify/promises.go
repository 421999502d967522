package verify

import (
	"encoding"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit/diagnostics"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// checkStream compares runs with the same stream, with chains side by side, and with another
// stream.
func checkStream(j *Judge, p posterior.Subject) {
	l := newLesson(false, j.Rand("lesson"))
	run := func(seed int, parallel posterior.Parallel) (posterior.Posterior, []float64) {
		q := build(j, p, seed, parallel)
		return q, play(q, l, 0, playRounds)
	}
	q, first := run(0, nil)
	_, again := run(0, nil)
	j.SameBits64("the same stream twice", again, first)
	_, again = run(0, SideBySide)
	j.SameBits64("chains side by side", again, first)
	// With another stream, a posterior with exact means has the same means but other draws.
	_, other := run(1, nil)
	same := 0
	for i, v := range other {
		if v == first[i] {
			same++
		}
	}
	if same == len(first) && drawsAreMeans(p, j, l) {
		j.Skip("another stream", "its draws are its means, whatever the stream")
		return
	}
	j.Promise("another stream gives other draws", same <= len(first)/2+len(first)/10, "%d of %d predictions are the same", same, len(first))

	d, ok := q.(diagnostics.Reporter)
	if !ok {
		j.Skip("chains differ", fmt.Sprintf("not offered: %T has no Diagnostics", q))
		return
	}
	seen := map[float64]int{}
	for i, c := range d.Diagnostics().Chains {
		if k, twice := seen[c.Energy]; twice {
			j.Promise("chains differ", false, "chains %d and %d have the same energy %g: the same stream?", k+1, i+1, c.Energy)
			return
		}
		seen[c.Energy] = i
	}
	j.Promise("chains differ", true, "")
}

// drawsAreMeans reports whether the draws of a trained posterior are its means.
func drawsAreMeans(p posterior.Subject, j *Judge, l *lesson) bool {
	q := taught(j, p, l, 3)
	return slices.Equal(predict(q, l.contexts(20), posterior.Mean), predict(q, l.contexts(20), posterior.Draw))
}

// checkOneByOne compares predictions of many contexts with those of one at a time, means and
// draws.
func checkOneByOne(j *Judge, p posterior.Subject) {
	l := newLesson(false, j.Rand("lesson"))
	many, single := taught(j, p, l, 3), taught(j, p, l, 3)
	for _, how := range predictions {
		name := map[posterior.Prediction]string{posterior.Mean: "means", posterior.Draw: "draws"}[how]
		j.Together(name, func() {
			for _, n := range []int{1, 20, 64, 65, 200} {
				contexts := l.contexts(n)
				all := predict(many, contexts, how)
				var ones []float64
				for i := range contexts {
					ones = append(ones, predict(single, contexts[i:i+1], how)...)
				}
				j.SameBits64(fmt.Sprintf("%d contexts", n), all, ones)
			}
		})
	}
}

// checkRestored saves a posterior after every round, restores each state into a new one and compares what
// follows.
func checkRestored(j *Judge, p posterior.Subject) {
	l := newLesson(false, j.Rand("lesson"))
	whole := build(j, p, 0, nil)
	m, ok := whole.(encoding.BinaryMarshaler)
	if !ok {
		j.Skip("saved state", fmt.Sprintf("not offered: %T has no MarshalBinary", whole))
		return
	}
	var states [][]byte
	var values [][]float64 // values of each round
	for round := range playRounds + 1 {
		saved, err := m.MarshalBinary()
		switch {
		case errors.Is(err, state.ErrNone): // such as a network with a sampler from outside
			j.Skip("saved state", fmt.Sprintf("not offered: %v", err))
			return
		case err != nil:
			Failf("save after round %d: %w", round, err)
		}
		states = append(states, saved)
		values = append(values, play(whole, l, round, round+1))
	}
	for stop, saved := range states[:playRounds] {
		restored := build(j, p, 0, nil)
		u, ok := restored.(encoding.BinaryUnmarshaler)
		if !ok {
			Failf("%T has MarshalBinary, but no UnmarshalBinary", restored)
		}
		if err := u.UnmarshalBinary(saved); err != nil {
			Failf("restore after round %d: %w", stop, err)
		}
		got := play(restored, l, stop, playRounds+1)
		j.SameBits64(fmt.Sprintf("going on after round %d", stop), got, slices.Concat(values[stop:]...))
	}
}

// checkShapes asks for predictions of 0, 1 and 65 contexts (one more than the project's networks
// predict in one pass), before training and after, and calls with wrong arguments: they must end
// in an error or a panic, and leave no trace.
func checkShapes(j *Judge, p posterior.Subject) {
	l := newLesson(false, j.Rand("lesson"))
	for _, rounds := range []int{0, 3} {
		q := build(j, p, 0, nil)
		if rounds > 0 {
			q = taught(j, p, l, rounds)
		}
		when := map[int]string{0: "before training", 3: "after training"}[rounds]
		j.Together("predictions "+when, func() {
			for _, n := range []int{0, 1, 65} {
				for _, how := range predictions {
					values := predict(q, l.contexts(n), how)
					name := fmt.Sprintf("%d contexts", n)
					j.Promise(name, allFinite(values), "some are missing or not finite: %.3g", values)
				}
			}
		})
	}

	q := taught(j, p, l, 2)
	good := l.context(3)
	long := append(slices.Clone(good), 1)
	guess := func(room int, how posterior.Prediction, contexts ...[]float32) error {
		return q.Predict(make([]float64, room*lessonArms), contexts, how)
	}
	for _, c := range []struct {
		name string
		f    func() error
	}{
		{"arm −1", func() error { return q.Observe(good, -1, 1) }},
		{"an arm too high", func() error { return q.Observe(good, lessonArms, 1) }},
		{"observing a short context", func() error { return q.Observe(good[1:], 0, 1) }},
		{"observing a long context", func() error { return q.Observe(long, 0, 1) }},
		{"predicting a short context", func() error { return guess(2, posterior.Mean, good, good[1:]) }},
		{"predicting a long context", func() error { return guess(1, posterior.Mean, long) }},
		{"an unknown kind of prediction", func() error { return guess(1, posterior.Prediction(7), good) }},
		{"too little room for predictions", func() error { return guess(1, posterior.Mean, good, good) }},
		{"too much room for predictions", func() error { return guess(2, posterior.Mean, good) }},
	} {
		j.Promise(c.name+" is rejected", rejected(c.f), "no error and no panic")
	}
	twin := build(j, p, 0, nil)
	for i := range lessonRows { // as taught, but without overwriting contexts
		c, arm := l.context(i), i%lessonArms
		Must(twin.Observe(c, arm, l.mean(c, arm)))
	}
	update(twin, 2)
	got, want := play(q, l, 2, playRounds), play(twin, l, 2, playRounds)
	j.SameBits64("rejected calls leave no trace, and contexts are copied", got, want)
}

// rejected reports whether f returns an error or panics.
func rejected(f func() error) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	return f() != nil
}
