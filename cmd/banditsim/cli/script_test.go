package cli_test

import (
	"context"
	"encoding"
	"io"
	"os"
	"os/signal"
	"path/filepath"
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
	"banditsim/internal/exit"
	"banditsim/policy"
	"banditsim/results"
)

// program is the path of a link to the test binary, which is the program banditsim when started by this name (TestMain).
var program string

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "banditsim" {
		catalog := builtin.Default()
		cli.Exec(catalog, addWaiter(catalog))
	}
	os.Exit(test(m))
}

func test(m *testing.M) int {
	dir, err := os.MkdirTemp("", "banditsim")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "banditsim")
	if err := os.Symlink(self, program); err != nil {
		panic(err)
	}
	return m.Run()
}

// The program has the policy Waiter. If the environment variable waitEnv is a folder with waitAfter trials, Waiter waits at
// the end of round waitRound until the program receives a signal. Before it waits, it writes an empty file beside the folder,
// with the ending waitMark.
const (
	waitEnv   = "BANDITSIM_TEST_WAIT"
	waitAfter = 4
	waitRound = 30
	waitMark  = ".waiting"
)

type savedPolicy interface {
	bandit.Policy
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

type waiter struct{ savedPolicy }

func addWaiter(c *experiment.Catalog) error {
	return experiment.AddPolicy(c, policy.Kind[struct{}]{Name: "Waiter", Doc: "waits for a signal",
		Defaults: func() struct{} { return struct{}{} },
		New: func(_ struct{}, s policy.Setup) (bandit.Policy, error) {
			return waiter{policy.NewUniform(len(s.Spec.Arms), s.Stream.Child("explore")).(savedPolicy)}, nil
		}})
}

func (waiter) EndRound(_ context.Context, round int) error {
	dir := os.Getenv(waitEnv)
	if round != waitRound || dir == "" {
		return nil
	}
	if paths, _, err := results.TrialFiles(dir); err != nil || len(paths) != waitAfter {
		return nil
	}
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM, syscall.Signal(1))
	if err := os.WriteFile(dir+waitMark, nil, 0o666); err != nil {
		return err
	}
	<-stopped
	time.Sleep(300 * time.Millisecond) // until the program has received the signal too
	return nil
}

// TestScripts runs scripts of command lines, each in a folder of its own. 'banditsim' runs in this process, 'exec banditsim'
// in another.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"bytes": writeBytes, "banditsim": runScripted, "exits": exitsScripted},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
	})
}

// runScripted runs a command line of a script, which must succeed or, with neg, fail.
func runScripted(ts *testscript.TestScript, neg bool, args []string) {
	if code := scripted(ts, args); neg != (code != exit.OK) {
		ts.Fatalf("exit code %d", code)
	}
}

// exitsScripted runs a command line of a script, which must end with an exit code: exits CODE ARGUMENTS.
func exitsScripted(ts *testscript.TestScript, _ bool, args []string) {
	if code := scripted(ts, args[1:]); strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d", code)
	}
}

// scripted runs a command line, whose first argument may be a variable of several words.
func scripted(ts *testscript.TestScript, args []string) int {
	if len(args) > 0 {
		args = append(strings.Fields(args[0]), args[1:]...)
	}
	code, stdout, stderr := run(ts.MkAbs("."), ts.Getenv, args)
	io.WriteString(ts.Stdout(), stdout)
	io.WriteString(ts.Stderr(), stderr)
	return code
}

// writeBytes implements the script command bytes FILE TEXT [N], which writes TEXT, with the escapes of Go strings, N times.
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
