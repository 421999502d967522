// Command banditsim compares exploration policies on contextual bandits. See the README, or
// banditsim --help.
package main

import (
	"os"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

func main() {
	os.Exit(cli.Main(builtin.Default(), os.Args[1:], os.Stdout, os.Stderr))
}
