package logged

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior"
)

// samples are what estimators need of all policies. A log is read row by row, twice: to train, and to evaluate. In memory are
// the models, a block of rows, and of each row its reward, its propensity and, for each policy, the weight and two
// predictions.
type samples struct {
	log        *Log
	options    Options
	reward     []float64 // reward of each row
	propensity []float64
	policies   []judged
}

// A judged policy has a sample, or the rewards of its replay.
type judged struct {
	diagnostics Diagnostics
	sample      *sample // nil for a replay
	rewards     []float64
	// truth is the mean expected reward, which only logs of simulated environments have: of the fixed policy in the contexts of
	// the log, or of the learning one in as many pulls as the replay has; else NaN.
	truth float64
}

// blockRows is the number of rows that are read before models and policies are given them.
const blockRows = 1024

// A run is the state of Run.
type run struct {
	Options
	log      *Log
	spec     bandit.Spec
	setup    policy.Setup
	folds    *stream.Stream
	models   []posterior.Posterior // models of the folds; nil without a model
	learned  []int                 // rows that the model of a fold has learned
	policies []candidate
	block    block
	values   []float64 // predictions of the block, rows × arms
	check    *pullCheck
	result   *samples
}

// take lets policies and models learn, and asks them in every row of a log.
func take(ctx context.Context, log *Log, policies []Policy, o Options) (*samples, error) {
	n := log.Description.Rows
	r := &run{Options: o, log: log, spec: log.Spec, check: newPullCheck(log)}
	r.result = &samples{log: log, options: o, reward: make([]float64, 0, n), propensity: make([]float64, 0, n)}
	r.setup = policy.Setup{Spec: r.spec, Protocol: bandit.Protocol{Rounds: (n + o.Round - 1) / o.Round, Pulls: o.Round}}
	for _, step := range []func(context.Context) error{
		func(context.Context) error { return r.build(policies) }, r.train, r.evaluate,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	wrong := r.check.contradiction()
	for _, c := range r.policies {
		j := c.judged(r)
		if wrong != "" {
			j.diagnostics.refuse(wrong, "correct the propensities at their source")
		}
		r.result.policies = append(r.result.policies, j)
	}
	return r.result, nil
}

// build makes models and policies, those that are trained once for each fold.
func (r *run) build(policies []Policy) error {
	root := stream.Root(r.Seed).Child("logged")
	if r.Model != nil {
		for k := range r.Folds {
			m, err := r.Model(posterior.Setup{Dim: r.spec.Dim, Arms: len(r.spec.Arms), Rounds: r.setup.Protocol.Rounds, Groups: r.spec.Groups, Shape: r.spec.Shape, Stream: root.Child("model", k)})
			if err != nil {
				return fmt.Errorf("logged: the model of rewards: %w", err)
			}
			r.models = append(r.models, m)
		}
		r.learned = make([]int, r.Folds)
	}
	for _, p := range policies {
		c := candidate{label: p.Label, accept: root.Child("accept")}
		for k := range r.Folds {
			setup := r.setup
			setup.Stream = root.Child("policy", k)
			built, err := p.New(setup)
			if err != nil {
				return fmt.Errorf("logged: policy %s: %w", p.Label, err)
			}
			_, acts := built.(bandit.OutcomeActor)
			if _, learns := built.(bandit.OutcomeLearner); acts || learns {
				return fmt.Errorf("logged: policy %s sees the rewards of all arms, which no log has: leave it out", p.Label)
			}
			c.copies = append(c.copies, built)
			if c.constant = isConstant(built); !c.constant && r.log.Context == nil && len(r.log.Ignored) > 0 {
				return &NoContextError{p.Label, r.log.Ignored}
			}
			if c.constant || r.Replay {
				break
			}
		}
		if r.Replay && !c.constant {
			setup := r.setup
			setup.Stream = root.Child("policy", 0)
			shadow, err := p.New(setup)
			if err != nil {
				return fmt.Errorf("logged: policy %s: %w", p.Label, err)
			}
			c.replay = newReplay(c.copies[0], shadow, r)
		}
		c.begin(r)
		r.policies = append(r.policies, c)
	}
	return nil
}

// isConstant reports whether a policy does not learn.
func isConstant(p bandit.Policy) bool {
	switch p.(type) {
	case *policy.Uniform, policy.Fixed:
		return true
	}
	return false
}

// each calls f(0) … f(n−1), perhaps at the same time, and returns the first error by number.
func (r *run) each(n int, f func(i int) error) error {
	errs := make([]error, n)
	r.Parallel.Do(n, func(i int) { errs[i] = f(i) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// blocks reads the log and calls f with every block.
func (r *run) blocks(ctx context.Context, f func() error) error {
	r.folds = stream.Root(r.Seed).Child("logged", "folds")
	r.block.n = 0
	for row, err := range r.log.Rows() {
		if err != nil {
			return err
		}
		r.block.add(row, r.folds.IntN(r.Folds), r.spec)
		if r.block.n == blockRows {
			if err := errors.Join(ctx.Err(), f()); err != nil {
				return err
			}
			r.block.n = 0
		}
	}
	if r.block.n == 0 {
		return ctx.Err()
	}
	return errors.Join(ctx.Err(), f())
}

// train lets models and policies learn the rows of the other folds.
func (r *run) train(ctx context.Context) error {
	type task struct {
		learn func(i int) error // learns from row i of the block
		end   func() error      // ends a round
		fold  int
		rows  int
	}
	var tasks []*task
	for k, m := range r.models {
		tasks = append(tasks, &task{
			learn: func(i int) error {
				return m.Observe(r.block.rounds[i].Context, r.block.rows[i].Arm, r.block.rows[i].Reward)
			},
			end: func() error { return m.Update(ctx) }, fold: k,
		})
	}
	for j := range r.policies {
		c := &r.policies[j]
		if c.constant || r.Replay {
			continue
		}
		for k, p := range c.copies {
			t := &task{fold: k}
			t.learn = func(i int) error {
				round := r.block.rounds[i]
				round.T = t.rows + 1
				return p.Learn(round, r.block.rows[i].Arm, r.block.rows[i].Reward)
			}
			t.end = func() error {
				if e, ok := p.(bandit.RoundEnder); ok {
					return e.EndRound(ctx, (t.rows+r.Round-1)/r.Round)
				}
				return nil
			}
			tasks = append(tasks, t)
		}
	}
	if len(tasks) == 0 {
		return nil
	}
	err := r.blocks(ctx, func() error {
		return r.each(len(tasks), func(i int) error {
			t := tasks[i]
			for row := range r.block.n {
				if r.block.folds[row] == t.fold {
					continue
				}
				if err := t.learn(row); err != nil {
					return fmt.Errorf("logged: learn row %d: %w", r.block.rows[row].Number, err)
				}
				if t.rows++; t.rows%r.Round == 0 {
					if err := t.end(); err != nil {
						return fmt.Errorf("logged: train after row %d: %w", r.block.rows[row].Number, err)
					}
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return r.each(len(tasks), func(i int) error {
		t := tasks[i]
		if t.rows == 0 {
			return fmt.Errorf("logged: fold %d has all %d rows: there is nothing to learn from the others: want a longer log", t.fold+1, r.log.Description.Rows)
		}
		if t.rows%r.Round == 0 {
			return nil
		}
		return t.end()
	})
}

// evaluate asks models and policies in every row.
func (r *run) evaluate(ctx context.Context) error {
	arms := len(r.spec.Arms)
	if r.models != nil {
		r.values = make([]float64, blockRows*arms)
	}
	return r.blocks(ctx, func() error {
		for i, row := range r.block.rows[:r.block.n] {
			r.result.reward = append(r.result.reward, row.Reward)
			r.result.propensity = append(r.result.propensity, row.Propensity)
			r.check.add(row.Arm, row.Offered, row.Propensity, r.block.rounds[i].Context)
		}
		if err := r.each(len(r.models), r.predict); err != nil {
			return err
		}
		return r.each(len(r.policies), func(j int) error {
			c := &r.policies[j]
			if err := c.block(ctx, r); err != nil {
				return fmt.Errorf("logged: policy %s: %w", c.label, err)
			}
			return nil
		})
	})
}

// predict writes the predictions of the model of a fold in its rows of the block.
func (r *run) predict(fold int) error {
	var contexts [][]float32
	var rows []int
	for i, k := range r.block.folds[:r.block.n] {
		if k == fold {
			contexts, rows = append(contexts, r.block.rounds[i].Context), append(rows, i)
		}
	}
	arms := len(r.spec.Arms)
	dst := make([]float64, len(rows)*arms)
	if err := r.models[fold].Predict(dst, contexts, posterior.Mean); err != nil {
		return fmt.Errorf("logged: the model of rewards: %w", err)
	}
	for k, i := range rows {
		copy(r.values[i*arms:(i+1)*arms], dst[k*arms:])
	}
	return nil
}

// A block holds copies of some rows.
type block struct {
	n      int
	rows   []Row
	rounds []bandit.Round // one per row, with its context
	folds  []int
}

func (b *block) add(row *Row, fold int, spec bandit.Spec) {
	if b.n == len(b.rows) {
		b.rows = append(b.rows, Row{})
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
