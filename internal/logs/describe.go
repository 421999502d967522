package logs

import (
	"fmt"
	"math"
	"time"

	"banditsim/bandit/logged"
	"banditsim/internal/report"
	"banditsim/internal/words"
)

// armColumns are those of the description of a log.
var armColumns = report.Columns[logged.ArmDescription]{
	{Name: "arm", Header: "arm", Doc: "name", Exact: func(a logged.ArmDescription) any { return a.Name }},
	{Name: "pulls", Header: "pulls", Doc: "rows with the arm", Exact: func(a logged.ArmDescription) any { return a.Pulls }},
	{Name: "mean_reward", Header: "mean reward", Doc: "of its rows", Exact: func(a logged.ArmDescription) any { return a.Reward }},
	{Name: "mean_propensity", Header: "mean propensity", Doc: "of its rows",
		Exact: func(a logged.ArmDescription) any { return a.MeanPropensity }},
	{Name: "smallest_propensity", Header: "smallest", Doc: "smallest propensity of its rows",
		Exact: func(a logged.ArmDescription) any { return a.Least }},
}

// Describe reports what a log has.
func Describe(l *logged.Log) report.Result {
	d := l.Description
	t := table(armColumns, d.Arms, describeLines(l)...)
	for i, b := range d.Blocks {
		if i == 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("drift: mean reward and propensity by rows; the two halves differ with p %s", words.PValue(float64(d.DriftP))))
		}
		t.Notes = append(t.Notes, fmt.Sprintf("  rows %s to %s: %s, %s", words.Int(b.From), words.Int(b.To), words.Amount(b.Reward), words.Amount(b.Propensity)))
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
	policy := "not uniform"
	if d.Uniform {
		policy = "uniform"
	}
	kind := "numbers"
	if d.Binary {
		kind = "0 or 1"
	}
	lines := []string{
		fmt.Sprintf("%s: %s, %s, %s", words.Plain(l.Name()), l.Format, words.Count(d.Rows, "row"), words.Count(len(d.Arms), "arm")),
		contextText(l) + "; in all " + words.Count(l.Spec.Dim, "number"),
		fmt.Sprintf("rewards: mean %s (95 %% t-interval), %s to %s, %s zeros; %s", d.Reward, words.Amount(d.RewardMin), words.Amount(d.RewardMax), words.Percent(100*d.Zeros), kind),
		fmt.Sprintf("propensities: %s to %s (smallest in row %s), %s; mean of 1/(K·p) %s, near 1 if they are right", words.Amount(d.Least), words.Amount(d.Largest), words.Int(d.LeastRow), policy, d.Weight.WithError()),
	}
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

// instant returns a time in seconds since 1970, or as the number that it is if that is long ago.
func instant(seconds float64) string {
	if seconds < 1e8 {
		return words.Amount(seconds)
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.DateTime)
}
