// Command policy is banditsim with an additional policy, UCB1:
//
//	go run . run quick --policies OwnUCB1,EpsGreedy,Uniform --set OwnUCB1.width=10 --out out/ucb1
package main

import (
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

func main() {
	catalog := builtin.Default()
	cli.Exec(catalog, experiment.AddPolicy(catalog, Kind))
}
