package merge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"banditsim/results"
)

// setAside is a damaged file of the output folder that was renamed.
type setAside struct {
	results.Damaged        // its path was that of a trial, a sidecar or pulls
	to              string // the new path
}

// setAside renames a damaged file of the output folder; what is in packs, and packs, stay where they are.
func (m *Merger) setAside(d results.Damaged) error {
	if _, err := os.Lstat(d.Path); err != nil || strings.HasSuffix(d.Path, ".zip") {
		m.damaged(d.Path, d.Err)
		return nil
	}
	to, err := results.SetAside(d.Path)
	if err == nil {
		m.aside = append(m.aside, setAside{d, to})
	}
	return err
}

// reportAside lists the files that were set aside, unless a source had a sound copy.
func (m *Merger) reportAside() {
	for _, a := range m.aside {
		if m.replaced(a.Path) {
			m.warn("%v: it is set aside as %s, and a sound copy took its place", a.Err, filepath.Base(a.to))
			continue
		}
		m.damaged(a.Path, fmt.Errorf("%w: it is set aside as %s", a.Err, filepath.Base(a.to)))
	}
}

// replaced reports whether the folder has a sound copy of a damaged trial, sidecar or file of pulls.
func (m *Merger) replaced(damaged string) bool {
	file := filepath.Base(damaged)
	for name, rec := range m.known {
		switch {
		case file == name:
			in, _ := rec.Packed()
			return in != filepath.Dir(damaged)
		case file == results.SidecarPath(name):
			_, err := rec.Sidecar()
			return err == nil
		case file == results.PullsPath(name):
			return rec.HasPulls()
		}
	}
	return false
}
