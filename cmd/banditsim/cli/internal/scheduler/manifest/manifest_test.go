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

// ok ends the test if there is an error.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// decode decodes the documents of a file, one into each of to. Unknown or repeated fields are errors.
func decode(t *testing.T, name string, to ...any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name))
	ok(t, err)
	documents := bytes.Split(b, []byte("\n---\n"))
	if len(documents) != len(to) {
		t.Fatalf("%s: %d documents, want %d", name, len(documents), len(to))
	}
	for i, document := range documents {
		ok(t, yaml.UnmarshalStrict(document, to[i]))
	}
}

func TestManifest(t *testing.T) {
	var experiment core.ConfigMap
	var job, preset batch.Job
	decode(t, "job.yaml", &experiment, &job)
	decode(t, "preset.yaml", &preset)

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

	// Run the command of each index, with the volumes in a temporary folder.
	dir := t.TempDir()
	program := filepath.Join(dir, "banditsim")
	build := exec.Command("go", "build", "-o", program, "./cmd/banditsim")
	build.Dir = filepath.Join("..", "..", "..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ok(t, os.Mkdir(filepath.Join(dir, "experiment"), 0o777))
	for name, text := range experiment.Data {
		ok(t, os.WriteFile(filepath.Join(dir, "experiment", name), []byte(text), 0o666))
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
		ok(t, err)
		trials += len(paths)
	}
	if trials != 4 {
		t.Errorf("%d trials in 3 shards, want 4", trials)
	}
}
