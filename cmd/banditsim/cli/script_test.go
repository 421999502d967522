package cli_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"banditsim": func() {
			os.Exit(cli.Main(harness.Default(), os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs the command line as a person would. Scripts never reach the
// network: their data are the replica or a small file of their own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("BANDITSIM_DATA", "")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", e.WorkDir+"/cache")
			return nil
		},
	})
}
