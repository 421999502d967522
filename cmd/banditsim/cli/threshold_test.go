package cli

import (
	"errors"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/internal/exit"
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
	plan := &experiment.Plan{Thresholds: []compare.Threshold{threshold}}
	text, missed := judge("", plan, []*results.Set{{}})
	var coded *exit.Error
	if !errors.As(missed, &coded) || coded.Code != exit.CodeThreshold || !strings.Contains(text, "there is no trial of Uniform: missed") {
		t.Errorf("missed %v, output %q", missed, text)
	}
}
