package cli_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
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
