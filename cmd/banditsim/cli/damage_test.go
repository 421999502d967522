package cli_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

// A flipped bit in any file of a folder is said by every verb in the same way: the file is named and left out, with
// exit code 3. The everyday grade flips one bit in every file for each verb, the long grade 10,000.
func TestFlippedBitInEveryVerb(t *testing.T) {
	t.Setenv("BANDITSIM_DATA", "")
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	invoke := func(args ...string) (code int, stdout, stderr string) {
		var o, e bytes.Buffer
		code = cli.Main(builtin.Default(), args, &o, &e)
		return code, o.String(), e.String()
	}
	if code, _, stderr := invoke("run", "quick", "--data", "replica", "--quiet", "--policies", "Uniform,Never", "--seeds", "1..2", "--set", "protocol.rounds=3", "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	files, err := filepath.Glob(filepath.Join(out, "trials", "*"))
	if err != nil || len(files) != 8 {
		t.Fatal(files, err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	verbs := [][]string{{"report", out}, {"compare", out}, {"plot", out, "--out", filepath.Join(dir, "p.svg")}, {"plot", out, "--term"},
		{"report", out, "--html", filepath.Join(dir, "p.html")}, {"export", out, "--out", filepath.Join(dir, "r.csv")}}
	for _, verb := range verbs {
		_, sound, _ := invoke(verb...)
		flips := len(files)
		if os.Getenv("BANDITSIM_LONG") != "" {
			flips = 10000 / len(verbs)
		}
		for k := range flips {
			file := files[k%len(files)]
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n, bit := rng.IntN(len(whole)), byte(1)<<rng.IntN(8)
			damaged := bytes.Clone(whole)
			damaged[n] ^= bit
			if err := os.WriteFile(file, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := invoke(verb...)
			if said := code == cli.ExitIncomplete && strings.Contains(stderr, "left out: ") && strings.Contains(stderr, file); !said &&
				// In the name of the checksum's field: the sidecar has none then, and all else is the same.
				(bytes.Contains(damaged, []byte(",\n  \"sha256\": \"")) || !strings.HasSuffix(file, ".meta.json") || stdout != sound && !strings.Contains(stdout, "not verified for 1 trial")) {
				t.Errorf("%q, byte %d of %d of %s: exit code %d\n%s", verb, n, len(whole), file, code, stderr)
			}
			if err := os.WriteFile(file, whole, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A damaged sidecar is set aside by the next run, after which the folder is sound.
func TestRunSetsDamagedSidecarAside(t *testing.T) {
	t.Setenv("BANDITSIM_DATA", "")
	out := filepath.Join(t.TempDir(), "o")
	run := []string{"run", "quick", "--data", "replica", "--quiet", "--policies", "Uniform", "--set", "protocol.rounds=2", "--out", out}
	var stdout, stderr bytes.Buffer
	if code := cli.Main(builtin.Default(), run, &stdout, &stderr); code != 0 {
		t.Fatal(&stderr)
	}
	sidecars, err := filepath.Glob(filepath.Join(out, "trials", "*.meta.json"))
	if err != nil || len(sidecars) != 1 {
		t.Fatal(sidecars, err)
	}
	b, err := os.ReadFile(sidecars[0])
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, []byte(`"seconds": `), []byte(`"seconds": 1`), 1)
	if err := os.WriteFile(sidecars[0], b, 0o666); err != nil {
		t.Fatal(err)
	}
	if code := cli.Main(builtin.Default(), []string{"report", out}, &stdout, &stderr); code != cli.ExitIncomplete {
		t.Errorf("report: exit code %d", code)
	}
	stderr.Reset()
	if code := cli.Main(builtin.Default(), run, &stdout, &stderr); code != 0 || !strings.Contains(stderr.String(), "set aside as "+filepath.Base(sidecars[0])+".damaged-1") {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
	if code := cli.Main(builtin.Default(), []string{"report", out}, &stdout, &stderr); code != 0 {
		t.Errorf("report: exit code %d", code)
	}
}
