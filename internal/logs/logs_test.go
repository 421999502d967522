package logs

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/logged"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/internal/resultstest"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

var update = flag.Bool("update", false, "renew the columns in docs/logged-columns.md")

var spec = bandit.Spec{Dim: 1, Arms: []string{"no", "yes"}, IgnoresActions: true, UniformRegret: math.NaN()}

// log returns a log of n rows: arm 1 is pulled with the propensities ps in turn. Arm 1 pays 1 with probability .7, arm 0 with .3.
func log(t *testing.T, n int, ps ...float64) *logged.Log {
	t.Helper()
	s := stream.Root(1).Child("logs")
	rows := make([]logged.Row, n)
	for i := range rows {
		r, p := &rows[i], ps[i%len(ps)]
		r.Context, r.Propensity, r.Time = []float32{1}, 1-p, math.NaN()
		if s.Float64() < p {
			r.Arm, r.Propensity = 1, p
		}
		if s.Float64() < 0.3+0.4*float64(r.Arm) {
			r.Reward = 1
		}
	}
	return must.Get(logged.New("made.csv", spec, rows))(t)
}

func always(arm int) logged.Policy {
	return logged.Policy{Label: fmt.Sprintf("always %d", arm), New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(arm), nil }}
}

// evaluation evaluates always 0, always 1 and UCB1, which is replayed, by all estimators.
func evaluation(t *testing.T, l *logged.Log) *logged.Evaluation {
	t.Helper()
	ucb, o := policy.UCB1Kind(), logged.DefaultOptions()
	o.Replay, o.Estimators = true, nil
	for _, e := range logged.Estimators() {
		o.Estimators = append(o.Estimators, e.Name)
	}
	o.Model = func(s posterior.Setup) (posterior.Posterior, error) {
		return exact.Linear().New(exact.LinearOptions{Lambda: 1, Noise: 1, Discount: 1}, s)
	}
	e := must.Get(logged.Evaluate(t.Context(), l, []logged.Policy{always(0), always(1),
		{Label: "UCB1", New: func(s policy.Setup) (bandit.Policy, error) { return ucb.New(ucb.Defaults(), s) }}}, o))(t)
	return e
}

// TestFormats checks that text, CSV and JSON have the same numbers under the names of the columns, in JSON without rounding.
func TestFormats(t *testing.T) {
	s := evaluation(t, log(t, 2000, 0.5))
	var text, table, js bytes.Buffer
	for to, f := range map[*bytes.Buffer]report.Format{&text: report.Text, &table: report.CSV, &js: report.JSON} {
		must.OK(t, Report(s).Render(to, f))
	}
	rows, err := csv.NewReader(&table).ReadAll()
	must.Hold(t, err == nil && len(rows) == 1+2*len(logged.Estimators())+1 && len(rows[0]) == len(estimateColumns),
		"%d rows of CSV, %v", len(rows), err)
	var doc struct {
		Diagnostics, Estimates []map[string]any
		ByClip                 []map[string]any `json:"by_clip"`
	}
	must.OK(t, json.Unmarshal(js.Bytes(), &doc))
	for i, e := range doc.Estimates {
		l := s.Estimates[i]
		must.That(t, len(e) == len(estimateColumns) && e["estimate"] == l.Mean.Mean && e["estimator"] == l.Estimator &&
			rows[i+1][2] == fmt.Sprint(l.Mean.Mean), "JSON %v, CSV %v of %+v", e, rows[i+1], l)
		must.Contain(t, text.String(), l.Mean.MeanText())
	}
	must.Equal(t, "ESS", doc.Diagnostics[0]["ess"], any(s.Diagnostics[0].ESS))
	must.That(t, doc.Diagnostics[2]["ess"] == nil && doc.Diagnostics[2]["learns"] == true,
		"a replay has diagnostics of weights: %v", doc.Diagnostics[2])
	must.Contain(t, text.String(), "ESS", "mean weight", "verdict", "IPS", "SNIPS", "DRos", "replay", "always 1 would have earned")
}

