package scheduler

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"banditsim/internal/must"
)

// TestJobs compares scripts and manifest with those of testdata, which 'BANDITSIM_UPDATE=1 go test' renews. The manifest
// is decoded and its command run by the module in the folder manifest, the scripts by .ci/slurm.
func TestJobs(t *testing.T) {
	j := Job{Name: "My sweep", Program: "/usr/bin/banditsim", Args: []string{"sweep.yaml", "--set", "protocol.rounds=9"}, Shards: 3, Workers: 2,
		Dir: "/home/some body", Out: "/home/some body/out", Attempts: 10, Image: "registry.example/banditsim:1", Claim: "results"}
	files := Slurm(j)
	j.Args[0], j.Out = "/experiment/experiment.yaml", "/results/out"
	j.Experiment = "extends: quick\nname: sweep\nseeds: 1..2\npolicies: [Uniform, EpsGreedy]\n"
	files = append(files, Kubernetes(j)...)
	j.Experiment, j.Args = "", []string{"quick"}
	preset := Kubernetes(j)[0]
	preset.Name = "preset.yaml"
	for _, f := range append(files, preset) {
		path := filepath.Join("testdata", f.Name)
		if os.Getenv("BANDITSIM_UPDATE") != "" {
			must.OK(t, os.WriteFile(path, f.Text, 0o666))
		}
		want, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(f.Text, want) {
			t.Errorf("%s is not as in testdata (%v):\n%s", f.Name, err, f.Text)
		}
	}
	for name, want := range map[string]string{"Ä/b": "banditsim---b", "x": "banditsim-x", "a very long name of an experiment that goes on and on": "banditsim-a-very-long-name-of-an-experiment-that-goe"} {
		must.Equal(t, name, dnsName(name), want)
	}
}
