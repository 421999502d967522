package tune

import (
	"context"
	"fmt"
	"math"
)

// firstDraws is the number of configurations that a search by minutes draws at first.
const firstDraws = 64

// spend runs the configurations of each policy in order until its minutes are spent. It stores the results as the only
// rung of each element of found. Each stage runs one batch per policy. The sizes of batches depend only on the
// processor time of earlier trials, so that a search that is repeated over the same trials runs the same batches.
func (s *Search) spend(ctx context.Context, found []Found, trials Trials) error {
	for i := range found {
		found[i].Rungs = make([][]Scored, 1)
	}
	done := make([]int, len(found)) // configurations that have run
	for batch := 1; ; batch++ {
		next := make([][]Configuration, len(found))
		var all []Configuration
		for i := range found {
			n := done[i] + batchSize(done[i], found[i].Minutes, s.Tune.Minutes)
			if n > len(found[i].Configurations) {
				var err error
				if found[i].Space, err = s.draw(found[i].Policy, 2*n); err != nil {
					return err
				}
			}
			next[i] = found[i].Configurations[done[i]:min(n, len(found[i].Configurations))]
			all = append(all, next[i]...)
		}
		if len(all) == 0 {
			break
		}
		stage := s.stage(0, all)
		stage.Name = fmt.Sprintf("batch %d", batch)
		set, err := trials(ctx, stage)
		if err != nil {
			return err
		}
		for i := range found {
			f := &found[i]
			f.Rungs[0] = append(f.Rungs[0], s.score(set, next[i], stage.Seeds)...)
			done[i] += len(next[i])
			for _, c := range next[i] {
				seconds, err := s.Seconds(c)
				if err != nil {
					return err
				}
				f.Minutes += seconds / 60
			}
		}
	}
	for i := range found {
		f := &found[i]
		f.Configurations = f.Configurations[:done[i]]
		f.Best = sorted(f.Rungs[0])[0]
	}
	return nil
}

// batchSize returns how many configurations to run next, given how many are done and the minutes that these took. With
// their mean time, half of those that fit into the rest of the budget are next, but no more than are done, because
// times vary. The last configuration may exceed the budget, if it brings the time nearer to it.
func batchSize(done int, minutes, budget float64) int {
	if done == 0 {
		return 1
	}
	left := math.Round((budget - minutes) / minutes * float64(done))
	return int(min(max(math.Ceil(left/2), 0), float64(done)))
}

// Misses reports whether the budget is in minutes, and the minutes spent on a policy differ from it by more than 5 %.
func (s *Search) Misses(minutes float64) bool {
	return s.Tune.Minutes > 0 && math.Abs(minutes-s.Tune.Minutes) > 0.05*s.Tune.Minutes
}
