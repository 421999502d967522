// Command generate bundles the scripts of the page, the modules of ../js, into ../page.js, which package page embeds. It is a module
// of its own, so that esbuild is no dependency of banditsim:
//
//	go generate ./internal/page
//
// page.js begins with the SHA-256 of the modules, by which a test of package page sees that it is out of date.
package main

import (
	"crypto/sha256"
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

// generate bundles the modules of a folder, of which start.js imports the others.
func generate(dir, out string) error {
	sum, err := sumOf(dir)
	if err != nil {
		return err
	}
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, "start.js")}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2023, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LineLimit: 120,
		Banner:      map[string]string{"js": `"use strict";`},        // as modules are
		LogOverride: map[string]api.LogLevel{"*": api.LogLevelError}, // a warning is a mistake, too
	})
	for _, m := range api.FormatMessages(append(r.Errors, r.Warnings...), api.FormatMessagesOptions{Kind: api.ErrorMessage}) {
		fmt.Fprint(os.Stderr, m)
	}
	if len(r.Errors)+len(r.Warnings) > 0 {
		return fmt.Errorf("bundle %s: %d errors, %d warnings", dir, len(r.Errors), len(r.Warnings))
	}
	head := fmt.Sprintf("// Made by go generate ./internal/page. SHA-256 of js/*.js: %x\n", sum)
	return os.WriteFile(out, append([]byte(head), r.OutputFiles[0].Contents...), 0o644)
}

// sumOf returns the SHA-256 of the modules of a folder, by name, one after the other.
func sumOf(dir string) ([]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.js"))
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, path := range paths { // sorted
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%s %d\n", filepath.Base(path), len(b))
		h.Write(b)
	}
	return h.Sum(nil), nil
}
