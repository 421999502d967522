// Command house measures the size of the project and the cost of its build and tests, and compares them with the limits of .ci/budget.
//
//	house size [-print]    lines, exported identifiers, packages and dependencies
//	house build [-print]   processor time of the first build of the command
//	house test [-print]    processor time of all tests
//
// With -print it prints its measurements in the format of .ci/budget and compares nothing. Processor times are multiples of what
// the first build of net/http, with an empty build cache, takes on the same machine, so that limits apply to machines of any speed.
package main

import (
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("house: ")
	if n := len(os.Args); n < 2 || n > 3 || n == 3 && os.Args[2] != "-print" {
		log.Fatal("want size, build or test, and perhaps -print")
	}
	measured, err := measure(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) == 3 {
		for _, name := range slices.Sorted(maps.Keys(measured)) {
			fmt.Printf("%s %g\n", name, measured[name])
		}
		return
	}
	text, err := os.ReadFile(".ci/budget")
	if err != nil {
		log.Fatal(err)
	}
	limits, err := parse(string(text))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(measured)) {
		fmt.Printf("%s %g of %v\n", name, measured[name], limits[name])
	}
	if over := beyond(measured, limits); len(over) > 0 {
		list := strings.Join(over, "\n  ")
		log.Fatalf("beyond .ci/budget:\n  %s\nwhoever adds takes from elsewhere in the same commit", list)
	}
}

// measure returns the measurements of a kind, size, build or test, by name.
func measure(kind string) (map[string]float64, error) {
	switch kind {
	case "size":
		files, err := output("git", "ls-files", "*.go", "*go.mod")
		if err != nil {
			return nil, err
		}
		return sizes(os.DirFS("."), strings.Fields(files))
	case "build":
		return timed("build", firstBuild("./cmd/banditsim"))
	case "test":
		return timed("test", test)
	}
	return nil, fmt.Errorf("%q: want size, build or test", kind)
}

// output returns the standard output of a command.
func output(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(b), nil
}

// parse returns the limits in text by name. Each line has a name and the largest value allowed; comments begin with #.
func parse(text string) (map[string]float64, error) {
	limits := map[string]float64{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		last := len(words) - 1
		name := strings.Join(words[:last], " ")
		limit, err := strconv.ParseFloat(words[last], 64)
		if _, twice := limits[name]; err != nil || twice || name == "" {
			return nil, fmt.Errorf("%q: want a name that no other line has, and a number", line)
		}
		limits[name] = limit
	}
	return limits, nil
}

// beyond returns a line for each measurement that is above its limit or has no limit.
func beyond(measured, limits map[string]float64) (over []string) {
	for _, name := range slices.Sorted(maps.Keys(measured)) {
		switch limit, ok := limits[name]; {
		case !ok:
			over = append(over, fmt.Sprintf("%s %g: no limit is set", name, measured[name]))
		case measured[name] > limit:
			over = append(over, fmt.Sprintf("%s %g, want at most %g", name, measured[name], limit))
		}
	}
	return over
}

// timed returns the processor time that measure returns, under a key that names the kind, "build" or "test". It is in units of the
// mean processor time of two builds of net/http with an empty cache, one before and one after the measurement. Slow system calls and page faults slow these builds down as well.
func timed(kind string, measure func() (time.Duration, error)) (map[string]float64, error) {
	var took [3]time.Duration
	unit := firstBuild("net/http")
	for i, f := range []func() (time.Duration, error){unit, measure, unit} {
		var err error
		if took[i], err = f(); err != nil {
			return nil, err
		}
	}
	fmt.Printf("%s: %.1f s of processors, the first build of net/http %.1f and %.1f s\n", kind, took[1].Seconds(), took[0].Seconds(), took[2].Seconds())
	return map[string]float64{"processor time of the " + kind: math.Ceil(200*float64(took[1])/float64(took[0]+took[2])) / 100}, nil
}

// firstBuild returns a function that builds a package with an empty build cache and returns the processor time of the build.
func firstBuild(pkg string) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		cache, err := os.MkdirTemp("", "house")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(cache)
		return command(append(os.Environ(), "GOCACHE="+cache), "build", "-o", filepath.Join(cache, "out"), pkg)
	}
}

// test returns the processor time of all tests. It compiles their packages first, which does not count.
func test() (time.Duration, error) {
	if _, err := output("go", "list", "-export", "-deps", "-test", "./..."); err != nil {
		return 0, err
	}
	return command(nil, "test", "-count=1", "./...")
}

// command runs the go command with args and returns its processor time.
func command(env []string, args ...string) (time.Duration, error) {
	cmd := exec.Command("go", args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("go %v: %w", args, err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
