package tables

import (
	"fmt"
	"io"
	"strconv"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/simulation"
)

// Render writes the summary.
func (s *VarianceSummary) Render(w io.Writer, f report.Format) error {
	data := report.Data(s.columns(), append(s.rows(), varianceRow{ratio: s.Pooled}))
	return report.Result{Tables: []report.Table{s.table()}, Data: &data, Document: s.json()}.Render(w, f)
}

func (s *VarianceSummary) table() report.Table {
	o := s.Options
	many, one := s.names()
	t := report.NewTable(s.columns(), s.rows(),
		fmt.Sprintf("θ at the end, mean ± two standard deviations over %s; variance ratio with a 95 %% bootstrap interval", words.Count(o.Repeats, "repeat")),
		fmt.Sprintf("%s: %s of %s; %s: one of %s; ε = %g; truth: θ* at the limit of small steps", many,
			words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"), one, words.Int(o.Steps*o.Chains), o.LearningRate),
	)
	t.Notes = []string{
		s.atStepNote(),
		fmt.Sprintf("bins 1–%d, geometric mean: variance ratio %s, interval %s; theory: %s", pooledBins, words.Amount(s.Pooled.Value), s.Pooled.interval(), words.Amount(s.Theory)),
	}
	if s.Clock != "" {
		t.Notes = append(t.Notes, fmt.Sprintf("seconds of a run, median %s: %s %s, %s %s", s.Clock, many, words.Amount(s.InteractingSeconds), one, words.Amount(s.SingleSeconds)))
	}
	return t
}

// A varianceRow is a bin, or the pooled ratio in CSV.
type varianceRow struct {
	*VarianceBin // nil for the pooled ratio
	ratio        Ratio
}

func (s *VarianceSummary) rows() []varianceRow {
	var rows []varianceRow
	for i := range s.Bins {
		b := &s.Bins[i]
		rows = append(rows, varianceRow{b, b.Ratio})
	}
	return rows
}

// columns returns the columns of the bins.
func (s *VarianceSummary) columns() report.Columns[varianceRow] {
	many, one := s.names()
	bin := func(exact func(*VarianceBin) any) func(varianceRow) any {
		return func(r varianceRow) any {
			if r.VarianceBin == nil {
				return nil
			}
			return exact(r.VarianceBin)
		}
	}
	atStep := report.Column[varianceRow]{Name: "at_step", Doc: "θ at which the chain of the step ε is in all bins for the same time", Exact: bin(func(b *VarianceBin) any {
		if b.AtStep == nil {
			return nil
		}
		return *b.AtStep
	})}
	if s.atStepBins() > 0 {
		atStep.Header, atStep.Text = s.atStep(), atStepText
	}
	l := report.Columns[varianceRow]{
		{Name: "bin", Header: "bin", Doc: "number of the bin of energies, from 1; in CSV a last row has the pooled ratio", Text: func(r varianceRow) string { return strconv.Itoa(r.Bin) },
			Exact: func(r varianceRow) any {
				if r.VarianceBin == nil {
					return "pooled"
				}
				return r.Bin
			}},
		{Name: "low", Doc: "energies above this", Exact: bin(func(b *VarianceBin) any { return b.Low })},
		{Name: "high", Header: "energy up to", Doc: "energies up to this", Text: func(r varianceRow) string { return strconv.FormatFloat(r.High, 'f', 2, 64) },
			Exact: bin(func(b *VarianceBin) any { return b.High })},
		{Name: "mass", Header: "mass", Doc: "probability of the bin", Text: func(r varianceRow) string { return significant(r.Mass) }, Exact: bin(func(b *VarianceBin) any { return b.Mass })},
		{Name: "truth", Header: "truth", Doc: "θ* at the limit of small steps", Text: func(r varianceRow) string { return significant(r.Truth) }, Exact: bin(func(b *VarianceBin) any { return b.Truth })},
		atStep,
	}
	l = append(l, spreadColumns("interacting", many, func(b *VarianceBin) Spread { return b.Interacting }, bin)...)
	l = append(l, spreadColumns("single", one, func(b *VarianceBin) Spread { return b.Single }, bin)...)
	return append(l, report.Columns[varianceRow]{
		{Name: "ratio", Header: "variance ratio", Doc: "variance of the single chain over that of the interacting ones; in JSON an object with its interval",
			Text: func(r varianceRow) string { return words.Amount(r.ratio.Value) }, Exact: func(r varianceRow) any { return r.ratio.Value }, JSON: func(r varianceRow) any { return r.ratio }},
		{Name: "ratio_low", Header: "95 % interval", Doc: "its bootstrap interval: lower end", Flat: true,
			Text: func(r varianceRow) string { return r.ratio.interval() }, Exact: func(r varianceRow) any { return r.ratio.Low }},
		{Name: "ratio_high", Doc: "upper end", Flat: true, Exact: func(r varianceRow) any { return r.ratio.High }},
		{Name: "repeats", Doc: "number of repeats", Flat: true, Exact: func(varianceRow) any { return s.Options.Repeats }},
		{Name: "theory", Doc: "limit of the ratio", Flat: true, Exact: func(varianceRow) any { return s.Theory }},
	}...)
}

// spreadColumns returns those of θ by one method.
func spreadColumns(name, header string, of func(*VarianceBin) Spread, bin func(func(*VarianceBin) any) func(varianceRow) any) report.Columns[varianceRow] {
	return report.Columns[varianceRow]{
		{Name: name, JSON: func(r varianceRow) any { return of(r.VarianceBin) }},
		{Name: name + "_mean", Header: header, Doc: "θ at the end, mean over the repeats; in text ± two standard deviations", Flat: true,
			Text: func(r varianceRow) string { return of(r.VarianceBin).text() }, Exact: bin(func(b *VarianceBin) any { return of(b).Mean })},
		{Name: name + "_sd", Doc: "standard deviation over the repeats", Flat: true, Exact: bin(func(b *VarianceBin) any { return of(b).SD })},
	}
}

func atStepText(r varianceRow) string {
	if r.AtStep == nil {
		return words.None
	}
	return significant(*r.AtStep)
}

// json returns the summary as JSON has it.
func (s *VarianceSummary) json() any {
	return struct {
		Options            simulation.VarianceOptions `json:"options"`
		Clock              string                     `json:"clock"`
		Bins               report.Table               `json:"bins"`
		Pooled             Ratio                      `json:"pooled"`
		Theory             float64                    `json:"theory"`
		InteractingSeconds float64                    `json:"interacting_seconds"`
		SingleSeconds      float64                    `json:"single_seconds"`
	}{s.Options, s.Clock, report.NewTable(s.columns(), s.rows()), s.Pooled, s.Theory, s.InteractingSeconds, s.SingleSeconds}
}

// atStep returns the name of θ at the finite step.
func (s *VarianceSummary) atStep() string { return fmt.Sprintf("at ε = %g", s.Options.LearningRate) }

// atStepBins returns the number of first bins that have θ at the finite step.
func (s *VarianceSummary) atStepBins() int {
	n := 0
	for n < len(s.Bins) && s.Bins[n].AtStep != nil {
		n++
	}
	return n
}

// atStepNote explains θ at the finite step, or why it is left out.
func (s *VarianceSummary) atStepNote() string {
	const what = ": θ at which the chain of that step is in all bins for the same time"
	switch n := s.atStepBins(); {
	case n == 0 && s.Options.LearningRate < simulation.AtStepLeast:
		return s.atStep() + what + fmt.Sprintf(", is left out: below ε = %g it takes too long, and is within 2 %% of the truth", simulation.AtStepLeast)
	case n == 0:
		return s.atStep() + what + ", is left out: none was found at so large a step"
	case n < len(s.Bins):
		return s.atStep() + what + "; " + words.None + ": it would depend on the ends of the bins"
	}
	return s.atStep() + what
}

// names returns the paper's names of the methods, such as ICSGLD×P10 and CSGLD×T10.
func (s *VarianceSummary) names() (many, one string) {
	return fmt.Sprintf("ICSGLD×P%d", s.Options.Chains), fmt.Sprintf("CSGLD×T%d", s.Options.Chains)
}

// text returns the mean and two standard deviations as 0.0643 ± 0.0031.
func (s Spread) text() string { return significant(s.Mean) + " ± " + significant(2*s.SD) }

func (r Ratio) interval() string {
	if !words.Finite(r.Low) || !words.Finite(r.High) {
		return words.None
	}
	return "[" + words.Amount(r.Low) + ", " + words.Amount(r.High) + "]"
}

// significant returns v with three significant digits.
func significant(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// WriteVariance writes all numbers of the experiment to dir: variance.json, and θ of all runs at all
// their points as variance.csv. It returns the paths.
func WriteVariance(dir string, r *simulation.VarianceResult) ([]string, error) {
	var points []variancePoint
	for _, m := range []simulation.VarianceMethod{r.Interacting, r.Single} {
		for i, run := range m.Runs {
			for k, theta := range run.Theta {
				for bin, v := range theta {
					points = append(points, variancePoint{m.Name, i + 1, run.Evaluations[k], bin + 1, v})
				}
			}
		}
	}
	return writeNumbers(dir, "variance", r, report.Data(variancePoints, points).CSV)
}

// A variancePoint is θ of one bin at one point of a run.
type variancePoint struct {
	method                   string
	repeat, evaluations, bin int // repeat and bin from 1
	theta                    float64
}

var variancePoints = report.Columns[variancePoint]{
	{Name: "method", Exact: func(p variancePoint) any { return p.method }},
	{Name: "repeat", Exact: func(p variancePoint) any { return p.repeat }},
	{Name: "evaluations", Exact: func(p variancePoint) any { return p.evaluations }},
	{Name: "bin", Exact: func(p variancePoint) any { return p.bin }},
	{Name: "theta", Exact: func(p variancePoint) any { return p.theta }},
}
