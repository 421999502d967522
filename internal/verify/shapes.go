package verify

import (
	"fmt"

	"banditsim/posterior"
)

// checkShapes asks for predictions of 0, 1 and 65 contexts (one more than the project's networks
// predict in one pass), before training and after, and calls with wrong arguments: they must end
// in an error or a panic, and leave no trace.
func checkShapes(j *Judge, p Posterior) {
	l := newLesson(false, j.Rand("lesson"))
	for _, rounds := range []int{0, 3} {
		q := p.build(j, 0, nil)
		if rounds > 0 {
			q = p.taught(j, l, rounds)
		}
		when := map[int]string{0: "before training", 3: "after training"}[rounds]
		j.Together("predictions "+when, func() {
			for _, n := range []int{0, 1, 65} {
				for _, how := range []posterior.Prediction{posterior.Mean, posterior.Draw} {
					values := predict(q, l.contexts(n), how)
					j.Promise(fmt.Sprintf("%d contexts", n), allFinite(values), "some are missing or not finite: %.3g", values)
				}
			}
		})
	}

	q := p.taught(j, l, 2)
	good := l.context(3)
	long := append(append([]float32(nil), good...), 1)
	for _, c := range []struct {
		name string
		f    func() error
	}{
		{"arm −1", func() error { return q.Observe(good, -1, 1) }},
		{"an arm too high", func() error { return q.Observe(good, lessonArms, 1) }},
		{"observing a short context", func() error { return q.Observe(good[1:], 0, 1) }},
		{"observing a long context", func() error { return q.Observe(long, 0, 1) }},
		{"predicting a short context", func() error {
			return q.Predict(make([]float64, 2*lessonArms), [][]float32{good, good[1:]}, posterior.Mean)
		}},
		{"predicting a long context", func() error {
			return q.Predict(make([]float64, lessonArms), [][]float32{long}, posterior.Mean)
		}},
		{"an unknown kind of prediction", func() error {
			return q.Predict(make([]float64, lessonArms), [][]float32{good}, posterior.Prediction(7))
		}},
		{"too little room for predictions", func() error {
			return q.Predict(make([]float64, lessonArms), [][]float32{good, good}, posterior.Mean)
		}},
		{"too much room for predictions", func() error {
			return q.Predict(make([]float64, 2*lessonArms), [][]float32{good}, posterior.Mean)
		}},
	} {
		j.Promise(c.name+" is rejected", rejected(c.f), "no error and no panic")
	}
	twin := p.build(j, 0, nil)
	for i := range lessonRows { // as taught, but without overwriting contexts
		c, arm := l.context(i), i%lessonArms
		Must(twin.Observe(c, arm, l.mean(c, arm)))
	}
	update(twin, 2)
	got := play(q, l, 2, playRounds)
	want := play(twin, l, 2, playRounds)
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
