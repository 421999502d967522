// Command house measures the size of the project and the cost of its build and tests, and compares them with the limits of .ci/budget.
//
//	house size [-print]    lines, exported identifiers, packages and dependencies
//	house build [-print]   processor time of the first build of the command
//	house test [-print]    processor time of all tests
//
// With -print it prints its measurements in the format of .ci/budget and compares nothing. Processor time is in units of the time that
// a fixed loop takes on the same machine, so that limits hold on machines of different speed.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "-print" {
		return fmt.Errorf("want size, build or test, and perhaps -print")
	}
	measured, err := measure(args[0])
	if err != nil {
		return err
	}
	if len(args) == 2 {
		for _, m := range measured {
			fmt.Println(m)
		}
		return nil
	}
	text, err := os.ReadFile(".ci/budget")
	if err != nil {
		return err
	}
	limits, err := parse(string(text))
	if err != nil {
		return err
	}
	for _, m := range measured {
		fmt.Println(m, "of", limits[m.name])
	}
	if over := beyond(measured, limits); len(over) > 0 {
		return fmt.Errorf("beyond .ci/budget:\n  %s\nwhoever adds takes from elsewhere in the same commit", strings.Join(over, "\n  "))
	}
	return nil
}

// measure returns the measurements of a kind: size, build or test.
func measure(kind string) ([]row, error) {
	switch kind {
	case "size":
		files, err := output("git", "ls-files", "*.go", "*go.mod")
		if err != nil {
			return nil, err
		}
		return sizes(os.DirFS("."), strings.Fields(files))
	case "build":
		cache, err := os.MkdirTemp("", "house")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(cache)
		return timed("build", append(os.Environ(), "GOCACHE="+cache), "build", "-o", filepath.Join(cache, "banditsim"), "./cmd/banditsim")
	case "test":
		return timed("test", nil, "test", "-count=1", "./...")
	}
	return nil, fmt.Errorf("%q: want size, build or test", kind)
}

// output returns what a command prints to its stdout.
func output(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(b), nil
}

// A row is the name of a measurement and its value.
type row struct {
	name  string
	value float64
}

func (r row) String() string { return fmt.Sprintf("%s %g", r.name, r.value) }

// parse returns the limits of a budget by name. Each line of text has a name and the largest value; comments begin with #.
func parse(text string) (map[string]float64, error) {
	limits := map[string]float64{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		var limit float64
		if _, err := fmt.Sscan(line[at+1:], &limit); err != nil || at < 0 {
			return nil, fmt.Errorf("%q: want a name and a number", line)
		}
		name := strings.TrimSpace(line[:at])
		if _, twice := limits[name]; twice {
			return nil, fmt.Errorf("%s stands twice", name)
		}
		limits[name] = limit
	}
	return limits, nil
}

// beyond returns a line for each measurement that is above its limit or has no limit.
func beyond(measured []row, limits map[string]float64) []string {
	var over []string
	for _, m := range measured {
		switch limit, ok := limits[m.name]; {
		case !ok:
			over = append(over, fmt.Sprintf("%s: no limit is set", m))
		case m.value > limit:
			over = append(over, fmt.Sprintf("%s, want at most %g", m, limit))
		}
	}
	slices.Sort(over)
	return over
}
