//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
	"time"

	"banditsim/internal/must"
)

// TestFigures logs the messages' cost with pICSGLD's default network and checks the results, if BANDITSIM_LONG is set.
func TestFigures(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("long")
	}
	set := []string{"protocol.rounds=200", "all.contour.theta_warmup=0"}
	url, plan := serve(t), planOf(t, "pICSGLD", set...)
	start, before := time.Now(), processorTime(t, syscall.RUSAGE_SELF)
	want := alone(t, plan)
	wall, used := time.Since(start), processorTime(t, syscall.RUSAGE_SELF)-before
	steps := 0.0
	for _, ranks := range []int{2, 4} {
		dir := t.TempDir()
		before := processorTime(t, syscall.RUSAGE_CHILDREN)
		all := startAll(t, url, dir, "pICSGLD", ranks, nil, set...)
		finish(t, all)
		compare(t, trialFile(t, dir, plan.Cells[0]), want)
		used := processorTime(t, syscall.RUSAGE_CHILDREN) - before
		t.Logf("%d processes, %v of processor time with their start: %s", ranks, used.Round(10*time.Millisecond), all[0].out.String())
	}
	for round := range 200 {
		if 20*(round+1) > 1024 {
			steps += 4 * 16
		}
	}
	t.Logf("one process: %.0f steps of all chains, %.0f a second, %v of processor time", steps, steps/wall.Seconds(), used.Round(10*time.Millisecond))
}

func processorTime(t *testing.T, who int) time.Duration {
	t.Helper()
	var u syscall.Rusage
	must.OK(t, syscall.Getrusage(who, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
