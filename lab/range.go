package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/lab/simulation"
)

// rangeError replaces the option in a range error by the flag of its name, if there is one.
func rangeError(cmd *cobra.Command, err error) error {
	var out *simulation.RangeError
	if !errors.As(err, &out) {
		return err
	}
	flag := strings.ReplaceAll(out.Option, "_", "-")
	if cmd.Flags().Lookup(flag) == nil {
		return err
	}
	return fmt.Errorf("--%s %v: want %s", flag, out.Value, out.Want)
}
