package cli_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/internal/must"
)

// longEnv selects the long grade of tests.
const longEnv = "BANDITSIM_LONG"

var catalog = sync.OnceValue(builtin.Default) // which takes longer than most commands

// run runs a command line in this process, in the folder dir, and returns its exit code and what it prints, where paths in the
// folder are relative to it.
func run(dir string, getenv func(string) string, args []string, stdin ...io.Reader) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Main(catalog(), cli.Process{Args: append([]string{program}, args...), Dir: dir, Getenv: getenv, Stdin: io.MultiReader(stdin...), Stdout: &out, Stderr: &err})
	relative := func(b bytes.Buffer) string { return strings.ReplaceAll(b.String(), dir+string(os.PathSeparator), "") }
	return code, relative(out), relative(err)
}

// invoke runs a command line whose paths are absolute.
func invoke(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Main(catalog(), cli.Process{Args: append([]string{program}, args...), Getenv: os.Getenv, Stdout: &out, Stderr: &err})
	return code, out.String(), err.String()
}

// exits runs a command, which has to end with the code, within three minutes.
func exits(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	ended := make(chan int, 1)
	go func() {
		var got int
		got, stdout, stderr = invoke(args...)
		ended <- got
	}()
	select {
	case got := <-ended:
		if got != code {
			t.Fatalf("%q: exit code %d, want %d\n%s", args, got, code, stderr)
		}
	case <-time.After(3 * time.Minute):
		t.Fatalf("%q does not end", args)
	}
	return stdout, stderr
}

func readText(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path))(t))
}

// glob returns the n files with a pattern of their path.
func glob(t *testing.T, n int, pattern ...string) []string {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(pattern...)))(t)
	if len(files) != n {
		t.Fatalf("%q, want %d files", files, n)
	}
	return files
}
