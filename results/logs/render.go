package logs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/bandit/logged"
	"banditsim/internal/words"
	"banditsim/results/report"
)

// Report reports diagnostics and estimates. CSV has the estimates alone, JSON both, the estimates by clip and the description of the log.
func Report(s *Summary) report.Result {
	estimates := report.Data(estimateColumns, pointers(s.Lines))
	return report.Result{Sentences: s.Verdicts(), Tables: []report.Table{s.diagnosticTable(), s.estimateTable()}, Data: &estimates, Document: s.json()}
}

// table returns rows as text, without the columns that no row has.
func table[R any](columns report.Columns[R], rows []R, caption ...string) report.Table {
	return report.NewTable(columns, rows, caption...).Known()
}

func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

func (s *Summary) diagnosticTable() report.Table {
	d := s.Log.Description
	caption := append([]string{fmt.Sprintf("What %s can tell: %s, %s, smallest propensity %s", words.Plain(s.Log.Name()), words.Count(d.Rows, "row"), words.Count(len(d.Arms), "arm"), words.Amount(d.Least)), contextText(s.Log)}, s.training()...)
	return table(diagnosticColumns, pointers(s.Diagnostics), caption...)
}

// contextText says which columns of a log are its context, and which are not used.
func contextText(l *logged.Log) string {
	text := "context: none, policies see the number 1"
	if len(l.Context) > 0 {
		text = "context: " + words.Plain(words.Shorten(strings.Join(l.Context, ", "), 100))
	}
	if len(l.Ignored) > 0 {
		text += "; not used: " + words.Plain(words.Shorten(strings.Join(l.Ignored, ", "), 100))
	}
	return text
}

// trained reports whether a policy was trained on folds.
func (s *Summary) trained() bool {
	return slices.ContainsFunc(s.Diagnostics, func(d Diagnostic) bool { return d.Trained })
}

// training says how policies and models were trained.
func (s *Summary) training() []string {
	var lines []string
	o := s.Evaluation
	if !o.Replay && s.trained() {
		lines = append(lines, fmt.Sprintf("policies that learn: trained on %d of %d folds, frozen, evaluated on the fold that they have not seen; their intervals are %.1f times as wide, as folds are not independent", o.Folds-1, o.Folds, foldFactor(o.Folds)))
	}
	if o.Model != nil {
		lines = append(lines, fmt.Sprintf("model of rewards: trained on the other %d of %d folds", o.Folds-1, o.Folds))
	}
	for _, d := range s.Diagnostics {
		if d.Replay == nil {
			continue
		}
		how := "rejection sampling: a row is accepted with probability π(a|x)·p_min/p"
		if d.Replay.Uniform {
			how = "replay: a row is accepted where the policy takes the logged arm"
		}
		return append(lines, "policies that learn, by "+how)
	}
	return lines
}

// baseline returns what differences are from.
func (s *Summary) baseline() string {
	if s.Options.Baseline != "" {
		return words.Plain(s.Options.Baseline)
	}
	return fmt.Sprintf("what the log earned, %s", s.Log.Description.Reward)
}

func (s *Summary) estimateTable() report.Table {
	t := table(estimateColumns, pointers(s.Lines))
	name := map[Interval]string{StudentT: "t-interval", Bootstrap: "bootstrap-t interval", Bernstein: "empirical Bernstein interval (of IPS)",
		Sequence: "confidence sequence (of IPS)", Exact: "Clopper–Pearson interval of matched rows"}[s.Options.Interval]
	t.Caption = []string{
		fmt.Sprintf("Mean reward a pull by estimator, 95 %% %s", name),
		fmt.Sprintf("difference: from %s, paired by row; above 0 the policy is better", s.baseline()),
		fmt.Sprintf("p: two-sided t-test, corrected for %s (Holm); ~: not below 0.05; –: no verdict, or a bias", words.Count(s.Tests, "policy test")),
	}
	if s.Options.Interval == Sequence && s.Options.RangeGiven {
		t.Caption[0] += fmt.Sprintf(": holds at any stop for rewards from %g to %g", s.Options.Low, s.Options.High)
	}
	if a := s.Options.Against; a != nil {
		t.Caption = append(t.Caption, fmt.Sprintf("against: from what %s earned, %s", words.Plain(a.Name), a.Mean))
	}
	for _, w := range s.doubts() {
		t.Notes = append(t.Notes, "warning: "+w)
	}
	return t
}

// Warnings says what is wrong with the log or with what it can tell, in sentences.
func (s *Summary) Warnings() []string {
	var list []string
	for _, d := range s.Diagnostics {
		if against, cure := d.Reasons(); len(against) > 0 {
			list = append(list, fmt.Sprintf("no verdict on %s: %s: %s", words.Plain(d.Policy), strings.Join(against, "; "), cure))
		}
	}
	return append(list, s.doubts()...)
}

// doubts says what is wrong where there is a verdict, and with the log.
func (s *Summary) doubts() []string {
	var list []string
	for _, d := range s.Diagnostics {
		if against, _ := d.Reasons(); len(against) == 0 && d.Draws && d.Replay == nil {
			list = append(list, fmt.Sprintf("%s does not know its probabilities: it acted once in each row, which adds the noise of its draws", words.Plain(d.Policy)))
		}
	}
	for _, l := range s.Lines {
		if l.Verdict && l.Skewed && l.Estimator == s.preferred() {
			list = append(list, fmt.Sprintf("the terms of %s are skewed: its t-interval is too short on one side; see --interval bootstrap, bernstein or sequence", words.Plain(l.Policy)))
		}
	}
	return append(list, LogWarnings(s.Log)...)
}

