package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/reportcard"
	"banditsim/internal/usage"
	"banditsim/internal/verify"
)

func (a *app) pluginCommand() *cobra.Command {
	return usage.Group(&cobra.Command{
		Use:   "plugin",
		Short: "Write and check programs in other languages: policies, posteriors, environments",
	}, a.pluginInitCommand(), a.pluginVerifyCommand())
}

func (a *app) pluginInitCommand() *cobra.Command {
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
		RunE: func(_ *cobra.Command, args []string) error {
			text, extension, run, err := plugin.Shim(args[0])
			if err != nil {
				return exit.Usage(err)
			}
			path := append(args[1:], "mine"+extension)[0]
			if err := writeNew(a.Path(path), text); errors.Is(err, os.ErrExist) {
				return exit.Usage(fmt.Errorf("plugin init: %s exists: name another file", path))
			} else if err != nil {
				return err
			}
			command := strings.Join(append(run, filepath.ToSlash(path)), " ")
			return a.printLines([]string{"Wrote " + path,
				"Check  " + a.CommandLine() + " plugin verify -- " + command,
				"Run    " + a.CommandLine("run", "--environment", "linear", "--policies", "Mine,LinUCB,Uniform", "--plugin", "Mine="+command, "--seeds", "1..10")})
		},
	}
}

// writeNew writes a file that does not exist yet.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func (a *app) pluginVerifyCommand() *cobra.Command {
	p := plugin.Program{Dir: a.Dir, Timeout: plugin.DefaultTimeout, Options: json.RawMessage("{}")}
	var format report.Format
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
  banditsim plugin verify --program-options '{"alpha": 2}' -- Rscript mine.R`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("plugin verify: the command is missing: want plugin verify -- COMMAND…, such as -- python3 mine.py")
			}
			return nil
		},
		RunE: interruptible(func(ctx context.Context, args []string) error {
			p.Name, p.Command = filepath.Base(args[len(args)-1]), args
			return a.verify(ctx, p, rounds, format)
		}),
	}
	flags := cmd.Flags()
	usage.Parsed(flags, &p.Timeout, "timeout", p.Timeout.String(), "time for each answer", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err == nil && (d <= 0 || d > declare.MaxTimeout) {
			err = fmt.Errorf("%v, want a time above 0 and up to %v", d, declare.MaxTimeout)
		}
		return d, err
	})
	usage.Parsed(flags, &p.Options, "program-options", "{}", "options that the program is told, as JSON", func(text string) (json.RawMessage, error) {
		if json.Unmarshal([]byte(text), new(map[string]any)) != nil {
			return nil, fmt.Errorf("%q, want a JSON object, such as '{\"alpha\": 2}'", text)
		}
		return json.RawMessage(text), nil
	})
	usage.Renamed(cmd, "options", "program-options")
	usage.Whole(flags, &rounds, "learns-in", 0, math.MaxInt32, "training rounds in which a posterior learns a linear function of 12 inputs from 1,100 rewards; 0: not checked")
	usage.TextOrJSON(cmd, &format)
	return cmd
}

func (a *app) verify(ctx context.Context, p plugin.Program, rounds int, format report.Format) error {
	part, err := pluginPart(p, rounds)
	if err != nil {
		return exit.FailedCheck(err)
	}
	card, err := reportcard.Run(ctx, []reportcard.Part{part}, verify.Options{Grade: verify.Quick, Seed: 1}, 1, nil)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return exit.Stopped(cause, cause, exit.CodeFailure)
	}
	if err != nil {
		return err
	}
	err = card.Write(a.Stdout, format, true)
	if err == nil && len(card.Failed) > 0 {
		err = exit.FailedCheck(fmt.Errorf("plugin verify: %s fails", p))
	}
	return err
}
