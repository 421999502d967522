package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// onTerminal starts a process with a terminal of the given size as stdin, stdout and stderr, and returns its output.
func onTerminal(t *testing.T, cmd *exec.Cmd, width, height uint16, env ...string) *output {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n := must.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	must.OK(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	must.OK(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	defer slave.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.Env = append(append(cmd.Env, "TERM=xterm", "LC_ALL=C.UTF-8", "NO_COLOR="), env...)
	start(t, cmd)
	out := output{}
	out.ended.Go(func() { io.Copy(&out, master) }) // until no process has the terminal open
	return &out
}

// TestWatchOnTerminal checks that the table and the curves are on the alternate screen, and that the table stays on the main
// screen at the end.
func TestWatchOnTerminal(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	cmd, _, _ := banditsim(t, "report", dir, "--watch", "--every", "100ms")
	out := onTerminal(t, cmd, 120, 40)
	out.await(t, "the other screen", has("\x1b[?1049h"))
	out.await(t, "a word on what is waited for", has("no such folder of results yet"))
	runSeed(t, dir, "1..2")
	out.await(t, "the table", has("2 seeds (1, 2)"))
	out.await(t, "curves", has("\x1b[36m⣀"))
	out.await(t, "the legend", has("A Never"))
	interrupt(t, cmd)
	out.ended.Wait() // until all output is read
	_, left, _ := strings.Cut(out.String(), "\x1b[?1049l")
	must.Contain(t, left, "2 seeds (1, 2)")
	// Every screen has fewer lines than the terminal, which would scroll otherwise.
	for _, frame := range strings.Split(out.String(), "\x1b[H")[1:] {
		frame, _, _ = strings.Cut(frame, "\x1b[J")
		n := strings.Count(frame, "\n")
		must.That(t, n <= 39, "%d lines on a terminal of 40", n)
	}
}

// screenLines returns the lines written to a terminal, without escape sequences, including those that were overwritten.
func screenLines(s string) []string {
	s = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`).ReplaceAllString(s, "")
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
}

// TestTablesFitTerminal checks that neither tables nor the progress of a run have lines longer than the terminal.
func TestTablesFitTerminal(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	const short = "name: NAME\nextends: quick\nseeds: 1..6\nprotocol: {rounds: 24, pulls: 20, burn_in: 100}\nset: {all.hidden: 8}\n"
	for name, more := range map[string]string{
		"six": "policies:\n  - Uniform\n  - Never\n  - {policy: EpsGreedy, name: EpsGreedy with a name that is long epsilon=0.1 rate=1e-7}\n" +
			"  - {policy: EpsGreedy, name: EpsGreedy with a name that is long epsilon=0.3 rate=1e-7, set: {epsilon: 0.3}}\n",
		"a": "environment: bernoulli\npolicies: [Uniform, UCB1, KLUCB, BetaTS]\n",
		"b": "environment: gaussian\npolicies: [Uniform, UCB1, KLUCB, BetaTS]\n",
	} {
		text := strings.Replace(short, "NAME", name, 1) + more
		if name != "six" {
			text = strings.Replace(text, "set: {all.hidden: 8}\n", "", 1)
		}
		must.OK(t, os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o666))
		code, _, stderr := run(dir, os.Getenv, []string{"run", name + ".yaml", "--out", name, "--quiet"})
		must.Hold(t, code == 0, "%v", stderr)
	}
	for _, width := range []uint16{60, 80, 120} {
		for _, args := range [][]string{
			{"report", "six"}, {"compare", "six"}, {"compare", "a", "b"}, {"report", "six", "--wide"}, {"report", "six", "--watch", "--every", "200ms"},
			{"list", "policies"},
			{"run", "quick", "--out", fmt.Sprint("o", width), "--seeds", "1", "--workers", "1", "--policies", "Uniform,EpsGreedy,pSGLD", "--set", "protocol.rounds=600", "--set", "protocol.burn_in=200", "--set", "all.hidden=8"},
		} {
			name := fmt.Sprintf("%d columns, %s", width, strings.Join(args, " "))
			cmd, _, _ := banditsim(t, args...)
			cmd.Dir = dir
			out := onTerminal(t, cmd, width, 50)
			if slices.Contains(args, "--watch") {
				out.await(t, name, has("Ctrl-C ends"))
				must.OK(t, cmd.Process.Signal(os.Interrupt))
			}
			exitCode(t, cmd)
			out.ended.Wait()
			long := 0
			for _, want := range []string{"steps/s", "expected regret so far"} {
				must.That(t, args[0] != "run" || strings.Contains(out.String(), want), "%s: the progress has no %q", name, want)
			}
			for _, line := range screenLines(out.String()) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, " ")); n > int(width) && !strings.HasPrefix(line, "Next: ") && !strings.HasPrefix(line, "Trials ") {
					long++
					must.That(t, slices.Contains(args, "--wide"), "%s: %d characters: %s", name, n, line)
				}
			}
			must.That(t, !slices.Contains(args, "--wide") || width >= 100 || long != 0,
				"%s: no line is longer than the terminal", name)
			if width == 60 && args[0] == "report" && len(args) == 2 && !strings.Contains(out.String(), "Hidden at this width: ") {
				t.Errorf("%s: the table does not say which columns are left out:\n%s", name, out)
			}
		}
	}
}

// TestWatchShowsRanks checks that a terminal with few rows shows the table over the environments.
func TestWatchShowsRanks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	exits(t, exit.OK, "run", "--environment", "bernoulli,gaussian,linear", "--policies", "LinTS,Uniform", "--seeds", "1..6", "--set", "protocol.rounds=20", "--set", "protocol.burn_in=0", "--out", dir, "--quiet")
	cmd, _, _ := banditsim(t, "report", dir, "--watch", "--every", "100ms")
	out := onTerminal(t, cmd, 120, 24)
	out.await(t, "the ranks", has("Policies over 3 environments"))
	out.await(t, "Friedman's test", has("Friedman: χ²"))
	interrupt(t, cmd)
	frame, _, _ := strings.Cut(out.String(), "\x1b[J")
	must.That(t, strings.Contains(frame, "Policies over 3 environments") &&
		strings.Contains(frame, "more lines: the terminal has too few rows"), "the first screen is %q", frame)
}
