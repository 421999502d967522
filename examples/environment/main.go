// Command environment is banditsim with an additional environment, two arms whose rewards drift:
//
//	go run . run drift.yaml
package main

import (
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

func main() {
	catalog := builtin.Default()
	cli.Exec(catalog, experiment.AddEnvironment(catalog, Kind))
}
