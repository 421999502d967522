package evaluate

import (
	"fmt"

	"banditsim/bandit/logged/estimate"
	"banditsim/internal/words"
)

func notEnough(accepted int) string {
	return fmt.Sprintf("the replay accepts %s, want at least %d", words.Count(accepted, "row"), estimate.MinMatched)
}

func cureOf(arms int) string {
	return fmt.Sprintf("log at least %s of uniform pulls", words.Count(4*estimate.MinMatched*arms, "row"))
}
