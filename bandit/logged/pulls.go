package logged

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
)

// pulls reads the pulls of one trial, as 'run --record pulls' writes them. The file has no contexts: the environment draws
// them once more.
type pulls struct {
	*table
	from    Simulated
	env     bandit.Environment
	round   bandit.Round
	outcome bandit.Outcome
}

func newPulls(path string, o ReadOptions) (format, error) {
	header := strings.Split(pullsHeader, ",")
	own := ReadOptions{Arm: "arm", Reward: "reward", Propensity: "propensity", Duplicates: o.Duplicates}
	if o.Pulls == nil {
		return newTable("pulls of a trial, without their contexts", path, header, fromCSV, o.or(own))
	}
	own.Arms = nil
	for i := range o.Pulls.Spec.Arms {
		own.Arms = append(own.Arms, strconv.Itoa(i))
	}
	c, err := newTable("pulls of a trial", path, header, fromCSV, own)
	if err != nil {
		return nil, err
	}
	return &pulls{table: c, from: *o.Pulls}, nil
}

func (p *pulls) begin(in io.Reader, learn bool) error {
	env, err := p.from.New()
	if err != nil {
		return err
	}
	spec := p.from.Spec
	p.env = env
	p.round = bandit.Round{Context: make([]float32, spec.Dim)}
	if spec.ArmDim > 0 {
		for range spec.Arms {
			p.round.Arms = append(p.round.Arms, make([]float32, spec.ArmDim))
		}
	}
	p.outcome = bandit.Outcome{Reward: make([]float64, len(spec.Arms)), Mean: make([]float64, len(spec.Arms))}
	return p.table.begin(in, learn)
}

func (p *pulls) next(r *Row) error {
	if err := p.table.next(r); err != nil {
		return err
	}
	if p.learn {
		return nil
	}
	p.round.T = r.Number
	if err := p.env.Next(&p.round, &p.outcome); err != nil {
		return fmt.Errorf("row %d: its context: %w", r.Number, err)
	}
	if reward := p.outcome.Reward[r.Arm]; reward != r.Reward {
		return fmt.Errorf("row %d, column reward: %g, but arm %d has %g in the environment that the trial names: was the file changed?", r.Number, r.Reward, r.Arm, reward)
	}
	r.Context, r.Arms, r.Means, r.Rewards = p.round.Context, p.round.Arms, p.outcome.Mean, p.outcome.Reward
	return nil
}

func (p *pulls) spec() (bandit.Spec, []string, []int) {
	_, _, order := p.table.spec()
	var columns []string
	for i := range p.from.Spec.Dim {
		columns = append(columns, fmt.Sprintf("x%d", i+1))
	}
	spec := p.from.Spec
	spec.Arms = slices.Clone(spec.Arms)
	return spec, columns, order
}
