package verify

import (
	"cmp"
	"fmt"
	"math"
	"runtime/debug"
	"sync"

	"banditsim/bandit/stream"
)

// A Grade selects how much work the checks do.
type Grade string

const (
	// Quick takes a second or two for all checks of a sampler, and a few seconds for a sampler with a contour.
	Quick Grade = "quick"
	// Long takes a minute or two: it has more cases and draws more numbers.
	Long Grade = "long"
)

// Grades returns the grades.
func Grades() []Grade { return []Grade{Quick, Long} }

// Options determine how a check is run.
type Options struct {
	Grade Grade
	// Seed is the seed of all randomness. A correct subject passes with any seed.
	Seed uint64
	// OnEstimate, if not nil, is called by Detects with its arguments name, e and fault, unless e is too imprecise to
	// detect the fault. Checks that run at the same time call it at the same time.
	OnEstimate func(name string, e Estimate, fault float64)
}

// A Check verifies one property. Checks share no state, so that several may run at a time.
type Check struct {
	Name   string
	Proves string // what the check shows, in one line
	Do     func(*Judge)
}

// Run runs the check and returns at least one result. It turns an error or a panic of the subject into a failure.
func (c Check) Run(o Options) []Result {
	j := NewJudge(c, o)
	if err := j.run(); err != nil {
		j.worst = nil // a panic in Together leaves it set
		j.add(Result{Statistic: "an error", Verdict: Fail, Detail: err.Error()})
	}
	if len(j.results) == 0 {
		j.add(Result{Statistic: "nothing", Verdict: Fail, Detail: "the check has examined nothing"})
	}
	return j.results
}

// A failure is the value with which Must panics. Judge.run recovers from it.
type failure struct{ error }

// Must ends the check with a failure, by a panic that Check.Run recovers, if err is not nil.
func Must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Failf ends the check with a failure.
func Failf(format string, args ...any) { Must(fmt.Errorf(format, args...)) }

// Value returns v, or ends the check with a failure if err is not nil.
func Value[T any](v T, err error) T {
	Must(err)
	return v
}

// run does the check and returns the error that ended it, or nil. For a panic not from Must, the error has the stack.
func (j *Judge) run() (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	j.check.Do(j)
	return nil
}

// Verify runs checks, one after the other.
func Verify(checks []Check, o Options) []Result {
	var results []Result
	for _, c := range checks {
		results = append(results, c.Run(o)...)
	}
	return results
}

// A Judge collects the results of a check.
type Judge struct {
	check   Check
	o       Options
	results []Result
	worst   *Result // the worst result of the function that Together is calling; nil outside Together
}

// NewJudge returns a judge without results, for use outside Check.Run.
func NewJudge(c Check, o Options) *Judge { return &Judge{check: c, o: o} }

// Rand returns the stream at path below the check's root stream. It is the same for every subject.
func (j *Judge) Rand(path ...any) *stream.Stream {
	return stream.Root(j.o.Seed).Child("posteriortest", j.check.Name).Child(path...)
}

// Long reports whether the grade is Long.
func (j *Judge) Long() bool { return j.o.Grade == Long }

func (j *Judge) add(r Result) {
	r.Check, r.Proves = j.check.Name, j.check.Proves
	r.Numbers = cmp.Or(r.Numbers, 1)
	w := j.worst
	if w == nil {
		j.results = append(j.results, r)
		return
	}
	numbers := w.Numbers + r.Numbers
	if w.Numbers == 0 || r.Badness() > w.Badness() {
		if r.Detail != "" {
			r.Detail = "; " + r.Detail
		}
		r.Detail = "the worst: " + r.Statistic + r.Detail
		*w = r
	}
	w.Numbers = numbers
}

// Together calls f and adds one result for all numbers that f judges: the worst of their results, with its name in
// Detail. It adds none if f judges nothing. f must not call Together.
func (j *Judge) Together(statistic string, f func()) {
	j.worst = &Result{}
	f()
	r := *j.worst
	j.worst = nil
	if r.Numbers > 0 {
		r.Statistic = statistic
		j.add(r)
	}
}

