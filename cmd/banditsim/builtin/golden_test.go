package builtin_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/kernel"
	"banditsim/results"
)

var update = flag.Bool("update", false, "renew testdata/golden.json, only with a new results.Epoch, and testdata/state.json")

// TestGoldenTrials compares the bytes of a short trial of each of the six, in both profiles, with the
// committed hashes, on every kernel that the processor has; on the exact one in plain Go, which is slow, of pICSGLD alone unless
// BANDITSIM_LONG=1. .ci/run repeats it without assembly and under GOAMD64=v1 and v3. A change of these bytes is a
// change of results.
func TestGoldenTrials(t *testing.T) {
	const path = "testdata/golden.json"
	want := map[string]string{}
	if b, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
	} else if !*update {
		t.Fatal(err)
	}
	before := kernel.Name()
	defer func() {
		if err := kernel.Use(before); err != nil {
			t.Fatal(err)
		}
	}()
	for _, name := range kernel.Available() {
		t.Run(name, func(t *testing.T) {
			if err := kernel.Use(name); err != nil {
				t.Fatal(err)
			}
			policies, all := paperPolicies(t), len(want)
			if name == "go" && before != name && os.Getenv("BANDITSIM_LONG") == "" && !*update {
				policies, all = []string{"pICSGLD"}, 2
			}
			got := goldenTrials(t, policies)
			if *update {
				want, all = got, len(got)
			}
			if len(got) != all {
				t.Errorf("%d trials, want %d", len(got), all)
			}
			for file, sum := range got {
				if want[file] != sum {
					t.Errorf("%s has SHA-256 %s, want %s", file, sum, want[file])
				}
			}
		})
	}
	if *update && !t.Failed() {
		b, err := json.MarshalIndent(want, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// goldenTrials returns the hashes of the trial files. The wide bins make θ change from the first
// training round on.
func goldenTrials(t *testing.T, policies []string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, preset := range []string{"mushroom-paper", "mushroom-authors"} {
		c := builtin.Default()
		e, err := c.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		e.Seeds, e.Policies = []uint64{1}, policies
		set("protocol.rounds=16", "protocol.burn_in=250", "all.train_after=250", "all.steps=3", "all.batch=100", "all.contour.width=1e4")(&e)
		dir := t.TempDir()
		mustRun(t, dir, 2, resolve(t, e, c))
		paths, err := filepath.Glob(filepath.Join(dir, results.TrialsDir, "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(b)
			sums[preset+"/"+filepath.Base(p)] = hex.EncodeToString(sum[:])
		}
	}
	return sums
}
