// Package logs shows what a log of pulls says about policies other than the one that wrote it: diagnostics first, then
// estimates with their intervals, as text, Markdown, CSV, JSON, figures and a page.
package logs

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"banditsim/bandit/logged"
	"banditsim/internal/report"
	"banditsim/internal/words"
)

// Report reports diagnostics and estimates. CSV has estimates only; JSON adds those by clip and the log's description.
func Report(s *logged.Evaluation) report.Result {
	estimates, l, o, verdicts := report.Data(estimateColumns, s.Estimates), s.Log, s.Options, Verdicts(s)
	return report.Result{Sentences: verdicts, Tables: []report.Table{diagnosticTable(s), estimateTable(s)}, Data: &estimates, Document: struct {
		Log         string             `json:"log"`
		Format      string             `json:"format"`
		Context     []string           `json:"context"`
		Ignored     []string           `json:"not_used"`
		Description logged.Description `json:"description"`
		Baseline    string             `json:"baseline"` // "" is what the log earned
		Interval    string             `json:"interval"`
		RewardLow   words.Float        `json:"reward_low"`
		RewardHigh  words.Float        `json:"reward_high"`
		Folds       int                `json:"folds"`
		Trained     bool               `json:"trained"`
		Seed        uint64             `json:"seed"`
		Diagnostics report.Table       `json:"diagnostics"`
		Estimates   report.Table       `json:"estimates"`
		ByClip      report.Table       `json:"by_clip"`
		Warnings    []string           `json:"warnings"`
		Verdicts    []string           `json:"verdicts"`
	}{
		l.Name(), l.Format, append([]string{}, l.Context...), append([]string{}, l.Ignored...), l.Description, o.Baseline, o.Interval,
		words.Float(s.Low), words.Float(s.High), o.Folds, !o.Replay, o.Seed, report.Data(diagnosticColumns, s.Diagnostics), estimates,
		report.Data(clipColumns, s.Clips), append([]string{}, Warnings(s)...), append([]string{}, verdicts...),
	}}
}

// table returns a table of rows, without the columns that are empty in every row.
func table[R any](columns report.Columns[R], rows []R, caption ...string) report.Table {
	return report.NewTable(columns, rows, caption...).Known()
}

func diagnosticTable(s *logged.Evaluation) report.Table {
	d := s.Log.Description
	caption := append([]string{fmt.Sprintf("What %s can tell: %s, %s, smallest propensity %s", words.Plain(s.Log.Name()), words.Count(d.Rows, "row"), words.Count(len(d.Arms), "arm"), words.Amount(float64(d.Least))), contextText(s.Log)}, append(estimated(s.Log), training(s)...)...)
	return table(diagnosticColumns, s.Diagnostics, caption...)
}

// contextText describes which columns of a log are its context, and which are not used.
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

// estimated says how the propensities were estimated, and how they agree with the pulls; nil if they were recorded.
func estimated(l *logged.Log) []string {
	var list []string
	for _, b := range l.Description.Calibration {
		list = append(list, fmt.Sprintf("%.2g → %.2g", b.Estimated, b.Pulled))
	}
	if list == nil {
		return nil
	}
	return []string{"propensities: estimated by multinomial logistic regression of the arm on the context, of each row from the other 4 of 5 folds",
		"calibration, mean probability of an arm → share pulled: " + strings.Join(list, ", ")}
}

// training says how policies and models were trained.
func training(s *logged.Evaluation) []string {
	var lines []string
	o := s.Options
	if !o.Replay && slices.ContainsFunc(s.Diagnostics, func(d logged.Diagnostics) bool { return d.Trained }) {
		lines = append(lines, fmt.Sprintf("policies that learn: trained on %d of %d folds, frozen, evaluated on the fold that they have not seen; their intervals are %.1f times as wide, as folds are not independent", o.Folds-1, o.Folds, s.FoldFactor))
	}
	if o.Model != nil {
		lines = append(lines, fmt.Sprintf("model of rewards: trained on the other %d of %d folds", o.Folds-1, o.Folds))
	}
	if slices.ContainsFunc(s.Diagnostics, func(d logged.Diagnostics) bool { return d.Replay }) {
		how := "rejection sampling: a row is accepted with probability π(a|x)·p_min/p"
		if s.Log.Description.Uniform {
			how = "replay: a row is accepted where the policy takes the logged arm"
		}
		lines = append(lines, "policies that learn, by "+how)
	}
	return lines
}

func baseline(s *logged.Evaluation) string {
	if s.Options.Baseline != "" {
		return words.Plain(s.Options.Baseline)
	}
	return fmt.Sprintf("what the log earned, %s", s.Log.Description.Reward)
}

