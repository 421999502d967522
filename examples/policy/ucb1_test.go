package main

import (
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/stream"
	"banditsim/policy"
)

// TestConformance is the suite for policies of one's own.
func TestConformance(t *testing.T) {
	err := bandittest.Policy(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
		return New(Options{Width: 10}, policy.Setup{Spec: spec, Stream: r})
	})
	if err != nil {
		t.Error(err)
	}
}

// TestUCB1 checks bounds worked out by hand: after rewards 0, 3 of arm 0 and 2 of arm 1 the
// means are 1.5 and 2, the bounds 1.5 + w·√(ln 3/2) = 1.5 + 0.741·w and 2 + w·√(ln 3) = 2 + 1.048·w.
func TestUCB1(t *testing.T) {
	p, err := New(Options{Width: 1}, policy.Setup{Spec: bandit.Spec{Arms: []string{"a", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		want   int // the arm to be chosen
		arm    int // the arm that is then pulled
		reward float64
	}{
		{0, 0, 0}, {1, 0, 3}, {1, 1, 2}, // an arm without pulls comes first
		{1, 1, -4}, // the bounds above; then the means are 1.5 and −1, both with √(ln 4/2)
		{0, 0, 0},
	} {
		arm, err := p.Act(bandit.Round{})
		if err != nil || arm != step.want {
			t.Errorf("step %d: arm %d (%v), want %d", i, arm, err, step.want)
		}
		if err := p.Learn(bandit.Round{}, step.arm, step.reward); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := New(Options{Width: -1}, policy.Setup{}); err == nil {
		t.Error("a width of −1: no error")
	}
}
