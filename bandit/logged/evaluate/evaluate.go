// Package evaluate makes the samples that estimators need (package estimate) of a log and policies: it trains them on a part of the
// log, asks them for their probabilities, and lets learning policies learn by replay.
//
// It reads a log row by row, twice: to train, and to evaluate. In memory are the models, a block of rows, and of each row its reward, its
// propensity and, for each policy, the weight and two predictions.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/logged"
	"banditsim/bandit/logged/estimate"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior"
)

// A Policy is what is evaluated.
type Policy struct {
	Label string
	New   func(policy.Setup) (bandit.Policy, error)
}

// NewModel returns a model of rewards.
type NewModel func(posterior.Setup) (posterior.Posterior, error)

// Options of Run.
type Options struct {
	// Model predicts rewards; nil: estimators that need predictions are left out.
	Model NewModel
	// Folds is the number of parts of the log, at least 2: the model of a row has not seen its part.
	Folds int
	// Replay: policies that learn go through the log and learn by replay. Otherwise they learn the other parts too, are frozen, and
	// evaluated on the part that they have not seen.
	Replay bool
	// Round is the number of rows that a model or a policy learns between two calls of its training: at least 1.
	Round int
	// Pulls is the number of accepted rows after which a replay ends; 0: with the log.
	Pulls    int
	Seed     uint64
	Parallel posterior.Parallel // nil: one after the other; results do not depend on it
}

// DefaultOptions returns two folds and rounds of 100 rows, without a model.
func DefaultOptions() Options { return Options{Folds: 2, Round: 100, Seed: 1} }

// MaxFolds is the largest number of folds on which policies are trained: with more, what folds have in common makes estimates
// vary too much (see logs.foldFactor).
const MaxFolds = 5

// FoldsOf returns the number of folds in which a policy is trained on a share of the log, nearest to that asked for: on ½ with 2, ⅔ with 3.
func FoldsOf(share float64) (int, error) {
	if !(share >= 0.5 && share <= 0.8) {
		return 0, fmt.Errorf("%g: want a share of the log from 0.5 (two folds) to 0.8 (five)", share)
	}
	return int(math.Round(1 / (1 - share))), nil
}

// A Result has the samples of all policies.
type Result struct {
	Log        *logged.Log
	Options    Options
	Reward     []float64 // reward of each row
	Propensity []float64
	Policies   []Evaluated
}

// An Evaluated is a policy with what the log says of it: a Sample of a fixed policy, a Replay of one that learns; the other is nil.
type Evaluated struct {
	Label       string
	Sample      *estimate.Sample
	Trained     bool // the policy learned the folds that a row is not in
	Diagnostics estimate.Diagnostics
	Replay      *Replay
	// Truth is the mean expected reward, which only logs of simulated environments have: of the fixed policy in the contexts of the
	// log, or of the learning one in as many pulls as the replay has; else NaN.
	Truth float64
	// Draws: the policy does not know its probabilities, and acted once in each row; asked twice in the first, it chose other arms.
	Draws bool
}

// refuse adds a reason why there is no verdict, before the others.
func (e *Evaluated) refuse(reason, cure string) {
	against, to := &e.Diagnostics.Against, &e.Diagnostics.Cure
	if e.Replay != nil {
		against, to = &e.Replay.Against, &e.Replay.Cure
	}
	e.Diagnostics.Wrong = true
	*against, *to = append([]string{reason}, *against...), cure
}

// blockRows is the number of rows that are read before models and policies are given them.
const blockRows = 1024

// A run is the state of Run.
type run struct {
	Options
	log      *logged.Log
	spec     bandit.Spec
	setup    policy.Setup
	folds    *stream.Stream
	models   []posterior.Posterior // models of the folds; nil without a model
	learned  []int                 // rows that the model of a fold has learned
	policies []candidate
	block    block
	values   []float64 // predictions of the block, rows × arms
	check    *pullCheck
	result   *Result
}

