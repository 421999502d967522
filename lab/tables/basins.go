package tables

import (
	"fmt"
	"io"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/deep"
)

// A BasinsResult has the records of the experiment on the basins of a network.
type BasinsResult struct {
	Identity deep.BasinsIdentity `json:"identity"`
	Records  []deep.BasinsRecord `json:"records"`
}

// basinsMeasures are of all chains of a record, or on average of a chain.
var basinsMeasures = []measure[deep.BasinsRecord]{
	{"negative", "M < 0", "share of steps with a multiplier below 0", "", func(r *deep.BasinsRecord) float64 { return r.Negative }},
	{"one", "M = 1", "share of steps with a multiplier of exactly 1", "", func(r *deep.BasinsRecord) float64 { return r.One }},
	{"low", "low", "share of steps at a low energy", "", func(r *deep.BasinsRecord) float64 { return r.Low }},
	{"high", "high", "share of steps at a high energy", "", func(r *deep.BasinsRecord) float64 { return r.High }},
	{"energy", "", "mean energy of the last tenth of the steps, per image", "nats", func(r *deep.BasinsRecord) float64 { return r.Energy }},
	{"falls", "", "passages of a chain from high energy to low", "", ofChain(func(c *deep.BasinsChain) int { return c.Falls })},
	{"escapes", "escapes", "passages of a chain from low energy to high", "", ofChain(func(c *deep.BasinsChain) int { return c.Escapes })},
	{"distinct", "distinct minima", "distinct minima to which snapshots of a chain descend", "", ofChain(func(c *deep.BasinsChain) int { return c.Distinct })},
	{"minima", "", "snapshots of a chain that descend to a low energy", "", ofChain(func(c *deep.BasinsChain) int { return c.Minima })},
	{"between", "", "median distance of minima of different chains", "", func(r *deep.BasinsRecord) float64 { return r.Between }},
	{"accuracy", "accuracy", "accuracy of the ends of descents on images held out", "", descentAccuracy},
}

// ofChain returns the mean of a count over the chains.
func ofChain(count func(*deep.BasinsChain) int) func(*deep.BasinsRecord) float64 {
	return func(r *deep.BasinsRecord) (mean float64) {
		for i := range r.Chains {
			mean += float64(count(&r.Chains[i])) / float64(len(r.Chains))
		}
		return mean
	}
}

func descentAccuracy(r *deep.BasinsRecord) (mean float64) {
	for _, c := range r.Chains {
		for _, d := range c.Descents {
			mean += d.Accuracy / float64(len(r.Chains)) / float64(len(c.Descents))
		}
	}
	return mean
}

func (r *BasinsResult) methods() []measured[deep.BasinsRecord] {
	return methodsOf(r.Records, func(r *deep.BasinsRecord) string { return r.Method }, basinsMeasures)
}

// basinsColumns are those of the methods.
var basinsColumns = append(report.Columns[measured[deep.BasinsRecord]]{
	{Name: "method", Header: "method", Doc: "name of the method", Exact: func(m measured[deep.BasinsRecord]) any { return m.name }},
	exactColumn("seeds", "number of seeds", func(m measured[deep.BasinsRecord]) any { return len(m.records) }),
}, measureColumns(basinsMeasures)...)

// Render writes the estimates of each method.
func (r *BasinsResult) Render(w io.Writer, f report.Format) error {
	o, methods := r.Identity.Options, r.methods()
	table := report.NewTable(basinsColumns, methods,
		fmt.Sprintf("mean and half of a 95 %% t-interval over %s; %s of %s each, on the classes 0 to 4 of %s (SHA-256 %.12s…)", words.Count(len(methods[0].records), "seed"),
			words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"), r.Identity.Data.Name, r.Identity.Data.SHA256),
		fmt.Sprintf("energy per image: low is at most %g nats, high at least %g; escapes: passages of a chain from low to high", o.Low, o.High),
		fmt.Sprintf("distinct minima: where %s of each chain descend to whose predictions differ by at least %g in total variation", words.Count(o.Snapshots, "snapshot"), o.Distance),
	)
	return report.Result{Tables: []report.Table{table}, Document: struct {
		Identity any          `json:"identity"`
		Methods  report.Table `json:"methods"`
	}{r.Identity, table}}.Render(w, f)
}

// basinsRows are the columns of basins.csv.
var basinsRows = append(report.Columns[deep.BasinsRecord]{
	exactColumn("method", "", func(r deep.BasinsRecord) any { return r.Method }),
	exactColumn("seed", "", func(r deep.BasinsRecord) any { return r.Seed }),
}, rowColumns(basinsMeasures)...)

// Write writes all numbers to dir: basins.json, and the measures of each record as basins.csv. It returns the paths.
func (r *BasinsResult) Write(dir string) ([]string, error) {
	return writeNumbers(dir, "basins", r, report.Data(basinsRows, r.Records).CSV)
}
