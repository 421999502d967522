package policy_test

import (
	"context"
	"fmt"

	"banditsim/bandit"
	"banditsim/policy"
	"banditsim/posterior"
)

// means predicts the mean reward of each arm so far and ignores the context.
type means struct{ sum, n []float64 }

func (m means) Observe(_ []float32, arm int, reward float64) error {
	m.sum[arm] += reward
	m.n[arm]++
	return nil
}

func (means) Update(context.Context) error { return nil }

func (m means) Predict(dst []float64, contexts [][]float32, _ posterior.Prediction) error {
	for i := range dst {
		arm := i % len(m.n)
		dst[i] = m.sum[arm] / max(m.n[arm], 1)
	}
	return nil
}

// A posterior needs three methods; NewThompson returns a policy over it.
func ExampleNewThompson() {
	p := policy.NewThompson(means{make([]float64, 2), make([]float64, 2)}, posterior.Mean, 2)
	round := bandit.Round{T: 1, Row: -1, Context: []float32{1}}
	for _, pull := range []struct {
		arm    int
		reward float64
	}{{0, 0}, {1, -3}, {1, 5}} {
		if err := p.Learn(round, pull.arm, pull.reward); err != nil {
			fmt.Println(err)
			return
		}
		arm, err := p.Act(round)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("next:", arm)
	}
	// Output:
	// next: 0
	// next: 0
	// next: 1
}
