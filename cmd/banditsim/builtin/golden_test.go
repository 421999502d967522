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
	"banditsim/internal/must"
	"banditsim/results"
)

var update = flag.Bool("update", false, "renew testdata/golden.json, only with a new results.Epoch, and testdata/state.json")

// TestGoldenTrials compares a short trial of each of the six policies, in both profiles, with the committed hashes, on every
// kernel that the processor has. On the kernel in plain Go, which is slow, it runs only pICSGLD unless BANDITSIM_LONG=1.
// .ci/run repeats it without assembly and under GOAMD64=v1 and v3. A change of these hashes is a change of results.
func TestGoldenTrials(t *testing.T) {
	const path = "testdata/golden.json"
	want := map[string]string{}
	if b, err := os.ReadFile(path); err == nil {
		must.OK(t, json.Unmarshal(b, &want))
	} else if !*update {
		t.Fatal(err)
	}
	before := kernel.Name()
	defer func() {
		must.OK(t, kernel.Use(before))
	}()
	for _, name := range kernel.Available() {
		t.Run(name, func(t *testing.T) {
			must.OK(t, kernel.Use(name))
			policies, all := paperPolicies(t), len(want)
			if name == "go" && before != name && os.Getenv("BANDITSIM_LONG") == "" && !*update {
				policies, all = []string{"pICSGLD"}, 2
			}
			got := goldenTrials(t, policies)
			if *update {
				want, all = got, len(got)
			}
			must.Equal(t, "trials", len(got), all)
			for file, sum := range got {
				must.Equal(t, "SHA-256 of "+file, want[file], sum)
			}
		})
	}
	if *update && !t.Failed() {
		b := must.Get(json.MarshalIndent(want, "", "  "))(t)
		must.OK(t, os.WriteFile(path, append(b, '\n'), 0o666))
	}
}

// goldenTrials returns the hashes of the trial files. Because of the wide bins, θ changes from the first training round on.
func goldenTrials(t *testing.T, policies []string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, preset := range []string{"mushroom-paper", "mushroom-authors"} {
		c := builtin.Default()
		e := must.Get(c.Preset(preset))(t)
		e.Seeds, e.Policies = []uint64{1}, policies
		set("protocol.rounds=16", "protocol.burn_in=250", "all.train_after=250", "all.steps=3", "all.batch=100", "all.contour.width=1e4")(&e)
		dir := t.TempDir()
		mustRun(t, dir, 2, resolve(t, e, c))
		paths := must.Get(filepath.Glob(filepath.Join(dir, results.TrialsDir, "*.jsonl")))(t)
		for _, p := range paths {
			b := must.Get(os.ReadFile(p))(t)
			sum := sha256.Sum256(b)
			sums[preset+"/"+filepath.Base(p)] = hex.EncodeToString(sum[:])
		}
	}
	return sums
}
