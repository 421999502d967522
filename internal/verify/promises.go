package verify

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/diagnostics"
	"banditsim/internal/lists"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// checkStream checks that predictions depend on the stream, not on parallelism, and that chains' energies differ.
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
	// Half the predictions are means, which in an exact posterior ignore the stream: these and a tenth more may be equal.
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

// drawsAreMeans reports whether a trained posterior predicts the same with Draw as with Mean.
func drawsAreMeans(p posterior.Subject, j *Judge, l *lesson) bool {
	q := taught(j, p, l, 3)
	return slices.Equal(predict(q, l.contexts(20), posterior.Mean), predict(q, l.contexts(20), posterior.Draw))
}

// checkOneByOne compares predictions for many contexts in one call with predictions for one context per call.
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

// checkRestored saves a posterior before each round. It restores each state but the last into a new posterior, and
// compares the predictions of the old and the new posterior in all rounds that follow.
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
		case errors.Is(err, state.ErrNone): // such as a network whose sampler cannot be saved
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

// checkShapes asks for predictions for 0, 1 and 65 contexts (one more than the project's networks
// predict in one pass), before and after training. It also makes calls with invalid arguments, which must return
// an error or panic, and must not change the posterior. Observe must copy its context.
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
	for i := range lessonRows { // the rows of taught, but without overwriting contexts
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

// checkRewards passes one reward that is huge or not finite to each of several trained posteriors. Observe, Update and
// Predict may return an error. The check fails if Predict returns no error and predictions that are not finite.
func checkRewards(j *Judge, p posterior.Subject) {
	l := newLesson(false, j.Rand("lesson"))
	for _, reward := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 1e39} {
		q := taught(j, p, l, 2)
		name := fmt.Sprintf("a reward of %g", reward)
		if q.Observe(l.context(1), 1, reward) != nil {
			j.Promise(name, true, "")
			continue
		}
		ok, detail := true, ""
		for round := range 6 { // several rounds, because a batch may miss the row
			if q.Update(context.Background()) != nil {
				break
			}
			for _, how := range predictions {
				values := unwritten(l.contexts(3))
				if q.Predict(values, l.contexts(3), how) == nil && !allFinite(values) {
					ok, detail = false, fmt.Sprintf("accepted without an error; %d rounds later the predictions are %.3g", round+1, values)
				}
			}
		}
		j.Promise(name, ok, "%s", detail)
	}
}

// checkLearning trains a posterior on a sparse lesson, and another on a dense one. The mean squared error over contexts
// and arms may be at most a quarter of the function's variance. Predictions are medians of 21 rounds' posterior means.
func checkLearning(j *Judge, p posterior.Subject) {
	if p.Rounds < 1 {
		Failf("verify: Rounds is %d, want at least 1", p.Rounds)
	}
	for _, dense := range []bool{false, true} {
		l := newLesson(dense, j.Rand("lesson"))
		q := taught(j, p, l, p.Rounds)
		contexts := l.contexts(80)
		// The posterior mean in a single round is noisy. A contour may also drive chains up to energies at which predictions
		// are arbitrary: with a single chain the error is large in one round of a hundred. The median ignores such rounds.
		const rounds = 21
		values := make([][]float64, len(contexts)*lessonArms)
		for range rounds {
			update(q, 1)
			now := predict(q, contexts, posterior.Mean)
			if !allFinite(now) {
				Failf("verify: a prediction is not finite")
			}
			for i, v := range now {
				values[i] = append(values[i], v)
			}
		}
		var squares, sum, all float64
		for i, v := range values {
			slices.Sort(v)
			want := l.mean(contexts[i/lessonArms], i%lessonArms)
			squares += float64((v[rounds/2] - want) * (v[rounds/2] - want))
			sum += want
			all += float64(want * want)
		}
		n := float64(len(values))
		left := squares / (all - sum*sum/n)
		name := map[bool]string{false: "from sparse contexts", true: "from dense contexts"}[dense]
		j.Near("share of the variance left, "+name, left, 0, 0.25)
	}
}

// checkSpread compares the standard deviations of draws over rounds: they must be larger for contexts unlike the data
// than for those of the data. A posterior.Spreader's deviations are also compared with those of draws in one round.
func checkSpread(j *Judge, p posterior.Subject) {
	l := newLesson(false, j.Rand("lesson"))
	q := taught(j, p, l, p.Rounds)
	var near, far [][]float32
	for i := range 16 {
		near = append(near, l.context(i))
	}
	for i := range 4 {
		far = append(far, l.far(i))
	}
	const draws = 60
	sd := func(all [][]float64) float64 {
		sum := 0.0
		for i := range all[0] {
			e := MeanOf(lists.Each(all, func(v []float64) float64 { return v[i] }))
			sum += e.SE * e.SE * float64(len(all)) / float64(len(all[0]))
		}
		return math.Sqrt(sum)
	}
	var nears, fars [][]float64
	for range draws {
		update(q, 1)
		nears = append(nears, predict(q, near, posterior.Draw))
		fars = append(fars, predict(q, far, posterior.Draw))
	}
	a, b := sd(nears), sd(fars)
	r := Result{Statistic: "standard deviation of draws without data, over that with data", Got: b / a, Verdict: passes(b/a > 1)}
	if r.Verdict == Fail {
		r.Detail = "the draws do not disagree more without data: want above 1"
	}
	j.add(r)
	if s, ok := q.(posterior.Spreader); ok {
		compareSpread(j, q, s, append(near[:4], far[0]))
	}
}

// compareSpread compares the standard deviations that Spread returns with the standard deviations of draws.
func compareSpread(j *Judge, q posterior.Posterior, s posterior.Spreader, contexts [][]float32) {
	got := unwritten(contexts)
	Must(s.Spread(got, contexts))
	const draws = 2000 // the relative standard error of a standard deviation is 1.6 %
	values := make([][]float64, len(got))
	for range draws {
		for i, v := range predict(q, contexts, posterior.Draw) {
			values[i] = append(values[i], v)
		}
	}
	j.Together("standard deviations", func() {
		for i, column := range values {
			want := MeanOf(column).SE * math.Sqrt(draws)
			j.Near(fmt.Sprintf("context %d, arm %d", i/lessonArms+1, i%lessonArms), got[i]-want, 0, 0.1*max(want, 1e-9))
		}
	})
}
