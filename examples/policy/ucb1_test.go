package main

import (
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/stream"
	"banditsim/policy"
)

// TestConformance runs the conformance suite for policies.
func TestConformance(t *testing.T) {
	err := bandittest.Policy(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
		return New(Options{Width: 10}, policy.Setup{Spec: spec, Stream: r})
	})
	if err != nil {
		t.Error(err)
	}
}

// TestUCB1 compares choices with bounds computed by hand for width w. After the rewards 0 and 3 from arm 0 and 2 from
// arm 1, the bounds are 1.5 + w·√(ln 3/2) = 1.5 + 0.741·w for arm 0 and 2 + w·√(ln 3) = 2 + 1.048·w for arm 1.
func TestUCB1(t *testing.T) {
	p, err := New(Options{Width: 1}, policy.Setup{Spec: bandit.Spec{Arms: []string{"a", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		want   int // arm that Act must return
		arm    int // arm that is then pulled
		reward float64
	}{
		{0, 0, 0}, {1, 0, 3}, {1, 1, 2}, // an arm without pulls comes first
		{1, 1, -4}, // the bounds of the test's comment; afterwards the means are 1.5 and −1, and both bounds add w·√(ln 4/2)
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
