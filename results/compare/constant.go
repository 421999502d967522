package compare

import (
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// constantArm returns the best constant arm of the environment, which sidecars have; nil if none has it. It reads the last
// sidecar of each policy, as there may be thousands of an older version, to which seeds were added.
func constantArm(set *results.Set) *bandit.ConstantArm {
	for _, p := range set.Policies {
		if len(p.Records) == 0 {
			continue
		}
		s, err := p.Records[len(p.Records)-1].Sidecar()
		if err == nil && s.ConstantArm != nil && slices.Contains(set.Conditions.Environment.Arms, s.ConstantArm.Arm) {
			return s.ConstantArm
		}
	}
	return nil
}

// besideConstant returns a sentence if the lowest regret, over all rounds, is not below that of pulling the best constant arm
// always, or not surely; "" if it is, and where that arm is unknown or is the best in every context.
func besideConstant(set *results.Set, lowest stats.Estimate) string {
	c := constantArm(set)
	if c == nil || c.Regret <= 0 {
		return ""
	}
	p := set.Conditions.Protocol
	cost := float64(p.Rounds) * float64(p.Pulls) * c.Regret
	always := fmt.Sprintf("always %q costs %s", words.Plain(c.Arm), words.Amount(cost))
	switch {
	case lowest.Mean >= cost:
		return " One arm for all pulls does no worse: " + always + "."
	case lowest.HasInterval() && lowest.High >= cost:
		return " One arm for all pulls may do no worse: " + always + ", within the interval."
	}
	return ""
}
