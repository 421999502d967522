package cli_test

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// evaluation has the parts of the output of 'banditsim evaluate -o json' that the tests use.
type evaluation struct {
	Diagnostics []struct {
		Rows    int     `json:"rows"`
		Used    int     `json:"used"`
		ESS     float64 `json:"ess"`
		Verdict bool    `json:"verdict"`
	} `json:"diagnostics"`
	Estimates []struct {
		Estimator   string  `json:"estimator"`
		Estimate    float64 `json:"estimate"`
		Against     float64 `json:"against"`
		AgainstLow  float64 `json:"against_low"`
		AgainstHigh float64 `json:"against_high"`
		Biased      bool    `json:"biased"`
	} `json:"estimates"`
}

// evaluate runs 'banditsim evaluate', which must succeed, and returns its output.
func evaluate(t *testing.T, args ...string) (found evaluation, stderr string) {
	t.Helper()
	stdout, stderr := exits(t, exit.OK, append([]string{"evaluate", "-o", "json"}, args...)...)
	must.OK(t, json.Unmarshal([]byte(stdout), &found))
	return found, stderr
}

// sums computes from a file of the Open Bandit Dataset, without the code under test, the number n of rows, the number of arms,
// w = Σ1/p, w2 = Σ1/p², wr = Σclick/p and r = Σclick.
func sums(t *testing.T, path string) (n, arms int, w, w2, wr, r float64) {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	rows := must.Get(csv.NewReader(z).ReadAll())(t)
	column := func(name string) int { return slices.Index(rows[0], name) }
	item, click, score := column("item_id"), column("click"), column("propensity_score")
	for _, row := range rows[1:] {
		arm, err1 := strconv.Atoi(row[item])
		c, err2 := strconv.ParseFloat(row[click], 64)
		p, err3 := strconv.ParseFloat(row[score], 64)
		must.Hold(t, err1 == nil && err2 == nil && err3 == nil, "%s: row %v", path, row)
		n, arms = n+1, max(arms, arm+1)
		w, w2, wr, r = w+1/p, w2+1/p/p, wr+c/p, r+c
	}
	return n, arms, w, w2, wr, r
}

// TestOpenBandit checks the estimates of the uniform policy from a log of Thompson sampling against the uniform policy's own
// log, and that a log with too few effective rows has no verdict. The files are not part of the project: BANDITSIM_OBD is the
// folder that has bts and random.
func TestOpenBandit(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("BANDITSIM_OBD")
	if dir == "" {
		t.Skip("the sample of the Open Bandit Dataset is not here: set BANDITSIM_OBD to its folder")
	}
	men, women := filepath.Join(dir, "bts", "men.csv.gz"), filepath.Join(dir, "bts", "women.csv.gz")
	uniform := filepath.Join(dir, "random", "men.csv.gz")

	found, said := evaluate(t, men, "--policies", "Uniform", "--against", uniform)
	n, arms, w, w2, wr, _ := sums(t, men)
	others, _, _, _, _, clicks := sums(t, uniform)
	ips, snips, rate := wr/float64(arms)/float64(n), wr/w, clicks/float64(others)
	want := map[string]float64{"ips": ips, "snips": snips}
	same := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }
	for _, e := range found.Estimates {
		if e.Biased {
			continue // its interval does not include the bias
		}
		if !(e.AgainstLow < 0 && e.AgainstHigh > 0) {
			t.Errorf("men, %s: %.5f, less the uniform log's own click rate %.5f: %.5f (%.5f to %.5f), want an interval with 0", e.Estimator, e.Estimate, rate, e.Against, e.AgainstLow, e.AgainstHigh)
		}
		if by, ok := want[e.Estimator]; ok && (!same(e.Estimate, by) || !same(e.Against, by-rate)) {
			t.Errorf("men, %s: %v, less %v: %v, want %v and %v", e.Estimator, e.Estimate, rate, e.Against, by, by-rate)
		}
	}
	d := found.Diagnostics[0]
	if d.Verdict || !strings.Contains(said, "no verdict on Uniform: an effective 15.1 of the 10,000 rows") || d.Rows != n || d.Used != n || !same(d.ESS, w*w/w2) {
		t.Errorf("men: %+v with %s, want no verdict by all %d rows, of an effective size of %v: few clicks", d, said, n, w*w/w2)
	}
	found, said = evaluate(t, women, "--policies", "Uniform")
	must.That(t, strings.Contains(said, "warning: no verdict on Uniform: the effective sample size is ") &&
		!found.Diagnostics[0].Verdict, "women: %+v with %s, want no verdict", found.Diagnostics[0], said)
}