// TestNoVerdict checks that without a verdict there is a warning with the cure, and no sentence about what would have been earned.
func TestNoVerdict(t *testing.T) {
	s := evaluation(t, log(t, 2000, 0.004))
	must.Equal(t, "milliseconds", instant(1574553663000), "1,574,553,663,000")
	warnings, verdicts := strings.Join(Warnings(s), "\n"), strings.Join(Verdicts(s), "\n")
	must.Contain(t, warnings, "no verdict on always 1: ", "% uniform pulls", "no verdict on UCB1: the replay accepts")
	if strings.Contains(verdicts, "always 1 would") || !strings.Contains(verdicts, "always 0 would have earned") ||
		!strings.Contains(verdicts, "No verdict on always 1: the effective sample size is 9.00, want at least 30. What holds all the same, for rewards from 0 to 1, is between 0 and ") {
		t.Errorf("verdicts:\n%s", verdicts)
	}
	for _, l := range s.Estimates {
		must.That(t, l.Verdict || math.IsNaN(l.P) && !l.Difference.HasInterval(),
			"%s by %s: p %g, difference %v without a verdict", l.Policy, l.Estimator, l.P, l.Difference)
	}
}

// TestNoVariance checks that an arm that never paid has no t-interval and no test; on a uniform log the sentence has the Clopper–Pearson
// interval. Biased estimators have no test either.
func TestNoVariance(t *testing.T) {
	rows := make([]logged.Row, 400)
	for i := range rows {
		rows[i] = logged.Row{Context: []float32{1}, Arm: i % 2, Propensity: 0.5, Time: math.NaN(), Reward: float64(i % 2 * (i / 2 % 2))}
	}
	l := must.Get(logged.New("made.csv", spec, rows))(t)
	s := evaluation(t, l)
	verdicts := strings.Join(Verdicts(s), "\n")
	if !strings.Contains(verdicts, "No verdict on always 0: an effective 0 of the 200 rows with a weight have a reward other than 0, want at least 20") ||
		!strings.Contains(verdicts, "of 200 matched rows with rewards of 0 or 1, is between 0 and 0.0183 a pull (exact, 95 %)") { // 1 − .025^(1/200)
		t.Errorf("verdicts:\n%s", verdicts)
	}
	for _, l := range s.Estimates {
		switch {
		case l.Policy == "always 0" && l.Estimator == "ips" && (l.Mean.HasInterval() || !l.Skewed):
			t.Errorf("terms that are all 0: %v, skewed %t", l.Mean, l.Skewed)
		case l.Biased && !math.IsNaN(l.Holm):
			t.Errorf("%s of %s has a bias and p %g", l.Estimator, l.Policy, l.Holm)
		}
	}
}

// TestPage checks that the page has the sentences, all tables and both figures, and loads nothing.
func TestPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	s := evaluation(t, log(t, 500, 0.2, 0.4, 0.6))
	must.OK(t, WritePage(path, s))
	b := must.Get(os.ReadFile(path))(t)
	page := string(b)
	must.Contain(t, strings.ReplaceAll(page, "default-src 'none'", "default-src &#39;none&#39;"), "always 1 would have earned", "<h2>Diagnostics</h2>", "<h2>Estimates</h2>", "<h2>Estimates by clip</h2>", "<h2>The log</h2>", "default-src &#39;none&#39;")
	must.Equal(t, "figures", strings.Count(page, "<svg"), 2)
	for _, remote := range []string{`src="http`, `href="http`, "<script"} {
		must.That(t, !strings.Contains(page, remote), "the page has %s", remote)
	}
	must.OK(t, WritePage(path, s))
	must.Equal(t, "the page again", string(must.Get(os.ReadFile(path))(t)), page)
}

// TestColumns compares docs/logged-columns.md with the declared columns: go test ./internal/logs -run Column -update.
func TestColumns(t *testing.T) {
	var b strings.Builder
	for _, of := range [][2]string{
		{"Diagnostics", diagnosticColumns.Docs()}, {"Estimates", estimateColumns.Docs()}, {"Estimates by clip", clipColumns.Docs()}, {"Arms, in `log describe`", armColumns.Docs()},
	} {
		fmt.Fprintf(&b, "\n%s:\n\n%s", of[0], of[1])
	}
	b.WriteString("\n")
	const path, begin, end = "../../docs/logged-columns.md", "<!-- columns -->\n", "<!-- end of columns -->\n"
	page := must.Get(os.ReadFile(path))(t)
	before, rest, _ := strings.Cut(string(page), begin)
	_, after, ok := strings.Cut(rest, end)
	must.Hold(t, ok, "%s has no %s", path, begin)
	want := before + begin + b.String() + end + after
	if *update {
		must.OK(t, os.WriteFile(path, []byte(want), 0o666))
	} else if want != string(page) {
		t.Errorf("%s is out of date: go test ./internal/logs -run Column -update", path)
	}
}

