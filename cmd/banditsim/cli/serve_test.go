//go:build !windows

package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A served is the page of a folder that a process serves.
type served struct {
	t              *testing.T
	dir, address   string
	cmd            *exec.Cmd
	stdout, stderr output
}

func serveFolder(t *testing.T, dir string) *served {
	t.Helper()
	s := &served{t: t, dir: dir}
	s.cmd, _, _ = banditsim(t, "report", dir, "--serve", "--every", "100ms")
	s.cmd.Stdout, s.cmd.Stderr = &s.stdout, &s.stderr
	start(t, s.cmd)
	s.stderr.await(t, "the address", has("/\n"))
	address := regexp.MustCompile(`^page         (http://127\.0\.0\.1:\d+/)\n`).FindStringSubmatch(s.stderr.String())
	if address == nil {
		t.Fatalf("no address on loopback in\n%s", &s.stderr)
	}
	s.address = address[1]
	return s
}

var versionOfPage = regexp.MustCompile(`<html lang="en" data-served="(\w+)">`)

// page returns the page and its version, "" for a notice in its place. It is of no folder of this machine.
func (s *served) page() (text, version string) {
	s.t.Helper()
	r, err := http.Get(s.address)
	if err != nil {
		s.t.Fatalf("%v\n%s", err, &s.stderr)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if policy := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'sha256-") ||
		!strings.HasSuffix(policy, "; img-src data:; base-uri 'none'; form-action 'none'; connect-src 'self'") || strings.Count(policy, ";") != 6 {
		s.t.Errorf("the policy is %q", policy)
	}
	if strings.Contains(string(b), filepath.Dir(s.dir)) {
		s.t.Errorf("the page names the folder %s", s.dir)
	}
	if m := versionOfPage.FindSubmatch(b); m != nil {
		version = string(m[1])
	}
	return string(b), version
}

// events returns the events for a browser with a version of the page, one at each call, "" at the end, and what ends them.
func (s *served) events(version string) (next func() string, leave func() error) {
	s.t.Helper()
	r, err := http.Get(s.address + "events?" + version)
	if err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewScanner(r.Body)
	return func() string {
		var event []string
		for lines.Scan() && lines.Text() != "" {
			event = append(event, lines.Text())
		}
		return strings.Join(event, "|")
	}, r.Body.Close
}

// awaitPage waits for a page with a text.
func (s *served) awaitPage(version, want string) (now string) {
	s.t.Helper()
	next, leave := s.events(version)
	defer leave()
	for {
		event := next()
		if event == "" {
			s.t.Fatalf("the events ended before a page with %q\n%s", want, &s.stderr)
		}
		text, version := s.page()
		if strings.Contains(text, want) && event == "data: "+version {
			return version
		}
	}
}

// TestServe serves a folder that does not exist yet, then one with trials, one of which is damaged, until Ctrl-C, which is not a failure.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	s := serveFolder(t, dir)
	if text, version := s.page(); version != "" || !strings.Contains(text, "there is no such folder of results yet") {
		t.Errorf("the page of no folder is\n%s", text)
	}
	if err := os.MkdirAll(filepath.Join(dir, "trials"), 0o777); err != nil {
		t.Fatal(err)
	}
	runSeed(t, dir, "1")
	one := s.awaitPage("none", "over 1 seed")
	runSeed(t, dir, "2")
	two := s.awaitPage(one, "over 2 seeds")
	if err := os.Truncate(trialFiles(t, dir)[0], 300); err != nil {
		t.Fatal(err)
	}
	s.awaitPage(two, "1 damaged file left out")

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "evil.example"
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusForbidden {
		t.Errorf("status %s for another host, want 403", r.Status)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, s.cmd); code != 0 || s.stdout.String() != "" || !strings.Contains(s.stderr.String(), "no run works in this folder") {
		t.Errorf("exit code %d, want 0; stdout %q\n%s", code, &s.stdout, &s.stderr)
	}
}

// TestServeEndsWithTheRun: a browser gets the last page and the end, and the exit code is that of report.
func TestServeEndsWithTheRun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	run := startWaiting(t, dir)
	s := serveFolder(t, dir)
	version := s.awaitPage("none", "Waiter")
	next, leave := s.events(version)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, run); code != 130 {
		t.Errorf("the run's exit code is %d, want 130", code)
	}
	event := next()
	for event != "event: end|data: end" && event != "" {
		leave()
		_, version = s.page()
		next, leave = s.events(version)
		event = next()
	}
	leave()
	if event == "" {
		t.Errorf("no end\n%s", &s.stderr)
	}
	if code := exitCode(t, s.cmd); code != 0 || !strings.Contains(s.stderr.String(), "the run has ended") {
		t.Errorf("exit code %d, want 0\n%s", code, &s.stderr)
	}
}

// TestServeTakenPort: the error of a port that is taken says what to do.
func TestServeTakenPort(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	s := serveFolder(t, dir)
	port := regexp.MustCompile(`\d+/$`).FindString(s.address)
	cmd, _, stderr := banditsim(t, "report", dir, fmt.Sprint("--serve=", strings.TrimSuffix(port, "/")))
	start(t, cmd)
	if code := exitCode(t, cmd); code != 1 || !strings.Contains(stderr.String(), "choose another port, or leave it out for a free one") {
		t.Errorf("exit code %d, want 1\n%s", code, stderr)
	}
}
