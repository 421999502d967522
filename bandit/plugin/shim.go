package plugin

import (
	"embed"
	"fmt"
	"strings"

	"banditsim/internal/nearest"
)

//go:embed shims
var shimFiles embed.FS

// Languages returns the languages for which Shim has a program.
func Languages() []string { return []string{"python", "r", "node", "go"} }

// Shim returns the program that 'banditsim plugin init' writes in a language: a working policy, followed by code for
// the protocol. It also returns the extension of its file and the command that runs it, without the file name.
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
		name += ".txt" // so that it is not compiled as a part of this module
	}
	text, err = shimFiles.ReadFile(name)
	return text, extension, run, err
}
