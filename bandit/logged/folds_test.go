package logged

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/policy"
	"banditsim/posterior"
)

// A witness remembers which rows it learned and which it was asked about, by their contexts.
type witness struct{ learned, asked map[float32]int }

func newWitness(all *[]*witness) *witness {
	w := &witness{map[float32]int{}, map[float32]int{}}
	*all = append(*all, w)
	return w
}

func (w *witness) Observe(context []float32, _ int, _ float64) error {
	w.learned[context[0]]++
	return nil
}

func (w *witness) Update(context.Context) error { return nil }

func (w *witness) Predict(dst []float64, contexts [][]float32, _ posterior.Prediction) error {
	for _, c := range contexts {
		w.asked[c[0]]++
	}
	clear(dst)
	return nil
}

// A witnessPolicy is a witness as a policy.
type witnessPolicy struct{ *witness }

func (l witnessPolicy) Act(bandit.Round) (int, error) {
	return 0, errors.New("a policy with propensities was asked to act")
}

func (l witnessPolicy) Learn(r bandit.Round, arm int, reward float64) error {
	return l.Observe(r.Context, arm, reward)
}

func (l witnessPolicy) Propensities(dst []float64, r bandit.Round) error {
	l.asked[r.Context[0]]++
	for i := range dst {
		dst[i] = 1 / float64(len(dst))
	}
	return nil
}

// TestFoldsDoNotLeak: every row is asked of one copy of the model, and of one of each policy, which learned all rows but those
// that it is asked about, once each.
func TestFoldsDoNotLeak(t *testing.T) {
	const rows = 2500 // more than a block
	log := make([]Row, rows)
	for i := range log {
		log[i] = Row{Context: []float32{float32(i)}, Arm: i % 2, Propensity: 0.5, Reward: float64(i % 3), Time: math.NaN()}
	}
	l, err := New("log", bandit.Spec{Dim: 1, Arms: []string{"0", "1"}, IgnoresActions: true, UniformRegret: math.NaN()}, log)
	if err != nil {
		t.Fatal(err)
	}
	for _, folds := range []int{2, 5} {
		var models, policies []*witness
		_, err := take(context.Background(), l, []Policy{{"witness", func(policy.Setup) (bandit.Policy, error) { return witnessPolicy{newWitness(&policies)}, nil }}}, Options{
			Model: func(posterior.Setup) (posterior.Posterior, error) { return newWitness(&models), nil }, Folds: folds, Round: 100, Seed: 3,
		})
		if err != nil {
			t.Fatal(err)
		}
		for what, all := range map[string][]*witness{"model": models, "policy": policies} {
			what = fmt.Sprintf("%s, %d folds", what, folds)
			if len(all) != folds {
				t.Errorf("%s: %d copies", what, len(all))
			}
			asked := map[float32]int{}
			for _, w := range all {
				for x := range w.asked {
					asked[x]++
				}
				if len(w.asked) < rows/folds/2 {
					t.Errorf("%s: a copy is asked about %d rows", what, len(w.asked))
				}
				for i := range rows {
					x := float32(i)
					if learned, own := w.learned[x], w.asked[x] > 0; own && learned != 0 || !own && learned != 1 {
						t.Fatalf("%s: a copy learned row %d %d times and was asked about it %d times", what, i, learned, w.asked[x])
					}
				}
			}
			for i := range rows {
				if n := asked[float32(i)]; n != 1 {
					t.Fatalf("%s: row %d was asked of %d copies", what, i, n)
				}
			}
		}
	}
}
