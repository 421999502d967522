package scheduler

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// SubmitSlurm submits the array job of a folder, and the merge after it.
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
