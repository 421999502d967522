package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/exit"
	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"lab": func() {
			catalog := builtin.Default()
			if path := os.Getenv(sleepEnv); path != "" {
				addSleeper(catalog, path)
			}
			os.Exit(run(catalog, os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs the scripts in testdata/script, which call the commands as a user does.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true})
}

// TestCommands checks that every command line of the lab in the README and in docs/ is valid, and that every command is documented.
func TestCommands(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	must.Hold(t, err == nil && len(pages) != 0, "no pages: %v", err)
	command := regexp.MustCompile("go -C lab run \\. ([^`\n#>]+)")
	seen := map[string]bool{}
	for _, page := range append(pages, "../README.md") {
		b := must.Get(os.ReadFile(page))(t)
		text := strings.ReplaceAll(string(b), "\\\n", " ")
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			args := strings.Fields(m[1])
			seen[args[0]] = true
			cmd, args, err := (app{catalog: builtin.Default()}).root().Find(args)
			if err == nil {
				err = cmd.ParseFlags(args)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err == nil && cmd.Name() == "verify" {
				_, err = (app{catalog: builtin.Default()}).parts(cmd.Flags().Args())
			}
			must.Want(t, page+": go -C lab run . "+m[1], err, "")
		}
	}
	for _, c := range (app{}).root().Commands() {
		must.That(t, !c.IsAvailableCommand() || seen[c.Name()], "no page has the verb %s", c.Name())
	}
}

// TestVerifyFails checks that verify covers a sampler that was added to the catalog, and that a false claim causes exit code 4.
func TestVerifyFails(t *testing.T) {
	catalog := builtin.Default()
	method := sgmcmc.SGLD()
	method.Name, method.Doc = "Mine", "one of my own"
	method.Claims = sgmcmc.Claims{
		ZeroTemperature: true, Period: 1,
		Variance: func(k, v, eps, temperature float64) float64 {
			return (temperature + eps*v/2) / k / (1 - eps*k/2) * 1.1 // 10 % above the correct variance
		},
		Memory: func(k, eps float64) float64 { return -1 / math.Log(1-eps*k) },
	}
	must.OK(t, experiment.AddMethod(catalog, method))
	var stdout, stderr bytes.Buffer
	dir := filepath.Join(t.TempDir(), "card")
	code := run(catalog, []string{"verify", "Mine", "-o", "json", "--quiet", "--out", dir}, &stdout, &stderr)
	must.Equal(t, "exit code", code, exit.CodeThreshold)
	must.Contain(t, stderr.String(), "written: ", "failed: Mine")
	must.Contain(t, string(must.Get(os.ReadFile(filepath.Join(dir, "card.txt")))(t)), "\n  fail  variance ", "failed: Mine")
	must.Equal(t, "card.json, compared with what is printed", string(must.Get(os.ReadFile(filepath.Join(dir, "card.json")))(t)), stdout.String())
	var card struct {
		Passed bool
		Cards  []struct {
			Passed  bool
			Results []struct {
				Check, Verdict string
				Off            *float64
			}
		}
	}
	must.OK(t, json.Unmarshal(stdout.Bytes(), &card))
	must.Hold(t, !card.Passed && len(card.Cards) == 1 && !card.Cards[0].Passed, "card %+v", card)
	for _, r := range card.Cards[0].Results {
		if r.Check == "variance" && r.Verdict == "fail" && r.Off != nil && *r.Off < -verify.Limit {
			return
		}
	}
	t.Errorf("no failed variance in %+v", card)
}

// TestUsage checks that unknown methods and invalid settings cause exit code 2, and that errors have the names of --set.
func TestUsage(t *testing.T) {
	for want, args := range map[string]string{"unknown method": "basins SGDL", "lab: bins: 1, want": "basins --set bins=1", "lab: zeta: -1, want": "uncertainty --set zeta=-1"} {
		var stderr bytes.Buffer
		must.Equal(t, args+": exit code", run(builtin.Default(), strings.Fields(args), &stderr, &stderr), exit.CodeUsage)
		must.Contain(t, stderr.String(), want)
	}
}

// sleepEnv is an environment variable with a path. If it is set, the program has the sampler Sleeper, which on construction writes
// the file path+sleepMark and waits for the file path+sleepEnd.
const (
	sleepEnv  = "BANDITSIM_TEST_SLEEP"
	sleepMark = ".waiting"
	sleepEnd  = ".end"
)

func addSleeper(c *experiment.Catalog, path string) {
	err := experiment.AddMethod(c, sgmcmc.Method[struct{}]{
		Name: "Sleeper", Doc: "waits for a file", Claims: sgmcmc.Claims{Period: 1},
		Defaults: func() struct{} { return struct{}{} },
		Checked:  func(sgmcmc.LangevinOptions) struct{} { return struct{}{} },
		New: func(struct{}, sgmcmc.Setup) (posterior.Sampler, error) {
			if err := os.WriteFile(path+sleepMark, nil, 0o666); err != nil {
				return nil, err
			}
			waitFor(func() bool { return exists(path + sleepEnd) })
			return nil, errors.New("awake")
		},
	})
	if err != nil {
		panic(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// waitFor waits for a condition, for at most a minute, and reports whether it holds.
func waitFor(holds func() bool) bool {
	for start := time.Now(); !holds(); time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			return false
		}
	}
	return true
}

// TestSignals checks that the first Ctrl-C immediately prints a message, because a check may take minutes, and that a second Ctrl-C
// ends the process.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, again := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "sleeper")
		self := must.Get(os.Executable())(t)
		stderr, err := os.Create(path + ".stderr") // read while the process runs
		must.OK(t, err)
		defer stderr.Close()
		cmd := exec.Command(self)
		cmd.Args = []string{"lab", "verify", "Sleeper", "--workers", "1", "--quiet"}
		cmd.Env = append(os.Environ(), sleepEnv+"="+path)
		cmd.Stderr = stderr
		must.OK(t, cmd.Start())
		said := func() string {
			b := must.Get(os.ReadFile(stderr.Name()))(t)
			return string(b)
		}
		const want = "stopping after the current checks; Ctrl-C again stops at once\n"
		steps := []func() bool{
			func() bool { return waitFor(func() bool { return exists(path + sleepMark) }) },
			func() bool { return cmd.Process.Signal(os.Interrupt) == nil },
			func() bool { return waitFor(func() bool { return said() == want }) },
		}
		if i := slices.IndexFunc(steps, func(step func() bool) bool { return !step() }); i >= 0 {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("step %d failed; stderr: %q, want %q", i+1, said(), want)
		}
		if again {
			must.OK(t, cmd.Process.Signal(os.Interrupt))
			cmd.Wait()
			if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGINT {
				t.Errorf("it ended with %v, want an end by the signal", cmd.ProcessState)
			}
			continue
		}
		must.OK(t, os.WriteFile(path+sleepEnd, nil, 0o666))
		cmd.Wait()
		code := cmd.ProcessState.ExitCode()
		must.That(t, code == exit.Interrupted && said() == want+"lab: interrupted\n", "exit code %d, stderr %q", code, said())
	}
}
