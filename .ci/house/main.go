// Command house measures the size of the project and what its build and tests cost, and compares that with .ci/budget.
//
//	house size [-print]    lines, exported identifiers, packages and dependencies
//	house build [-print]   processor time of the first build of the command
//	house test [-print]    processor time of all tests
//
// With -print it prints what it measures, as lines of .ci/budget. Processor time is in units of a loop that is timed before and
// after, so that a budget holds on machines of different speed.
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

// measure returns the rows of one kind.
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

func output(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(b), nil
}

// A row is a measure and its value.
type row struct {
	name  string
	value float64
}

func (r row) String() string { return fmt.Sprintf("%s %g", r.name, r.value) }

// parse reads a budget: lines of a name and the largest value, with comments that begin with #.
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

// beyond returns a line for each measure that is above its limit or has none.
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
