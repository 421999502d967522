package plugincmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/exit"
	"banditsim/internal/reportcard"
	"banditsim/internal/usage"
	"banditsim/internal/verify"
)

// App is what the verbs need of the command line.
type App struct {
	*usage.Process
}

// Command returns the verbs of plugin; group makes a command that has subcommands only.
func (a App) Command(group func(*cobra.Command) *cobra.Command) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "plugin",
		Short: "Write and check programs in other languages: policies, posteriors, environments",
	})
	cmd.AddCommand(a.initCommand(), a.verifyCommand())
	return cmd
}

func (a App) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init " + strings.Join(plugin.Languages(), "|") + " [FILE]",
		Short: "Write a policy in another language to start from",
		Long: `Write a policy in another language to start from, as one file without dependencies: a
class to change, and below it what speaks the protocol of docs/protocol.md. The
default FILE is mine with the extension of the language, in the current folder. An
existing file is never overwritten.`,
		Example: `  banditsim plugin init python
  banditsim plugin init r policies/ucb.R`,
		ValidArgs: plugin.Languages(),
		Args:      usage.Count(1, 2),
		RunE: exit.Failing(func(_ *cobra.Command, args []string) error {
			text, extension, run, err := plugin.Shim(args[0])
			if err != nil {
				return exit.Usage(err)
			}
			path := "mine" + extension
			if len(args) == 2 {
				path = args[1]
			}
			f, err := os.OpenFile(a.Path(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
			if errors.Is(err, os.ErrExist) {
				return exit.Usage(fmt.Errorf("plugin init: %s exists: name another file", path))
			}
			if err != nil {
				return err
			}
			if _, err := f.Write(text); err != nil {
				f.Close()
				return err
			}
			if err := f.Close(); err != nil {
				return err
			}
			command := strings.Join(append(run, filepath.ToSlash(path)), " ")
			_, err = fmt.Fprintf(a.Stdout, "Wrote %s\nCheck  %s plugin verify -- %s\nRun    %s\n", path, a.CommandLine(), command,
				a.CommandLine("run", "--environment", "linear", "--policies", "Mine,LinUCB,Uniform", "--plugin", "Mine="+command, "--seeds", "1..10"))
			return err
		}),
	}
}

func (a App) verifyCommand() *cobra.Command {
	var timeout time.Duration
	var options, format string
	var rounds int
	cmd := &cobra.Command{
		Use:   "verify [flags] -- COMMAND…",
		Short: "Check that a program keeps the contract of its role",
		Long: `Check that a program keeps the contract of what it says it is: a policy, a posterior or
an environment. It is started many times. A policy chooses arms in range, the same
ones for the same seed, one by one and in batches, saved and restored; a posterior
keeps the contract of ours; the rewards of an environment lie about the means that
it states. The speed of a policy is measured.

Exit code 4 means that a check failed.`,
		Example: `  banditsim plugin verify -- python3 mine.py
  banditsim plugin verify --options '{"alpha": 2}' -- Rscript mine.R`,
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usage(errors.New("plugin verify: the command is missing: want plugin verify -- COMMAND…, such as -- python3 mine.py"))
			}
			var tree map[string]any
			if err := json.Unmarshal([]byte(options), &tree); err != nil {
				return exit.Usage(fmt.Errorf("--options %q: want a JSON object, such as '{\"alpha\": 2}'", options))
			}
			if timeout <= 0 || timeout > declare.MaxTimeout {
				return exit.Usage(fmt.Errorf("--timeout %v: want a time above 0 and up to %v", timeout, declare.MaxTimeout))
			}
			if format != "table" && format != "json" {
				return exit.Usage(fmt.Errorf("--format %q: want table or json", format))
			}
			if rounds < 0 {
				return exit.Usage(fmt.Errorf("--learns-in %d: want a number of rounds, or 0 for none", rounds))
			}
			p := plugin.Program{Name: filepath.Base(args[len(args)-1]), Command: args, Dir: a.Dir, Options: json.RawMessage(options), Timeout: timeout}
			return a.verify(cmd.Context(), p, rounds, format)
		}),
	}
	flags := cmd.Flags()
	flags.DurationVar(&timeout, "timeout", plugin.DefaultTimeout, "time for each answer")
	flags.StringVar(&options, "options", "{}", "options that the program is told, as JSON")
	flags.IntVar(&rounds, "learns-in", 0, "training rounds in which a posterior learns a linear function of 12 inputs from 1,100 rewards; 0: not checked")
	flags.StringVarP(&format, "format", "o", "table", "format of the output: table or json")
	usage.CompleteValues(cmd, "format", "table", "json")
	return cmd
}

func (a App) verify(ctx context.Context, p plugin.Program, rounds int, format string) error {
	part, err := Subject(p, rounds)
	if err != nil {
		return exit.FailedCheck(err)
	}
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	o := verify.Options{Grade: verify.Quick, Seed: 1}
	cards, err := verify.Report(ctx, []verify.Part{part}, o, 1, nil)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return exit.Stopped(cause, cause)
	}
	if err != nil {
		return err
	}
	report := reportcard.New(o, cards)
	if format == "json" {
		err = report.WriteJSON(a.Stdout)
	} else {
		err = report.WriteText(a.Stdout, true)
	}
	if err == nil && len(report.Failed) > 0 {
		err = exit.FailedCheck(fmt.Errorf("plugin verify: %s fails", p))
	}
	return err
}
