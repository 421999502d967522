package cli_test

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
	"banditsim/results"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"banditsim": func() {
			catalog := builtin.Default()
			if os.Getenv(waitEnv) != "" {
				addWaiter(catalog)
			}
			if os.Getenv(sleepEnv) != "" {
				addSleeper(catalog)
			}
			os.Exit(cli.Main(catalog, os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// waitEnv adds the policy Waiter to the program. If it is a folder with waitAfter trials, Waiter waits
// in a round until the program receives a signal, and then ends the round. A file beside the folder
// with waitMark in its name exists while it waits.
const (
	waitEnv   = "BANDITSIM_TEST_WAIT"
	waitAfter = 4
	waitRound = 30
	waitMark  = ".waiting"
)

type waiter struct {
	*policy.Uniform
	stopped <-chan os.Signal
}

func addWaiter(c *experiment.Catalog) {
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM, syscall.Signal(1))
	err := experiment.AddPolicy(c, policy.Kind[struct{}]{Name: "Waiter", Doc: "waits for a signal",
		Defaults: func() struct{} { return struct{}{} },
		New: func(_ struct{}, s policy.Setup) (bandit.Policy, error) {
			return waiter{policy.NewUniform(len(s.Spec.Arms), s.Stream.Child("explore")), stopped}, nil
		}})
	if err != nil {
		panic(err)
	}
}

func (w waiter) EndRound(_ context.Context, round int) error {
	if round != waitRound {
		return nil
	}
	if paths, err := results.TrialFiles(os.Getenv(waitEnv)); err != nil || len(paths) != waitAfter {
		return nil
	}
	if err := os.WriteFile(os.Getenv(waitEnv)+waitMark, nil, 0o666); err != nil {
		return err
	}
	<-w.stopped
	time.Sleep(300 * time.Millisecond) // the program receives it too
	return nil
}

// sleepEnv adds the sampler Sleeper to the program. It is built only when there is a file of that name
// with sleepEnd added; one with waitMark exists while it waits.
const (
	sleepEnv = "BANDITSIM_TEST_SLEEP"
	sleepEnd = ".end"
)

func addSleeper(c *experiment.Catalog) {
	path := os.Getenv(sleepEnv)
	err := experiment.AddMethod(c, sgmcmc.Method[struct{}]{
		Name: "Sleeper", Doc: "waits for a file", Claims: sgmcmc.Claims{Period: 1},
		Defaults: func() struct{} { return struct{}{} },
		Checked:  func(sgmcmc.LangevinOptions) struct{} { return struct{}{} },
		New: func(struct{}, sgmcmc.Setup) (posterior.Sampler, error) {
			if err := os.WriteFile(path+waitMark, nil, 0o666); err != nil {
				return nil, err
			}
			for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(time.Millisecond) {
				if _, err := os.Stat(path + sleepEnd); err == nil {
					break
				}
			}
			return nil, errors.New("awake")
		},
	})
	if err != nil {
		panic(err)
	}
}

// TestScripts runs the command line as a user does.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"bytes": writeBytes},
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", e.WorkDir+"/cache")
			return nil
		},
	})
}

// writeBytes writes a file: bytes FILE TEXT [N], where TEXT is as between the quotes of a Go string, N
// times over.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: bytes file text [n]")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if len(args) == 3 {
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		text = strings.Repeat(text, n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
