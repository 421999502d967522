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
	"banditsim/bandit/logged/estimate"
	"banditsim/bandit/logged/evaluate"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/results/report"
	"banditsim/results/stats"
)

var update = flag.Bool("update", false, "renew the columns in docs/logged-columns.md")

var spec = bandit.Spec{Dim: 1, Arms: []string{"no", "yes"}, IgnoresActions: true, UniformRegret: math.NaN()}

// log returns a log of n rows: arm 1 is pulled with the propensities ps in turn and pays 1 with .7, arm 0 with .3.
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
	l, err := logged.New("made.csv", spec, rows)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func always(arm int) evaluate.Policy {
	return evaluate.Policy{Label: fmt.Sprintf("always %d", arm), New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(arm), nil }}
}

func summary(t *testing.T, l *logged.Log, o Options) *Summary {
	t.Helper()
	ucb := policy.UCB1Kind()
	policies := []evaluate.Policy{always(0), always(1), {Label: "UCB1", New: func(s policy.Setup) (bandit.Policy, error) { return ucb.New(ucb.Defaults(), s) }}}
	e := evaluate.DefaultOptions()
	e.Replay = true
	e.Model = func(s posterior.Setup) (posterior.Posterior, error) {
		return exact.LinearOptions{Lambda: 1, Noise: 1, Discount: 1}.New(s)
	}
	r, err := evaluate.Run(t.Context(), l, policies, e)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(r, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func options(interval Interval) Options {
	return Options{Estimators: estimate.All(), Interval: interval}
}

// The same numbers stand in text, CSV and JSON, by the names of the columns, and those of JSON are not rounded.
func TestFormats(t *testing.T) {
	s := summary(t, log(t, 2000, 0.5), options(StudentT))
	var text, table, js bytes.Buffer
	for to, f := range map[*bytes.Buffer]report.Format{&text: report.Text, &table: report.CSV, &js: report.JSON} {
		if err := Report(s).Render(to, f); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != 1+2*len(estimate.All())+1 || len(rows[0]) != len(estimateColumns) {
		t.Fatalf("%d rows of CSV, %v", len(rows), err)
	}
	var doc struct {
		Diagnostics, Estimates []map[string]any
		ByClip                 []map[string]any `json:"by_clip"`
	}
	if err := json.Unmarshal(js.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for i, e := range doc.Estimates {
		l := s.Lines[i]
		if len(e) != len(estimateColumns) || e["estimate"] != l.Mean.Mean || e["estimator"] != l.Estimator || rows[i+1][2] != fmt.Sprint(l.Mean.Mean) {
			t.Errorf("JSON %v, CSV %v of %+v", e, rows[i+1], l)
		}
		if !strings.Contains(text.String(), l.Mean.MeanText()) {
			t.Errorf("text lacks %s of %s", l.Mean.MeanText(), l.Policy)
		}
	}
	var w, squares float64
	for _, v := range s.Diagnostics[:1] {
		w, squares = v.Mean*float64(v.Rows), v.Mean*float64(v.Rows)*v.Mean*float64(v.Rows)/v.ESS
	}
	if got := doc.Diagnostics[0]["ess"].(float64); math.Abs(got-w*w/squares) > 1e-9*got || got == math.Round(got) && s.Diagnostics[0].ESS != got {
		t.Errorf("ESS %v", got)
	}
	if doc.Diagnostics[2]["ess"] != nil || doc.Diagnostics[2]["learns"] != true {
		t.Errorf("a replay has diagnostics of weights: %v", doc.Diagnostics[2])
	}
	for _, name := range []string{"ESS", "mean weight", "verdict", "IPS", "SNIPS", "DRos", "replay", "always 1 would have earned"} {
		if !strings.Contains(text.String(), name) {
			t.Errorf("text lacks %q", name)
		}
	}
}

// By hand on a uniform log: the exact interval of always 1 is that of the rows with arm 1, its IPS their rewards over half of the rows, and the difference from
// what the log earned is paired.
func TestSummary(t *testing.T) {
	l := log(t, 2000, 0.5)
	s := summary(t, l, options(StudentT))
	n, k, earned := 0, 0, 0
	var paired []float64
	for r := range l.Rows() {
		paired = append(paired, 2*r.Reward*float64(r.Arm)-r.Reward)
		earned += int(r.Reward)
		if r.Arm == 1 {
			n++
			k += int(r.Reward)
		}
	}
	ips, snips := s.line("always 1", "ips"), s.line("always 1", "snips")
	if want := float64(2*k) / 2000; math.Abs(ips.Mean.Mean-want) > 1e-12 {
		t.Errorf("IPS %g, want %g", ips.Mean.Mean, want)
	}
	if low, high := stats.ClopperPearson(k, n); snips.Exact != [2]float64{low, high} || math.Abs(snips.Mean.Mean-float64(k)/float64(n)) > 1e-12 {
		t.Errorf("SNIPS %g with %v, want %d of %d, [%g, %g]", snips.Mean.Mean, snips.Exact, k, n, low, high)
	}
	if want := stats.NewEstimate(paired); math.Abs(ips.Difference.Mean-want.Mean) > 1e-12 || math.Abs(ips.Difference.StdErr-want.StdErr) > 1e-12 {
		t.Errorf("difference %+v, want %+v", ips.Difference, want)
	}
	// The family of Holm's correction are the two policies of the estimator: the smaller p is doubled.
	if other := s.line("always 0", "ips"); s.Tests != 2 || !(ips.P > 0) || math.Min(ips.Holm, other.Holm) != 2*math.Min(ips.P, other.P) || math.Abs(other.Difference.Mean+ips.Difference.Mean) > 1e-12 {
		t.Errorf("Holm %g of p %g; differences %g and %g", ips.Holm, ips.P, other.Difference.Mean, ips.Difference.Mean)
	}
	if !(ips.Sequence[0] <= ips.Bernstein[0] && ips.Bernstein[0] < 0.7 && 0.7 < ips.Bernstein[1] && ips.Bernstein[1] <= ips.Sequence[1]) {
		t.Errorf("Bernstein %v, sequence %v", ips.Bernstein, ips.Sequence)
	}
	for _, l := range s.Lines {
		if l.Estimator == "dr" && math.Abs(l.Mean.Mean-map[string]float64{"always 0": 0.3, "always 1": 0.7}[l.Policy]) > 4.5*l.Mean.StdErr {
			t.Errorf("DR of %s is %s", l.Policy, l.Mean)
		}
	}
}

// Rewards ten times as large, in a range ten times as wide, have ten times the intervals; a range wider than that, wider ones; and
// without a range rewards other than 0 and 1 have none.
func TestRange(t *testing.T) {
	rows, tens := make([]logged.Row, 600), make([]logged.Row, 600)
	s := stream.Root(3)
	for i := range rows {
		rows[i] = logged.Row{Context: []float32{1}, Arm: i % 2, Propensity: 0.5, Time: math.NaN(), Reward: float64(s.IntN(2))}
		tens[i] = rows[i]
		tens[i].Reward *= 10
	}
	of := func(rows []logged.Row, o Options) *Line {
		l, err := logged.New("made.csv", spec, rows)
		if err != nil {
			t.Fatal(err)
		}
		return summary(t, l, o).line("always 1", "ips")
	}
	ranged := func(low, high float64) Options {
		o := options(StudentT)
		o.Low, o.High = low, high
		return o
	}
	one, ten, wide := of(rows, options(StudentT)), of(tens, ranged(0, 10)), of(tens, ranged(-10, 20))
	for i := range 2 {
		if math.Abs(ten.Bernstein[i]-10*one.Bernstein[i]) > 1e-9 || math.Abs(ten.Sequence[i]-10*one.Sequence[i]) > 1e-9 {
			t.Errorf("%v and %v of rewards ten times those of %v and %v", ten.Bernstein, ten.Sequence, one.Bernstein, one.Sequence)
		}
	}
	if !(wide.Bernstein[0] < ten.Bernstein[0] && wide.Bernstein[1] > ten.Bernstein[1]) {
		t.Errorf("a wider range has %v, the narrow one %v", wide.Bernstein, ten.Bernstein)
	}
	if l := of(tens, options(StudentT)); !math.IsNaN(l.Bernstein[0]) || !math.IsNaN(l.Sequence[1]) {
		t.Errorf("intervals %v and %v without a range", l.Bernstein, l.Sequence)
	}
}

func (s *Summary) line(policy, estimator string) *Line {
	for i := range s.Lines {
		if s.Lines[i].Policy == policy && s.Lines[i].Estimator == estimator {
			return &s.Lines[i]
		}
	}
	return nil
}

// A baseline that is a policy is compared with nothing, and the others row by row with it; every interval is the one that was asked for.
func TestBaselineAndIntervals(t *testing.T) {
	l := log(t, 600, 0.5)
	o := options(StudentT)
	o.Baseline = "always 0"
	o.Against = &Earned{"other", stats.NewEstimate([]float64{0, 1, 1, 0, 1})}
	s := summary(t, l, o)
	for _, line := range s.Lines {
		switch {
		case line.Policy == "always 0" && !math.IsNaN(line.Difference.Mean):
			t.Errorf("the baseline differs from itself by %g", line.Difference.Mean)
		case line.Policy == "always 1" && math.Abs(line.Difference.Mean-line.Mean.Mean+s.line("always 0", line.Estimator).Mean.Mean) > 1e-9:
			t.Errorf("%s differs by %g", line.Estimator, line.Difference.Mean)
		}
		if math.Abs(line.Against.Mean-line.Mean.Mean+0.6) > 1e-9 {
			t.Errorf("%s against the other log: %g", line.Estimator, line.Against.Mean)
		}
	}
	for _, interval := range Intervals() {
		s := summary(t, l, options(interval))
		ips, snips := s.line("always 1", "ips"), s.line("always 1", "snips")
		want := map[Interval][2]float64{StudentT: {ips.Student.Low, ips.Student.High}, Bernstein: ips.Bernstein, Sequence: ips.Sequence}[interval]
		got := [2]float64{ips.Mean.Low, ips.Mean.High}
		switch interval {
		case Exact:
			want, got = snips.Exact, [2]float64{snips.Mean.Low, snips.Mean.High}
		case Bootstrap: // near to Student's
			if math.Abs(got[0]-ips.Student.Low) < 0.02 && math.Abs(got[1]-ips.Student.High) < 0.02 && got[0] != ips.Student.Low {
				continue
			}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", interval, got, want)
		}
	}
	for name, o := range map[string]Options{"unknown policy": {Interval: StudentT, Baseline: "alway 1"}, "rewards outside": {Interval: StudentT, Low: 0, High: 0.5}} {
		r := &evaluate.Result{Log: l, Policies: []evaluate.Evaluated{{Label: "always 1", Replay: &evaluate.Replay{}}}}
		if _, err := Summarize(r, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Where the log cannot tell there is a warning with the cure and no sentence of what would have been earned.
func TestNoVerdict(t *testing.T) {
	s := summary(t, log(t, 2000, 0.004), options(StudentT))
	warnings, verdicts := strings.Join(s.Warnings(), "\n"), strings.Join(s.Verdicts(), "\n")
	for _, want := range []string{"no verdict on always 1: ", "% uniform pulls", "no verdict on UCB1: the replay accepts"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("warnings lack %q:\n%s", want, warnings)
		}
	}
	if strings.Contains(verdicts, "always 1 would") || !strings.Contains(verdicts, "always 0 would have earned") ||
		!strings.Contains(verdicts, "No verdict on always 1: the effective sample size is 9.00, want at least 30. What holds all the same, for rewards from 0 to 1, is between 0 and ") {
		t.Errorf("verdicts:\n%s", verdicts)
	}
	for _, l := range s.Lines {
		if !l.Verdict && (!math.IsNaN(l.P) || l.Difference.HasInterval()) {
			t.Errorf("%s by %s: p %g, difference %v without a verdict", l.Policy, l.Estimator, l.P, l.Difference)
		}
	}
}

// An arm that never paid has no t-interval and no test: on a uniform log Clopper and Pearson's interval speaks. Estimates with a bias
// have no test either.
func TestNoVariance(t *testing.T) {
	rows := make([]logged.Row, 400)
	for i := range rows {
		rows[i] = logged.Row{Context: []float32{1}, Arm: i % 2, Propensity: 0.5, Time: math.NaN(), Reward: float64(i % 2 * (i / 2 % 2))}
	}
	l, err := logged.New("made.csv", spec, rows)
	if err != nil {
		t.Fatal(err)
	}
	s := summary(t, l, options(StudentT))
	verdicts := strings.Join(s.Verdicts(), "\n")
	if !strings.Contains(verdicts, "No verdict on always 0: an effective 0 of the 200 rows with a weight have a reward other than 0, want at least 20") ||
		!strings.Contains(verdicts, "of 200 matched rows with rewards of 0 or 1, is between 0 and 0.0183 a pull (exact, 95 %)") { // 1 − .025^(1/200)
		t.Errorf("verdicts:\n%s", verdicts)
	}
	for _, l := range s.Lines {
		switch {
		case l.Policy == "always 0" && l.Estimator == "ips" && (l.Mean.HasInterval() || !l.Skewed):
			t.Errorf("terms that are all 0: %v, skewed %t", l.Mean, l.Skewed)
		case l.Biased && !math.IsNaN(l.Holm):
			t.Errorf("%s of %s has a bias and p %g", l.Estimator, l.Policy, l.Holm)
		}
	}
}

// A policy that was trained on folds has wider intervals, and none that only independent rows have.
func TestTrained(t *testing.T) {
	l := log(t, 2000, 0.5)
	ucb := policy.UCB1Kind()
	kinds := []evaluate.Policy{{Label: "UCB1", New: func(s policy.Setup) (bandit.Policy, error) { return ucb.New(ucb.Defaults(), s) }}}
	for folds := 2; folds <= 5; folds++ {
		e := evaluate.DefaultOptions()
		e.Folds = folds
		r, err := evaluate.Run(t.Context(), l, kinds, e)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Summarize(r, options(StudentT))
		if err != nil {
			t.Fatal(err)
		}
		ips, f := s.line("UCB1", "ips"), 1+float64(folds)/10
		plain := stats.NewEstimate(estimate.IPS().Of(r.Policies[0].Sample).Terms)
		if math.Abs(ips.Mean.StdErr/plain.StdErr-f) > 1e-12 || math.Abs(ips.Mean.Half()/plain.Half()-f) > 1e-12 || !math.IsNaN(ips.Bernstein[0]) || !math.IsNaN(s.line("UCB1", "snips").Exact[0]) {
			t.Errorf("%d folds: %+v, want %g times %+v", folds, ips, f, plain)
		}
		if d := ips.Difference; !(ips.P > 0) || math.Abs(d.PValue()-ips.P) > 1e-12 {
			t.Errorf("%d folds: p %g of the difference %+v", folds, ips.P, d)
		}
	}
}

// TestFoldFactor draws what the documentation of foldFactor says: arms of one worth, a policy that takes the best of the other folds,
// and the share of logs on which the mean over the folds is within so many standard errors. Over 20,000 draws a share of 95 % has a
// standard error of .15 %.
func TestFoldFactor(t *testing.T) {
	const draws = 20_000
	s := stream.Root(1).Child("folds")
	for folds := 2; folds <= evaluate.MaxFolds; folds++ {
		for _, arms := range []int{2, 3, 5, 10, 30} {
			held, normals := 0, make([]float32, folds*arms)
			for range draws {
				s.Normals(normals)
				sum := 0.0
				for k := range folds {
					best, most := 0, math.Inf(-1)
					for a := range arms {
						others := 0.0
						for j := range folds {
							if j != k {
								others += float64(normals[j*arms+a])
							}
						}
						if others > most {
							best, most = a, others
						}
					}
					sum += float64(normals[k*arms+best])
				}
				if math.Abs(sum) <= 1.96*foldFactor(folds)*math.Sqrt(float64(folds)) {
					held++
				}
			}
			if share := float64(held) / draws; !(share > 0.95-4.5*0.0015) {
				t.Errorf("%d folds, %d arms: intervals hold on %.3f", folds, arms, share)
			}
		}
	}
}

// Groups of terms have the mean of the terms, and about the spread of their mean.
func TestPool(t *testing.T) {
	s := stream.Root(1).Child("pool")
	terms := make([]float64, 3*maxPooled+1234)
	for i := range terms {
		terms[i] = math.Exp(4 * s.Float64())
	}
	all, groups := stats.NewEstimate(terms), stats.NewEstimate(pool(terms))
	if groups.N != maxPooled || math.Abs(groups.Mean-all.Mean) > 1e-9 || math.Abs(groups.StdErr/all.StdErr-1) > 0.08 {
		t.Errorf("groups %+v of terms %+v", groups, all)
	}
}

// The page has the sentences, all tables and both figures, and loads nothing.
func TestPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	s := summary(t, log(t, 500, 0.2, 0.4, 0.6), options(StudentT))
	if err := WritePage(path, s); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	for _, want := range []string{"always 1 would have earned", "<h2>Diagnostics</h2>", "<h2>Estimates</h2>", "<h2>Estimates by clip</h2>", "<h2>The log</h2>", "default-src &#39;none&#39;"} {
		if !strings.Contains(strings.ReplaceAll(page, "default-src 'none'", "default-src &#39;none&#39;"), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, "<svg"); n != 2 {
		t.Errorf("%d figures, want 2", n)
	}
	for _, remote := range []string{`src="http`, `href="http`, "<script"} {
		if strings.Contains(page, remote) {
			t.Errorf("the page has %s", remote)
		}
	}
	if err := WritePage(path, s); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(path); !bytes.Equal(again, b) {
		t.Error("the page differs from itself")
	}
}

// docs/logged-columns.md has the columns as they are declared: go test ./results/logs -run Column -update.
func TestColumns(t *testing.T) {
	var b strings.Builder
	for _, of := range [][2]string{
		{"Diagnostics", diagnosticColumns.Docs()}, {"Estimates", estimateColumns.Docs()}, {"Estimates by clip", clipColumns.Docs()}, {"Arms, in `log describe`", armColumns.Docs()},
	} {
		fmt.Fprintf(&b, "\n%s:\n\n%s", of[0], of[1])
	}
	b.WriteString("\n")
	const path, begin, end = "../../docs/logged-columns.md", "<!-- columns -->\n", "<!-- end of columns -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), begin)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no %s", path, begin)
	}
	want := before + begin + b.String() + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(page) {
		t.Errorf("%s is out of date: go test ./results/logs -run Column -update", path)
	}
}