// lineJSON returns an estimate in JSON as evaluate writes it.
func lineJSON(policy, estimator string, mean, se, difference float64) string {
	text := "null"
	if !math.IsNaN(difference) {
		text = fmt.Sprint(difference)
	}
	return fmt.Sprintf(`{"policy":%q,"estimator":%q,"rows":1000,"estimate":%g,"standard_error":%g,"low":%g,"high":%g,"difference":%s,"difference_low":%[7]s,"difference_high":%[7]s,"verdict":true,"truth":null}`,
		policy, estimator, mean, se, mean-2*se, mean+2*se, text)
}

// TestBeside checks the table of a log's evaluation beside simulations of the same policies, and whether the two agree.
func TestBeside(t *testing.T) {
	set := resultstest.Trials(t, []string{"good", "bad", "alone"}, 4, 60, nil)
	s := compare.Totals(set)
	pulls := float64(s.Conditions.Protocol.Rounds * s.Conditions.Protocol.Pulls)
	of := func(policy string) []float64 {
		for _, p := range s.Policies {
			if p.Policy == policy {
				return p.Regret[compare.Expected()].BySeed
			}
		}
		return nil
	}
	var better []float64
	for i, r := range of("bad") {
		better = append(better, (r-of("good")[i])/pulls)
	}
	want := stats.NewEstimate(better)
	write := func(lines ...string) *Evaluation {
		path := must.File(t, "evaluation.json", `{"log":"x.csv","baseline":"bad","estimates":[`+strings.Join(lines, ",")+"]}")
		return must.Get(ReadEvaluation(path))(t)
	}
	nan := math.NaN()
	for name, tt := range map[string]struct {
		good, bad, agree string
	}{
		"agree":                  {lineJSON("good", "dr", 0.2+want.Mean, 0.001, nan), lineJSON("bad", "dr", 0.2, 0.001, nan), "yes"},
		"disagree":               {lineJSON("good", "dr", 0.9+want.Mean, 0.001, nan), lineJSON("bad", "dr", 0.2, 0.001, nan), "no"},
		"learning beside frozen": {lineJSON("good", "replay", 0.9+want.Mean, 0.001, nan), lineJSON("bad", "dr", 0.2, 0.001, nan), "–"},
		"no verdict": {lineJSON("good", "dr", 0.2+want.Mean, 0.001, nan),
			strings.Replace(lineJSON("bad", "dr", 0.2, 0.001, nan), `"verdict":true`, `"verdict":false`, 1), "–"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := write(lineJSON("elsewhere", "dr", 1, 1, nan), lineJSON("good", "ips", 7, 7, nan), tt.good, tt.bad).Beside(s)
			must.Hold(t, err == nil && len(table.Rows) == 2, "rows %v, error %v, want good and bad", table.Rows, err)
			good, bad := table.Rows[0], table.Rows[1]
			must.That(t, good[0] == "good" && bad[0] == "bad" && good[len(good)-1] == tt.agree && bad[len(bad)-1] == "–",
				"rows %v and %v, want that the first says %s", good, bad, tt.agree)
			must.Equal(t, "simulated more", good[len(good)-3], want.MeanText())
			must.Equal(t, "header", table.Columns[5].Header, "more than bad")
		})
	}
	must.Refuse(write(lineJSON("elsewhere", "dr", 1, 1, nan)).Beside(s))(t, "no policy of the log x.csv (elsewhere) was simulated here (")
	for text, want := range map[string]string{
		"":                                 "want what 'banditsim evaluate LOG -o json' writes",
		`{"estimates":[]}`:                 "no estimates",
		`{"estimates":[{"policy":"a"}]}`:   "estimate 1 has no policy",
		`{"estimates":[{"estimate":"x"}]}`: "want what 'banditsim evaluate",
	} {
		path := must.File(t, "evaluation.json", text)
		must.Refuse(ReadEvaluation(path))(t, want)
	}
}
