package scheduler

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
)

func TestWriteKeepsEdits(t *testing.T) {
	dir := t.TempDir()
	array := filepath.Join(dir, "array.sh")
	job := func(shards string) []File {
		return []File{{"array.sh", []byte("#!/bin/bash\n#SBATCH --array=" + shards + "\nrun\n")}, {"merge.sh", []byte("merge " + shards + "\n")}}
	}
	put := func(text string) {
		t.Helper()
		must.OK(t, os.WriteFile(array, []byte(text), 0o666))
	}
	has := func(name, want string) {
		t.Helper()
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %q, %v: want %q", name, b, err, want)
		}
	}
	wrote := func(shards string, want ...string) {
		t.Helper()
		kept, err := Write(dir, job(shards))
		var d []string
		for _, k := range kept {
			d = append(d, k.Difference...)
		}
		if err != nil || !slices.Equal(d, want) {
			t.Errorf("%s: %q, %v: want %q", shards, d, err, want)
		}
	}
	wrote("1-2")
	wrote("1-3") // not edited: written anew
	has("array.sh", "1-3")
	has("merge.sh", "1-3")
	edited := "#!/bin/bash\n#SBATCH --array=1-3\n#SBATCH --partition=\x1b[31mlong\nrun --fast\n"
	put(edited)
	wrote("1-3", "- run", "+ #SBATCH --partition=?[31mlong", "+ run --fast")
	wrote("1-3", "- run", "+ #SBATCH --partition=?[31mlong", "+ run --fast") // and again
	has("array.sh", edited)
	if kept, err := Write(dir, job("1-4")); !errors.Is(err, ErrOtherJob) || len(kept) != 1 || kept[0].Path != array {
		t.Errorf("%+v, %v", kept, err)
	}
	has("array.sh", edited)
	has("merge.sh", "1-3")
	// One of the files that differ is enough, whichever it is.
	other := job("1-4")
	other[1] = job("1-3")[1]
	if _, err := Write(dir, other); !errors.Is(err, ErrOtherJob) {
		t.Errorf("the first file alone is of another job: %v", err)
	}
	must.OK(t, os.Remove(array))
	wrote("1-4")
	has("array.sh", "1-4")
	has("merge.sh", "1-4")
	// The file of an older version, which wrote no record: a file that differs was edited, for all that is known.
	must.OK(t, os.Remove(filepath.Join(dir, ".written")))
	put("")
	wrote("1-4", "- #!/bin/bash", "- #SBATCH --array=1-4", "- run", "+ ")
	has("merge.sh", "1-4")
}