// LogWarnings says what is wrong with a log.
func LogWarnings(l *logged.Log) []string {
	d := l.Description
	var list []string
	if d.Disordered > 0 {
		list = append(list, fmt.Sprintf("%s out of order, row %d the first: policies learn in the order of the file: sort it by time", words.Count(d.Disordered, "row"), d.FirstOut))
	}
	if off := math.Abs(d.Weight.Mean - 1); off > 4*d.Weight.StdErr && off > 0.01 {
		list = append(list, fmt.Sprintf("the mean of 1/(K·p) is %s, want 1: propensities are wrong, or some arms were not possible in some rows", d.Weight.WithError()))
	}
	if d.Duplicates > 0 {
		list = append(list, words.Count(d.Duplicates, "row")+" the same as another in all columns: drop them if rows were written twice")
	}
	return list
}

// preferred returns the estimator of verdicts: doubly robust, else self-normalized, else the first.
func (s *Summary) preferred() string {
	for _, name := range []string{"dr", "snips"} {
		for _, l := range s.Lines {
			if l.Estimator == name {
				return name
			}
		}
	}
	if len(s.Lines) == 0 {
		return ""
	}
	return s.Lines[0].Estimator
}

// Verdicts says in a sentence each what the policies would have earned, of those that have a verdict.
func (s *Summary) Verdicts() []string {
	var list []string
	for _, l := range s.Lines {
		if !l.Verdict || l.Estimator != s.preferred() && l.Estimator != replayName {
			continue
		}
		text := fmt.Sprintf("%s would have earned %s a pull (%s", words.Plain(l.Policy), l.Mean.MeanText(), l.Title)
		if l.Estimator == replayName {
			text = fmt.Sprintf("%s, learning from the first pull on, would have earned %s a pull in its first %s (%s", words.Plain(l.Policy), l.Mean.MeanText(), words.Count(l.Mean.N, "pull"), l.Title)
		}
		if l.Mean.HasInterval() {
			text += ", " + l.Mean.Interval()
		}
		text += ")"
		switch {
		case math.IsNaN(l.Holm):
		case l.Holm >= 0.05:
			text += fmt.Sprintf(": no difference from %s is significant, p %s", s.baseline(), words.PValue(l.Holm))
		case l.Difference.Mean > 0:
			text += fmt.Sprintf(": %s more than %s, p %s", l.Difference.MeanText(), s.baseline(), words.PValue(l.Holm))
		default:
			less := l.Difference
			less.Mean, less.Low, less.High = -less.Mean, -less.High, -less.Low
			text += fmt.Sprintf(": %s less than %s, p %s", less.MeanText(), s.baseline(), words.PValue(l.Holm))
		}
		list = append(list, text+".")
	}
	for _, d := range s.Diagnostics {
		if against, _ := d.Reasons(); len(against) > 0 {
			list = append(list, fmt.Sprintf("No verdict on %s: %s.%s", words.Plain(d.Policy), against[0], s.sure(d)))
		}
	}
	return list
}

// sure returns a sentence with an interval that holds at any number of rows, "" if there is none: exact, else empirical Bernstein.
func (s *Summary) sure(d Diagnostic) string {
	if d.Replay != nil || d.Wrong {
		return ""
	}
	text := ""
	for _, l := range s.Lines {
		if l.Policy != d.Policy {
			continue
		}
		if !math.IsNaN(l.Exact[0]) {
			return fmt.Sprintf(" What holds all the same, of %s with rewards of 0 or 1, is between %s a pull (exact, 95 %%).", words.Count(d.Used, "matched row"), between(l.Exact))
		}
		if !math.IsNaN(l.Bernstein[0]) {
			text = fmt.Sprintf(" What holds all the same, for rewards from %g to %g, is between %s a pull (empirical Bernstein, 95 %%).", s.Options.Low, s.Options.High, between(l.Bernstein))
		}
	}
	return text
}

// between returns the ends of an interval in words.
func between(ends [2]float64) string {
	return fmt.Sprintf("%s and %s", words.Amount(ends[0]), words.Amount(ends[1]))
}

// A document is the JSON of a summary.
type document struct {
	Log         string             `json:"log"`
	Format      string             `json:"format"`
	Context     []string           `json:"context"`
	Ignored     []string           `json:"not_used"`
	Description logged.Description `json:"description"`
	Baseline    string             `json:"baseline"` // "" is what the log earned
	Interval    Interval           `json:"interval"`
	RewardLow   words.Float        `json:"reward_low"`
	RewardHigh  words.Float        `json:"reward_high"`
	Folds       int                `json:"folds"`
	Trained     bool               `json:"trained"`
	Seed        uint64             `json:"seed"`
	Diagnostics any                `json:"diagnostics"`
	Estimates   any                `json:"estimates"`
	ByClip      any                `json:"by_clip"`
	Warnings    []string           `json:"warnings"`
	Verdicts    []string           `json:"verdicts"`
}

func (s *Summary) json() document {
	return document{Log: s.Log.Name(), Format: s.Log.Format, Context: append([]string{}, s.Log.Context...), Ignored: append([]string{}, s.Log.Ignored...), Description: s.Log.Description, Baseline: s.Options.Baseline, Interval: s.Options.Interval,
		RewardLow: words.Float(s.Options.Low), RewardHigh: words.Float(s.Options.High), Folds: s.Evaluation.Folds, Trained: !s.Evaluation.Replay, Seed: s.Evaluation.Seed,
		Diagnostics: report.Data(diagnosticColumns, pointers(s.Diagnostics)), Estimates: report.Data(estimateColumns, pointers(s.Lines)),
		ByClip: report.Data(clipColumns, pointers(s.Clips)), Warnings: append([]string{}, s.Warnings()...), Verdicts: append([]string{}, s.Verdicts()...)}
}
