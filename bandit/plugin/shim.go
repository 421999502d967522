package plugin

import (
	"embed"
	"fmt"
	"strings"

	"banditsim/internal/nearest"
)

//go:embed shims
var shimFiles embed.FS

// Languages returns the languages of Shim.
func Languages() []string { return []string{"python", "r", "node", "go"} }

// Shim returns the program that 'banditsim plugin init' writes in a language: a policy that works, followed by what speaks the
// protocol; the extension of its file, and the command that runs the file, without its name.
func Shim(language string) (text []byte, extension string, run []string, err error) {
	switch language {
	case "python":
		extension, run = ".py", []string{"python3"}
	case "r":
		extension, run = ".R", []string{"Rscript"}
	case "node":
		extension, run = ".js", []string{"node"}
	case "go":
		extension, run = ".go", []string{"go", "run"}
	default:
		return nil, "", nil, fmt.Errorf("there is no program for %q%s: want one of %s", language, nearest.DidYouMean(language, Languages()), strings.Join(Languages(), ", "))
	}
	name := "shims/banditsim" + extension
	if language == "go" {
		name += ".txt" // it is no part of this module
	}
	text, err = shimFiles.ReadFile(name)
	return text, extension, run, err
}
