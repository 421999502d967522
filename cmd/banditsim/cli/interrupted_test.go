package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"banditsim/bandit/harness"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
)

// TestInterruptedByFailure: a run that fails tells how to resume it where something is kept, be it a checkpoint alone, and does not
// where there is nothing.
func TestInterruptedByFailure(t *testing.T) {
	t.Parallel()
	a := &app{Process: &usage.Process{Args: []string{"banditsim", "run", "quick"}}}
	for _, c := range []struct {
		name    string
		summary harness.Summary
		trials  int
		want    string // in the message; "" if there is nothing to resume
	}{
		{"nothing kept", harness.Summary{}, 6, ""},
		{"no trial", harness.Summary{Saved: 1}, 0, ""},
		{"a checkpoint", harness.Summary{Saved: 1}, 6, "0 of 6 trials are finished and kept, 1 more have a checkpoint; resume with:\n"},
		{"a trial", harness.Summary{Run: 1}, 6, "1 of 6 trials are finished and kept; resume with:\n"},
	} {
		err := a.interrupted(context.Background(), errors.New("disk full"), c.summary, c.trials)
		var coded *exit.Error
		if !errors.As(err, &coded) || coded.Code != exit.CodeFailure {
			t.Errorf("%s: %v, want exit code %d", c.name, err, exit.CodeFailure)
		}
		if !strings.Contains(err.Error(), "disk full") || !strings.Contains(err.Error(), c.want) || c.want == "" && strings.Contains(err.Error(), "resume with") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