func estimateTable(s *logged.Evaluation) report.Table {
	t := table(estimateColumns, s.Estimates)
	t.Caption = []string{
		fmt.Sprintf("Mean reward a pull by estimator, 95 %% %s", s.Interval),
		fmt.Sprintf("difference: from %s, paired by row; above 0 the policy is better", baseline(s)),
		fmt.Sprintf("p: two-sided t-test, corrected for %s (Holm); ~: not below 0.05; –: no verdict, or a bias", words.Count(s.Tests, "policy test")),
	}
	if s.AnyStop {
		t.Caption[0] += fmt.Sprintf(": holds at any stop for rewards from %g to %g", s.Options.Low, s.Options.High)
	}
	if a := s.Options.Against; a != nil {
		t.Caption = append(t.Caption, fmt.Sprintf("against: from what %s earned, %s", words.Plain(a.Name), a.Mean))
	}
	for _, w := range doubts(s) {
		t.Notes = append(t.Notes, "warning: "+w)
	}
	return t
}

// Warnings returns sentences on what is wrong with the log and its estimates, and on why policies have no verdict.
func Warnings(s *logged.Evaluation) []string {
	var list []string
	for _, d := range s.Diagnostics {
		if !d.Verdict() {
			list = append(list, fmt.Sprintf("no verdict on %s: %s: %s", words.Plain(d.Policy), strings.Join(d.Against, "; "), d.Cure))
		}
	}
	return append(list, doubts(s)...)
}

// doubts returns what is wrong with the log, and with estimates that have a verdict.
func doubts(s *logged.Evaluation) []string {
	var list []string
	for _, d := range s.Diagnostics {
		if d.Verdict() && d.Draws && !d.Replay {
			list = append(list, fmt.Sprintf("%s does not know its probabilities: it acted once in each row, which adds the noise of its draws", words.Plain(d.Policy)))
		}
	}
	for _, l := range s.Estimates {
		if l.Verdict && l.Skewed && l.Estimator == s.Preferred() {
			list = append(list, fmt.Sprintf("the terms of %s are skewed: its t-interval is too short on one side; see --interval bootstrap, bernstein or sequence", words.Plain(l.Policy)))
		}
	}
	if s.Log.Description.Calibration != nil && s.Options.Model == nil {
		list = append(list, "without a model of rewards all rests on the estimated propensities: leave --model none out")
	}
	return append(list, LogWarnings(s.Log)...)
}

