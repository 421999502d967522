package builtin_test

import (
	"fmt"
	"testing"

	"banditsim/bandit"
	"banditsim/cmd/banditsim/builtin"
)

// pulls is the arms and mistakes of each round.
type pulls string

func (p *pulls) Record(r *bandit.RoundRecord) error {
	*p += pulls(fmt.Sprintln(r.Arms, r.Mistakes))
	return nil
}

// TestQuickContourMoves: in the first rounds that train, the contour of quick has an effect on what its policies
// pull. With the paper's bins they pull the same arms as without a contour for 245 rounds.
func TestQuickContourMoves(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	e, err := c.Preset("quick")
	if err != nil {
		t.Fatal(err)
	}
	e.Policies = []string{"pICSGLD", "pSGLD", "pCSGLD"}
	seen := map[string]string{}
	for _, of := range resolve(t, e, c).Cells {
		var pulled pulls
		trial, _, err := of.NewTrial(nil, &pulled)
		if err != nil {
			t.Fatal(err)
		}
		for range 90 {
			if err := trial.Round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if other, ok := seen[string(pulled)]; ok {
			t.Errorf("%s and %s pulled the same arms in 90 rounds", other, of.Label)
		}
		seen[string(pulled)] = of.Label
	}
}
