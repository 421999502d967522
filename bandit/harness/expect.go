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
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/internal/words"
	"banditsim/results"
)

// An Expectation says how long the rest of a plan takes.
type Expectation struct {
	Done, Left int           // trials that are on disk, and that are not
	Time       time.Duration // of those that are not, on all workers
	AtLeast    bool          // a policy did not finish a round in the time that it had
	Policies   []ExpectedTime
}

// An ExpectedTime is that of one of a policy's trials on one worker.
type ExpectedTime struct {
	Policy  string // its label
	Left    int    // trials to be done
	Seconds float64
	From    string // how it is known
	AtLeast bool
}

// measureFor is the wall time that may be spent on timing all policies; a first
// training round is finished beyond it, but not beyond giveUpAfter.
const (
	measureFor  = 1500 * time.Millisecond
	giveUpAfter = 10 * time.Second
)

// Expect tells how long the plan's trials take that are not in dir yet, on that
// many workers. A policy's time is taken from the sidecars of its trials there that
// ran on this processor in one go; without any, its first rounds are run and timed. now is the
// clock. Nothing is written.
func Expect(ctx context.Context, plan *experiment.Plan, dir string, workers int, processor string, now func() time.Time) (Expectation, error) {
	var e Expectation
	if err := checkFolder(dir, plan); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return e, err
	}
	byLabel := map[string]*measurement{}
	for _, p := range plan.Policies() {
		byLabel[p.Label] = &measurement{ExpectedTime: ExpectedTime{Policy: p.Label}, policy: p.Policy.Name}
	}
	for _, c := range plan.Cells {
		if _, err := results.Check(filepath.Join(dir, results.TrialsDir, c.FileName()), c.Identity); err == nil {
			e.Done++
			continue
		}
		m := byLabel[c.Label]
		m.cell = c
		m.Left++
		e.Left++
	}
	known := timesIn(dir, processor)
	var todo []*measurement
	for _, p := range plan.Policies() {
		m := byLabel[p.Label]
		if m.Left == 0 {
			continue
		}
		if seconds := known[p.Policy.Name+string(p.Policy.Options)]; len(seconds) > 0 {
			for _, s := range seconds {
				m.Seconds += s / float64(len(seconds))
			}
			m.From = fmt.Sprintf("as %s there took on this processor", words.Count(len(seconds), "trial"))
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

// timesIn returns the seconds that trials of a folder took on a processor from
// beginning to end, by policy.
func timesIn(dir, processor string) map[string][]float64 {
	known := map[string][]float64{}
	paths, _ := results.TrialFiles(dir) // a folder that cannot be read knows nothing
	for _, path := range paths {
		s, err := results.ReadSidecar(path)
		if err != nil || s.Processor != processor || len(s.Earlier) > 0 {
			continue // the seconds are another machine's, or those of a part of the trial
		}
		if t, err := results.ReadRecord(path); err == nil && t.Totals.Failure == nil {
			is := t.Identity.Policy.Name + string(t.Identity.Policy.Options)
			known[is] = append(known[is], s.Seconds)
		}
	}
	return known
}

// A measurement is the timing of one policy.
type measurement struct {
	ExpectedTime
	policy string          // its name in the catalog
	cell   experiment.Cell // one that is to be done
}

// measure times the policies of which nothing is known, side by side as the trials
// will run. Those for which the time is too short are taken to be like the others.
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

// likeOthers takes the mean time of the variants of the same policy that are known, or
// of all policies.
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

// run plays the first rounds of the trial, until some of training have been timed
// and the share of time is used up.
func (m *measurement) run(ctx context.Context, share time.Duration, now func() time.Time) error {
	trial, policy, err := m.cell.NewTrial(nil, discard{})
	if err != nil {
		return err
	}
	counter, counts := policy.(stepCounter)
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
	var training []float64 // seconds of each round that trains
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

// discard is a recorder that keeps nothing.
type discard struct{}

func (discard) Record(*bandit.RoundRecord) error { return nil }
