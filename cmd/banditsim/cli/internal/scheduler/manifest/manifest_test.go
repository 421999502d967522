// Package manifest decodes the Kubernetes manifests of 'banditsim submit k8s' into the published API types, and runs
// the command of their container. It is a module of its own, so that banditsim does not depend on Kubernetes.
package manifest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// decode decodes a document; unknown and repeated fields are errors.
func decode(t *testing.T, text []byte, to any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(text, to); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(b, []byte("\n---\n"))
}

func TestManifest(t *testing.T) {
	documents := read(t, "job.yaml")
	if len(documents) != 2 {
		t.Fatalf("%d documents, want 2", len(documents))
	}
	var experiment core.ConfigMap
	var job, preset batch.Job
	decode(t, documents[0], &experiment)
	decode(t, documents[1], &job)
	decode(t, read(t, "preset.yaml")[0], &preset)

	if experiment.Kind != "ConfigMap" || job.Kind != "Job" || job.APIVersion != "batch/v1" {
		t.Errorf("%s and %s of %s", experiment.Kind, job.Kind, job.APIVersion)
	}
	s := job.Spec
	if *s.CompletionMode != batch.IndexedCompletion || *s.Completions != 3 || *s.BackoffLimitPerIndex != 10 {
		t.Errorf("spec %+v", s)
	}
	pod := s.Template.Spec
	container := pod.Containers[0]
	if pod.RestartPolicy != core.RestartPolicyNever { // PodFailurePolicy requires it
		t.Errorf("restart policy %s", pod.RestartPolicy)
	}
	action := map[int32]batch.PodFailurePolicyAction{}
	for _, rule := range s.PodFailurePolicy.Rules {
		if rule.OnExitCodes == nil {
			continue
		}
		if *rule.OnExitCodes.ContainerName != container.Name || rule.OnExitCodes.Operator != batch.PodFailurePolicyOnExitCodesOpIn {
			t.Errorf("rule %+v", rule)
		}
		for _, code := range rule.OnExitCodes.Values {
			action[code] = rule.Action
		}
	}
	if action[2] != batch.PodFailurePolicyActionFailIndex || action[4] != batch.PodFailurePolicyActionFailIndex || action[75] != batch.PodFailurePolicyActionCount {
		t.Errorf("actions %v", action)
	}
	mounts := map[string]string{}
	for _, m := range container.VolumeMounts {
		mounts[m.Name] = m.MountPath
	}
	for _, v := range pod.Volumes {
		if mounts[v.Name] == "" {
			t.Errorf("the volume %s is not mounted", v.Name)
		}
		if v.ConfigMap != nil && v.ConfigMap.Name != experiment.Name {
			t.Errorf("the volume %s is of %s, want %s", v.Name, v.ConfigMap.Name, experiment.Name)
		}
	}

	// The command of each index, with the volumes in a folder of the test.
	dir := t.TempDir()
	program := filepath.Join(dir, "banditsim")
	build := exec.Command("go", "build", "-o", program, "./cmd/banditsim")
	build.Dir = filepath.Join("..", "..", "..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range experiment.Data {
		if err := os.MkdirAll(filepath.Join(dir, "experiment"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "experiment", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	trials := 0
	for _, index := range []string{"2", "0", "1"} {
		args := append([]string{}, container.Command[1:]...)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "$(JOB_COMPLETION_INDEX)", index)
			for _, path := range mounts {
				if strings.HasPrefix(args[i], path+"/") {
					args[i] = dir + args[i]
				}
			}
		}
		run := exec.Command(program, args...)
		run.Env = append(os.Environ(), "JOB_COMPLETION_INDEX="+index)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		paths, err := filepath.Glob(filepath.Join(dir, "results", "out", "shards", index, "trials", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		trials += len(paths)
	}
	if trials != 4 {
		t.Errorf("%d trials in 3 shards, want 4", trials)
	}
}
