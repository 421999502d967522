package evaluate

import (
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/logged"
)

// A block holds copies of some rows.
type block struct {
	n      int
	rows   []logged.Row
	rounds []bandit.Round // one per row, with its context
	folds  []int
}

func (b *block) clear() { b.n = 0 }

func (b *block) add(row *logged.Row, fold int, spec bandit.Spec) {
	if b.n == len(b.rows) {
		b.rows = append(b.rows, logged.Row{})
		round := bandit.Round{Row: -1, Context: make([]float32, spec.Dim)}
		if spec.ArmDim > 0 {
			for range spec.Arms {
				round.Arms = append(round.Arms, make([]float32, spec.ArmDim))
			}
		}
		b.rounds = append(b.rounds, round)
		b.folds = append(b.folds, 0)
	}
	to, round := &b.rows[b.n], &b.rounds[b.n]
	means, rewards := append(to.Means[:0], row.Means...), append(to.Rewards[:0], row.Rewards...)
	*to = *row
	to.Means, to.Rewards = slices.Clip(means), slices.Clip(rewards)
	to.Context, to.Arms, to.Probabilities = nil, nil, nil
	copy(round.Context, row.Context)
	for i := range round.Arms {
		copy(round.Arms[i], row.Arms[i])
	}
	round.T = row.Number
	b.folds[b.n] = fold
	b.n++
}
