package logged

import (
	"context"
	"math"
	"testing"

	"banditsim/internal/must"
	"banditsim/posterior"
)

// A witness is a model that counts by context how often it learned a row and predicted it.
type witness struct{ learned, asked map[float32]int }

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

// TestFoldsDoNotLeak checks that one copy of the model predicts each row, and that it learned all rows but those that it predicts, once
// each. TestTrainingByHand checks the same for policies.
func TestFoldsDoNotLeak(t *testing.T) {
	const rows = 2500 // more than a block
	log := make([]Row, rows)
	for i := range log {
		log[i] = Row{Context: []float32{float32(i)}, Arm: i % 2, Propensity: 0.5, Reward: float64(i % 3), Time: math.NaN()}
	}
	l := must.Get(New("log", twoArms, log))(t)
	for _, folds := range []int{2, 5} {
		var all []*witness
		must.Get(runPolicies(t.Context(), l, nil, Options{
			Model: func(posterior.Setup) (posterior.Posterior, error) {
				all = append(all, &witness{map[float32]int{}, map[float32]int{}})
				return all[len(all)-1], nil
			}, Folds: folds, Round: 100, Seed: 3,
		}))(t)
		must.Equal(t, "copies, one for each fold", len(all), folds)
		asked := map[float32]int{}
		for _, w := range all {
			for x := range w.asked {
				asked[x]++
			}
			must.That(t, len(w.asked) >= rows/folds/2, "%d folds: a copy is asked about %d rows", folds, len(w.asked))
			for i := range rows {
				x := float32(i)
				if learned, own := w.learned[x], w.asked[x] > 0; own && learned != 0 || !own && learned != 1 {
					t.Fatalf("%d folds: a copy learned row %d %d times and was asked about it %d times", folds, i, learned, w.asked[x])
				}
			}
		}
		for i := range rows {
			if n := asked[float32(i)]; n != 1 {
				t.Fatalf("%d folds: row %d was asked of %d copies", folds, i, n)
			}
		}
	}
}
