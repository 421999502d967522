package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/internal/words"
	"banditsim/results"
)

// An Expectation is an estimate of the time that the rest of a plan takes.
type Expectation struct {
	Done, Left int            // trials with a valid file, and trials still to run
	Damaged    int            // how many of Left have a damaged file, which a run sets aside
	Time       time.Duration  // expected wall time of the trials still to run, with all workers
	AtLeast    bool           // Time is a lower bound, because ExpectedTime.AtLeast is true for a policy
	Policies   []ExpectedTime // policies with trials still to run
	// Refusal is why a run would not start in the folder now: the folder holds another experiment (*FolderError),
	// another run works in it (*LockedError), or it cannot be read. It is nil if a run would start.
	Refusal error
}

// An ExpectedTime is the estimated time of one trial of a policy on one worker.
type ExpectedTime struct {
	Policy  string // as Cell.FullLabel returns it
	Left    int    // trials still to run
	Seconds float64
	From    string // source of the estimate, for display
	AtLeast bool   // Seconds is a lower bound: no round with training ended within the time limit
}

// measureFor is the wall time in which all policies are timed together. If a policy has not ended a round with training
// by then, its timing goes on until giveUpAfter.
const (
	measureFor  = 1500 * time.Millisecond
	giveUpAfter = 10 * time.Second
)

// Expect estimates how long the plan's trials that are not in dir yet will take with a number of workers. The time of
// a policy is the mean time of its trials in dir, if some ran uninterrupted on the given processor. Otherwise Expect
// plays the first rounds of a trial and measures their time with now, a clock. Nothing is written. If a run could not
// start in dir, Expect returns no error but sets Refusal.
func Expect(ctx context.Context, plan *experiment.Plan, dir string, workers int, processor string, now func() time.Time) (Expectation, error) {
	var e Expectation
	if holder, ok := AtWork(dir); ok {
		e.Refusal = &LockedError{dir, holder}
	} else if err := checkFolder(dir, plan, anotherFolder); !errors.Is(err, fs.ErrNotExist) {
		e.Refusal = err
	}
	byLabel := map[string]*measurement{}
	var all []*measurement
	for _, c := range plan.Cells {
		m := byLabel[c.FullLabel()]
		if m == nil {
			m = &measurement{ExpectedTime: ExpectedTime{Policy: c.FullLabel()}}
			byLabel[m.Policy], all = m, append(all, m)
		}
		_, err := check(dir, c)
		if err == nil {
			e.Done++
			continue
		}
		if errors.As(err, new(results.Damaged)) {
			e.Damaged++
		}
		m.cell = c
		m.Left++
		e.Left++
	}
	known := timesIn(dir, processor)
	todo := slices.DeleteFunc(all, func(m *measurement) bool { return m.Left == 0 })
	for _, m := range todo {
		if times, ok := known[kindOf(m.cell.Identity)]; ok {
			m.Seconds = times.mean()
			m.From = fmt.Sprintf("as %s there took on this processor", words.Count(times.trials, "trial"))
		}
	}
	if err := measure(ctx, todo, workers, now); err != nil {
		return e, err
	}
	total := 0.0
	for _, m := range todo {
		total += m.Seconds * float64(m.Left)
		e.AtLeast = e.AtLeast || m.AtLeast
		e.Policies = append(e.Policies, m.ExpectedTime)
	}
	e.Time = time.Duration(total / float64(workers) * float64(time.Second))
	return e, nil
}

// check reads and verifies the file of a cell's trial in an output folder, as results.Check does.
func check(dir string, c experiment.Cell) (results.Record, error) {
	return results.Check(filepath.Join(dir, results.TrialsDir, c.FileName()), c.Identity)
}

// SecondsIn returns a function for Plan.SetCosts. Given a trial, the function returns the mean time in seconds of the
// trials in dir that ran uninterrupted, on any processor, and differ from that trial in the seed alone.
func SecondsIn(dir string) func(results.Identity) (mean float64, ok bool) {
	known := timesIn(dir, "")
	return func(i results.Identity) (mean float64, ok bool) {
		times, ok := known[kindOf(i)]
		return times.mean(), ok
	}
}

// times is the running time of trials that differ in the seed alone.
type times struct {
	trials  int
	seconds float64 // sum over the trials
}

func (t times) mean() float64 { return t.seconds / float64(t.trials) }

