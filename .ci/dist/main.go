// Dist makes the parts of a release that need Go, for .ci/release:
//
//	go run . licenses                    THIRD-PARTY.md, to stdout
//	go run . bill PROGRAM VERSION TIME   the bill of materials of a program, to stdout
//	go run . man FOLDER VERSION TIME     a man page for each command, into a folder
//
// TIME is the time of the commit, in seconds since 1970.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra/doc"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("dist: ")
	args := append(os.Args[1:], "", "", "0", "0")
	at := time.Unix(must(strconv.ParseInt(args[3], 10, 64)), 0).UTC()
	switch args[0] {
	case "licenses":
		must(os.Stdout.Write(thirdParty(modules())))
	case "bill":
		must(os.Stdout.Write(billOfMaterials(args[1], args[2], at)))
	case "man":
		root := cli.Command(builtin.Default())
		root.DisableAutoGenTag = true
		header := &doc.GenManHeader{Title: "BANDITSIM", Section: "1", Date: &at, Manual: "banditsim"}
		header.Source = "banditsim " + args[2]
		check(doc.GenManTree(root, header, args[1]))
	default:
		log.Fatal("want licenses, bill or man")
	}
}

// check ends the program with err if err is not nil.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// must returns v, or ends the program with err.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// An object is a JSON object.
type object map[string]any

// billOfMaterials returns the modules in a program's build information as CycloneDX 1.5,
// https://cyclonedx.org/docs/1.5/json.
func billOfMaterials(program, version string, at time.Time) []byte {
	info, known := must(buildinfo.ReadFile(program)), modules()
	library := func(path, version string, ids []string) object {
		var licenses []object
		for _, id := range ids {
			licenses = append(licenses, object{"license": object{"id": id}})
		}
		purl := "pkg:golang/" + path + "@" + version
		return object{"type": "library", "name": path, "version": version, "purl": purl, "licenses": licenses}
	}
	components := []object{library("std", info.GoVersion, []string{"BSD-3-Clause"})}
	for _, d := range info.Deps {
		i := slices.IndexFunc(known, func(m module) bool { return m.Path == d.Path && m.Version == d.Version })
		if i < 0 {
			check(fmt.Errorf("%s has the module %s@%s, which 'go list' does not name", program, d.Path, d.Version))
		}
		var ids []string
		for _, l := range licensesIn(known[i].Dir, d.Path) {
			ids = append(ids, l.ids...)
		}
		components = append(components, library(d.Path, d.Version, ids))
	}
	application := object{"type": "application", "name": "banditsim", "version": version}
	return append(must(json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components,
		"metadata": object{"timestamp": at.Format(time.RFC3339), "component": application},
	}, "", "  ")), '\n')
}
