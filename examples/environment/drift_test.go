package main

import (
	"testing"

	"banditsim/bandit/bandittest"
)

// TestConformance runs the conformance suite for environments, and checks that a period of 1 is an error.
func TestConformance(t *testing.T) {
	world, err := Kind.Open(t.Context(), Kind.Defaults(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := bandittest.Environment(10_000, world.New); err != nil {
		t.Error(err)
	}
	if _, err := Kind.Open(t.Context(), Options{Period: 1, Noise: 1}, ""); err == nil {
		t.Error("a period of 1: no error")
	}
}
