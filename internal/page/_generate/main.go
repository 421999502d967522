// Command generate bundles the scripts of the page, which are the modules in ../js, into ../page.js, which package page
// embeds. It is a Go module of its own, so that banditsim does not depend on esbuild. To run it:
//
//	go generate ./internal/page
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	log.SetFlags(0)
	if err := generate("../js", "../page.js"); err != nil {
		log.Fatal("generate: ", err)
	}
}

// generate bundles start.js in dir, with the modules that it imports, into the file out.
func generate(dir, out string) error {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, "start.js")}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2023, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LineLimit: 120,
		Banner:      map[string]string{"js": `"use strict";`},        // modules are always strict
		LogOverride: map[string]api.LogLevel{"*": api.LogLevelError}, // warnings are errors, see below
	})
	for _, m := range api.FormatMessages(append(r.Errors, r.Warnings...), api.FormatMessagesOptions{Kind: api.ErrorMessage}) {
		fmt.Fprint(os.Stderr, m)
	}
	if len(r.Errors)+len(r.Warnings) > 0 {
		return fmt.Errorf("bundle %s: %d errors, %d warnings", dir, len(r.Errors), len(r.Warnings))
	}
	return os.WriteFile(out, append([]byte("// Made by go generate ./internal/page.\n"), r.OutputFiles[0].Contents...), 0o644)
}
