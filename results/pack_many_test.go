//go:build unix

package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/internal/sumzip"
	"banditsim/results/internal/sumline"
)

// TestManyPacks loads 2,000 packed trials of 2,000 rounds, or BANDITSIM_FILES, with sidecars, first verifying each and then by the stamp, and
// logs processor time and memory (long grade; it needs 40 MB of disk a thousand). They are left in the folder BANDITSIM_DIR, if that is set.
func TestManyPacks(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("long")
	}
	trials := uint64(2_000)
	if n, err := strconv.ParseUint(os.Getenv("BANDITSIM_FILES"), 10, 64); err == nil {
		trials = n
	}
	dir := cmp.Or(os.Getenv("BANDITSIM_DIR"), t.TempDir())
	if err := os.MkdirAll(filepath.Join(dir, TrialsDir), 0o777); err != nil {
		t.Fatal(err)
	}
	full, err := ReadRecord(write(t, t.TempDir(), identity("pSGLD", 1, 2000), 20, 0))
	if err != nil {
		t.Fatal(err)
	}
	var thin bytes.Buffer // without diagnostics
	err = Encode(&thin, full.Identity(), func(yield func(*bandit.RoundRecord, error) bool) {
		for r, err := range full.Regrets() {
			if err != nil || !yield(&bandit.RoundRecord{Round: r.Round, Realised: r.Realised, Expected: r.Expected, Arms: r.Arms}, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := thin.Bytes()
	rounds := b[bytes.IndexByte(b, '\n')+1 : bytes.LastIndexByte(b[:len(b)-1], '\n')+1] // and totals, for all seeds
	var some []Compressed
	for seed := uint64(1); seed <= trials; seed++ {
		i := identity("pSGLD", seed, 2000)
		b := append([]byte(mustJSON(header{Schema, i.ID(), i})+"\n"), rounds...)
		sum := sha256.Sum256(b)
		rec := newRecord(i, full.Totals, sum)
		rec.Totals.Mistakes = 0 // thin has none
		sidecar, err := json.MarshalIndent(Sidecar{Label: "pSGLD", Version: "0.1.0", Go: "go1.26.0", Kernel: "avx2", Processor: "Test Processor", System: "linux/amd64",
			Command: []string{"banditsim", "run", "quick"}, Started: time.Unix(1.7e9+int64(seed), 0).UTC(), Seconds: float64(seed) / 7}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compress(rec, Files{Trial: sumzip.Plain(append(b, sumline.Text(sum[:])...)), Sidecar: sealSidecar(bytes.TrimSuffix(sidecar, []byte("\n}")))})
		if err != nil {
			t.Fatal(err)
		}
		if some = append(some, c); len(some) == 4096 || seed == trials {
			pack, err := WritePack(dir, some)
			if err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-time.Minute) // as if they were written long ago
			if err := os.Chtimes(pack, old, old); err != nil {
				t.Fatal(err)
			}
			some = nil
		}
	}
	for _, what := range []string{"verified", "by the stamp"} {
		before := processorTime(t)
		set, err := Load(dir)
		if err != nil || len(set.Damaged) > 0 || len(set.Policies[0].Records) != int(trials) {
			t.Fatal(err, set.Damaged[:min(len(set.Damaged), 1)])
		}
		took := processorTime(t) - before
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("%d packed trials of %d bytes, %s: %v of processor time, %d MB in use", trials, thin.Len(), what, took.Round(10*time.Millisecond), m.HeapAlloc>>20)
		runtime.KeepAlive(set)
	}
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
