package page

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

func TestWithoutFolders(t *testing.T) {
	for text, want := range map[string]string{
		"banditsim run --data /home/ann/t.csv --out=/home/ann/out/t":             "banditsim run --data t.csv --out=t",
		"banditsim run --data '/home/ann/my data/t.csv' '--out=/home/a b/out'":   "banditsim run --data 't.csv' '--out=out'",
		"read /home/ann/out/trials/a-seed1.jsonl: line 3: bytes changed":         "read a-seed1.jsonl: line 3: bytes changed",
		`run --plugin 'Mine=python3 /home/ann/mine.py' --data ~/t.csv`:           `run --plugin 'Mine=python3 mine.py' --data t.csv`,
		`open C:\Users\ann\t.csv: no such file; {"command": "C:\\Users\\a.exe"}`: `open t.csv: no such file; {"command": "a.exe"}`,
		"out/quick, ../t.csv, https://example.org/a, 1/2 and / or \"a\\nb\"":     "out/quick, ../t.csv, https://example.org/a, 1/2 and / or \"a\\nb\"",
	} {
		if got := WithoutFolders(text); got != want {
			t.Errorf("%s\nis  %s\nwant %s", text, got, want)
		}
	}
}

// TestNoLocalPath: a page does not say where its trials, its data or its program were, though a file is damaged.
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
