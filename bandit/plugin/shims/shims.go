// Package shims has the programs that 'banditsim plugin init' writes: a policy that works, followed by what speaks the
// protocol, in one file for each language.
package shims

import (
	"embed"
	"fmt"
	"strings"

	"banditsim/internal/nearest"
)

//go:embed banditsim.py banditsim.R banditsim.js banditsim.go.txt
var files embed.FS

// A Shim is the program of a language.
type Shim struct {
	Language  string
	Extension string   // extension of the file that is written
	Run       []string // command that runs the file, without its name
	file      string
}

// All returns the shims.
func All() []Shim {
	return []Shim{
		{"python", ".py", []string{"python3"}, "banditsim.py"},
		{"r", ".R", []string{"Rscript"}, "banditsim.R"},
		{"node", ".js", []string{"node"}, "banditsim.js"},
		{"go", ".go", []string{"go", "run"}, "banditsim.go.txt"},
	}
}

// Languages returns the names of the languages.
func Languages() []string {
	var list []string
	for _, s := range All() {
		list = append(list, s.Language)
	}
	return list
}

// Of returns the shim of a language.
func Of(language string) (Shim, error) {
	for _, s := range All() {
		if s.Language == language {
			return s, nil
		}
	}
	return Shim{}, fmt.Errorf("there is no program for %q%s: want one of %s", language, nearest.DidYouMean(language, Languages()), strings.Join(Languages(), ", "))
}

// Text returns the program.
func (s Shim) Text() []byte {
	b, err := files.ReadFile(s.file)
	if err != nil {
		panic(err) // it is embedded
	}
	return b
}
