package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestWebAssembly checks that the program built for WebAssembly and run under Node writes the same trial files as the
// native program, for a shortened preset quick.
func TestWebAssembly(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("set BANDITSIM_LONG=1 to compile the program for WebAssembly")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	dir := t.TempDir()
	start := func(env []string, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = env
		out, err := cmd.Output()
		if e, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, e.Stderr)
		} else if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	wasm, native := filepath.Join(dir, "banditsim.wasm"), filepath.Join(dir, "banditsim.exe")
	start(append(os.Environ(), "GOOS=js", "GOARCH=wasm"), "go", "build", "-o", wasm, ".")
	start(nil, "go", "build", "-o", native, ".")
	run := func(out string) []string {
		return strings.Fields("run quick --set protocol.rounds=8 --set protocol.burn_in=100 " +
			"--set all.train_after=100 --set all.batch=50 --quiet --out " + filepath.Join(dir, out))
	}
	loader := filepath.Join(start(nil, "go", "env", "GOROOT"), "lib", "wasm", "wasm_exec_node.js")
	// The loader limits arguments and environment variables to 12 kB in all.
	start([]string{"PATH=" + os.Getenv("PATH")}, node, append([]string{"--stack-size=8192", loader, wasm}, run("wasm")...)...)
	start(nil, native, run("native")...)
	files, err := filepath.Glob(filepath.Join(dir, "native", "trials", "*.jsonl"))
	must.Hold(t, err == nil && len(files) == 6, "%d trial files, %v, want 6", len(files), err)
	for _, file := range files {
		want := must.Get(os.ReadFile(file))(t)
		got, err := os.ReadFile(filepath.Join(dir, "wasm", "trials", filepath.Base(file)))
		must.That(t, err == nil && bytes.Equal(got, want),
			"%s: %v, or not the bytes of the native program", filepath.Base(file), err)
	}
}
