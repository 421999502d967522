package cli

import (
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// learner counts the pulls that it learned.
type learner struct{ learned int }

func (*learner) Act(bandit.Round) (int, error) { return 0, nil }

func (l *learner) Learn(bandit.Round, int, float64) error {
	l.learned++
	return nil
}

func (*learner) ActBatch(arms []int, rounds []bandit.Round) error { return nil }

// TestSpeedCountsPulls: the rate is of environmentPulls, in batches too: within the time of the whole call it makes at least all pulls but those of
// the first batch, which starts the child, and within the time that was asked for no more than all.
func TestSpeedCountsPulls(t *testing.T) {
	for _, batch := range []int{1, 20} {
		l := &learner{}
		const long = 20 * time.Millisecond
		begin := time.Now()
		rate, err := speed(func(bandit.Spec, *stream.Stream) (bandit.Policy, error) { return l, nil }, batch, long)
		took := time.Since(begin)
		must.OK(t, err)
		timed := float64(l.learned - batch)
		if low, high := timed/took.Seconds(), timed/long.Seconds(); !(low <= rate && rate <= high) {
			t.Errorf("batches of %d: %.0f pulls a second, want %.0f to %.0f", batch, rate, low, high)
		}
	}
}
