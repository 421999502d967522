package builtin_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/results"
)

// references lists the committed results, with the policies that TestReference runs again.
var references = []struct {
	preset   string
	policies []string
}{
	{"mushroom-paper", []string{"pICSGLD", "Dropout"}},
	{"mushroom-authors", []string{"pICSGLD"}},
	{"mushroom-best", []string{"DPMMVOI"}},
	{"mushroom-gp", []string{"GP"}},
}

// TestReferenceIdentities checks that the presets have the identities of the committed results.
func TestReferenceIdentities(t *testing.T) {
	t.Parallel()
	for _, r := range references {
		sums := committed(t, r.preset)
		seeds := map[uint64]bool{}
		for name := range sums {
			_, rest, _ := strings.Cut(name, "-seed")
			seed, _, _ := strings.Cut(rest, "-")
			n, err := strconv.ParseUint(seed, 10, 64)
			if err != nil {
				t.Fatalf("%s: %s: %v", r.preset, name, err)
			}
			seeds[n] = true
		}
		plan := presetPlan(t, r.preset, slices.Sorted(maps.Keys(seeds)), nil)
		for _, trial := range plan.Cells {
			must.That(t, sums[trial.FileName()] != "",
				"%s: there is no %s: options, protocol or data have changed", r.preset, trial.FileName())
		}
		must.Equal(t, r.preset+": trials are committed", len(sums), len(plan.Cells))
	}
}

// TestReference runs some policies of the presets on one seed, and compares the trial files with the committed checksums
// and, without diagnostics, with the committed archive.
func TestReference(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("minutes: BANDITSIM_LONG=1")
	}
	for _, r := range references {
		t.Run(r.preset, func(t *testing.T) {
			t.Parallel()
			sums := committed(t, r.preset)
			plan := presetPlan(t, r.preset, []uint64{1}, r.policies)
			dir, want := t.TempDir(), archived(t, r.preset)
			mustRun(t, dir, 1, plan)
			for _, trial := range plan.Cells {
				b := must.Get(os.ReadFile(filepath.Join(dir, results.TrialsDir, trial.FileName())))(t)
				sum := sha256.Sum256(b)
				must.Equal(t, trial.FileName()+" has SHA-256", hex.EncodeToString(sum[:]), sums[trial.FileName()])
				must.That(t, bytes.Equal(withoutDiagnostics(b), want[results.TrialsDir+"/"+trial.FileName()]),
					"the rows of %s are not those of the archive", trial.FileName())
			}
		})
	}
}

// withoutDiagnostics returns a trial file without the diagnostics of the chains, as results/reference/renew archives it.
func withoutDiagnostics(b []byte) []byte {
	var thin bytes.Buffer
	for line := range bytes.Lines(b) {
		if regret, _, found := bytes.Cut(line, []byte(`,"energy":`)); found && bytes.HasPrefix(line, []byte(`{"round":`)) {
			line = append(bytes.Clone(regret), "}\n"...)
		}
		if !bytes.HasPrefix(line, []byte(`{"sha256":`)) {
			thin.Write(line)
		}
	}
	return fmt.Appendf(thin.Bytes(), "{\"sha256\":\"%x\"}\n", sha256.Sum256(thin.Bytes()))
}

func referenceDir(preset string) string {
	return filepath.Join("..", "..", "..", "results", "reference", preset)
}

// committed returns the SHA-256 of the committed trial files by name.
func committed(t *testing.T, preset string) map[string]string {
	t.Helper()
	b := must.Get(os.ReadFile(filepath.Join(referenceDir(preset), "trials.sha256")))(t)
	sums := map[string]string{}
	for line := range strings.Lines(string(b)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		must.Hold(t, ok, "%s: a line %q", preset, line)
		sums[name] = sum
	}
	return sums
}

// presetPlan resolves a preset.
func presetPlan(t *testing.T, preset string, seeds []uint64, policies []string) *experiment.Plan {
	t.Helper()
	c := builtin.Default()
	e := must.Get(c.Preset(preset))(t)
	e.Seeds = seeds
	if policies != nil {
		e.Policies = policies
	}
	return resolve(t, e, c)
}

// archived returns the files of the committed archive of a preset.
func archived(t *testing.T, preset string) map[string][]byte {
	t.Helper()
	in := must.Get(os.Open(filepath.Join(referenceDir(preset), "trials.tar.gz")))(t)
	defer in.Close()
	zip := must.Get(gzip.NewReader(in))(t)
	files := map[string][]byte{}
	for in := tar.NewReader(zip); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		must.OK(t, err)
		b := must.Get(io.ReadAll(in))(t)
		files[h.Name] = b
	}
}
