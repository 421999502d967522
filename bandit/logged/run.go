package logged

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/posterior"
)

// blockRows is the number of rows that are read before models and policies process them.
const blockRows = 1024

// A run trains and evaluates models and policies. It reads the log row by row, twice: to train, then to evaluate. It
// keeps a block of rows and, for each row of the log, reward, propensity and the weight and predictions of each policy.
// A fixed policy is one that does not learn while it is evaluated: by nature, or because it was trained and frozen.
type run struct {
	Options
	log        *Log
	spec       bandit.Spec
	models     []posterior.Posterior // one for each fold; nil without Options.Model
	policies   []candidate
	block      []blockRow
	values     []float64 // predictions of the block, rows × arms
	check      *pullCheck
	unseen     []int     // arms without a pull, if the log is so long that this is hardly by chance
	reward     []float64 // reward of each row
	propensity []float64
}

// runPolicies trains the policies, asks each for its probabilities in every row of the log, and judges the weights.
func runPolicies(ctx context.Context, log *Log, policies []Policy, o Options) (*run, error) {
	r := &run{Options: o, log: log, spec: log.Spec, check: newPullCheck(log)}
	for k, arm := range log.Description.Arms {
		// An arm with propensity ≥ d.Least has no pull with probability ≤ exp(−d.Rows·d.Least), here below falseAlarm/arms.
		if d := log.Description; arm.Pulls == 0 && float64(d.Rows)*float64(d.Least) > math.Log(float64(len(d.Arms))/falseAlarm) {
			r.unseen = append(r.unseen, k)
		}
	}
	defer r.close()
	if err := r.build(policies); err != nil {
		return nil, err
	}
	if err := r.train(ctx); err != nil {
		return nil, err
	}
	if err := r.ask(ctx); err != nil {
		return nil, err
	}
	names := lists.Each(r.unseen, func(arm int) string { return r.spec.Arms[arm] })
	wrong, remedy := r.check.contradiction(), "correct the propensities at their source, name the column of the arms that could be pulled with --available, or log 5 % uniform pulls where some arms have no chance"
	if log.propensity != nil {
		wrong = cmp.Or(log.doubt, wrong)
		remedy = "the model of the arms lacks something: name more columns with --context, or record the propensities"
	}
	for i := range r.policies {
		c := &r.policies[i]
		if c.columns != nil {
			if err := c.columns.end(); err != nil {
				return nil, fmt.Errorf("logged: policy %s: %w", c.label, err)
			}
		}
		c.judge(r)
		if share := c.unseen / float64(c.diagnostics.Rows); share > maxUnseen {
			c.diagnostics.refuse(fmt.Sprintf("%.3g %% of its pulls are of arms that the log never has: %s", 100*share, words.Clip(strings.Join(names, ", "))),
				"log pulls of these arms, or leave them out of --arms if they cannot be pulled")
		}
		if wrong != "" {
			c.diagnostics.refuse(wrong, remedy)
		}
	}
	return r, nil
}

// close ends the child processes of models and policies, and closes the tables of Columns.
func (r *run) close() {
	for _, m := range r.models {
		if child, ok := bandit.As[io.Closer](m); ok {
			child.Close()
		}
	}
	for _, c := range r.policies {
		if c.columns != nil && c.columns.file != nil {
			c.columns.file.Close()
		}
		for _, p := range c.copies {
			if child, ok := bandit.As[io.Closer](p); ok { // the policy, or the posterior that it acts on
				child.Close()
			}
		}
	}
}

// build makes the models of rewards, one for each fold, and the policies.
func (r *run) build(policies []Policy) error {
	root := stream.Root(r.Seed).Child("logged")
	protocol := bandit.Protocol{Rounds: (r.log.Description.Rows + r.Round - 1) / r.Round, Pulls: r.Round}
	for k := 0; k < r.Folds && r.Model != nil; k++ {
		m, err := r.Model(posterior.Setup{Dim: r.spec.Dim, Arms: len(r.spec.Arms), Rounds: protocol.Rounds, Groups: r.spec.Groups, Shape: r.spec.Shape, Stream: root.Child("model", k)})
		if err != nil {
			return fmt.Errorf("logged: the model of rewards: %w", err)
		}
		r.models = append(r.models, m)
	}
	for _, p := range policies {
		c := candidate{label: p.Label, probabilities: make([]float64, len(r.spec.Arms)), sample: &sample{}}
		var err error
		if p.Columns != nil {
			c.columns, err = p.Columns.follow(c.label, r.spec.Arms)
		} else {
			err = r.addCopies(&c, func(fold int) (bandit.Policy, error) {
				return p.New(policy.Setup{Spec: r.spec, Protocol: protocol, Stream: root.Child("policy", fold)})
			}, root.Child("accept"))
		}
		r.policies = append(r.policies, c)
		if err != nil {
			return err
		}
	}
	return nil
}

