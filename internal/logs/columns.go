package logs

import (
	"math"

	"banditsim/bandit/logged"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// estimateColumns are the columns of the estimates.
var estimateColumns = report.Columns[logged.Estimate]{
	{Name: "policy", Header: "policy", Doc: "label of the policy", Exact: func(l logged.Estimate) any { return l.Policy }},
	{Name: "estimator", Header: "estimator", Doc: "name of the estimator, as --estimators has it; replay for a policy that learns",
		Text: func(l logged.Estimate) string { return l.Title }, Exact: func(l logged.Estimate) any { return l.Estimator }},
	{Name: "estimate", Header: "mean reward", Doc: "what the policy would have earned, a pull",
		Text: func(l logged.Estimate) string { return l.Mean.MeanText() }, Exact: func(l logged.Estimate) any { return l.Mean.Mean }},
	{Name: "standard_error", Doc: "of the estimate", Exact: func(l logged.Estimate) any { return l.Mean.StdErr }},
	{Name: "low", Header: "95 % interval", Doc: "of the estimate, by --interval: lower end",
		Text: func(l logged.Estimate) string { return l.Mean.Interval() }, Exact: func(l logged.Estimate) any { return l.Mean.Low }},
	{Name: "high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Mean.High }},
	{Name: "parameter", Header: "clip", Doc: "clip, threshold or shrinkage that the estimator chose; ∞ (null) where it changed no weight",
		Text: func(l logged.Estimate) string { return clipText(l.Parameter) }, Exact: func(l logged.Estimate) any { return l.Parameter }},
	{Name: "difference", Header: "difference", Doc: "estimate less the baseline's with the same estimator, or less what the log earned; above 0 is better",
		Text: func(l logged.Estimate) string { return l.Difference.MeanText() }, Exact: func(l logged.Estimate) any { return l.Difference.Mean }},
	{Name: "difference_low", Header: "its interval", Doc: "95 % t-interval of the difference, paired by row: lower end",
		Text: func(l logged.Estimate) string { return l.Difference.Interval() }, Exact: func(l logged.Estimate) any { return l.Difference.Low }},
	{Name: "difference_high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Difference.High }},
	{Name: "p", Doc: "p-value of the t-test that the difference is 0", Exact: func(l logged.Estimate) any { return l.P }},
	{Name: "p_holm", Header: "p", Doc: "the same corrected for all policies of the estimator (Holm)",
		Text: func(l logged.Estimate) string { return words.PValue(l.Holm) }, Exact: func(l logged.Estimate) any { return l.Holm }},
	{Name: "significant", Doc: "whether p_holm is below 0.05; ~ in text if it is not",
		Text: mark, Exact: func(l logged.Estimate) any { return l.Holm < stats.Significance }},
	{Name: "truth", Header: "truth", Doc: "expected reward, which only logs of simulated environments have",
		Text: func(l logged.Estimate) string { return amountAs(l.Mean, l.Truth) }, Exact: func(l logged.Estimate) any { return l.Truth }},
	{Name: "against", Header: "against", Doc: "estimate less what the log of --against earned, not paired",
		Text: func(l logged.Estimate) string { return l.Against.MeanText() }, Exact: func(l logged.Estimate) any { return l.Against.Mean }},
	{Name: "against_low", Header: "interval", Doc: "95 % interval of that difference (Welch): lower end",
		Text: func(l logged.Estimate) string { return l.Against.Interval() }, Exact: func(l logged.Estimate) any { return l.Against.Low }},
	{Name: "against_high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Against.High }},
	{Name: "t_low", Doc: "Student's t-interval: lower end", Exact: func(l logged.Estimate) any { return l.Student.Low }},
	{Name: "t_high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Student.High }},
	{Name: "bernstein_low", Doc: "empirical Bernstein interval, of IPS: lower end", Exact: func(l logged.Estimate) any { return l.Bernstein[0] }},
	{Name: "bernstein_high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Bernstein[1] }},
	{Name: "sequence_low", Doc: "confidence sequence at the last row, of IPS: lower end", Exact: func(l logged.Estimate) any { return l.Sequence[0] }},
	{Name: "sequence_high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Sequence[1] }},
	{Name: "exact_low", Doc: "Clopper–Pearson interval of matched rows: lower end", Exact: func(l logged.Estimate) any { return l.Exact[0] }},
	{Name: "exact_high", Doc: "upper end", Exact: func(l logged.Estimate) any { return l.Exact[1] }},
	{Name: "rows", Doc: "rows of the log, or accepted by the replay", Exact: func(l logged.Estimate) any { return l.Mean.N }},
	{Name: "biased", Doc: "the interval leaves out a bias, of the model or of changed weights", Exact: func(l logged.Estimate) any { return l.Biased }},
	{Name: "skewed", Doc: "the terms are so skewed that t-intervals are too short", Exact: func(l logged.Estimate) any { return l.Skewed }},
	{Name: "verdict", Doc: "whether the log can tell", Exact: func(l logged.Estimate) any { return l.Verdict }},
}

// diagnosticColumns are the columns of the diagnostics.
var diagnosticColumns = report.Columns[logged.Diagnostics]{
	{Name: "policy", Header: "policy", Doc: "label of the policy",
		Exact: func(d logged.Diagnostics) any { return d.Policy }},
	{Name: "rows", Header: "rows", Doc: "of the log", Exact: func(d logged.Diagnostics) any { return d.Rows }},
	{Name: "used", Header: "used", Doc: "rows with a weight above 0; of a replay those accepted",
		Exact: func(d logged.Diagnostics) any { return d.Used }},
	{Name: "ess", Header: "ESS", Doc: "effective sample size (Σw)²/Σw²",
		Exact: func(d logged.Diagnostics) any { return d.ESS }},
	{Name: "largest_weight", Header: "largest weight", Doc: "largest π(a|x)/p",
		Exact: func(d logged.Diagnostics) any { return d.Largest }},
	{Name: "largest_share", Header: "its share", Doc: "of the largest weight in the sum of all",
		Text: func(d logged.Diagnostics) string { return words.Percent(100 * d.Share) }, Exact: func(d logged.Diagnostics) any { return d.Share }},
	{Name: "mean_weight", Header: "mean weight", Doc: "near 1 if the propensities are right and the log has all arms of the policy; ± its standard error",
		Text: func(d logged.Diagnostics) string { return stats.Estimate{Mean: d.Mean, StdErr: d.MeanErr}.WithError() }, Exact: func(d logged.Diagnostics) any { return d.Mean }},
	{Name: "mean_weight_error", Doc: "standard error of the mean weight", Exact: func(d logged.Diagnostics) any { return d.MeanErr }},
	{Name: "never_taken", Header: "never taken", Doc: "share of rows whose arm the policy never takes",
		Text: func(d logged.Diagnostics) string { return words.Percent(100 * d.Unlogged) }, Exact: func(d logged.Diagnostics) any { return d.Unlogged }},
	{Name: "verdict", Header: "verdict", Doc: "whether the log can tell",
		Text: func(d logged.Diagnostics) string { return map[bool]string{true: "yes", false: "none"}[d.Verdict()] }, Exact: func(d logged.Diagnostics) any { return d.Verdict() }},
	{Name: "against", Doc: "reasons why it cannot", Exact: func(d logged.Diagnostics) any { return append([]string{}, d.Against...) }},
	{Name: "cure", Doc: "what log would do", Exact: func(d logged.Diagnostics) any { return d.Cure }},
	{Name: "draws", Doc: "the policy does not know its probabilities: it acted once in each row", Exact: func(d logged.Diagnostics) any { return d.Draws }},
	{Name: "learns", Doc: "the policy learned by replay", Exact: func(d logged.Diagnostics) any { return d.Replay }},
}

// clipColumns are the columns of the table with an estimate for each policy and clip: IPS or, with a model, DR. Weights
// above the clip are lowered to it.
var clipColumns = report.Columns[logged.Clip]{
	{Name: "policy", Header: "policy", Doc: "label of the policy", Exact: func(c logged.Clip) any { return c.Policy }},
	{Name: "clip", Header: "clip", Doc: "largest weight; ∞ (null) for none",
		Text: func(c logged.Clip) string { return clipText(c.Clip) }, Exact: func(c logged.Clip) any { return c.Clip }},
	{Name: "estimate", Header: "mean reward", Doc: "estimate with clipped weights",
		Text: func(c logged.Clip) string { return c.Mean.MeanText() }, Exact: func(c logged.Clip) any { return c.Mean.Mean }},
	{Name: "low", Header: "95 % interval", Doc: "Student's: lower end",
		Text: func(c logged.Clip) string { return c.Mean.Interval() }, Exact: func(c logged.Clip) any { return c.Mean.Low }},
	{Name: "high", Doc: "upper end", Exact: func(c logged.Clip) any { return c.Mean.High }},
}

// amountAs returns v as a text with as many decimals as the mean of e has.
func amountAs(e stats.Estimate, v float64) string {
	e.Mean, e.Low, e.High = v, v-e.Half(), v+e.Half()
	return e.MeanText()
}

func clipText(v float64) string {
	if math.IsInf(v, 1) {
		return "∞"
	}
	return words.Amount(v)
}

// mark returns "" if the difference of an estimate is significant, ~ if it is not, and words.None without a test.
func mark(l logged.Estimate) string {
	switch {
	case math.IsNaN(l.Holm):
		return words.None
	case l.Holm < stats.Significance:
		return ""
	}
	return "~"
}
