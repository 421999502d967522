package logged

import (
	"context"
	"fmt"

	"banditsim/bandit"
)

// Targets calls f with each row of the log and an unbiased estimate of the reward of every arm in its context, from
// which a policy can learn as if all arms had been pulled:
//
//	q(arm) + 1{arm was pulled}·(reward − q(arm))/propensity
//
// with q the prediction of the model of Options, which has not seen the row (doubly robust). Without a model q is 0
// (inverse propensity weighting). The arguments of f are valid only during the call.
func (l *Log) Targets(ctx context.Context, o Options, f func(round bandit.Round, targets []float64) error) error {
	if _, err := o.check(l, nil); err != nil {
		return err
	}
	r := &run{Options: o, log: l, spec: l.Spec}
	defer r.close()
	if err := r.build(nil); err != nil {
		return err
	}
	if err := r.train(ctx); err != nil {
		return err
	}
	arms := len(r.spec.Arms)
	r.values = make([]float64, blockRows*arms)
	return r.blocks(ctx, func() error {
		clear(r.values)
		if err := r.each(len(r.models), r.predict); err != nil {
			return err
		}
		for i := range r.block {
			row, targets := &r.block[i], r.values[i*arms:(i+1)*arms]
			targets[row.Arm] += (row.Reward - targets[row.Arm]) / row.Propensity
			if err := f(row.round, targets); err != nil {
				return fmt.Errorf("logged: row %d: %w", row.Number, err)
			}
		}
		return nil
	})
}
