package tuning

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"banditsim/internal/tune"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// seal begins the line of a file from File that has the SHA-256 of all other lines.
const seal = "# As tune wrote it, SHA-256 of the other lines: "

// File returns text, an experiment file, after a comment about what was found and the line that seal begins.
func File(r *tune.Result, text string) []byte {
	head := FileHead(r)
	return fmt.Appendf(nil, "%s%s%x\n%s", head, seal, sha256.Sum256([]byte(head+text)), text)
}

// Unchanged reports whether b is a file as File returned it, so that nobody has edited it.
func Unchanged(b []byte) bool {
	head, rest, _ := strings.Cut(string(b), seal)
	sum, text, ok := strings.Cut(rest, "\n")
	return ok && sum == fmt.Sprintf("%x", sha256.Sum256([]byte(head+text)))
}

// CheckReplace returns an error if there is a file at path that tune did not write, or that was edited since.
func CheckReplace(path string) error {
	b, err := wholefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !Unchanged(b) {
		err = fmt.Errorf("--write %s: there is a file that tune did not write, or that was edited since: move it away or choose another name", path)
	}
	return err
}

// FileHead returns the comment above the experiment file of what was found.
func FileHead(r *tune.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What 'banditsim tune' found by %s on the seeds %s. Regret on the seeds\n# %s, which are held out:\n", goal(r.Tune), words.Ranges(r.Tune.Seeds), words.Ranges(r.Search.HeldOut))
	if r.Judges != nil {
		fmt.Fprintf(&b, "# Environments of the search: %s.\n", words.Plain(strings.Join(r.Tune.Environments, ", ")))
	}
	for _, j := range r.Judge() {
		fmt.Fprintf(&b, "#   %s: %s\n", words.Plain(j.Best.Label()), j.HeldOut)
	}
	return b.String()
}
