package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
)

// movedCommand returns the hidden command sampler, whose error names the command that took its place.
func movedCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sampler", Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			now := "go -C lab run ."
			if len(args) > 0 {
				now += " " + strings.Join(args, " ")
			}
			return exit.Usage(fmt.Errorf("sampler is a program of its own, in the folder lab of the source: %s", now))
		},
	}
}
