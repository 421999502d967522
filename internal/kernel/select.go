package kernel

import (
	"fmt"
	"os"
	"strings"
)

// A level is a kernel, named after the instruction set that it needs.
type level int

const (
	plain level = iota
	avx2
	avx512
	neon
)

// levels lists the kernels, the fastest first.
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

// choose returns the named kernel, or the fastest one if the name is empty. It ends
// the program if the name is not valid, as after a silent fallback a test of one
// kernel would test another.
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

// find returns the named kernel, or an error if it is unknown or not supported here.
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

// Available returns the names of the kernels that this build has and this
// processor supports, the fastest first. The last is always go.
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

// Slowness returns roughly the time of a gradient step with the kernel in use, relative
// to AVX2 or NEON: 1 for a kernel in assembly, 10 or more for plain Go.
func Slowness() int {
	if active != plain {
		return 1
	}
	return plainSlowness()
}

// Use selects the kernel by name. It is for tests and must not be called while
// other goroutines use the package.
func Use(name string) error {
	l, err := find(name)
	if err != nil {
		return err
	}
	active = l
	return nil
}
