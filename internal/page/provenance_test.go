package page

import (
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestLongListOfTrials checks that a long list of trials is cut to the failed ones and the first ones of each policy.
func TestLongListOfTrials(t *testing.T) {
	regret := map[string][]float64{"a": make([]float64, 1500), "b": make([]float64, 300)}
	for _, k := range []int{3, 1400, 1499} {
		regret["a"][k] = math.NaN() // failed
	}
	p := newProvenance(resultstest.Set(regret), 1000, map[string]string{})
	outcomes := make(map[string]int)
	for _, trial := range p.Trials {
		outcomes[trial.Policy+" "+trial.Outcome]++
	}
	must.That(t, p.Total == 1800 && outcomes["a whole"] == 500 && outcomes["a failed in round 10"] == 3 &&
		outcomes["b whole"] == 300, "%d trials: %v", p.Total, outcomes)
	if p := newProvenance(resultstest.Set(map[string][]float64{"a": regret["b"]}), 1000, map[string]string{}); len(p.Trials) != 300 {
		t.Errorf("%d of 300 trials", len(p.Trials))
	}
}

func TestWithoutFolders(t *testing.T) {
	for text, want := range map[string]string{
		"banditsim run --data /home/ann/t.csv --out=/home/ann/out/t":             "banditsim run --data t.csv --out=t",
		"banditsim run --data '/home/ann/my data/t.csv' '--out=/home/a b/out'":   "banditsim run --data 't.csv' '--out=out'",
		"read /home/ann/out/trials/a-seed1.jsonl: line 3: bytes changed":         "read a-seed1.jsonl: line 3: bytes changed",
		`run --plugin 'Mine=python3 /home/ann/mine.py' --data ~/t.csv`:           `run --plugin 'Mine=python3 mine.py' --data t.csv`,
		`open C:\Users\ann\t.csv: no such file; {"command": "C:\\Users\\a.exe"}`: `open t.csv: no such file; {"command": "a.exe"}`,
		"out/quick, ../t.csv, https://example.org/a, 1/2 and / or \"a\\nb\"":     "out/quick, ../t.csv, https://example.org/a, 1/2 and / or \"a\\nb\"",
	} {
		got := WithoutFolders(text)
		must.That(t, got == want, "%s\nis  %s\nwant %s", text, got, want)
	}
}

// TestNoLocalPath checks that a page does not name the folders of its trials, data and program, even if a file is damaged.
func TestNoLocalPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a secret", "place")
	f := three()
	f.Sidecar = resultstest.Provenance()
	f.Sidecar.Command = []string{"/opt/secret/banditsim", "run", "--out", dir}
	resultstest.Write(t, dir, f)
	paths, _, err := results.TrialFiles(dir)
	must.OK(t, err)
	must.OK(t, os.Truncate(paths[0], 500))
	sets := must.Get(results.LoadMixed(dir))(t)
	b := must.Get(Render(sets, Options{}))(t)
	if text := html.UnescapeString(string(b)); strings.Contains(text, "secret") || !strings.Contains(text, "damaged file left out") || !strings.Contains(text, "banditsim run --out 'place'") {
		t.Errorf("want the damaged file and the command without folders: %v %s", strings.Count(text, "secret"), strings.Join(regexp.MustCompile(`.{80}(secret|damaged file|banditsim run).{80}`).FindAllString(text, -1), "\n"))
	}
}
