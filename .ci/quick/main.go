// Command quick runs the preset quick through the harness alone, on the embedded replica of the
// data. CI builds it to see what users of the library link.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	catalog := builtin.Default()
	quick, err := catalog.Preset("quick")
	if err != nil {
		return err
	}
	quick.Data = "replica"
	plan, err := quick.Resolve(ctx, catalog)
	if err != nil {
		return err
	}
	runner := harness.Runner{Dir: os.Args[1], Workers: 2, Now: time.Now}
	summary, err := runner.Run(ctx, plan)
	fmt.Printf("%+v\n", summary)
	return err
}
