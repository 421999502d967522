package logged

import (
	"bufio"
	"fmt"
	"strconv"

	"banditsim/bandit"
)

// pulls reads the pulls of a trial, as 'run --record pulls' writes them; the environment draws their contexts again.
type pulls struct {
	*table
	from    Simulated
	env     bandit.Environment
	round   bandit.Round
	outcome bandit.Outcome
}

func newPulls(path string, o ReadOptions) (format, error) {
	own := ReadOptions{Arm: "arm", Reward: "reward", Propensity: "propensity", Duplicates: o.Duplicates}
	if own.Unrecorded = o.Unrecorded; o.Propensity == EstimatedPropensity {
		own.Propensity = o.Propensity
	}
	header, fromCSV, err := newCSV(pullsHeader)
	var from *Simulated
	if o.Pulls != nil && err == nil {
		from, err = o.Pulls()
	}
	if err != nil {
		return nil, err
	}
	if from == nil {
		return newTable("pulls of a trial, without their contexts", path, header, fromCSV, o.or(own))
	}
	for i := range from.Spec.Arms {
		own.Arms = append(own.Arms, strconv.Itoa(i))
	}
	c, err := newTable("pulls of a trial", path, header, fromCSV, own)
	return &pulls{table: c, from: *from}, err
}

func (p *pulls) begin(in *bufio.Reader) (err error) {
	if p.env, err = p.from.New(); err != nil {
		return err
	}
	p.round, p.outcome = bandit.NewPull(p.from.Spec)
	return p.table.begin(in)
}

func (p *pulls) next(r *Row) error {
	if err := p.table.next(r); err != nil {
		return err
	}
	p.round.T = r.Number
	if err := p.env.Next(&p.round, &p.outcome); err != nil {
		return fmt.Errorf("row %d: its context: %w", r.Number, err)
	}
	if reward := p.outcome.Reward[r.Arm]; reward != r.Reward {
		return fmt.Errorf("row %d, column reward: %g, but arm %d has %g in the environment that the trial names: was the file changed?", r.Number, r.Reward, r.Arm, reward)
	}
	r.Available, r.Context, r.Arms, r.Means, r.Rewards = p.round.Available, p.round.Context, p.round.Arms, p.outcome.Mean, p.outcome.Reward
	return nil
}

func (p *pulls) spec() (bandit.Spec, []string, []int) {
	_, _, order := p.table.spec()
	return p.from.Spec, numbered(p.from.Spec.Dim), order
}
