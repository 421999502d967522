package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"banditsim/internal/must"
	"banditsim/internal/origin"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

func TestProvenanceInTables(t *testing.T) {
	set := manyOrigins(t)
	s := summaryOf(t, set)
	var without bytes.Buffer
	if err := Summary(s).Render(&without, Text); err != nil || strings.Contains(without.String(), "Provenance of") {
		t.Errorf("%v, provenance is shown that nobody asked for:\n%s", err, without.String())
	}
	s.Provenance = origin.Read(set)
	name := func(seed uint64) string { return resultstest.Identity("p", seed, 60).FileName() }
	for f, want := range map[Format][]string{
		Text: {
			"p: 1 failed: seed 15 (not in the means)\n", "\n\nProvenance of 5 trials, results epoch 1\n",
			"  version    0.1.0 (3 trials)\n", "  revision   1111111 (2 trials)\n             not recorded (1 trial)\n",
			"  kernel     avx512 (2 trials)\n             avx2 (1 trial)\n", "  processor  Some?[31m CPU (3 trials)\n",
			"  command    banditsim run e.yaml --set 'a b=1' (3 trials)\n",
			"  time       35 min 1 s of trials, summed, started 2026-03-01 23:51 to 2026-03-02 00:05 UTC\n", // 3 × 700.25 s
			"  unknown    for 2 trials:\n    " + name(20) + ": no sidecar\n    " + name(21) + ": read sidecar ",
		},
		Markdown: {"\n\n- Provenance of 5 trials, results epoch 1\n  - version    0.1.0 (3 trials)\n", "    - p-seed20-"},
	} {
		text := show(t, Summary(s), f)
		must.Contain(t, text, want...)
	}
	var got struct{ Provenance origin.Provenance }
	if err := json.Unmarshal([]byte(show(t, Summary(s), JSON)), &got); err != nil || got.Provenance.Kernel[0] != (origin.Tally{Value: "avx512", Trials: 2}) || len(got.Provenance.Unknown) != 2 {
		t.Errorf("%v, %+v", err, got.Provenance)
	}
}

// TestRenderMixed checks that summaries of several settings are reported separately.
func TestRenderMixed(t *testing.T) {
	dir := t.TempDir()
	for seed := uint64(1); seed <= 3; seed++ {
		resultstest.WriteTrial(t, dir, resultstest.Identity("p", seed, 60), 12, 0)
		long := resultstest.Identity("p", seed, 90)
		long.Environment.Data = results.Data{Name: "other", SHA256: "ab12"}
		resultstest.WriteTrial(t, dir, long, 12, 0)
	}
	resultstest.WriteFile(t, dir+"/"+results.TrialsDir+"/cut.jsonl", []byte("{"))
	sets, err := results.LoadMixed(dir)
	if err != nil || len(sets) != 2 {
		t.Fatal(len(sets), err)
	}
	var all []*compare.Summary
	for _, set := range sets {
		s := summaryOf(t, set)
		all = append(all, s)
		must.That(t, len(s.Policies) == 1 && s.Policies[0].Regret[compare.Expected()].All.N == 3 && len(set.Damaged) == 1,
			"%+v", s)
	}
	for f, want := range map[Format][]string{
		Text:     {"Setting 1 of 2: data ", "Setting 2 of 2: data ", "protocol.rounds 60\n", "protocol.rounds 90\n", "mushroom data of another file"},
		Markdown: {"## Setting 1 of 2: data ", "protocol.rounds 60\n\n"},
	} {
		text := show(t, Summaries(all), f)
		must.Contain(t, text, want...)
	}
	rows, err := csv.NewReader(strings.NewReader(show(t, Summaries(all), CSV))).ReadAll()
	must.That(t, err == nil && len(rows) == 3 && rows[0][len(rows[0])-1] == "setting" &&
		rows[1][len(rows[0])-1] != rows[2][len(rows[0])-1], "%q, %v", rows, err)
	var list []struct{ Setting results.Conditions }
	if err := json.Unmarshal([]byte(show(t, Summaries(all), JSON)), &list); err != nil || len(list) != 2 || fmt.Sprint(list[0].Setting.Protocol) == fmt.Sprint(list[1].Setting.Protocol) {
		t.Errorf("%v, %+v", err, list)
	}
}

// manyOrigins returns a set of trials of two revisions and kernels: one trial failed, one has no sidecar, one a damaged one.
func manyOrigins(t testing.TB) *results.Set {
	t.Helper()
	dir := t.TempDir()
	started := time.Date(2026, 3, 1, 23, 50, 0, 0, time.UTC)
	sidecar := func(seed uint64, fail int, kernel, revision string) {
		path := resultstest.WriteTrial(t, dir, resultstest.Identity("p", seed, 60), 12, fail)
		s := results.Sidecar{
			Version: "0.1.0", Revision: revision, Go: "go1.26.0", Kernel: kernel, Processor: "Some\x1b[31m CPU", System: "linux/amd64",
			Command: []string{"banditsim", "run", "e.yaml", "--set", "a b=1"}, Started: started.Add(time.Duration(seed) * time.Minute), Seconds: 700.25,
		}
		must.OK(t, results.WriteSidecar(path, s))
	}
	sidecar(1, 0, "avx512", "1111111")
	sidecar(2, 0, "avx2", "1111111")
	sidecar(15, 55, "avx512", "")
	resultstest.WriteTrial(t, dir, resultstest.Identity("p", 20, 60), 12, 0)
	resultstest.WriteFile(t, results.SidecarPath(resultstest.WriteTrial(t, dir, resultstest.Identity("p", 21, 60), 12, 0)), []byte(`{"version":`))
	return must.Get(results.Load(dir))(t)
}
