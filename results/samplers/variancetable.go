package samplers

import (
	"fmt"
	"io"
	"strconv"

	"banditsim/internal/words"
	"banditsim/posterior/simulation"
	"banditsim/results/report"
)

// Render writes the summary.
func (s *VarianceSummary) Render(w io.Writer, f report.Format) error {
	return report.Render(w, f, s.table, s.sheet, s)
}

func (s *VarianceSummary) table() report.Table {
	o := s.Options
	many, one := s.names()
	t := report.Table{
		Caption: []string{
			fmt.Sprintf("θ at the end, mean ± two standard deviations over %s; variance ratio with a 95 %% bootstrap interval", words.Count(o.Repeats, "repeat")),
			fmt.Sprintf("%s: %s of %s; %s: one of %s; ε = %g; truth: θ* at the limit of small steps", many,
				words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"), one, words.Int(o.Steps*o.Chains), o.LearningRate),
		},
		Header: []string{"bin", "energy up to", "mass", "truth"},
	}
	atStep := s.atStepBins() > 0
	if atStep {
		t.Header = append(t.Header, s.atStep())
	}
	t.Header = append(t.Header, many, one, "variance ratio", "95 % interval")
	for _, b := range s.Bins {
		row := []string{strconv.Itoa(b.Bin), strconv.FormatFloat(b.High, 'f', 2, 64), significant(b.Mass), significant(b.Truth)}
		switch {
		case b.AtStep != nil:
			row = append(row, significant(*b.AtStep))
		case atStep:
			row = append(row, words.None)
		}
		t.Rows = append(t.Rows, append(row, b.Interacting.text(), b.Single.text(), words.Amount(b.Ratio.Value), b.Ratio.interval()))
	}
	t.Notes = []string{
		s.atStepNote(),
		fmt.Sprintf("bins 1–%d, geometric mean: variance ratio %s, interval %s; theory: %s", pooledBins, words.Amount(s.Pooled.Value), s.Pooled.interval(), words.Amount(s.Theory)),
	}
	if s.Clock != "" {
		t.Notes = append(t.Notes, fmt.Sprintf("seconds of a run, median %s: %s %s, %s %s", s.Clock, many, words.Amount(s.InteractingSeconds), one, words.Amount(s.SingleSeconds)))
	}
	return t
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

func (s *VarianceSummary) sheet() report.Sheet {
	out := report.Sheet{Header: []string{"bin", "low", "high", "mass", "truth", "at_step", "interacting_mean", "interacting_sd", "single_mean", "single_sd", "ratio", "ratio_low", "ratio_high", "repeats", "theory"}}
	tail := []string{strconv.Itoa(s.Options.Repeats), words.Exact(s.Theory)}
	for _, b := range s.Bins {
		atStep := ""
		if b.AtStep != nil {
			atStep = words.Exact(*b.AtStep)
		}
		row := append([]string{strconv.Itoa(b.Bin)}, report.Cells(b.Low, b.High, b.Mass, b.Truth)...)
		row = append(append(row, atStep), report.Cells(b.Interacting.Mean, b.Interacting.SD, b.Single.Mean, b.Single.SD, b.Ratio.Value, b.Ratio.Low, b.Ratio.High)...)
		out.Rows = append(out.Rows, append(row, tail...))
	}
	pooled := append(make([]string, 10), report.Cells(s.Pooled.Value, s.Pooled.Low, s.Pooled.High)...)
	pooled[0] = "pooled"
	out.Rows = append(out.Rows, append(pooled, tail...))
	return out
}

// WriteVariance writes all numbers of the experiment to dir: variance.json, and θ of all runs at all
// their points as variance.csv. It returns the paths.
func WriteVariance(dir string, r *simulation.VarianceResult) ([]string, error) {
	s := report.Sheet{Header: []string{"method", "repeat", "evaluations", "bin", "theta"}}
	for _, m := range []simulation.VarianceMethod{r.Interacting, r.Single} {
		for i, run := range m.Runs {
			for k, theta := range run.Theta {
				for bin, v := range theta {
					s.Rows = append(s.Rows, []string{m.Name, strconv.Itoa(i + 1), strconv.Itoa(run.Evaluations[k]), strconv.Itoa(bin + 1), words.Exact(v)})
				}
			}
		}
	}
	return writeNumbers(dir, "variance", r, s)
}
