// Command banditsim compares exploration policies on contextual bandits. See the README, or banditsim --help.
package main

import (
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

func main() {
	cli.Exec(builtin.Default())
}
