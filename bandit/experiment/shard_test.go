package experiment_test

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/internal/must"
	"banditsim/results"
)

// cells returns a plan with one cell for each seed and cost.
func cells(seeds int, costs ...float64) *experiment.Plan {
	plan := &experiment.Plan{Name: "toy"}
	for s := range seeds {
		for k, cost := range costs {
			name := string(rune('a' + k))
			plan.Cells = append(plan.Cells, experiment.Cell{
				Identity: results.Identity{Policy: results.Policy{Name: name, Options: []byte("{}")}, Environment: results.Environment{Options: []byte("{}")}, Seed: uint64(s + 1)},
				Label:    name, Cost: cost,
			})
		}
	}
	return plan
}

// TestShardsAreBalanced checks that whole seeds stay together, and that no shard costs more than the mean plus the most expensive cell.
func TestShardsAreBalanced(t *testing.T) {
	costs := []float64{1, 2, 3, 50, 50, 400}
	most := slices.Max(costs)
	for _, seeds := range []int{1, 4, 5, 20, 100} {
		for _, n := range []int{1, 2, 3, 5, 7, 20, 24, 30} {
			plan := cells(seeds, costs...)
			shards := must.Get(plan.Shards(n))(t)
			load, total, where := make([]float64, n+1), 0.0, map[uint64]map[int]bool{}
			for i, c := range plan.Cells {
				if shards[i] < 1 || shards[i] > n {
					t.Fatalf("shard %d of %d", shards[i], n)
				}
				load[shards[i]] += c.Cost
				total += c.Cost
				if where[c.Seed] == nil {
					where[c.Seed] = map[int]bool{}
				}
				where[c.Seed][shards[i]] = true
			}
			whole := 0
			for _, in := range where {
				if len(in) == 1 {
					whole++
				}
			}
			want := seeds / n * n
			must.That(t, whole >= want, "%d seeds in %d shards: %d are whole, want %d", seeds, n, whole, want)
			if got := slices.Max(load); got > total/float64(n)+most {
				t.Errorf("%d seeds in %d shards: one costs %g, the mean is %g and a trial %g at most", seeds, n, got, total/float64(n), most)
			}
			if got := slices.Min(load[1:]); n <= len(plan.Cells) && got == 0 {
				t.Errorf("%d seeds in %d shards: one is empty", seeds, n)
			}
		}
	}
	// Worked out by hand: 400, 50, 50, 3, 2, 1 in two shards.
	got, _ := cells(1, costs...).Shards(2)
	must.That(t, slices.Equal(got, []int{2, 2, 2, 2, 2, 1}), "shards %v", got)
}

func TestSelectTrials(t *testing.T) {
	plan := cells(3, 1, 1)
	second := plan.Cells[1].ID()
	err := plan.Select([]string{second[:12]})
	must.That(t, err == nil && len(plan.Cells) == 1 && plan.Cells[0].ID() == second, "%v, %v", plan.Cells, err)
	for id, want := range map[string]string{second[:7]: "at least 8", "0123456789": "none of the 6", "": "at least 8"} {
		must.Fail(t, cells(3, 1, 1).Select([]string{id}), want)
	}
}

// TestSetCosts checks that the modeled cost of a policy without a measured time is scaled to seconds.
func TestSetCosts(t *testing.T) {
	plan := cells(2, 10, 20, 40)
	seconds := map[string]float64{"a": 3, "b": 3}
	must.OK(t, plan.SetCosts(func(i results.Identity) (float64, bool) { s, ok := seconds[i.Policy.Name]; return s, ok }))
	for i, want := range []float64{3, 3, 8, 3, 3, 8} {
		got := plan.Cells[i].Cost
		must.That(t, math.Abs(got-want) <= 1e-12, "cell %d costs %g, want %g", i, got, want)
	}
	must.Fail(t, cells(1, 1).SetCosts(func(results.Identity) (float64, bool) { return 0, false }), "was timed")
}