// Run evaluates policies on a log.
func Run(ctx context.Context, log *logged.Log, policies []Policy, o Options) (*Result, error) {
	if o.Folds < 2 || o.Round < 1 || o.Pulls < 0 {
		return nil, fmt.Errorf("evaluate: %d folds, rounds of %d rows, %d pulls: want at least 2, 1 and 0", o.Folds, o.Round, o.Pulls)
	}
	n := log.Description.Rows
	r := &run{Options: o, log: log, spec: log.Spec, check: newPullCheck(log), result: &Result{Log: log, Options: o, Reward: make([]float64, 0, n), Propensity: make([]float64, 0, n)}}
	r.setup = policy.Setup{Spec: r.spec, Protocol: bandit.Protocol{Rounds: (n + o.Round - 1) / o.Round, Pulls: o.Round}}
	if err := r.build(policies); err != nil {
		return nil, err
	}
	if err := r.train(ctx); err != nil {
		return nil, err
	}
	if err := r.evaluate(ctx); err != nil {
		return nil, err
	}
	wrong := r.check.contradiction()
	for _, c := range r.policies {
		e := c.evaluated(r)
		if wrong != "" {
			e.refuse(wrong, "correct the propensities at their source")
		}
		r.result.Policies = append(r.result.Policies, e)
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
				return fmt.Errorf("evaluate: the model of rewards: %w", err)
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
				return fmt.Errorf("evaluate: policy %s: %w", p.Label, err)
			}
			_, acts := built.(bandit.OutcomeActor)
			if _, learns := built.(bandit.OutcomeLearner); acts || learns {
				return fmt.Errorf("evaluate: policy %s sees the rewards of all arms, which no log has: leave it out", p.Label)
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
				return fmt.Errorf("evaluate: policy %s: %w", p.Label, err)
			}
			c.replay = newReplay(c.copies[0], shadow, r)
		}
		c.begin(r)
		r.policies = append(r.policies, c)
	}
	return nil
}

// A NoContextError is returned for a policy that learns, on a log of which no column was recognized as context.
type NoContextError struct {
	Policy  string
	Columns []string // of the log, that are not used
}

func (e *NoContextError) Error() string {
	return fmt.Sprintf("evaluate: policy %s would learn without a context: no column was recognized as one; not used are %s", e.Policy, strings.Join(e.Columns, ", "))
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
	r.block.clear()
	for row, err := range r.log.Rows() {
		if err != nil {
			return err
		}
		r.block.add(row, r.folds.IntN(r.Folds), r.spec)
		if r.block.n == blockRows {
			if err := errors.Join(ctx.Err(), f()); err != nil {
				return err
			}
			r.block.clear()
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
					return fmt.Errorf("evaluate: learn row %d: %w", r.block.rows[row].Number, err)
				}
				if t.rows++; t.rows%r.Round == 0 {
					if err := t.end(); err != nil {
						return fmt.Errorf("evaluate: train after row %d: %w", r.block.rows[row].Number, err)
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
			return fmt.Errorf("evaluate: fold %d has all %d rows: there is nothing to learn from the others: want a longer log", t.fold+1, r.log.Description.Rows)
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
			r.result.Reward = append(r.result.Reward, row.Reward)
			r.result.Propensity = append(r.result.Propensity, row.Propensity)
			r.check.add(row.Arm, row.Propensity, r.block.rounds[i].Context)
		}
		if err := r.each(len(r.models), r.predict); err != nil {
			return err
		}
		return r.each(len(r.policies), func(j int) error {
			c := &r.policies[j]
			if err := c.block(ctx, r); err != nil {
				return fmt.Errorf("evaluate: policy %s: %w", c.label, err)
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
		return fmt.Errorf("evaluate: the model of rewards: %w", err)
	}
	for k, i := range rows {
		copy(r.values[i*arms:(i+1)*arms], dst[k*arms:])
	}
	return nil
}
