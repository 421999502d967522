package cli_test

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"banditsim/bandit"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"banditsim": func() {
			catalog := harness.Default()
			if os.Getenv(waitEnv) != "" {
				addWaiter(catalog)
			}
			os.Exit(cli.Main(catalog, os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// waitEnv gives the program one policy more, Waiter. If it is a folder that holds
// waitAfter trials, Waiter waits in it until the run is stopped.
const (
	waitEnv   = "BANDITSIM_TEST_WAIT"
	waitAfter = 4
)

type waiter struct{ *policy.Uniform }

func addWaiter(c *harness.Catalog) {
	err := harness.AddPolicy(c, "Waiter", "waits for a signal", func(posterior.Profile) struct{} { return struct{}{} },
		func(_ struct{}, s harness.PolicySetup) (bandit.Policy, error) {
			return waiter{policy.NewUniform(len(s.Spec.Arms), s.Stream.Child("explore"))}, nil
		})
	if err != nil {
		panic(err)
	}
}

func (waiter) EndRound(ctx context.Context, _ int) error {
	if paths, err := results.TrialFiles(os.Getenv(waitEnv)); err != nil || len(paths) < waitAfter {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
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
