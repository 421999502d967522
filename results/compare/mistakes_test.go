package compare_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// TestFindMistakes checks that mistakes add up to the regret after burn-in, and the counts of every row and arm.
func TestFindMistakes(t *testing.T) {
	dir := t.TempDir()
	resultstest.WriteTrial(t, dir, resultstest.Identity("other", 1, 4), 12, 0) // makes the folder
	const burnIn = 2
	want := 0.0
	byRow := make(map[[2]int]compare.RowMistakes)
	met := make(map[int]int)
	s := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(2) {
		i := resultstest.Identity("p", seed+1, 6)
		i.Protocol.BurnIn = burnIn * i.Protocol.Pulls
		resultstest.WritePulls(t, dir, i, func(r *bandit.RoundRecord, p *bandit.PullRecord, _ int) {
			p.Row, p.Arm, p.Best = s.IntN(4)-1, s.IntN(2), 3
			p.Expected = float64(p.Row) + 1 // in row 2 every arm is the best
			p.Reward = p.Expected
			wrong := p.Expected < p.Best
			if wrong {
				r.Mistakes = append(r.Mistakes, bandit.Mistake{Row: p.Row, Arm: p.Arm})
			}
			if p.Round > burnIn {
				want += p.Best - p.Expected
				met[p.Row]++
				if wrong {
					m := byRow[[2]int{p.Row, p.Arm}]
					byRow[[2]int{p.Row, p.Arm}] = compare.RowMistakes{Row: p.Row, Wrong: m.Wrong + 1, Regret: m.Regret + p.Best - p.Expected}
				}
			}
		})
	}
	sets := must.Get(results.LoadMixed(dir))(t)
	for _, set := range sets {
		list, err := compare.FindMistakes(set)
		if set.Find("other") != nil {
			must.That(t, errors.Is(err, compare.ErrNoPulls), "without pulls: error %v", err)
			continue
		}
		must.Hold(t, err == nil && len(list) == 1, "%d policies (error %v)", len(list), err)
		m := list[0]
		must.Near(t, "regret", m.Regret, want, 1e-9)
		sum, pulls := 0.0, 0
		for _, p := range set.Policies[0].Records {
			sum += p.Totals.ExpectedAfter
		}
		must.Near(t, "regret of the trials", m.Regret, sum, 1e-9)
		for arm, a := range m.Arms {
			pulls += a.Pulls
			var worst compare.RowMistakes
			for row := range 3 {
				r := byRow[[2]int{row, arm}]
				r.Row, r.Met = row, met[row]
				must.Equal(t, fmt.Sprintf("row %d, arm %d", row, arm), m.Row(row, arm), r)
				if r.Regret > worst.Regret {
					worst = r
				}
			}
			must.That(t, a.Worst != nil && *a.Worst == worst, "arm %d: worst row %+v, want %+v", arm, a.Worst, worst)
		}
		n := 2 * (6 - burnIn) * set.Conditions.Protocol.Pulls
		must.That(t, m.Seeds == 2 && pulls == n, "%d pulls of %d seeds, want %d of 2", pulls, m.Seeds, n)
	}
}