// kindOf returns a key that is the same for trials that differ in the seed alone.
func kindOf(i results.Identity) string {
	i.Seed = 0
	return i.ID()
}

// timesIn returns the times of the trials in dir that did not fail and ran uninterrupted on the given processor; ""
// stands for any processor. The keys of the map are those of kindOf.
func timesIn(dir, processor string) map[string]times {
	known := map[string]times{}
	records, _ := results.Heads(dir) // an unreadable folder has no times
	for _, t := range records {
		s, err := t.Sidecar()
		if err != nil || t.Totals.Failure != nil || processor != "" && s.Processor != processor || len(s.Earlier) > 0 {
			continue // its Seconds are unknown, of a failed trial, of another processor, or of the last part of a trial
		}
		old := known[kindOf(t.Identity())]
		known[kindOf(t.Identity())] = times{old.trials + 1, old.seconds + s.Seconds}
	}
	return known
}

// A measurement is the timing of one policy.
type measurement struct {
	ExpectedTime
	cell experiment.Cell // a trial that is still to run
}

// measure times the policies that have no estimate yet, in parallel, as a run would. Policies that are not timed within
// measureFor get the mean time of other policies.
func measure(ctx context.Context, all []*measurement, workers int, now func() time.Time) error {
	todo := slices.DeleteFunc(slices.Clone(all), func(m *measurement) bool { return m.From != "" })
	if len(todo) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, giveUpAfter)
	defer cancel()
	start := now()
	share := measureFor * time.Duration(min(workers, len(todo))) / time.Duration(len(todo))
	p := pool.Pool{Workers: min(workers, len(todo))}
	err := p.Run(context.WithoutCancel(ctx), len(todo), func(i int) error {
		if i > 0 && now().Sub(start) >= measureFor {
			return nil
		}
		return todo[i].run(ctx, share, now)
	})
	for _, m := range todo {
		if m.From == "" {
			m.likeOthers(all)
		}
	}
	return err
}

// likeOthers sets the estimate to the mean time of the policy's other timed variants, else of all timed policies.
func (m *measurement) likeOthers(all []*measurement) {
	for _, same := range []bool{true, false} {
		sum, n := 0.0, 0
		for _, o := range all {
			if o.From != "" && o.From != unmeasured && (!same || o.cell.Policy.Name == m.cell.Policy.Name) {
				sum, n = sum+o.Seconds, n+1
			}
		}
		if n > 0 {
			m.Seconds, m.From = sum/float64(n), unmeasured
			return
		}
	}
}

const unmeasured = "not timed: the mean of the others"

// run plays the first rounds of a trial until share has passed and at least one round with training is timed. It sets
// Seconds to the time of these rounds plus, for each later round, the median time of a round with training.
func (m *measurement) run(ctx context.Context, share time.Duration, now func() time.Time) error {
	trial, policy, err := m.cell.NewTrial(nil, nil)
	if err != nil {
		return err
	}
	defer trial.Close()
	defer context.AfterFunc(ctx, trial.Stop)()
	counter, counts := bandit.As[diagnostics.StepCounter](policy)
	last := int64(0)
	trained := func(round int) bool {
		if !counts {
			return round >= firstTraining(m.cell.Protocol)
		}
		before := last
		last = counter.Steps()
		return last > before
	}
	begin := now()
	var training []float64 // seconds of each round with training
	for round := 1; ; round++ {
		before := now()
		err := trial.Round(ctx)
		late := errors.Is(ctx.Err(), context.DeadlineExceeded)
		total := now().Sub(begin)
		m.Seconds = total.Seconds()
		switch {
		case err == io.EOF:
			m.From = "a whole trial timed now"
			return nil
		case ctx.Err() != nil && !late:
			return context.Cause(ctx)
		case late && len(training) == 0:
			m.AtLeast, m.From = true, fmt.Sprintf("round %d did not end in time", round)
			return nil
		case err != nil && !late:
			m.From = fmt.Sprintf("it fails in round %d: %v", round, errors.Unwrap(err))
			return nil
		case err == nil && trained(round):
			training = append(training, now().Sub(before).Seconds())
		}
		if len(training) > 0 && (total > share || late) {
			slices.Sort(training)
			each := training[len(training)/2] // the median, because the first round with training is slower
			m.Seconds += each * float64(m.cell.Protocol.Rounds-round)
			m.From = words.Count(len(training), "training round") + " timed now"
			return nil
		}
	}
}
