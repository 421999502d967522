package scheduler

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
)

func TestIndex(t *testing.T) {
	for _, test := range []struct {
		env   string // NAME=value, separated by spaces
		shard int
		from  string
		wrong string
	}{
		{env: "BANDITSIM_SHARD=3 SLURM_ARRAY_TASK_ID=5 JOB_COMPLETION_INDEX=1", shard: 3, from: "BANDITSIM_SHARD"},
		{env: "SLURM_ARRAY_TASK_ID=5", shard: 5, from: "SLURM_ARRAY_TASK_ID"},
		{env: "JOB_COMPLETION_INDEX=0", shard: 1, from: "JOB_COMPLETION_INDEX"},
		{env: "PBS_ARRAY_INDEX=2", shard: 2, from: "PBS_ARRAY_INDEX"},
		{env: "PBS_ARRAYID=2", shard: 2, from: "PBS_ARRAYID"},
		{env: "SGE_TASK_ID=7", shard: 7, from: "SGE_TASK_ID"},
		{env: "SGE_TASK_ID=undefined LSB_JOBINDEX=4", shard: 4, from: "LSB_JOBINDEX"},
		{env: "LSB_JOBINDEX=0 AWS_BATCH_JOB_ARRAY_INDEX=8", shard: 9, from: "AWS_BATCH_JOB_ARRAY_INDEX"},
		{env: "SGE_TASK_ID=undefined LSB_JOBINDEX=0", wrong: "no index"},
		{env: "SLURM_ARRAY_TASK_ID=0", wrong: "at least 1"},
		{env: "SLURM_ARRAY_TASK_ID=two", wrong: "whole number"},
		{env: "SLURM_ARRAY_TASK_ID=1 JOB_COMPLETION_INDEX=1", wrong: "both"},
	} {
		env := map[string]string{}
		for pair := range strings.FieldsSeq(test.env) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		shard, from, err := index(func(name string) string { return env[name] })
		if shard != test.shard || from != test.from || (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %d from %q, %v; want %d from %q, error %q", test.env, shard, from, err, test.shard, test.from, test.wrong)
		}
	}
}

func TestArraySpec(t *testing.T) {
	for want, list := range map[string][]int{"": nil, "3": {3, 3}, "1-2": {2, 1}, "1,3-5,9": {9, 4, 3, 5, 1, 3}} {
		must.Equal(t, fmt.Sprint(list), ArraySpec(list), want)
	}
}

// TestJobs compares scripts and manifests with testdata, which 'BANDITSIM_UPDATE=1 go test' renews. The module in the folder
// manifest decodes the manifests and runs their command; .ci/slurm runs the scripts.
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
		must.That(t, err == nil && bytes.Equal(f.Text, want), "%s is not as in testdata (%v):\n%s", f.Name, err, f.Text)
	}
	for name, want := range map[string]string{"Ä/b": "banditsim---b", "x": "banditsim-x", "a very long name of an experiment that goes on and on": "banditsim-a-very-long-name-of-an-experiment-that-goe"} {
		must.Equal(t, name, dnsName(name), want)
	}
}

func TestWriteKeepsEdits(t *testing.T) {
	dir := t.TempDir()
	array := filepath.Join(dir, "array.sh")
	job := func(shards string) []File {
		return []File{{"array.sh", []byte("#!/bin/bash\n#SBATCH --array=" + shards + "\nrun\n")}, {"merge.sh", []byte("merge " + shards + "\n")}}
	}
	put := func(text string) {
		t.Helper()
		must.OK(t, os.WriteFile(array, []byte(text), 0o666))
	}
	has := func(name, want string) {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		must.That(t, err == nil && strings.Contains(string(b), want), "%s: %q, %v: want %q", name, b, err, want)
	}
	wrote := func(shards string, want ...string) {
		t.Helper()
		kept, err := Write(dir, job(shards))
		var d []string
		for _, k := range kept {
			d = append(d, k.Difference...)
		}
		must.That(t, err == nil && slices.Equal(d, want), "%s: %q, %v: want %q", shards, d, err, want)
	}
	wrote("1-2")
	wrote("1-3") // not edited: overwritten
	has("array.sh", "1-3")
	has("merge.sh", "1-3")
	edited := "#!/bin/bash\n#SBATCH --array=1-3\n#SBATCH --partition=\x1b[31mlong\nrun --fast\n"
	put(edited)
	wrote("1-3", "- run", "+ #SBATCH --partition=?[31mlong", "+ run --fast")
	wrote("1-3", "- run", "+ #SBATCH --partition=?[31mlong", "+ run --fast") // and again
	has("array.sh", edited)
	kept, err := Write(dir, job("1-4"))
	must.That(t, errors.Is(err, ErrOtherJob) && len(kept) == 1 && kept[0].Path == array, "%+v, %v", kept, err)
	has("array.sh", edited)
	has("merge.sh", "1-3")
	// Write returns ErrOtherJob even if only one file differs from that of the earlier job.
	other := job("1-4")
	other[1] = job("1-3")[1]
	if _, err := Write(dir, other); !errors.Is(err, ErrOtherJob) {
		t.Errorf("the first file alone is of another job: %v", err)
	}
	must.OK(t, os.Remove(array))
	wrote("1-4")
	has("array.sh", "1-4")
	has("merge.sh", "1-4")
	// Without the record .written, as from an older version, a file that differs counts as edited.
	must.OK(t, os.Remove(filepath.Join(dir, ".written")))
	put("")
	wrote("1-4", "- #!/bin/bash", "- #SBATCH --array=1-4", "- run", "+ ")
	has("merge.sh", "1-4")
}
