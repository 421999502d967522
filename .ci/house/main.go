// Command house measures the project's size and the cost of its build and tests against the limits of .ci/budget.
//
//	house size [-print]    lines, exported identifiers, packages and dependencies
//	house build [-print]   processor time of the first build of the command
//	house test [-print]    processor time of all tests
//
// With -print it prints its measurements in the format of .ci/budget and compares nothing. Processor times are
// multiples of what the first build of net/http, with an empty build cache, takes on the same machine, so that limits
// apply to machines of any speed.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
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
