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
func checkStream(j *Judge, p Posterior) {
	l := newLesson(false, j.Rand("lesson"))
	run := func(seed int, parallel posterior.Parallel) (posterior.Posterior, []float64) {
		q := p.build(j, seed, parallel)
		return q, play(q, l, 0, playRounds)
	}
	q, first := run(0, nil)
	for _, again := range []struct {
		name     string
		parallel posterior.Parallel
	}{{"the same stream twice", nil}, {"chains side by side", SideBySide}} {
		_, values := run(0, again.parallel)
		j.SameBits64(again.name, values, first)
	}
	// A posterior with exact means has the same ones, but its draws differ.
	_, other := run(1, nil)
	same := 0
	for i, v := range other {
		if v == first[i] {
			same++
		}
	}
	if same == len(first) {
		if drawsAreMeans(p, j, l) {
			j.Skip("another stream", "its draws are its means, whatever the stream")
			return
		}
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
func drawsAreMeans(p Posterior, j *Judge, l *lesson) bool {
	q := p.taught(j, l, 3)
	return slices.Equal(predict(q, l.contexts(20), posterior.Mean), predict(q, l.contexts(20), posterior.Draw))
}

// checkOneByOne compares predictions of many contexts with those of one at a time, means and
// draws.
func checkOneByOne(j *Judge, p Posterior) {
	l := newLesson(false, j.Rand("lesson"))
	many, single := p.taught(j, l, 3), p.taught(j, l, 3)
	for _, how := range []posterior.Prediction{posterior.Mean, posterior.Draw} {
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
func checkRestored(j *Judge, p Posterior) {
	l := newLesson(false, j.Rand("lesson"))
	whole := p.build(j, 0, nil)
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
		restored := p.build(j, 0, nil)
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
