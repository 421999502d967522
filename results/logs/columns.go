package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// A Column of a table is declared once: text and Markdown show Text under Header, unless it is nil, CSV and JSON have Exact under Name,
// and docs/logged.md describes it by Doc.
type Column[R any] struct {
	Name, Header, Doc string
	Text              func(R) string // rounded
	Exact             func(R) any    // a text, a number, a bool or a list of texts, in full
}

// EstimateColumns are those of the estimates.
var EstimateColumns = []Column[*Line]{
	{"policy", "policy", "label of the policy", func(l *Line) string { return words.Plain(l.Policy) }, func(l *Line) any { return l.Policy }},
	{"estimator", "estimator", "name of the estimator, as --estimators has it; replay for a policy that learns", func(l *Line) string { return l.Title }, func(l *Line) any { return l.Estimator }},
	{"estimate", "mean reward", "what the policy would have earned, a pull", func(l *Line) string { return l.Mean.MeanText() }, func(l *Line) any { return l.Mean.Mean }},
	{"standard_error", "", "of the estimate", nil, func(l *Line) any { return l.Mean.StdErr }},
	{"low", "95 % interval", "of the estimate, by --interval: lower end", func(l *Line) string { return l.Mean.Interval() }, func(l *Line) any { return l.Mean.Low }},
	{"high", "", "upper end", nil, func(l *Line) any { return l.Mean.High }},
	{"parameter", "clip", "clip, threshold or shrinkage that the estimator chose; ∞ (null) where it changed no weight", parameterText, func(l *Line) any { return l.Parameter }},
	{"difference", "difference", "estimate less the baseline's with the same estimator, or less what the log earned; above 0 the policy is better", func(l *Line) string { return differenceText(l.Difference) }, func(l *Line) any { return l.Difference.Mean }},
	{"difference_low", "its interval", "95 % t-interval of the difference, paired by row: lower end", func(l *Line) string { return l.Difference.Interval() }, func(l *Line) any { return l.Difference.Low }},
	{"difference_high", "", "upper end", nil, func(l *Line) any { return l.Difference.High }},
	{"p", "", "p-value of the t-test that the difference is 0", nil, func(l *Line) any { return l.P }},
	{"p_holm", "p", "the same corrected for all policies of the estimator (Holm)", func(l *Line) string { return words.PValue(l.Holm) }, func(l *Line) any { return l.Holm }},
	{"significant", "", "whether p_holm is below 0.05; ~ in text if it is not", mark, func(l *Line) any { return l.Holm < stats.Significance }},
	{"truth", "truth", "expected reward, which only logs of simulated environments have", func(l *Line) string { return amountAs(l.Mean, l.Truth) }, func(l *Line) any { return l.Truth }},
	{"against", "against", "estimate less what the log of --against earned, not paired", func(l *Line) string { return differenceText(l.Against) }, func(l *Line) any { return l.Against.Mean }},
	{"against_low", "interval", "95 % interval of that difference (Welch): lower end", func(l *Line) string { return l.Against.Interval() }, func(l *Line) any { return l.Against.Low }},
	{"against_high", "", "upper end", nil, func(l *Line) any { return l.Against.High }},
	{"t_low", "", "Student's t-interval: lower end", nil, func(l *Line) any { return l.Student.Low }},
	{"t_high", "", "upper end", nil, func(l *Line) any { return l.Student.High }},
	{"bernstein_low", "", "empirical Bernstein interval, of IPS: lower end", nil, func(l *Line) any { return l.Bernstein[0] }},
	{"bernstein_high", "", "upper end", nil, func(l *Line) any { return l.Bernstein[1] }},
	{"sequence_low", "", "confidence sequence at the last row, of IPS: lower end", nil, func(l *Line) any { return l.Sequence[0] }},
	{"sequence_high", "", "upper end", nil, func(l *Line) any { return l.Sequence[1] }},
	{"exact_low", "", "Clopper–Pearson interval of matched rows: lower end", nil, func(l *Line) any { return l.Exact[0] }},
	{"exact_high", "", "upper end", nil, func(l *Line) any { return l.Exact[1] }},
	{"rows", "", "rows of the log, or accepted by the replay", nil, func(l *Line) any { return l.Mean.N }},
	{"biased", "", "the interval leaves out a bias, of the model or of changed weights", nil, func(l *Line) any { return l.Biased }},
	{"skewed", "", "the terms are so skewed that t-intervals are too short", nil, func(l *Line) any { return l.Skewed }},
	{"verdict", "", "whether the log can tell", nil, func(l *Line) any { return l.Verdict }},
}