// Statistic judges an estimate by its distance from want in standard errors, which must be positive and finite.
func (j *Judge) Statistic(name string, e Estimate, want float64) {
	r := Result{Statistic: name, Got: e.Value, Want: want, StdErr: e.SE, Off: e.Off(want), Limit: Limit}
	r.Verdict = passes(math.Abs(r.Off) <= Limit)
	if !(e.SE > 0) || math.IsInf(e.SE, 0) {
		r.StdErr, r.Verdict = 0, Fail
		r.Detail = fmt.Sprintf("%g with a standard error of %g is no estimate", e.Value, e.SE)
	}
	j.add(r)
}

// Sharp is Statistic for an estimate that must detect a relative error of 5 %. want must not be 0.
func (j *Judge) Sharp(name string, e Estimate, want float64) { j.Detects(name, e, want, 0.05*want) }

// Detects is Statistic for an estimate that must detect a fault. The check fails if fault, the shift of the estimate
// that the fault causes, is less than Blind standard errors.
func (j *Judge) Detects(name string, e Estimate, want, fault float64) {
	far := math.Abs(Estimate{fault, e.SE, e.Replicates}.Off(0))
	if e.SE > 0 && far < Blind {
		j.add(Result{Statistic: name, Got: e.Value, Want: want, StdErr: e.SE, Off: e.Off(want), Limit: Limit, Verdict: Fail,
			Detail: fmt.Sprintf("blind: a fault of %.3g lies only %.1f standard errors out, want %d", fault, far, Blind)})
		return
	}
	if j.o.OnEstimate != nil {
		j.o.OnEstimate(name, e, fault)
	}
	j.Statistic(name, e, want)
}

// Near judges a number without randomness. The tolerance is relative if |want| is above 1, and absolute otherwise.
func (j *Judge) Near(name string, got, want, tolerance float64) {
	r := Result{Statistic: name, Got: got, Want: want, Tolerance: tolerance * max(1, math.Abs(want))}
	r.Verdict = passes(math.Abs(got-want) <= r.Tolerance)
	j.add(r)
}

func passes(holds bool) Verdict {
	if holds {
		return Pass
	}
	return Fail
}

// Promise judges a property that holds or does not. If not, detail and args say what was found, as in fmt.Sprintf.
func (j *Judge) Promise(name string, holds bool, detail string, args ...any) {
	r := Result{Statistic: name, Verdict: passes(holds)}
	if !holds {
		r.Detail = fmt.Sprintf(detail, args...)
	}
	j.add(r)
}

// Note adds a figure that is not judged.
func (j *Judge) Note(name string, e Estimate, detail string) {
	j.add(Result{Statistic: name, Got: e.Value, StdErr: e.SE, Verdict: Note, Detail: detail})
}

// Skip adds a result for something that could not be examined, with the reason.
func (j *Judge) Skip(name, why string) {
	j.add(Result{Statistic: name, Verdict: Skip, Detail: why})
}

// SameBits and SameBits64 judge whether two vectors are equal bit for bit.
func (j *Judge) SameBits(name string, got, want []float32)   { sameBits(j, name, got, want) }
func (j *Judge) SameBits64(name string, got, want []float64) { sameBits(j, name, got, want) }

func sameBits[T float32 | float64](j *Judge, name string, got, want []T) {
	if len(got) != len(want) {
		j.Promise(name, false, "%d numbers, want %d", len(got), len(want))
		return
	}
	for i := range got {
		if math.Float64bits(float64(got[i])) != math.Float64bits(float64(want[i])) {
			j.Promise(name, false, "element %d is %g, want exactly %g", i, got[i], want[i])
			return
		}
	}
	j.Promise(name, true, "")
}

// SideBySide is a posterior.Parallel that calls f for each index in a goroutine of its own. It panics if a call does.
func SideBySide(n int, f func(i int)) {
	var wait sync.WaitGroup
	failed := make([]any, n)
	for i := range n {
		wait.Go(func() {
			defer func() { failed[i] = recover() }()
			f(i)
		})
	}
	wait.Wait()
	for i, p := range failed {
		if p != nil {
			panic(fmt.Sprintf("side by side, %d: %v", i, p))
		}
	}
}
