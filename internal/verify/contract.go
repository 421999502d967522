package verify

import (
	"context"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// Learning is the name of the check that a posterior learns a function within posterior.Claims.Rounds rounds.
const Learning = "learning"

// Posterior returns the checks that apply to a posterior, given its claims.
func Posterior(p posterior.Subject) []Check {
	var list []Check
	add := func(applies bool, name, proves string, run func(j *Judge, p posterior.Subject)) {
		if applies {
			list = append(list, Check{Name: name, Proves: proves, Do: func(j *Judge) { run(j, p) }})
		}
	}
	add(true, "shapes", "predictions are complete and finite; wrong arguments are rejected", checkShapes)
	add(true, "same stream", "the same stream gives the same bits, also side by side; another stream gives others", checkStream)
	add(true, "one by one", "many contexts at once give the predictions of one by one", checkOneByOne)
	add(true, "restored posterior", "a restored posterior goes on bit for bit", checkRestored)
	add(true, "hostile rewards", "a reward that is not finite ends in an error or in finite predictions", checkRewards)
	add(true, Learning, "a linear function is learned, from sparse contexts and from dense ones", checkLearning)
	add(p.Spread, "spread", "draws disagree more where there are no data", checkSpread)
	return list
}

// A lesson is a linear function to learn: the mean reward of an arm is weights[arm]·context. The last four inputs are 0
// in every context except those that far returns.
type lesson struct {
	dense   bool
	weights [lessonArms][lessonDim]float64
}

const (
	lessonDim    = 12
	lessonSeen   = 8 // number of inputs before the last four; a sparse context has one 1 in the first half of these and one in the second
	lessonArms   = 3
	lessonRows   = 1100 // enough rows for every posterior of the project to start training
	lessonRounds = 400  // the field Rounds of the posterior's setup
)

func newLesson(dense bool, r *stream.Stream) *lesson {
	l := &lesson{dense: dense}
	for arm := range l.weights {
		for i := range l.weights[arm] {
			l.weights[arm][i] = 8*r.Float64() - 4
		}
	}
	return l
}

func (l *lesson) context(i int) []float32 {
	c := make([]float32, lessonDim)
	if !l.dense {
		c[i%4], c[4+(i/4)%4] = 1, 1
		return c
	}
	for k := range lessonSeen {
		c[k] = float32((i*(2*k+3)+k*k)%17) / 16
	}
	return c
}

// far returns a context unlike the data: one of the inputs that are always 0 in the data is 1.
func (l *lesson) far(i int) []float32 {
	c := make([]float32, lessonDim)
	c[lessonSeen+i%4] = 1
	return c
}

func (l *lesson) mean(context []float32, arm int) float64 {
	sum := 0.0
	for i, c := range context {
		sum += float64(l.weights[arm][i] * float64(c))
	}
	return sum
}

// observe gives p each row i with from ≤ i < to. It then overwrites its context, because Observe must have copied it.
func (l *lesson) observe(p posterior.Posterior, from, to int) {
	for i := from; i < to; i++ {
		c := l.context(i)
		arm := i % lessonArms
		if err := p.Observe(c, arm, l.mean(c, arm)); err != nil {
			Failf("row %d: %w", i, err)
		}
		for k := range c {
			c[k] = 7
		}
	}
}

func (l *lesson) contexts(n int) [][]float32 {
	var list [][]float32
	for i := range n {
		list = append(list, l.context(i*7))
	}
	return list
}

// build returns a new posterior for a lesson; seed selects its stream.
func build(j *Judge, p posterior.Subject, seed int, parallel posterior.Parallel) posterior.Posterior {
	return Value(p.New(posterior.Setup{
		Dim: lessonDim, Arms: lessonArms, Rounds: lessonRounds,
		Stream: j.Rand("policy", seed), Parallel: parallel,
	}))
}

// taught returns a posterior that has observed lessonRows rows and then trained for the given number of rounds.
func taught(j *Judge, p posterior.Subject, l *lesson, rounds int) posterior.Posterior {
	q := build(j, p, 0, nil)
	l.observe(q, 0, lessonRows)
	update(q, rounds)
	return q
}

func update(p posterior.Posterior, rounds int) {
	for range rounds {
		Must(p.Update(context.Background()))
	}
}

// predict returns the predictions of all arms, context by context: NaN for those that Predict did not write.
func predict(p posterior.Posterior, contexts [][]float32, how posterior.Prediction) []float64 {
	dst := unwritten(contexts)
	Must(p.Predict(dst, contexts, how))
	return dst
}

func unwritten(contexts [][]float32) []float64 {
	return slices.Repeat([]float64{math.NaN()}, len(contexts)*lessonArms)
}

// play predicts, observes and trains in each round i with from ≤ i < to, and returns all predictions.
func play(p posterior.Posterior, l *lesson, from, to int) (values []float64) {
	const perRound = 20
	for round := from; round < to; round++ {
		for _, how := range predictions {
			values = append(values, predict(p, l.contexts(5), how)...)
		}
		rows := perRound
		if round == 1 {
			rows = lessonRows // so that training starts
		}
		l.observe(p, round*lessonRows, round*lessonRows+rows)
		update(p, 1)
	}
	return values
}

// predictions lists the kinds of prediction.
var predictions = []posterior.Prediction{posterior.Mean, posterior.Draw}

// playRounds is a number of rounds for play. Training starts in the second of them.
const playRounds = 6

func allFinite(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
