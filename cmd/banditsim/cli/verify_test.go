package cli_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/verify"
)

// TestVerifyFails checks that an added sampler is verified too, with exit code 4 if it does not do
// what it claims.
func TestVerifyFails(t *testing.T) {
	t.Parallel()
	mine := sgmcmc.Claims{
		ZeroTemperature: true, Period: 1,
		Variance: func(k, v, eps, temperature float64) float64 {
			return (temperature + eps*v/2) / k / (1 - eps*k/2) * 1.1 // a tenth more than is right
		},
		Memory: func(k, eps float64) float64 { return -1 / math.Log(1-eps*k) },
	}
	catalog := builtin.Default()
	method := sgmcmc.SGLD()
	method.Name, method.Doc, method.Claims = "Mine", "one of my own", mine
	err := experiment.AddMethod(catalog, method)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Main(catalog, cli.Process{Args: []string{"banditsim", "sampler", "verify", "Mine", "--quiet"}, Getenv: os.Getenv, Stdout: &stdout, Stderr: &stderr}); code != cli.ExitThreshold {
		t.Errorf("exit code %d, want %d\n%s", code, cli.ExitThreshold, stderr.String())
	}
	for _, want := range []string{"\n  fail  variance ", "failed: Mine"} {
		if !bytes.Contains(stdout.Bytes(), []byte(want)) {
			t.Errorf("%q is not in the card:\n%s", want, stdout.String())
		}
	}
	if !bytes.Contains(stderr.Bytes(), []byte("failed: Mine")) {
		t.Errorf("stderr: %s", stderr.String())
	}

	// The card is also written, with the same exit code.
	text := stdout.String()
	dir := filepath.Join(t.TempDir(), "card")
	stdout.Reset()
	stderr.Reset()
	if code := cli.Main(catalog, cli.Process{Args: []string{"banditsim", "sampler", "verify", "Mine", "-o", "json", "--quiet", "--out", dir}, Getenv: os.Getenv, Stdout: &stdout, Stderr: &stderr}); code != cli.ExitThreshold {
		t.Errorf("exit code %d, want %d", code, cli.ExitThreshold)
	}
	paths := []string{filepath.Join(dir, "card.txt"), filepath.Join(dir, "card.json")}
	for i, want := range []string{text, stdout.String()} {
		if b, err := os.ReadFile(paths[i]); err != nil || string(b) != want {
			t.Errorf("%s is not what is shown: %v\n%s", paths[i], err, b)
		}
	}
	if want := "written: " + strings.Join(paths, ", ") + "\n"; !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("no %q in stderr: %s", want, stderr.String())
	}
	var card struct {
		Passed bool
		Cards  []struct {
			Name    string
			Passed  bool
			Results []struct {
				Check, Verdict string
				Off            *float64
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &card); err != nil {
		t.Fatal(err)
	}
	if card.Passed || len(card.Cards) != 1 || card.Cards[0].Passed {
		t.Errorf("card %+v", card)
	}
	for _, r := range card.Cards[0].Results {
		if r.Check == "variance" && r.Verdict == "fail" && r.Off != nil && *r.Off < -verify.Limit {
			return
		}
	}
	t.Errorf("no failed variance in %+v", card)
}
