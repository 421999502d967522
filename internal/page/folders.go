package page

import (
	"path/filepath"
	"regexp"
	"strings"

	"banditsim/results"
)

var (
	root       = `(?:~?/|[A-Za-z]:[/\\])`
	quotedPath = regexp.MustCompile(`'(--?[\w-]+=)?` + root + `[^'\n]*[/\\]([^'/\\\n]+)'`)
	plainPath  = regexp.MustCompile(`(^|[\s='"(])` + root + `[/\\]*(?:[^\s'"/\\]+[/\\]+)*([^\s'"/\\]+)`)
)

// WithoutFolders shortens absolute paths in text to file names, so that a page does not name folders of a machine.
func WithoutFolders(text string) string {
	return plainPath.ReplaceAllString(quotedPath.ReplaceAllString(text, "'$1$2'"), "$1$2")
}

// shortPaths shortens the paths of damaged files in notes to file names, even paths with spaces.
func shortPaths(notes []string, damaged []results.Damaged) []string {
	var short []string
	for _, note := range notes {
		for _, d := range damaged {
			note = strings.ReplaceAll(note, d.Path, filepath.Base(d.Path))
		}
		short = append(short, note)
	}
	return short
}
