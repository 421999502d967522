package export

import (
	"slices"

	"banditsim/results"
)

// writeRows writes a row for each round of a trial. arms are those of all sets, and row has room for
// all cells: those that are the same in all rounds are filled in once.
func writeRows(out rowWriter, row []cell, conditions results.Conditions, p results.PolicyRecords, rec results.Record, arms []string) error {
	env, afterBurnIn := conditions.Environment, conditions.Protocol.AfterBurnIn()
	constant := []cell{
		{text: rec.ID()}, {text: env.Name}, {text: env.Data.Name}, {text: env.Data.SHA256}, truth(env.Data.Replica), {whole: uint64(conditions.Epoch)},
		{text: p.Label}, {text: p.Policy.Name}, {text: string(p.Policy.Options)},
		{whole: rec.Seed}, truth(rec.Totals.Failure != nil),
	}
	place := make([]int, len(env.Arms)) // index among arms of the environment's
	for i, arm := range env.Arms {
		place[i] = slices.Index(arms, arm)
	}
	copy(row, constant)
	var realised, expected float64 // so far
	for r, err := range rec.Rounds() {
		if err != nil {
			return err
		}
		realised, expected = realised+r.Realised, expected+r.Expected
		rest := append(row[:len(constant)],
			cell{whole: uint64(r.Round)}, truth(r.Round >= afterBurnIn),
			cell{float: r.Realised}, cell{float: r.Expected}, cell{float: realised}, cell{float: expected})
		first := len(rest)
		for range arms {
			rest = append(rest, cell{null: true})
		}
		for i, pulls := range r.Arms {
			rest[first+place[i]] = cell{whole: uint64(pulls)}
		}
		rest = append(rest, cell{whole: uint64(len(r.Wrong))}, cell{whole: uint64(len(r.Energy))})
		rest = append(append(rest, meanEnergy(r), weightESS(r)), multiplierRange(r)...)
		if err := out.write(rest); err != nil {
			return err
		}
	}
	return nil
}

// truth returns the cell of a bool.
func truth(b bool) cell {
	if b {
		return cell{whole: 1}
	}
	return cell{}
}

func meanEnergy(r *results.Round) cell {
	if len(r.Energy) == 0 {
		return cell{null: true}
	}
	sum := 0.0
	for _, v := range r.Energy {
		sum += float64(v)
	}
	return cell{float: sum / float64(len(r.Energy))}
}

func weightESS(r *results.Round) cell {
	return cell{null: r.ESS == 0, float: float64(r.ESS)}
}

// multiplierRange returns the lowest, the mean and the highest over the chains; NaN if one is NaN.
func multiplierRange(r *results.Round) []cell {
	if len(r.Multiplier) == 0 {
		return []cell{{null: true}, {null: true}, {null: true}}
	}
	low, sum, high := r.Multiplier[0][0], results.Number(0), r.Multiplier[0][2]
	for _, m := range r.Multiplier {
		low, sum, high = min(low, m[0]), sum+m[1], max(high, m[2])
	}
	return []cell{{float: float64(low)}, {float: float64(sum) / float64(len(r.Multiplier))}, {float: float64(high)}}
}
