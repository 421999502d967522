// Dist makes the parts of a release that need Go, for .ci/release:
//
//	go run . licenses                    THIRD-PARTY.md, to stdout
//	go run . bill PROGRAM VERSION TIME   the bill of materials of a program, to stdout
//	go run . man FOLDER VERSION TIME     a man page for each command, into a folder
//
// TIME is the time of the commit, in seconds since 1970.
package main

import (
	"log"
	"os"
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
