package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// onTerminal starts a process with a terminal of that size as stdin, stdout and stderr, and returns
// the output.
func onTerminal(t *testing.T, cmd *exec.Cmd, width, height uint16, env ...string) *output {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	defer slave.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.Env = append(append(cmd.Env, "TERM=xterm", "LC_ALL=C.UTF-8", "NO_COLOR="), env...)
	start(t, cmd)
	var out output
	go io.Copy(&out, master) // until all that have the terminal open have ended
	return &out
}

// TestWatchOnTerminal checks the table and the curves on the alternate screen, and the table on the
// main one in the end.
func TestWatchOnTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	cmd, _, _ := banditsim(t, "report", dir, "--watch", "--every", "100ms")
	out := onTerminal(t, cmd, 120, 40)
	out.await(t, "the other screen", has("\x1b[?1049h"))
	out.await(t, "a word on what is waited for", has("no such folder of results yet"))
	runSeed(t, dir, "1..2")
	out.await(t, "the table", has("2 seeds (1, 2)"))
	out.await(t, "curves", has("\x1b[36m⣀"))
	out.await(t, "the legend", has("A Never"))
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	out.await(t, "the first screen", has("\x1b[?1049l"))
	_, left, _ := strings.Cut(out.String(), "\x1b[?1049l")
	if !strings.Contains(left, "2 seeds (1, 2)") {
		t.Errorf("the table has not stayed: %q", left)
	}
	// Every screen has fewer lines than the terminal, which would scroll otherwise.
	for _, frame := range strings.Split(out.String(), "\x1b[H")[1:] {
		frame, _, _ = strings.Cut(frame, "\x1b[J")
		if n := strings.Count(frame, "\n"); n > 39 {
			t.Errorf("%d lines on a terminal of 40", n)
		}
	}
}

// TestWatchOnLowTerminal checks the note on lines that do not fit.
func TestWatchOnLowTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	runSeed(t, dir, "1..2")
	cmd, _, _ := banditsim(t, "report", dir, "--watch", "--every", "100ms")
	out := onTerminal(t, cmd, 60, 6)
	out.await(t, "a first screenful", has("Ctrl-C ends"))
	if s := out.String(); !strings.Contains(s, "more lines: the terminal has too few rows") || strings.Contains(s, "└") {
		t.Errorf("%q", s)
	}
}

// TestPlotOnTerminal checks the size and the colours, and NO_COLOR.
func TestPlotOnTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	runSeed(t, dir, "1..2")
	for _, env := range []string{"NO_COLOR=", "NO_COLOR=1", "TERM=dumb"} {
		cmd, _, _ := banditsim(t, "plot", dir, "--term")
		out := onTerminal(t, cmd, 100, 30, env)
		if code := exitCode(t, cmd); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		out.await(t, "the legend", has("B Uniform"))
		if colours := strings.Contains(out.String(), "\x1b["); colours != (env == "NO_COLOR=") {
			t.Errorf("%s: colours: %t", env, colours)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); env != "NO_COLOR=" && n > 100 {
				t.Errorf("%d characters: %s", n, line)
			}
		}
	}
}

// TestRunOnTerminal shows each policy's regret below the bar.
func TestRunOnTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	args := append(smallRun(dir), "--set", "protocol.rounds=250") // some refreshes long
	for i, arg := range args {
		if arg == "--quiet" {
			args = append(args[:i], args[i+1:]...)
			break
		}
	}
	cmd, _, _ := banditsim(t, args...)
	out := onTerminal(t, cmd, 120, 40)
	if code := exitCode(t, cmd); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	out.await(t, "the end", has("Next"))
	for _, want := range []string{"expected regret so far  mean of finished trials  under way", "  pSGLD ", " seeds)  seed ", " after round "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
