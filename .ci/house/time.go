package main

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// timed runs the go command with args and returns its processor time as a row. The unit is the mean of the times of loop before and
// after the command.
func timed(name string, env []string, args ...string) ([]row, error) {
	before := loop()
	cmd := exec.Command("go", args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %v: %w", args, err)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	unit := (before + loop()) / 2
	fmt.Printf("%s: %.1f s of processors, the loop takes %.2f s\n", name, used.Seconds(), unit.Seconds())
	return []row{{"processor time of the " + name, math.Ceil(float64(used) / float64(unit))}}, nil
}

// loop does a fixed amount of sorting, allocation and hashing, and returns the processor time that this took, about a second.
func loop() time.Duration {
	start := processor()
	r := rand.New(rand.NewPCG(1, 2))
	sum := sha256.New()
	for range 8 {
		seen := map[uint64][]byte{}
		keys := make([]uint64, 200_000)
		for i := range keys {
			keys[i] = r.Uint64()
			seen[keys[i]] = make([]byte, 32)
		}
		slices.Sort(keys)
		for _, k := range keys {
			sum.Write(seen[k])
		}
	}
	sum.Sum(nil)
	return processor() - start
}

// processor returns the processor time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot happen: both arguments are valid
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
