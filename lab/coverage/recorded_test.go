package main

import (
	"testing"

	"banditsim/internal/must"
)

// TestPlay checks that with exploration every log has one interval for Uniform and one per arm, that without exploration logs
// are not evaluated, and that results are reproducible.
func TestPlay(t *testing.T) {
	defer func(rounds int) { protocol.Rounds = rounds }(protocol.Rounds)
	protocol.Rounds = 60
	const seeds, arms = 2, 5
	with, without := must.Get(play("LinUCB", seeds, 0.3))(t), must.Get(play("LinUCB", seeds, 0))(t)
	must.That(t, with.logs == seeds*(1+arms) && with.verdicts <= with.logs && with.held <= with.verdicts && with.verdicts != 0,
		"%d intervals, %d with a verdict, %d of these contain the truth", with.logs, with.verdicts, with.held)
	must.That(t, without.logs == 0 && without.regret.Mean > 0 && without.regret.Mean < with.regret.Mean && without.regret.N == seeds,
		"regret %v without exploring, %v with; %d intervals", without.regret, with.regret, without.logs)
	must.Equal(t, "again", must.Get(play("LinUCB", seeds, 0.3))(t), with)
	must.Refuse(play("LinUCBB", seeds, 0))(t, "did you mean LinUCB")
}
