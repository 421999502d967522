package kernel

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
)

func TestUse(t *testing.T) {
	defer restoreKernel(t, Name())
	names := Available()
	must.Equal(t, "last of Available()", names[len(names)-1], "go")
	for _, name := range names {
		if err := Use(name); err != nil || Name() != name || Slowness() < 1 || (name == "go") != (Slowness() > 1) {
			t.Errorf("Use(%q) = %v, then Name() = %q and Slowness() = %d", name, err, Name(), Slowness())
		}
	}
	refused := map[string]string{"sse": `kernel: unknown kernel "sse": want one of ` + strings.Join(names, ", ")}
	for _, name := range levelNames {
		if !slices.Contains(names, name) {
			refused[name] = "does not run here"
		}
	}
	for name, want := range refused {
		before := Name()
		if err := Use(name); err == nil || !strings.Contains(err.Error(), want) || Name() != before {
			t.Errorf("Use(%q) = %v, then %q, want %q and no change", name, err, Name(), want)
		}
	}
}

// TestEnvironment tests BANDITSIM_KERNEL with valid and invalid values.
func TestEnvironment(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("wasm starts no processes")
	}
	if os.Getenv("KERNEL_TEST_CHILD") != "" {
		os.Stdout.WriteString("kernel=" + Name() + "\n")
		return
	}
	run := func(name string) (string, error) {
		// TEST_EMULATOR is the command of the emulator in which this test runs, if any.
		args := append(strings.Fields(os.Getenv("TEST_EMULATOR")), os.Args[0], "-test.run=^TestEnvironment$")
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "KERNEL_TEST_CHILD=1", "BANDITSIM_KERNEL="+name)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, name := range Available() {
		if out, err := run(name); err != nil || !strings.Contains(out, "kernel="+name+"\n") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	out, err := run("fast")
	e, ok := err.(*exec.ExitError)
	must.That(t, ok && e.ExitCode() == 2, "fast: %v, want exit code 2", err)
	want := "BANDITSIM_KERNEL: kernel: unknown kernel \"fast\": want one of " + strings.Join(Available(), ", ") + "\n"
	must.Equal(t, "fast", out, want)
}

func TestNoAllocations(t *testing.T) {
	x, y, z := make([]float32, 3000), make([]float32, 3000), make([]float32, 3000)
	off, idx := []int32{0, 3, 9}, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}
	list := make([]int32, 0, len(x))
	eachKernel(t, func(t *testing.T) {
		n := testing.AllocsPerRun(10, func() {
			p := Langevin{Precondition: true}
			MulAdd(x, 30, y, 30, 1, z, 30, 9, 27, 9, Ends{})
			MulAdd(x, 30, y, 30, 1, z, 30, 9, 27, 9, Ends{Bias: y[:27], ReLU: true})
			MulAdd(x, 30, y, 30, 1, z, 30, 9, 27, 9, Ends{Clear: true, H: y, LDH: 27})
			SumRows(x, 100, y[:100], z, 100, off, idx)
			AddRows(x, 100, y, 100, off, idx)
			ColumnSums(x[:100], y, 100, 9, 100)
			ReLU(x)
			ReLUGrad(x, y)
			Axpy(x, 2, y)
			Transpose(x, 30, y, 30, 30, 30)
			LangevinUpdate(x[:1000], x[1000:2000], y[:1000], z[:1000], &p)
			Normals(x, 1, 2, 3)
			Nonzeros(list, x)
		})
		must.Equal(t, "allocations", n, 0)
	})
}

// TestAVX2Assembly tests that the AVX2 functions do not use registers above 15,
// 512-bit vectors or mask registers, which only AVX-512 has.
func TestAVX2Assembly(t *testing.T) {
	text := must.Get(os.ReadFile("kernel_amd64.s"))(t)
	wide := regexp.MustCompile(`\b(Z\d+|[XY](1[6-9]|2\d|3[01])|K[0-7])\b`)
	function, n := "", 0
	for line := range strings.Lines(string(text)) {
		n++
		if strings.HasPrefix(line, "TEXT") {
			function = line
		}
		must.That(t, !strings.Contains(function, "AVX2(SB)") || !strings.HasPrefix(line, "\t") || !wide.MatchString(line),
			"kernel_amd64.s:%d: %s in %s", n, line, function)
	}
}
