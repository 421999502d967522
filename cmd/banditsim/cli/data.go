package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"banditsim/datasets/mushroom"
)

const dataUsage = "where the data come from: auto, uci, replica (a stand-in), or a path"

func (a *app) dataCommand() *cobra.Command {
	var data string
	cmd := group(&cobra.Command{Use: "data", Short: "Fetch, verify and describe the mushroom data"})

	fetch := &cobra.Command{
		Use:   "fetch",
		Short: "Download the UCI file into the user cache, if it is not there yet",
		Args:  argCount(0, 0),
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			if data != mushroom.SpecAuto && data != mushroom.SpecUCI {
				return usageError(fmt.Errorf("--data %s: only uci can be fetched", data))
			}
			t, err := mushroom.Fetch(cmd.Context(), mushroom.DefaultOpenOptions())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: %s\n", t.Path, t)
			return err
		}),
	}
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Check the data: is it the real UCI file, byte for byte (or the replica, with --data replica)?",
		Args:  argCount(0, 0),
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			t, err := mushroom.Verify(cmd.Context(), data, mushroom.DefaultOpenOptions())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "ok: %s, SHA-256 %s\n", t, t.SHA256)
			return err
		}),
	}
	describe := &cobra.Command{
		Use:   "describe",
		Short: "Describe rows, classes and the values of every attribute",
		Args:  argCount(0, 0),
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			t, err := mushroom.Open(cmd.Context(), data, mushroom.DefaultOpenOptions())
			if err != nil {
				return err
			}
			if t.Warning != "" {
				a.warn("%s", t.Warning)
			}
			return mushroom.Describe(a.stdout, t)
		}),
	}
	for _, c := range []*cobra.Command{fetch, verify, describe} {
		c.Flags().StringVar(&data, "data", mushroom.SpecAuto, dataUsage)
		completeFlag(c, "data", completeData)
	}
	cmd.AddCommand(fetch, verify, describe)
	return cmd
}