// addCopies makes a policy's copies: one per fold if it is trained, two for a replay (policy and shadow), else one.
func (r *run) addCopies(c *candidate, build func(fold int) (bandit.Policy, error), accept *stream.Stream) error {
	add := func(fold int) error {
		p, err := build(fold)
		if err != nil {
			return fmt.Errorf("logged: policy %s: %w", c.label, err)
		}
		c.copies = append(c.copies, p)
		return nil
	}
	if err := add(0); err != nil {
		return err
	}
	first := c.copies[0]
	_, acts := first.(bandit.OutcomeActor)
	if _, learns := first.(bandit.OutcomeLearner); acts || learns {
		return fmt.Errorf("logged: policy %s sees the rewards of all arms, which no log has: leave it out", c.label)
	}
	constant := !policy.Learns(first)
	if !constant && r.log.Context == nil && len(r.log.Ignored) > 0 {
		return fmt.Errorf("evaluate: policy %s would learn %w", c.label, ErrNoContext)
	}
	c.trained = !constant && !r.Replay
	for k := 1; k < r.Folds && c.trained; k++ {
		if err := add(k); err != nil {
			return err
		}
	}
	if c.trained || constant {
		return nil
	}
	err := add(0)
	c.sample, c.replay = nil, &replay{policy: first, shadow: c.copies[len(c.copies)-1], accept: accept}
	return err
}

// each calls f(0) … f(n−1), possibly in parallel, and returns the error of the lowest index.
func (r *run) each(n int, f func(i int) error) error {
	errs := make([]error, n)
	r.Parallel.Do(n, func(i int) { errs[i] = f(i) })
	return cmp.Or(errs...)
}

// blocks reads the log block by block into r.block, draws the fold of each row, and calls f after each block.
func (r *run) blocks(ctx context.Context, f func() error) error {
	folds := stream.Root(r.Seed).Child("logged", "folds")
	r.block = r.block[:0]
	for row, err := range r.log.Rows() {
		if err != nil {
			return err
		}
		r.addRow(row, folds.IntN(r.Folds))
		if len(r.block) == blockRows {
			if err := errors.Join(ctx.Err(), f()); err != nil {
				return err
			}
			r.block = r.block[:0]
		}
	}
	if len(r.block) == 0 {
		return ctx.Err()
	}
	return errors.Join(ctx.Err(), f())
}

// A task trains a model or a policy on all rows outside one fold.
type task struct {
	fold  int
	learn func(round bandit.Round, row *Row) error
	end   func(round int) error
	rows  int
}

func (r *run) tasks(ctx context.Context) (tasks []*task) {
	for k, m := range r.models {
		tasks = append(tasks, &task{fold: k,
			learn: func(round bandit.Round, row *Row) error { return m.Observe(round.Context, row.Arm, row.Reward) },
			end:   func(int) error { return m.Update(ctx) }})
	}
	for _, c := range r.policies {
		for k, p := range c.copies {
			if c.trained {
				tasks = append(tasks, &task{fold: k,
					learn: func(round bandit.Round, row *Row) error { return p.Learn(round, row.Arm, row.Reward) },
					end:   func(round int) error { return bandit.EndRound(ctx, p, round) }})
			}
		}
	}
	return tasks
}

