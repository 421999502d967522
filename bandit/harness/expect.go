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
	Done, Left int           // trials on disk, and not on disk
	Damaged    int           // how many of those not on disk have a damaged file, which a run sets aside
	Time       time.Duration // time that those not on disk take, on all workers
	AtLeast    bool          // a policy did not finish a round in the time allowed
	Policies   []ExpectedTime
	// Refusal is why a run would not start in the folder now: it holds another experiment (*FolderError), another
	// run works in it (*LockedError), or it cannot be read. It is nil if a run would start.
	Refusal error
}

// An ExpectedTime is the estimate for one trial of a policy on one worker.
type ExpectedTime struct {
	Policy  string // its label
	Left    int    // trials not on disk
	Seconds float64
	From    string // source of the estimate
	AtLeast bool
}

// measureFor is the wall time for timing all policies. A first training round may take longer,
// up to giveUpAfter.
const (
	measureFor  = 1500 * time.Millisecond
	giveUpAfter = 10 * time.Second
)

// Expect estimates how long the plan's trials that are not in dir yet take on so many workers.
// The time of a policy is taken from the sidecars of its trials in dir that ran on this processor
// without a break; if there are none, its first rounds are run and timed by the clock now.
// Nothing is written. What keeps a run from starting in dir is the expectation's Refusal, and no error.
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
		label := c.FullLabel()
		if byLabel[label] == nil {
			byLabel[label] = &measurement{ExpectedTime: ExpectedTime{Policy: label}, policy: c.Policy.Name, cell: c}
			all = append(all, byLabel[label])
		}
		_, err := check(dir, c)
		if err == nil {
			e.Done++
			continue
		}
		if errors.As(err, new(results.Damaged)) {
			e.Damaged++
		}
		m := byLabel[label]
		m.cell = c
		m.Left++
		e.Left++
	}
	known := timesIn(dir, processor)
	var todo []*measurement
	for _, m := range all {
		if m.Left == 0 {
			continue
		}
		if times, ok := known[kindOf(m.cell.Identity)]; ok {
			m.Seconds = times.mean()
			m.From = fmt.Sprintf("as %s there took on this processor", words.Count(times.trials, "trial"))
		}
		todo = append(todo, m)
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

// check is results.Check of the trial in an output folder.
func check(dir string, c experiment.Cell) (results.Record, error) {
	return results.Check(filepath.Join(dir, results.TrialsDir, c.FileName()), c.Identity)
}

// SecondsIn returns the mean seconds of trials in a folder that differ from one in the seed alone and ran
// without a break, on whatever processor.
func SecondsIn(dir string) func(results.Identity) (mean float64, ok bool) {
	known := timesIn(dir, "")
	return func(i results.Identity) (mean float64, ok bool) {
		times, ok := known[kindOf(i)]
		return times.mean(), ok
	}
}

// times are those of trials that differ in the seed alone.
type times struct {
	trials  int
	seconds float64 // of all
}

func (t times) mean() float64 { return t.seconds / float64(t.trials) }

// kindOf identifies trials that differ in the seed alone.
func kindOf(i results.Identity) string {
	i.Seed = 0
	return i.ID()
}

// timesIn returns the times that trials in a folder took on a processor, or on any if that is "", without a
// break, by kindOf.
func timesIn(dir, processor string) map[string]times {
	known := map[string]times{}
	records, _ := results.Heads(dir) // an unreadable folder has no times
	for _, t := range records {
		s, err := t.Sidecar()
		if err != nil || processor != "" && s.Processor != processor || len(s.Earlier) > 0 {
			continue // the seconds are of another machine, or of a part of the trial
		}
		if t.Totals.Failure == nil {
			old := known[kindOf(t.Identity())]
			known[kindOf(t.Identity())] = times{old.trials + 1, old.seconds + s.Seconds}
		}
	}
	return known
}

// A measurement is the timing of one policy.
type measurement struct {
	ExpectedTime
	policy string          // its name in the catalog
	cell   experiment.Cell // one that is not on disk
}

// measure times the policies without an estimate, in parallel as the trials will run. Policies
// for which no time is left get the mean of the others.
func measure(ctx context.Context, all []*measurement, workers int, now func() time.Time) error {
	var todo []*measurement
	for _, m := range all {
		if m.From == "" {
			todo = append(todo, m)
		}
	}
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

// likeOthers takes the mean time of the other variants of the policy or, if none has a time, of
// all policies.
func (m *measurement) likeOthers(all []*measurement) {
	for _, same := range []bool{true, false} {
		sum, n := 0.0, 0
		for _, o := range all {
			if o.From != "" && o.From != unmeasured && (!same || o.policy == m.policy) {
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

// run plays the first rounds of the trial until the share of time is used up and at least one
// round with training was timed.
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
		case errors.Is(err, io.EOF):
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
			each := training[len(training)/2] // the median: a first round warms up
			m.Seconds += each * float64(m.cell.Protocol.Rounds-round)
			m.From = words.Count(len(training), "training round") + " timed now"
			return nil
		}
	}
}