// DiagnosticColumns are those of the diagnostics.
var DiagnosticColumns = []Column[*Diagnostic]{
	{"policy", "policy", "label of the policy", func(d *Diagnostic) string { return words.Plain(d.Policy) }, func(d *Diagnostic) any { return d.Policy }},
	{"rows", "rows", "of the log", func(d *Diagnostic) string { return words.Int(d.offered()) }, func(d *Diagnostic) any { return d.offered() }},
	{"used", "used", "rows with a weight above 0; of a replay those accepted", func(d *Diagnostic) string { return words.Int(d.used()) }, func(d *Diagnostic) any { return d.used() }},
	{"ess", "ESS", "effective sample size (Σw)²/Σw²", func(d *Diagnostic) string { return d.amount(d.ESS) }, func(d *Diagnostic) any { return d.number(d.ESS) }},
	{"largest_weight", "largest weight", "largest π(a|x)/p", func(d *Diagnostic) string { return d.amount(d.Largest) }, func(d *Diagnostic) any { return d.number(d.Largest) }},
	{"largest_share", "its share", "of the largest weight in the sum of all", func(d *Diagnostic) string { return d.percent(d.Share) }, func(d *Diagnostic) any { return d.number(d.Share) }},
	{"mean_weight", "mean weight", "near 1 if the propensities are right and the log has every arm that the policy pulls; with its standard error", meanWeight, func(d *Diagnostic) any { return d.number(d.Mean) }},
	{"mean_weight_error", "", "standard error of the mean weight", nil, func(d *Diagnostic) any { return d.number(d.MeanErr) }},
	{"never_taken", "never taken", "share of rows whose arm the policy never takes", func(d *Diagnostic) string { return d.percent(d.Unlogged) }, func(d *Diagnostic) any { return d.number(d.Unlogged) }},
	{"verdict", "verdict", "whether the log can tell", verdictText, func(d *Diagnostic) any { against, _ := d.Reasons(); return len(against) == 0 }},
	{"against", "", "reasons why it cannot", nil, func(d *Diagnostic) any { against, _ := d.Reasons(); return append([]string{}, against...) }},
	{"cure", "", "what log would do", nil, func(d *Diagnostic) any { _, cure := d.Reasons(); return cure }},
	{"draws", "", "the policy does not know its probabilities: it acted once in each row", nil, func(d *Diagnostic) any { return d.Draws }},
	{"learns", "", "the policy learned by replay", nil, func(d *Diagnostic) any { return d.Replay != nil }},
}

// ClipColumns are those of the estimates by clip: IPS or, with a model, DR with weights of at most the clip.
var ClipColumns = []Column[*Clip]{
	{"policy", "policy", "label of the policy", func(c *Clip) string { return words.Plain(c.Policy) }, func(c *Clip) any { return c.Policy }},
	{"clip", "clip", "largest weight; ∞ (null) for none", func(c *Clip) string { return clipText(c.Clip) }, func(c *Clip) any { return c.Clip }},
	{"estimate", "mean reward", "estimate with clipped weights", func(c *Clip) string { return c.Mean.MeanText() }, func(c *Clip) any { return c.Mean.Mean }},
	{"low", "95 % interval", "Student's: lower end", func(c *Clip) string { return c.Mean.Interval() }, func(c *Clip) any { return c.Mean.Low }},
	{"high", "", "upper end", nil, func(c *Clip) any { return c.Mean.High }},
}

func differenceText(e stats.Estimate) string {
	if math.IsNaN(e.Mean) {
		return words.None
	}
	return e.MeanText()
}

// amountAs returns v with the decimals of an estimate.
func amountAs(e stats.Estimate, v float64) string {
	e.Mean, e.Low, e.High = v, v-e.Half(), v+e.Half()
	return e.MeanText()
}

func parameterText(l *Line) string {
	if math.IsNaN(l.Parameter) {
		return words.None
	}
	return clipText(l.Parameter)
}

func clipText(v float64) string {
	if math.IsInf(v, 1) {
		return "∞"
	}
	return words.Amount(v)
}

func mark(l *Line) string {
	switch {
	case math.IsNaN(l.Holm):
		return words.None
	case l.Holm < stats.Significance:
		return ""
	}
	return "~"
}

func verdictText(d *Diagnostic) string {
	if against, _ := d.Reasons(); len(against) > 0 {
		return "none"
	}
	return "yes"
}

func meanWeight(d *Diagnostic) string {
	if d.Replay != nil {
		return words.None
	}
	e := stats.Estimate{Mean: d.Mean, StdErr: d.MeanErr}
	return e.WithError()
}

func (d *Diagnostic) offered() int {
	if d.Replay != nil {
		return d.Replay.Rows
	}
	return d.Rows
}

func (d *Diagnostic) used() int {
	if d.Replay != nil {
		return len(d.Replay.Rewards)
	}
	return d.Used
}

// number returns v, which a replay does not have.
func (d *Diagnostic) number(v float64) float64 {
	if d.Replay != nil {
		return math.NaN()
	}
	return v
}

func (d *Diagnostic) amount(v float64) string { return words.Amount(d.number(v)) }

func (d *Diagnostic) percent(v float64) string { return words.Percent(100 * d.number(v)) }

// table returns rows as text. Columns in which every row is the same sign for nothing are left out.
func table[R any](columns []Column[R], rows []R) report.Table {
	var t report.Table
	t.Rows = make([][]string, len(rows))
	for _, c := range columns {
		if c.Text == nil {
			continue
		}
		cells, some := make([]string, len(rows)), len(rows) == 0
		for i, r := range rows {
			cells[i] = c.Text(r)
			some = some || cells[i] != words.None
		}
		if !some {
			continue
		}
		t.Header = append(t.Header, c.Header)
		for i, cell := range cells {
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}

// sheet returns rows with all digits.
func sheet[R any](columns []Column[R], rows []R) report.Sheet {
	var s report.Sheet
	for _, c := range columns {
		s.Header = append(s.Header, c.Name)
	}
	for _, r := range rows {
		var cells []string
		for _, c := range columns {
			cells = append(cells, cell(c.Exact(r)))
		}
		s.Rows = append(s.Rows, cells)
	}
	return s
}

func cell(v any) string {
	switch v := v.(type) {
	case float64:
		return words.Exact(v)
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case []string:
		b, _ := json.Marshal(v) // texts have no error
		return string(b)
	}
	return fmt.Sprint(v)
}

// objects are rows as JSON, with the names of columns in their order.
type objects[R any] struct {
	columns []Column[R]
	rows    []R
}

func (o objects[R]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, r := range o.rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('{')
		for k, c := range o.columns {
			if k > 0 {
				b.WriteByte(',')
			}
			v := c.Exact(r)
			if f, ok := v.(float64); ok {
				v = words.Float(f)
			}
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%q:%s", c.Name, text)
		}
		b.WriteByte('}')
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}