// LogWarnings returns what is wrong with a log, in sentences.
func LogWarnings(l *logged.Log) []string {
	d := l.Description
	var list []string
	if d.Calibration != nil {
		list = append(list, "propensities are estimates: no estimate repairs what was not recorded. What chose the arms, moves the rewards and is not in the context biases every number here")
	}
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

// Verdicts returns a sentence for each policy: what it would have earned, or why there is no verdict.
func Verdicts(s *logged.Evaluation) []string {
	var list []string
	for _, l := range s.Estimates {
		if !l.Verdict || l.Estimator != s.Preferred() && l.Estimator != logged.ByReplay {
			continue
		}
		text := fmt.Sprintf("%s would have earned %s a pull (%s", words.Plain(l.Policy), l.Mean.MeanText(), l.Title)
		if l.Estimator == logged.ByReplay {
			text = fmt.Sprintf("%s, learning from the first pull on, would have earned %s a pull in its first %s (%s", words.Plain(l.Policy), l.Mean.MeanText(), words.Count(l.Mean.N, "pull"), l.Title)
		}
		if l.Mean.HasInterval() {
			text += ", " + l.Mean.Interval()
		}
		text += ")"
		switch {
		case math.IsNaN(l.Holm):
		case l.Holm >= 0.05:
			text += fmt.Sprintf(": no difference from %s is significant, p %s", baseline(s), words.PValue(l.Holm))
		case l.Difference.Mean > 0:
			text += fmt.Sprintf(": %s more than %s, p %s", l.Difference.MeanText(), baseline(s), words.PValue(l.Holm))
		default:
			less := l.Difference
			less.Mean, less.Low, less.High = -less.Mean, -less.High, -less.Low
			text += fmt.Sprintf(": %s less than %s, p %s", less.MeanText(), baseline(s), words.PValue(l.Holm))
		}
		list = append(list, text+".")
	}
	for _, d := range s.Diagnostics {
		if !d.Verdict() {
			list = append(list, fmt.Sprintf("No verdict on %s: %s.%s", words.Plain(d.Policy), d.Against[0], sure(s, &d)))
		}
	}
	return list
}

// sure returns a sentence with an interval valid for any number of rows: exact, else empirical Bernstein. It returns ""
// without such an interval, for a replay, and if d.Wrong is true.
func sure(s *logged.Evaluation, d *logged.Diagnostics) string {
	if d.Replay || d.Wrong {
		return ""
	}
	text := ""
	for _, l := range s.Estimates {
		if l.Policy != d.Policy {
			continue
		}
		if !math.IsNaN(l.Exact[0]) {
			return fmt.Sprintf(" What holds all the same, of %s with rewards of 0 or 1, is between %s a pull (exact, 95 %%).", words.Count(d.Used, "matched row"), between(l.Exact))
		}
		if !math.IsNaN(l.Bernstein[0]) {
			text = fmt.Sprintf(" What holds all the same, for rewards from %g to %g, is between %s a pull (empirical Bernstein, 95 %%).", s.Low, s.High, between(l.Bernstein))
		}
	}
	return text
}

func between(ends [2]float64) string {
	return fmt.Sprintf("%s and %s", words.Amount(ends[0]), words.Amount(ends[1]))
}

// armColumns are the columns of the arms in the description of a log.
var armColumns = report.Columns[logged.ArmDescription]{
	{Name: "arm", Header: "arm", Doc: "name", Exact: func(a logged.ArmDescription) any { return a.Name }},
	{Name: "pulls", Header: "pulls", Doc: "rows with the arm", Exact: func(a logged.ArmDescription) any { return a.Pulls }},
	{Name: "mean_reward", Header: "mean reward", Doc: "of its rows", Exact: func(a logged.ArmDescription) any { return a.Reward }},
	{Name: "mean_propensity", Header: "mean propensity", Doc: "of its rows",
		Exact: func(a logged.ArmDescription) any { return a.MeanPropensity }},
	{Name: "smallest_propensity", Header: "smallest", Doc: "smallest propensity of its rows",
		Exact: func(a logged.ArmDescription) any { return a.Least }},
}

// Describe reports the description of a log.
func Describe(l *logged.Log) report.Result {
	d := l.Description
	t := table(armColumns, d.Arms, describeLines(l)...)
	for i, b := range d.Blocks {
		if i == 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("drift: mean reward and propensity by rows; the two halves differ with p %s", words.PValue(float64(d.DriftP))))
		}
		t.Notes = append(t.Notes, fmt.Sprintf("  rows %s to %s: %s, %s", words.Int(b.From), words.Int(b.To), words.Amount(b.Reward), words.Amount(float64(b.Propensity))))
	}
	return report.Result{Tables: []report.Table{t}, Warnings: LogWarnings(l), Document: struct {
		Log      string             `json:"log"`
		Format   string             `json:"format"`
		Columns  []string           `json:"context"`
		Ignored  []string           `json:"not_used"`
		ArmDim   int                `json:"arm_features"`
		Found    logged.Description `json:"description"`
		Warnings []string           `json:"warnings"`
	}{l.Name(), l.Format, l.Columns, append([]string{}, l.Ignored...), l.Spec.ArmDim, d, append([]string{}, LogWarnings(l)...)}}
}

func describeLines(l *logged.Log) []string {
	d := l.Description
	policy, kind := "not uniform", "numbers"
	if d.Uniform {
		policy = "uniform"
	}
	if d.Binary {
		kind = "0 or 1"
	}
	lines := []string{
		fmt.Sprintf("%s: %s, %s, %s", words.Plain(l.Name()), l.Format, words.Count(d.Rows, "row"), words.Count(len(d.Arms), "arm")),
		contextText(l) + "; in all " + words.Count(l.Spec.Dim, "number"),
		fmt.Sprintf("rewards: mean %s (95 %% t-interval), %s to %s, %s zeros; %s", d.Reward, words.Amount(d.RewardMin), words.Amount(d.RewardMax), words.Percent(100*d.Zeros), kind),
		fmt.Sprintf("propensities: %s to %s (smallest in row %s), %s; mean of 1/(K·p) %s, near 1 if they are right", words.Amount(float64(d.Least)), words.Amount(float64(d.Largest)), words.Int(d.LeastRow), policy, d.Weight.WithError()),
	}
	lines = append(lines, estimated(l)...)
	if len(d.Positions) > 0 {
		text := "positions:"
		for _, p := range d.Positions {
			text += fmt.Sprintf(" %d in %s,", p.Position, words.Count(p.Rows, "row"))
		}
		lines = append(lines, text+" pooled")
	}
	if !math.IsNaN(float64(d.FirstTime)) {
		lines = append(lines, fmt.Sprintf("time: %s to %s, %s out of order", instant(float64(d.FirstTime)), instant(float64(d.LastTime)), words.Count(d.Disordered, "row")))
	}
	if d.Duplicates >= 0 {
		lines = append(lines, "duplicates: "+words.Count(d.Duplicates, "row"))
	}
	return lines
}

// instant returns seconds since 1970 as a date. It returns the number itself below 1e8 (in 1973), as this is hardly a
// date, and from 1e11 on (in 5138), as these are rather milliseconds.
func instant(seconds float64) string {
	if seconds < 1e8 || seconds >= 1e11 {
		return words.Amount(seconds)
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.DateTime)
}
