package verify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/posterior"
)

// checkRewards gives a trained posterior one reward that is not finite, or huge. Observe or
// Update may return an error; predictions that are not finite are a failure.
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
		for round := range 6 { // a batch may miss the row
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

// checkLearning trains a posterior on a linear function. It compares the squared error of the posterior's means
// (medians over rounds), over contexts with data and all arms, with the variance of the function: at most a quarter
// may be left.
func checkLearning(j *Judge, p posterior.Subject) {
	if p.Rounds < 1 {
		Failf("verify: Rounds is %d, want at least 1", p.Rounds)
	}
	for _, dense := range []bool{false, true} {
		l := newLesson(dense, j.Rand("lesson"))
		q := taught(j, p, l, p.Rounds)
		contexts := l.contexts(80)
		// Medians over rounds, as the sample of one round has a spread of its own. A contour may also move its chains
		// up to energies at which they predict anything: in one round of a hundred, the error of a single chain is
		// large.
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

// checkSpread compares standard deviations of the draws, over chains and rounds: for contexts whose inputs are always
// 0 in the data it must be larger than for contexts with many data.
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
			column := lists.Each(all, func(v []float64) float64 { return v[i] })
			e := MeanOf(column)
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

// compareSpread compares the standard deviations of Spread with those of the draws.
func compareSpread(j *Judge, q posterior.Posterior, s posterior.Spreader, contexts [][]float32) {
	got := unwritten(contexts)
	Must(s.Spread(got, contexts))
	const draws = 2000 // the relative error of a standard deviation is 1.6 % at most
	values := make([][]float64, len(got))
	for range draws {
		now := predict(q, contexts, posterior.Draw)
		for i, v := range now {
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
