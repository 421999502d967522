package check

import (
	"errors"
	"fmt"
	"math"
)

// Row returns an error about a row (context, arm, reward) that a posterior for contexts of dim numbers cannot take.
func Row(context []float32, dim, arm, arms int, reward float64) error {
	switch {
	case len(context) != dim:
		return fmt.Errorf("a context of %d numbers, want %d", len(context), dim)
	case arm < 0 || arm >= arms:
		return fmt.Errorf("arm %d, want 0 to %d", arm, arms-1)
	case math.IsNaN(reward) || math.IsInf(reward, 0):
		return fmt.Errorf("a reward of %g", reward)
	}
	for _, v := range context {
		if v-v != 0 { // infinite or NaN
			return errors.New("a context that is not finite")
		}
	}
	return nil
}

// Reward returns an error about a reward whose square may not be finite in sums.
func Reward(reward float64) error {
	const most = 1e100
	if math.Abs(reward) > most {
		return fmt.Errorf("a reward of %g, want at most %g in size", reward, most)
	}
	return nil
}
