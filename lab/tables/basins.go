package tables

import (
	"slices"

	"banditsim/lab/deep"
	"banditsim/results/stats"
)

// A BasinsResult has the records of the experiment on the basins of a network.
type BasinsResult struct {
	Identity deep.BasinsIdentity `json:"identity"`
	Records  []deep.BasinsRecord `json:"records"`
}

// A BasinsRow is one seed of a method: of all its chains, or on average of a chain.
type BasinsRow struct {
	Method   string
	Seed     uint64
	Negative float64 // share of steps with a multiplier below 0
	One      float64 // share of steps with a multiplier of exactly 1
	Low      float64 // share of steps at a low energy
	High     float64 // share of steps at a high energy
	Energy   float64 // mean of the last tenth of the steps, per image
	Falls    float64 // passages of a chain from high energy to low
	Escapes  float64 // passages of a chain from low energy to high
	Distinct float64 // distinct minima to which snapshots of a chain descend
	Minima   float64 // snapshots of a chain that descend to a low energy
	Between  float64 // median distance of minima of different chains
	Accuracy float64 // of the ends of descents, on images held out
}

// Rows returns the rows of all records.
func (r *BasinsResult) Rows() []BasinsRow {
	var rows []BasinsRow
	for _, rec := range r.Records {
		row := BasinsRow{Method: rec.Method, Seed: rec.Seed, Negative: rec.Negative, One: rec.One, Low: rec.Low, High: rec.High, Energy: rec.Energy, Between: rec.Between}
		n := float64(len(rec.Chains))
		for _, c := range rec.Chains {
			row.Falls += float64(c.Falls) / n
			row.Escapes += float64(c.Escapes) / n
			row.Distinct += float64(c.Distinct) / n
			row.Minima += float64(c.Minima) / n
			for _, d := range c.Descents {
				row.Accuracy += d.Accuracy / n / float64(len(c.Descents))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// A BasinsMethod is a method over its seeds.
type BasinsMethod struct {
	Name                                                                                  string
	Negative, One, Low, High, Energy, Falls, Escapes, Distinct, Minima, Between, Accuracy stats.Estimate
}

// A BasinsSummary summarizes the experiment.
type BasinsSummary struct {
	Identity deep.BasinsIdentity
	Methods  []BasinsMethod
}

// SummarizeBasins summarizes the experiment over its seeds.
func SummarizeBasins(r *BasinsResult) *BasinsSummary {
	return &BasinsSummary{r.Identity, summarizeRows(r.Rows())}
}

func summarizeRows(rows []BasinsRow) []BasinsMethod {
	var methods []BasinsMethod
	for _, row := range rows {
		if slices.ContainsFunc(methods, func(m BasinsMethod) bool { return m.Name == row.Method }) {
			continue
		}
		over := func(get func(BasinsRow) float64) stats.Estimate {
			var values []float64
			for _, r := range rows {
				if r.Method == row.Method {
					values = append(values, get(r))
				}
			}
			return stats.NewEstimate(values)
		}
		methods = append(methods, BasinsMethod{
			Name:     row.Method,
			Negative: over(func(r BasinsRow) float64 { return r.Negative }),
			One:      over(func(r BasinsRow) float64 { return r.One }),
			Low:      over(func(r BasinsRow) float64 { return r.Low }),
			High:     over(func(r BasinsRow) float64 { return r.High }),
			Energy:   over(func(r BasinsRow) float64 { return r.Energy }),
			Falls:    over(func(r BasinsRow) float64 { return r.Falls }),
			Escapes:  over(func(r BasinsRow) float64 { return r.Escapes }),
			Distinct: over(func(r BasinsRow) float64 { return r.Distinct }),
			Minima:   over(func(r BasinsRow) float64 { return r.Minima }),
			Between:  over(func(r BasinsRow) float64 { return r.Between }),
			Accuracy: over(func(r BasinsRow) float64 { return r.Accuracy }),
		})
	}
	return methods
}
