package results

import (
	"slices"
)

// An exported is a trial on its way out.
type exported struct {
	set    *Set
	policy PolicyRecords
	trial  Record
	arms   []string // of all sets
}

// rows writes the trial's rounds. What is the same in all of them is filled into row once.
func (e *exported) rows(out rowWriter, row []cell) error {
	setting, totals := e.set.Conditions, e.trial.Totals
	env := setting.Environment
	constant := []cell{
		{text: e.trial.ID()}, {text: env.Name}, {text: env.Data.Name}, {text: env.Data.SHA256}, truth(env.Data.Replica), {whole: uint64(setting.Epoch)},
		{text: e.policy.Label}, {text: e.policy.Policy.Name}, {text: string(e.policy.Policy.Options)},
		{whole: e.trial.Seed}, truth(totals.Failure != nil),
	}
	columnOf := make([]int, len(env.Arms)) // of an arm's pulls, among the arms
	for i, arm := range env.Arms {
		columnOf[i] = slices.Index(e.arms, arm)
	}
	copy(row, constant)
	var realised, expected float64 // so far
	for r, err := range e.trial.Rounds() {
		if err != nil {
			return err
		}
		realised, expected = realised+r.Realised, expected+r.Expected
		rest := append(row[:len(constant)],
			cell{whole: uint64(r.Round)}, truth(r.Round >= setting.Protocol.AfterBurnIn()),
			cell{float: r.Realised}, cell{float: r.Expected}, cell{float: realised}, cell{float: expected})
		first := len(rest)
		for range e.arms {
			rest = append(rest, cell{null: true})
		}
		for i, pulls := range r.Arms {
			rest[first+columnOf[i]] = cell{whole: uint64(pulls)}
		}
		rest = append(rest, cell{whole: uint64(len(r.Wrong))}, cell{whole: uint64(len(r.Energy))})
		rest = append(append(rest, meanEnergy(r), weightESS(r)), multiplierRange(r)...)
		if err := out.write(rest); err != nil {
			return err
		}
	}
	return nil
}

func truth(b bool) cell {
	if b {
		return cell{whole: 1}
	}
	return cell{}
}

func meanEnergy(r *Round) cell {
	if len(r.Energy) == 0 {
		return cell{null: true}
	}
	sum := 0.0
	for _, v := range r.Energy {
		sum += float64(v)
	}
	return cell{float: sum / float64(len(r.Energy))}
}

func weightESS(r *Round) cell {
	return cell{null: r.ESS == 0, float: float64(r.ESS)}
}

// multiplierRange is the lowest, the mean and the highest over the chains. NaN prevails.
func multiplierRange(r *Round) []cell {
	if len(r.Multiplier) == 0 {
		return []cell{{null: true}, {null: true}, {null: true}}
	}
	low, sum, high := r.Multiplier[0][0], Number(0), r.Multiplier[0][2]
	for _, m := range r.Multiplier {
		low, sum, high = min(low, m[0]), sum+m[1], max(high, m[2])
	}
	return []cell{{float: float64(low)}, {float: float64(sum) / float64(len(r.Multiplier))}, {float: float64(high)}}
}
