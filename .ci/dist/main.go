// Dist builds what a release has: for each system an archive of the static program with completions, man pages, licenses
// and a bill of materials, and the checksums of all. The same source gives the same bytes.
//
//	go run . OUT                        all systems
//	go run . -systems linux/amd64 OUT   one of them
//	go run . -licenses ../..            write THIRD-PARTY.md alone
package main

import (
	"errors"
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"
)

var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("dist: ")
	chosen := flag.String("systems", strings.Join(systems, ","), "systems to build for, with commas")
	licenses := flag.String("licenses", "", "write THIRD-PARTY.md to this folder and build nothing")
	flag.Parse()
	if err := run(strings.Split(*chosen, ","), *licenses); err != nil {
		log.Fatal(err)
	}
}

// A failure is what check panics with.
type failure struct{ error }

// check ends run with err, if it is not nil.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns v, or ends run with err.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// run writes THIRD-PARTY.md to the folder licenses or, without one, archives and checksums.txt to that of the command line.
func run(systems []string, licenses string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			f, ok := p.(failure)
			if !ok {
				panic(p)
			}
			err = f.error
		}
	}()
	root := must(filepath.Abs("../.."))
	if licenses != "" {
		return os.WriteFile(filepath.Join(licenses, "THIRD-PARTY.md"), thirdParty(modules(root)), 0o666)
	}
	if flag.NArg() != 1 {
		return errors.New("usage: dist [-systems S,…] OUT")
	}
	out := flag.Arg(0)
	check(os.MkdirAll(out, 0o777))
	b := &build{root: root, work: must(os.MkdirTemp("", "dist"))}
	defer os.RemoveAll(b.work)
	b.prepare()
	var archives []string
	for _, system := range systems {
		archives = append(archives, b.archive(system, out))
	}
	writeChecksums(out, archives)
	return nil
}
