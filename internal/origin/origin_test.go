package origin

import (
	"os"
	"testing"
	"time"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestProvenanceOfResumedTrials checks that a resumed trial counts for the values of all its runs.
func TestProvenanceOfResumedTrials(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	first := results.Sidecar{Version: "1", Kernel: "avx2", Started: start, Seconds: 10}
	second := results.Sidecar{Version: "1", Kernel: "avx512", Started: start.Add(time.Hour), Seconds: 20}
	last := results.Sidecar{Version: "2", Kernel: "avx512", Started: start.Add(2 * time.Hour), Seconds: 30, Earlier: []results.Sidecar{first, second}}
	p := &Provenance{Trials: 2}
	p.add(last)
	p.add(second)
	must.Equal(t, "version", p.Version, []Tally{{"1", 2}, {"2", 1}})
	must.Equal(t, "kernel", p.Kernel, []Tally{{"avx2", 1}, {"avx512", 2}})
	must.That(t, p.Seconds == 80 && p.Resumed == 1 && p.Started[0] == first.Started && p.Started[1] == last.Started, "%+v", p)
}

// TestProvenanceWithoutPermission checks that a trial whose sidecar cannot be read counts as unknown.
func TestProvenanceWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read all")
	}
	dir := t.TempDir()
	path := resultstest.WriteTrial(t, dir, resultstest.Identity("p", 1, 5), 12, 0)
	must.OK(t, results.WriteSidecar(path, results.Sidecar{}))
	must.OK(t, os.Chmod(results.SidecarPath(path), 0))
	set := must.Get(results.Load(dir))(t)
	p := Read(set)
	must.That(t, len(p.Unknown) == 1, "%+v", p)
}
