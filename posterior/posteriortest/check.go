package posteriortest

import (
	"fmt"
	"math"
	"runtime/debug"

	"banditsim/bandit/stream"
)

// A Grade says how long a check takes.
type Grade string

const (
	// Quick takes a second or two for all checks of a sampler, a few with a contour.
	Quick Grade = "quick"
	// Long looks at more cases and at more numbers: a minute or two.
	Long Grade = "long"
)

// Grades lists the grades.
func Grades() []Grade { return []Grade{Quick, Long} }

// Options say how a check is run.
type Options struct {
	Grade Grade
	// Seed is what all randomness descends from. A right sampler passes with any.
	Seed uint64
}

// A Check looks at one promise. Check.Run may be called for several checks side by
// side: they share nothing.
type Check struct {
	Name   string
	Proves string // in a line

	run func(j *judge) error
}

// A Subject is what can be checked: a Sampler or a Posterior.
type Subject interface {
	// Checks returns the checks that apply to what the subject claims.
	Checks() []Check
}

// Run runs the check. It always returns at least one result; an error or a panic
// of the subject is a failure.
func (c Check) Run(o Options) []Result {
	return (&judge{check: c, o: o}).look()
}

// look runs the check, and sees to it that there is a result.
func (j *judge) look() []Result {
	err := j.run()
	j.group = nil // a panic may have left one
	if err != nil {
		j.add(Result{Statistic: "an error", Verdict: Fail, Detail: err.Error()})
	}
	if len(j.results) == 0 {
		j.add(Result{Statistic: "nothing", Verdict: Fail, Detail: "the check has looked at nothing"})
	}
	return j.results
}

// run turns a panic of the subject into an error that tells the place.
func (j *judge) run() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return j.check.run(j)
}

// Verify runs all checks of a subject, one after the other.
func Verify(s Subject, o Options) []Result {
	var results []Result
	for _, c := range s.Checks() {
		results = append(results, c.Run(o)...)
	}
	return results
}

// A judge collects what a check finds.
type judge struct {
	check   Check
	o       Options
	results []Result
	group   *group // of numbers that share one result
	// seen, if not nil, is told what every estimate of sees could see.
	seen func(name string, e estimate, fault float64)
}

// A group is numbers of one kind, of which the worst is told.
type group struct {
	statistic string
	worst     Result
	badness   float64
	numbers   int
}

// rand returns the stream of a role in the check, the same for every subject.
func (j *judge) rand(path ...any) *stream.Stream {
	return stream.Root(j.o.Seed).Child("posteriortest", j.check.Name).Child(path...)
}

// pick returns quick or long, by the grade.
func pick[T any](j *judge, quick, long T) T {
	if j.o.Grade == Long {
		return long
	}
	return quick
}

func (j *judge) add(r Result) {
	r.Check, r.Proves = j.check.Name, j.check.Proves
	if r.Numbers == 0 {
		r.Numbers = 1
	}
	if j.group != nil {
		j.group.add(r)
		return
	}
	j.results = append(j.results, r)
}

// together makes one result of all that f finds: that of the worst number, which
// Detail names.
func (j *judge) together(statistic string, f func()) {
	j.group = &group{statistic: statistic}
	f()
	g := j.group
	j.group = nil
	if g.numbers > 0 {
		g.worst.Numbers = g.numbers
		j.add(g.worst)
	}
}

func (g *group) add(r Result) {
	bad := r.Badness()
	if g.numbers == 0 || bad > g.badness {
		g.badness = bad
		if r.Detail != "" {
			r.Detail = "; " + r.Detail
		}
		r.Detail = "the worst: " + r.Statistic + r.Detail
		r.Statistic = g.statistic
		g.worst = r
	}
	g.numbers += r.Numbers
}

// statistic judges an estimate by its standard error.
func (j *judge) statistic(name string, e estimate, want float64) {
	r := Result{Statistic: name, Got: e.value, Want: want, StdErr: e.se, Limit: Limit, Verdict: Pass}
	r.Off = e.off(want)
	switch {
	case !(e.se > 0) || math.IsInf(e.se, 0):
		r.StdErr = 0
		r.Verdict, r.Detail = Fail, fmt.Sprintf("%g with a standard error of %g is no estimate", e.value, e.se)
	case !(math.Abs(r.Off) <= r.Limit):
		r.Verdict = Fail
	}
	j.add(r)
}

// sharp is statistic for an estimate that must be able to see that it is 5 % off.
func (j *judge) sharp(name string, e estimate, want float64) { j.sees(name, e, want, 0.05*want) }

// sees is statistic for an estimate that must be able to see a fault, which moves it.
func (j *judge) sees(name string, e estimate, want, fault float64) {
	far := math.Abs(estimate{fault, e.se, e.replicates}.off(0))
	if e.se > 0 && far < Blind {
		j.add(Result{Statistic: name, Got: e.value, Want: want, StdErr: e.se, Off: e.off(want), Limit: Limit, Verdict: Fail,
			Detail: fmt.Sprintf("blind: a fault of 5 %% lies only %.1f standard errors out, want %d", far, Blind)})
		return
	}
	if j.seen != nil {
		j.seen(name, e, fault)
	}
	j.statistic(name, e, want)
}

// near judges a number that has no luck in it. The tolerance is relative, and
// absolute for numbers below 1.
func (j *judge) near(name string, got, want, tolerance float64) {
	r := Result{Statistic: name, Got: got, Want: want, Tolerance: tolerance * max(1, math.Abs(want)), Verdict: Pass}
	if !(math.Abs(got-want) <= r.Tolerance) {
		r.Verdict = Fail
	}
	j.add(r)
}

// promise judges what holds or does not; detail tells what was found where it does not.
func (j *judge) promise(name string, holds bool, detail string, args ...any) {
	r := Result{Statistic: name, Verdict: Pass}
	if !holds {
		r.Verdict, r.Detail = Fail, fmt.Sprintf(detail, args...)
	}
	j.add(r)
}

// note tells a figure that is not judged.
func (j *judge) note(name string, e estimate, detail string) {
	j.add(Result{Statistic: name, Got: e.value, StdErr: e.se, Verdict: Note, Detail: detail})
}

// skip tells that there was nothing to look at, and why.
func (j *judge) skip(name, why string) {
	j.add(Result{Statistic: name, Verdict: Skip, Detail: why})
}

// sameBits judges whether two vectors are equal bit for bit.
func (j *judge) sameBits(name string, got, want []float32) {
	if len(got) != len(want) {
		j.promise(name, false, "%d numbers, want %d", len(got), len(want))
		return
	}
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			j.promise(name, false, "element %d is %g, want exactly %g", i, got[i], want[i])
			return
		}
	}
	j.promise(name, true, "")
}

// sameBits64 is sameBits for float64.
func (j *judge) sameBits64(name string, got, want []float64) {
	if len(got) != len(want) {
		j.promise(name, false, "%d numbers, want %d", len(got), len(want))
		return
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			j.promise(name, false, "element %d is %g, want exactly %g", i, got[i], want[i])
			return
		}
	}
	j.promise(name, true, "")
}
