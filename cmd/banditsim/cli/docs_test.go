package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentedCommands runs the commands of docs/experiment-files.md on its first file in a shell, as
// dry runs on the replica.
func TestDocumentedCommands(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	b, err := os.ReadFile("../../../docs/experiment-files.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "e.yaml"), []byte(fenced(string(b), "yaml")[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	program, _, _ := banditsim(t)
	if err := os.Symlink(program.Path, filepath.Join(dir, "banditsim")); err != nil {
		t.Skip(err)
	}
	done := 0
	for _, block := range fenced(string(b), "sh") {
		for line := range strings.Lines(block) {
			cmd := exec.Command(sh, "-c", strings.TrimSpace(line)+" --dry-run --data replica")
			cmd.Dir = dir
			cmd.Env = append(program.Env, "PATH="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s%v\n%s", line, err, out)
			}
			done++
		}
	}
	if done < 3 {
		t.Errorf("only %d commands were found", done)
	}
}
