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

// WithoutFolders returns text in which absolute paths are shortened to names of files: a page is passed on, and the folders of
// the machine that wrote it concern nobody.
func WithoutFolders(text string) string {
	return plainPath.ReplaceAllString(quotedPath.ReplaceAllString(text, "'$1$2'"), "$1$2")
}

// shortPaths names the files of damaged by their names alone in notes, though their folders have spaces in their names.
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
