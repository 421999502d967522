package scheduler

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"

	"banditsim/internal/words"
)

// A Job is an experiment that a scheduler runs in shards.
type Job struct {
	Name     string
	Program  string   // path of banditsim
	Args     []string // arguments of run, plan and missing: the experiment and the flags that change it
	Shards   int
	Workers  int
	Dir      string // absolute working directory of the commands
	Out      string // absolute output folder
	Attempts int    // how often a shard is run at most; Kubernetes does not count the first run, so it is one more there

	// For Kubernetes:
	Image      string
	Claim      string // PersistentVolumeClaim of the output
	Experiment string // text of the experiment file; "" for a preset
}

// A File is a file of a job.
type File struct {
	Name string
	Text []byte
}

//go:embed slurm_array.sh
var slurmArray string

//go:embed slurm_merge.sh
var slurmMerge string

//go:embed kubernetes.yaml
var kubernetes string

//go:embed Containerfile
var containerfile string

// Slurm returns the scripts of an array job and of the merge that follows it.
func Slurm(j Job) []File {
	return []File{{"array.sh", j.fill(slurmArray)}, {"merge.sh", j.fill(slurmMerge)}}
}

// Kubernetes returns the manifest of an Indexed Job, with a ConfigMap of the experiment, and a Containerfile.
func Kubernetes(j Job) []File {
	return []File{{"job.yaml", j.fill(kubernetes)}, {"Containerfile", []byte(containerfile)}}
}

func (j Job) fill(text string) []byte {
	quote := func(v any) (string, error) { // a JSON string is a YAML string
		b, err := json.Marshal(v)
		return string(b), err
	}
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"shell": func(args ...string) string { return words.CommandLine(args) },
		"line":  words.CommandLine,
		"quote": quote,
		"dns":   dnsName,
		"join":  filepath.Join,
	}).Parse(text))
	var b bytes.Buffer
	if err := t.Execute(&b, j); err != nil {
		panic(fmt.Sprintf("scheduler: %v", err)) // the templates are constants
	}
	return b.Bytes()
}

// dnsName returns a name of lowercase letters, digits and hyphens, with room for a pod's index below the limit of 63.
func dnsName(name string) string {
	name = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower("banditsim-"+name))
	return strings.TrimRight(name[:min(len(name), 52)], "-")
}

// SubmitSlurm submits the array job in a folder, and the merge that runs after it.
func SubmitSlurm(dir string, stdout, stderr io.Writer) error {
	var id bytes.Buffer
	if err := run(&id, stderr, "sbatch", "--parsable", filepath.Join(dir, "array.sh")); err != nil {
		return err
	}
	job, _, _ := strings.Cut(strings.TrimSpace(id.String()), ";") // a cluster's name may follow
	if _, err := fmt.Fprintln(stdout, "array job", job); err != nil {
		return err
	}
	return run(stdout, stderr, "sbatch", "--parsable", "--dependency=afterany:"+job, filepath.Join(dir, "merge.sh"))
}

// SubmitKubernetes applies the manifest of a folder.
func SubmitKubernetes(dir string, stdout, stderr io.Writer) error {
	return run(stdout, stderr, "kubectl", "apply", "-f", filepath.Join(dir, "job.yaml"))
}

func run(stdout, stderr io.Writer, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = stdout, stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("submit: %s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
