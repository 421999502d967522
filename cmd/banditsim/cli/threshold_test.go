package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
)

// TestThresholdThatCannotBeJudged: a threshold without a mean is missed, and says why.
func TestThresholdThatCannotBeJudged(t *testing.T) {
	t.Parallel()
	threshold, err := compare.ParseThreshold("regret(Uniform) < 1e9")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app{Viewer: folder.Viewer{Process: &usage.Process{Stdout: &out}}}
	plan := &experiment.Plan{Thresholds: []compare.Threshold{threshold}}
	missed, err := a.judge(&runFlags{}, plan, []*results.Set{{}})
	var coded *exit.Error
	if err != nil || !errors.As(missed, &coded) || coded.Code != ExitThreshold || !strings.Contains(out.String(), "there is no trial of Uniform: missed") {
		t.Errorf("missed %v, error %v, output %q", missed, err, out.String())
	}
}
