// Dist builds what a release has: for each system an archive of the static program with completions, man pages, licenses
// and a bill of materials, and the checksums of all. The same source gives the same bytes.
//
//	go run . OUT                        all systems
//	go run . -systems linux/amd64 OUT   one of them
//	go run . -licenses ../..            write THIRD-PARTY.md alone
package main

import (
	"flag"
	"fmt"
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
	root, err := filepath.Abs("../..")
	if err != nil {
		log.Fatal(err)
	}
	if *licenses != "" {
		text, err := thirdParty(root)
		if err == nil {
			err = os.WriteFile(filepath.Join(*licenses, "THIRD-PARTY.md"), text, 0o666)
		}
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	if flag.NArg() != 1 {
		log.Fatal("usage: dist [-systems S,…] OUT")
	}
	if err := release(root, flag.Arg(0), strings.Split(*chosen, ",")); err != nil {
		log.Fatal(err)
	}
}

// release writes the archives and checksums.txt to out.
func release(root, out string, systems []string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	r, err := newBuild(root)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	var archives []string
	for _, system := range systems {
		path, err := r.archive(system, out)
		if err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		archives = append(archives, path)
	}
	return writeChecksums(out, archives)
}
