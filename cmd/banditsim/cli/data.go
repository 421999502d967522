package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"banditsim/datasets/mushroom"
)

const dataUsage = "source of the data: auto, uci, replica (a stand-in), or a path"

func (a *app) dataCommand() *cobra.Command {
	cmd := group(&cobra.Command{Use: "data", Short: "Fetch, verify and describe the mushroom data"})
	for _, verb := range []struct {
		use, short string
		run        func(ctx context.Context, data string) error
	}{
		{"fetch", "Download the UCI file to the user cache, unless it is there", a.fetchData},
		{"verify", "Check that the data are the UCI file, byte for byte (or the replica, with --data replica)", a.verifyData},
		{"describe", "Describe the rows, the classes and the values of each attribute", a.describeData},
	} {
		var data string
		c := &cobra.Command{Use: verb.use, Short: verb.short, Args: argCount(0, 0),
			RunE: failing(func(cmd *cobra.Command, _ []string) error { return verb.run(cmd.Context(), data) })}
		c.Flags().StringVar(&data, "data", mushroom.SpecAuto, dataUsage)
		completeFlag(c, "data", completeData)
		cmd.AddCommand(c)
	}
	return cmd
}

func (a *app) fetchData(ctx context.Context, data string) error {
	if data != mushroom.SpecAuto && data != mushroom.SpecUCI {
		return usageError(fmt.Errorf("--data %s: only uci can be fetched", data))
	}
	t, err := mushroom.Fetch(ctx, mushroom.DefaultOpenOptions())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s\n", t.Path, t)
	return err
}

func (a *app) verifyData(ctx context.Context, data string) error {
	t, err := mushroom.Verify(ctx, data, mushroom.DefaultOpenOptions())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "ok: %s, SHA-256 %s\n", t, t.SHA256)
	return err
}

func (a *app) describeData(ctx context.Context, data string) error {
	t, err := mushroom.Open(ctx, data, mushroom.DefaultOpenOptions())
	if err != nil {
		return err
	}
	if t.Warning != "" {
		a.warn("%s", t.Warning)
	}
	return mushroom.Describe(a.stdout, t)
}
