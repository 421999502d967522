package contract

import (
	"encoding"
	"errors"
	"fmt"
	"slices"

	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/verify"
)

// checkStream compares runs with the same stream, with chains side by side, and with another
// stream.
func checkStream(j *verify.Judge, p Posterior) error {
	l := newLesson(false, j.Rand("lesson"))
	run := func(seed int, parallel posterior.Parallel) (posterior.Posterior, []float64, error) {
		q, err := p.build(j, seed, parallel)
		if err != nil {
			return nil, nil, err
		}
		values, err := play(q, l, 0, playRounds)
		return q, values, err
	}
	q, first, err := run(0, nil)
	if err != nil {
		return err
	}
	for _, again := range []struct {
		name     string
		parallel posterior.Parallel
	}{{"the same stream twice", nil}, {"chains side by side", verify.SideBySide}} {
		_, values, err := run(0, again.parallel)
		if err != nil {
			return err
		}
		j.SameBits64(again.name, values, first)
	}
	// A posterior with exact means has the same ones, but its draws differ.
	_, other, err := run(1, nil)
	if err != nil {
		return err
	}
	same := 0
	for i, v := range other {
		if v == first[i] {
			same++
		}
	}
	if same == len(first) {
		without, err := drawsAreMeans(p, j, l)
		if err != nil {
			return err
		}
		if without {
			j.Skip("another stream", "its draws are its means, whatever the stream")
			return nil
		}
	}
	j.Promise("another stream gives other draws", same <= len(first)/2+len(first)/10, "%d of %d predictions are the same", same, len(first))

	d, ok := q.(posterior.Diagnoser)
	if !ok {
		j.Skip("chains differ", fmt.Sprintf("not offered: %T has no Diagnostics", q))
		return nil
	}
	seen := map[float64]int{}
	for i, c := range d.Diagnostics().Chains {
		if k, twice := seen[c.Energy]; twice {
			j.Promise("chains differ", false, "chains %d and %d have the same energy %g: the same stream?", k+1, i+1, c.Energy)
			return nil
		}
		seen[c.Energy] = i
	}
	j.Promise("chains differ", true, "")
	return nil
}

// drawsAreMeans reports whether the draws of a trained posterior are its means.
func drawsAreMeans(p Posterior, j *verify.Judge, l *lesson) (bool, error) {
	q, err := p.taught(j, l, 3)
	if err != nil {
		return false, err
	}
	means, err := predict(q, l.contexts(20), posterior.Mean)
	if err != nil {
		return false, err
	}
	draws, err := predict(q, l.contexts(20), posterior.Draw)
	return slices.Equal(means, draws), err
}

// checkOneByOne compares predictions of many contexts with those of one at a time, means and
// draws.
func checkOneByOne(j *verify.Judge, p Posterior) error {
	l := newLesson(false, j.Rand("lesson"))
	for _, how := range []posterior.Predict{posterior.Mean, posterior.Draw} {
		many, err := p.taught(j, l, 3)
		if err != nil {
			return err
		}
		single, err := p.taught(j, l, 3)
		if err != nil {
			return err
		}
		name := map[posterior.Predict]string{posterior.Mean: "means", posterior.Draw: "draws"}[how]
		j.Together(name, func() {
			for _, n := range []int{1, 20, 64, 65, 200} {
				contexts := l.contexts(n)
				var all, ones []float64
				if all, err = predict(many, contexts, how); err != nil {
					return
				}
				for i := range contexts {
					var one []float64
					if one, err = predict(single, contexts[i:i+1], how); err != nil {
						return
					}
					ones = append(ones, one...)
				}
				j.SameBits64(fmt.Sprintf("%d contexts", n), all, ones)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkRestored saves a posterior after every round, restores it into a new one and compares what
// follows.
func checkRestored(j *verify.Judge, p Posterior) error {
	l := newLesson(false, j.Rand("lesson"))
	for stop := range playRounds {
		a, err := p.build(j, 0, nil)
		if err != nil {
			return err
		}
		m, ok := a.(encoding.BinaryMarshaler)
		if !ok {
			j.Skip("saved state", fmt.Sprintf("not offered: %T has no MarshalBinary", a))
			return nil
		}
		if _, err := play(a, l, 0, stop); err != nil {
			return err
		}
		saved, err := m.MarshalBinary()
		switch {
		case errors.Is(err, state.ErrNone): // such as a network with a sampler from outside
			j.Skip("saved state", fmt.Sprintf("not offered: %v", err))
			return nil
		case err != nil:
			return fmt.Errorf("save after round %d: %w", stop, err)
		}
		b, err := p.build(j, 0, nil)
		if err != nil {
			return err
		}
		u, ok := b.(encoding.BinaryUnmarshaler)
		if !ok {
			return fmt.Errorf("%T has MarshalBinary, but no UnmarshalBinary", b)
		}
		if err := u.UnmarshalBinary(saved); err != nil {
			return fmt.Errorf("restore after round %d: %w", stop, err)
		}
		want, err := play(a, l, stop, playRounds+1)
		if err != nil {
			return err
		}
		got, err := play(b, l, stop, playRounds+1)
		if err != nil {
			return err
		}
		j.SameBits64(fmt.Sprintf("going on after round %d", stop), got, want)
	}
	return nil
}
