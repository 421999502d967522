package bandit

import (
	"fmt"
	"slices"

	"banditsim/internal/words"
)

// A ConstantArm is the best arm of an environment for a policy that always pulls the same one, whatever the context.
type ConstantArm struct {
	Arm    string  `json:"arm"`    // its name; "" in records of environments that have none
	Regret float64 `json:"regret"` // expected, per pull
}

// BestConstantArm returns the arm with the lowest expected regret per pull; the first of several.
func BestConstantArm(names []string, regrets []float64) *ConstantArm {
	best := slices.Index(regrets, slices.Min(regrets))
	return &ConstantArm{names[best], regrets[best]}
}

// String returns the arm and its regret, or – if there is none.
func (c *ConstantArm) String() string {
	if c == nil || c.Arm == "" {
		return "–"
	}
	return fmt.Sprintf("%s, regret %.6g a pull", words.Plain(c.Arm), c.Regret)
}
