package workdir

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"banditsim/internal/must"
)

func TestWorkdir(t *testing.T) {
	t.Setenv("BANDITSIM_TEST", "of the process")
	dir := t.TempDir()
	own := With(t.Context(), dir, func(name string) string { return "own " + name })
	for path, want := range map[string]string{"": "", "a/b": filepath.Join(dir, "a", "b"), dir: dir} {
		must.Equal(t, fmt.Sprintf("Path(%q)", path), Path(own, path), want)
		must.Equal(t, "Path without a folder", Path(t.Context(), path), path)
	}
	must.Equal(t, "own variable", Getenv(own, "BANDITSIM_TEST"), "own BANDITSIM_TEST")
	must.Equal(t, "variable of the process", Getenv(t.Context(), "BANDITSIM_TEST"), os.Getenv("BANDITSIM_TEST"))
}
