package kernel

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A level identifies a kernel. A larger level is faster.
type level int

const (
	plain level = iota
	neon
	avx2
	avx512
)

// levelNames has the name of each level.
var levelNames = [...]string{"go", "neon", "avx2", "avx512"}

// active is the kernel in use.
var active = choose(os.Getenv("BANDITSIM_KERNEL"))

// choose returns the named kernel, or the fastest one if the name is empty. It exits the program if the name is not
// valid: with a silent fallback, a test of one kernel would test another.
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
	available, l := Available(), slices.Index(levelNames[:], name)
	switch {
	case slices.Contains(available, name):
		return level(l), nil
	case l >= 0:
		return plain, fmt.Errorf("kernel: %s does not run here: want one of %s", name, strings.Join(available, ", "))
	}
	return plain, fmt.Errorf("kernel: unknown kernel %q: want one of %s", name, strings.Join(available, ", "))
}

// Available returns the names of the kernels of this build that this processor supports, the fastest first and go last.
func Available() []string {
	var names []string
	for l, name := range slices.Backward(levelNames[:]) {
		if level(l) == plain || supported(name) {
			names = append(names, name)
		}
	}
	return names
}

// Name returns the kernel in use: avx512, avx2, neon or go.
func Name() string { return levelNames[active] }

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

// Peak runs rounds of independent multiply-adds on vector registers and returns the
// number of floating-point operations. Benchmarks time it to find the limit of the
// processor. It returns 0 immediately if the kernel is plain Go.
func Peak(rounds int) (operations float64) {
	if active == plain {
		return 0
	}
	peakAsm(rounds)
	m := machines[active]
	return float64(2 * rounds * m.peakChains * m.lanes)
}
