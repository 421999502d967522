package kernel

import (
	"fmt"
	"os"
	"strings"
)

// A level is a kernel: a set of instructions that all functions may use.
type level int

const (
	plain level = iota
	avx2
	avx512
	neon
)

// levels lists the kernels, best first.
var levels = []struct {
	name  string
	level level
}{
	{"avx512", avx512},
	{"avx2", avx2},
	{"neon", neon},
	{"go", plain},
}

// active is the kernel in use.
var active = choose(os.Getenv("BANDITSIM_KERNEL"))

// choose returns the named kernel, or the best one if the name is empty. A bad
// name ends the program: falling back in silence would make tests of a kernel
// test another one.
func choose(name string) level {
	if name == "" {
		name = Available()[0]
	}
	l, err := find(name)
	if err != nil {
		err = fmt.Errorf("BANDITSIM_KERNEL: %w", err)
	} else {
		err = checkFMA()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return l
}

func find(name string) (level, error) {
	for _, l := range levels {
		if l.name != name {
			continue
		}
		if l.level == plain || supported(l.name) {
			return l.level, nil
		}
		return plain, fmt.Errorf("kernel: %s does not run here: want one of %s", name, strings.Join(Available(), ", "))
	}
	return plain, fmt.Errorf("kernel: unknown kernel %q: want one of %s", name, strings.Join(Available(), ", "))
}

// Available lists the kernels that this build has and this processor supports,
// best first. The last is always go.
func Available() []string {
	var names []string
	for _, l := range levels {
		if l.level == plain || supported(l.name) {
			names = append(names, l.name)
		}
	}
	return names
}

// Name returns the kernel in use: avx512, avx2, neon or go.
func Name() string {
	for _, l := range levels {
		if l.level == active {
			return l.name
		}
	}
	panic("kernel: no such level")
}

// Slowness returns about how many times longer a gradient step takes with the
// kernel in use than with AVX2 or NEON on the same processor: 1 for a kernel in
// assembly, more for plain Go.
func Slowness() int {
	if active != plain {
		return 1
	}
	return plainSlowness()
}

// Use switches to the named kernel. It is for tests: it is not safe while
// kernels run in other goroutines.
func Use(name string) error {
	l, err := find(name)
	if err != nil {
		return err
	}
	active = l
	return nil
}
