package logs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// lineJSON returns an estimate in JSON as evaluate writes it.
func lineJSON(policy, estimator string, mean, se, difference float64) string {
	text := "null"
	if !math.IsNaN(difference) {
		text = fmt.Sprint(difference)
	}
	return fmt.Sprintf(`{"policy":%q,"estimator":%q,"rows":1000,"estimate":%g,"standard_error":%g,"low":%g,"high":%g,"difference":%s,"difference_low":%[7]s,"difference_high":%[7]s,"verdict":true,"truth":null}`,
		policy, estimator, mean, se, mean-2*se, mean+2*se, text)
}

// TestBeside: what a log and simulations say of the same policies, paired by seed there, and where they disagree.
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
		path := filepath.Join(t.TempDir(), "evaluation.json")
		if err := os.WriteFile(path, []byte(`{"log":"x.csv","baseline":"bad","estimates":[`+strings.Join(lines, ",")+"]}"), 0o666); err != nil {
			t.Fatal(err)
		}
		e, err := ReadEvaluation(path)
		if err != nil {
			t.Fatal(err)
		}
		return e
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
			if err != nil || len(table.Rows) != 2 {
				t.Fatalf("rows %v, error %v, want good and bad", table.Rows, err)
			}
			good, bad := table.Rows[0], table.Rows[1]
			if good[0] != "good" || bad[0] != "bad" || good[len(good)-1] != tt.agree || bad[len(bad)-1] != "–" {
				t.Errorf("rows %v and %v, want that the first says %s", good, bad, tt.agree)
			}
			if got := good[len(good)-3]; got != want.MeanText() {
				t.Errorf("simulated: %s more, want %s", got, want.MeanText())
			}
			if got := table.Columns[5].Header; got != "more than bad" {
				t.Errorf("header %q, want the evaluation's baseline", got)
			}
		})
	}
	if _, err := write(lineJSON("elsewhere", "dr", 1, 1, nan)).Beside(s); err == nil || !strings.Contains(err.Error(), "no policy of the log x.csv (elsewhere) was simulated here (") {
		t.Errorf("error %v", err)
	}
	for text, want := range map[string]string{
		"":                                 "want what 'banditsim evaluate LOG -o json' writes",
		`{"estimates":[]}`:                 "no estimates",
		`{"estimates":[{"policy":"a"}]}`:   "estimate 1 has no policy",
		`{"estimates":[{"estimate":"x"}]}`: "want what 'banditsim evaluate",
	} {
		path := filepath.Join(t.TempDir(), "evaluation.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadEvaluation(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
