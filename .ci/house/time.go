package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// timed returns the processor time that measure returns, under a key that names the kind, "build" or "test". It is in
// units of the mean processor time of two builds of net/http with an empty cache, one before and one after the
// measurement. Slow system calls and page faults slow these builds down as well.
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

// firstBuild returns a function that builds a package with an empty build cache and returns the build's processor time.
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
