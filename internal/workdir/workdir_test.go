package workdir

import (
	"banditsim/internal/must"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestWorkdir(t *testing.T) {
	t.Setenv("BANDITSIM_TEST", "of the process")
	dir := t.TempDir()
	own := With(t.Context(), dir, func(name string) string { return "own " + name })
	for path, want := range map[string]string{"": "", "a/b": filepath.Join(dir, "a", "b"), dir: dir} {
		must.Equal(t, fmt.Sprintf("Path(%q)", path), Path(own, path), want)
		if got := Path(t.Context(), path); got != path {
			t.Errorf("without a folder: Path(%q) = %q", path, got)
		}
	}
	if got := Getenv(own, "BANDITSIM_TEST"); got != "own BANDITSIM_TEST" {
		t.Errorf("own variable %q", got)
	}
	if got := Getenv(t.Context(), "BANDITSIM_TEST"); got != os.Getenv("BANDITSIM_TEST") {
		t.Errorf("variable of the process %q", got)
	}
}
