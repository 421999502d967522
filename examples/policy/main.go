// Command policy is the whole of banditsim with one more policy, UCB1:
//
//	go run . run quick --policies UCB1,EpsGreedy,Uniform --set UCB1.width=10 --out out/ucb1
package main

import (
	"fmt"
	"os"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

func main() {
	catalog := builtin.Default()
	if err := experiment.AddPolicy(catalog, Kind); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(cli.Main(catalog, os.Args[1:], os.Stdout, os.Stderr))
}