// train trains each model, and each copy of a trained policy, on the rows outside its fold.
func (r *run) train(ctx context.Context) error {
	tasks := r.tasks(ctx)
	if len(tasks) == 0 {
		return nil
	}
	err := r.blocks(ctx, func() error {
		return r.each(len(tasks), func(i int) error {
			t := tasks[i]
			for k := range r.block {
				row := &r.block[k]
				if row.fold == t.fold {
					continue
				}
				t.rows++
				round := row.round
				round.T = t.rows
				if err := t.learn(round, &row.Row); err != nil {
					return fmt.Errorf("logged: learn row %d: %w", row.Number, err)
				}
				if t.rows%r.Round == 0 {
					if err := t.end(t.rows / r.Round); err != nil {
						return fmt.Errorf("logged: train after row %d: %w", row.Number, err)
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
		return t.end(t.rows/r.Round + 1)
	})
}

func (r *run) ask(ctx context.Context) error {
	r.values = make([]float64, blockRows*len(r.spec.Arms))
	return r.blocks(ctx, func() error {
		for _, row := range r.block {
			r.reward = append(r.reward, row.Reward)
			r.propensity = append(r.propensity, row.Propensity)
			r.check.add(row.round, row.Arm, row.Propensity)
		}
		if err := r.each(len(r.models), r.predict); err != nil {
			return err
		}
		return r.each(len(r.policies), func(j int) error {
			c := &r.policies[j]
			for i := range r.block {
				var err error
				if c.replay != nil {
					err = c.replay.offer(ctx, r, i, c.probabilities)
				} else {
					err = c.add(r, i)
				}
				for _, arm := range r.unseen {
					c.unseen += c.probabilities[arm]
				}
				switch {
				case err != nil && c.columns != nil: // err already names the row
					return fmt.Errorf("logged: policy %s: %w", c.label, err)
				case err != nil:
					return fmt.Errorf("logged: policy %s: row %d: %w", c.label, r.block[i].Number, err)
				}
			}
			return nil
		})
	})
}

func (r *run) predict(fold int) error {
	var contexts [][]float32
	var rows []int
	for i, row := range r.block {
		if row.fold == fold {
			contexts, rows = append(contexts, row.round.Context), append(rows, i)
		}
	}
	arms := len(r.spec.Arms)
	dst := make([]float64, len(rows)*arms)
	if err := r.models[fold].Predict(dst, contexts, posterior.Mean); err != nil {
		return fmt.Errorf("logged: the model of rewards: %w", err)
	}
	if k := slices.IndexFunc(dst, func(v float64) bool { return !words.Finite(v) }); k >= 0 {
		return fmt.Errorf("logged: the model of rewards: row %d, arm %s: a prediction of %g, want a finite number", r.block[rows[k/arms]].Number, r.spec.Arms[k%arms], dst[k])
	}
	for k, i := range rows {
		copy(r.values[i*arms:(i+1)*arms], dst[k*arms:])
	}
	return nil
}

// A blockRow is a row of the block. Its context, features of arms and availability are in round, and not in Row.
type blockRow struct {
	Row
	round bandit.Round
	fold  int
}

// addRow adds a copy of a row to the block. It reuses the memory of earlier blocks.
func (r *run) addRow(row *Row, fold int) {
	n := len(r.block)
	if n == cap(r.block) {
		r.block = append(r.block, make([]blockRow, blockRows)...)
	}
	r.block = r.block[:n+1]
	to := &r.block[n]
	if to.round.Context == nil {
		to.round, _ = bandit.NewPull(r.spec)
	}
	to.Row, to.fold, to.round.T, to.round.Row = *row, fold, row.Number, -1
	to.Means, to.Rewards, to.round.Available = slices.Clone(row.Means), slices.Clone(row.Rewards), slices.Clone(row.Available)
	to.Context, to.Arms, to.Probabilities, to.Available = nil, nil, nil, nil
	copy(to.round.Context, row.Context)
	for i, features := range to.round.Arms {
		copy(features, row.Arms[i])
	}
}

// A candidate is a policy under evaluation, with its results.
type candidate struct {
	label         string
	copies        []bandit.Policy // see addCopies; none if there are columns
	columns       *follower
	trained       bool      // each copy is trained on the rows outside its fold, then frozen
	probabilities []float64 // of the arms in the current row
	unseen        float64   // sum of the probabilities of the arms in run.unseen
	draws         bool      // see Diagnostics.Draws
	diagnostics   Diagnostics
	// truth is the expected reward per pull in the simulated environment; NaN without one. It is a mean over the contexts
	// of the log or, for a replay, over as many pulls as the replay accepts.
	truth   float64
	sample  *sample // nil for a replay
	*replay         // nil for fixed policies
}

// probabilitiesOf sets dst to p's probabilities of choosing each arm. If p is no Randomizer, drawn is true and dst is 1
// for the arm that Act returns and 0 for the others: an unbiased estimate, with which value estimates stay unbiased.
func probabilitiesOf(dst []float64, p bandit.Policy, round bandit.Round) (drawn bool, err error) {
	if knowing, ok := p.(bandit.Randomizer); ok {
		err = knowing.Propensities(dst, round)
		if _, ok := addUp(dst); err == nil && !ok {
			err = fmt.Errorf("its propensities are %g, want probabilities that add up to 1", dst)
		}
		return false, err
	}
	arm, err := act(p, round, len(dst))
	if err == nil {
		clear(dst)
		dst[arm] = 1
	}
	return true, err
}

// act returns the arm that p chooses, and an error if it is not one of the arms.
func act(p bandit.Policy, round bandit.Round, arms int) (int, error) {
	arm, err := p.Act(round)
	if err == nil && (arm < 0 || arm >= arms) {
		err = fmt.Errorf("it chose arm %d, want 0 to %d", arm, arms-1)
	}
	return arm, err
}

// restrict moves the probability that a policy gives to unavailable arms to the available ones: in proportion to their
// probabilities, or evenly if these are all 0.
func restrict(p []float64, round bandit.Round) {
	if round.Available == nil {
		return
	}
	sum, n := 0.0, 0.0
	for k := range p {
		if !round.CanPull(k) {
			p[k] = 0
			continue
		}
		sum, n = sum+p[k], n+1
	}
	for k := range p {
		if sum > 0 {
			p[k] /= sum
		} else if round.CanPull(k) {
			p[k] = 1 / n
		}
	}
}

// tried counts the first rows in which a trained policy that is no Randomizer acts twice, to see whether it draws arms.
const tried = 256

// ask sets a fixed policy's probabilities in a row. A trained policy acts by its copy that has not seen the row's fold.
func (c *candidate) ask(row *blockRow) error {
	if c.columns != nil {
		return c.columns.read(c.probabilities, row.round)
	}
	p := c.copies[min(row.fold, len(c.copies)-1)]
	round := row.round
	if !c.trained {
		round.Available = nil // restrict replaces unavailable arms; policy.Fixed would take the lowest available arm instead
	}
	drawn, err := probabilitiesOf(c.probabilities, p, round)
	restrict(c.probabilities, row.round)
	if err == nil && drawn && c.trained && !c.draws && row.Number <= tried {
		var arm int
		arm, err = act(p, row.round, len(c.probabilities))
		c.draws = err == nil && c.probabilities[arm] == 0 // it acts differently the second time
	}
	return err
}

// add asks a fixed policy in row i of the block and extends its sample.
func (c *candidate) add(r *run, i int) error {
	row := &r.block[i]
	if err := c.ask(row); err != nil {
		return err
	}
	c.sample.weight = append(c.sample.weight, c.probabilities[row.Arm]/row.Propensity)
	if r.models != nil {
		arms := len(r.spec.Arms)
		values := r.values[i*arms : (i+1)*arms]
		c.sample.model = append(c.sample.model, values[row.Arm])
		c.sample.value = append(c.sample.value, dot(c.probabilities, values))
	}
	if row.Means != nil {
		c.truth += dot(c.probabilities, row.Means)
	} else {
		c.truth = math.NaN()
	}
	return nil
}

func dot(p, v []float64) float64 {
	sum := 0.0
	for i, x := range p {
		if x != 0 { // an arm that is never pulled adds nothing, even if its value is NaN
			sum += float64(x * v[i])
		}
	}
	return sum
}

func (c *candidate) judge(r *run) {
	if c.replay != nil {
		c.diagnostics, c.truth = c.replay.diagnose(c.label, len(r.spec.Arms)), c.replay.truth()
		return
	}
	c.sample.reward = r.reward
	params := 0
	if r.log.propensity != nil {
		params = r.spec.Dim + 1
	}
	c.diagnostics = diagnose(c.sample.weight, r.reward, r.propensity, len(r.spec.Arms), params)
	if r.log.Unrecorded {
		c.diagnostics = weightless(len(r.reward), len(r.reward))
		c.diagnostics.Against = []string{"the log has no propensities, and nothing shows how far the model of rewards is off"}
		c.diagnostics.Cure = "estimate them with --propensity estimate, or record them"
	}
	c.diagnostics.Policy, c.diagnostics.Trained, c.diagnostics.Draws = c.label, c.trained, c.draws
	c.truth /= float64(len(r.reward))
}
