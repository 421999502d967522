// Command environment is the whole of banditsim with one more environment, two arms whose rewards
// drift:
//
//	go run . run drift.yaml
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
	if err := experiment.AddEnvironment(catalog, Kind); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(cli.Main(catalog, os.Args[1:], os.Stdout, os.Stderr))
}
