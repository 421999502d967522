package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/reportcard"
	"banditsim/internal/usage"
	"banditsim/internal/verify"
	"banditsim/policy"
	"banditsim/posterior"
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

// writeNew creates a file with the given text, and removes it if the text cannot be written. If the file exists, it
// returns an error that wraps os.ErrExist.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
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
	if err != nil {
		return exit.Stopped(ctx, err, "", exit.CodeFailure)
	}
	err = card.Write(a.Stdout, format, true)
	if err == nil && len(card.Failed) > 0 {
		err = exit.FailedCheck(fmt.Errorf("plugin verify: %s fails", p))
	}
	return err
}

// environmentPulls is the number of pulls in the check of an environment.
const environmentPulls = 10_000

// pluginPart returns the checks of a program for the role that it claims. rounds is the number of training rounds in
// which a posterior must learn a linear function; 0 leaves that check out.
func pluginPart(program plugin.Program, rounds int) (reportcard.Part, error) {
	role, draws, err := plugin.Probe(program)
	if err != nil {
		return reportcard.Part{}, err
	}
	l := &launcher{program: program}
	var checks []verify.Check
	switch role {
	case plugin.RolePosterior:
		checks = l.posteriorChecks(posterior.Claims{Rounds: max(rounds, 1), Spread: draws}, rounds > 0)
	case plugin.RoleEnvironment:
		const proves = "names and lengths as promised, rewards about their means, the same pulls from the same seed, and after a restore"
		checks = []verify.Check{l.check("contract", proves, func(j *verify.Judge) {
			verify.Must(bandittest.Environment(environmentPulls, func(r *stream.Stream) (bandit.Environment, error) {
				e, err := plugin.NewEnvironment(program, r)
				return closing(l, e, err)
			}))
			j.Promise(fmt.Sprintf("%d pulls", environmentPulls), true, "")
		})}
	default:
		checks = l.policyChecks()
	}
	return reportcard.Part{Name: program.Name, Doc: program.String(), Kind: role, Checks: checks}, nil
}

// A launcher starts the child processes of a check and ends them after it.
type launcher struct {
	program plugin.Program
	closers []io.Closer // the children that are running
}

// closing returns child and err. If err is nil, it registers child, an io.Closer, to be closed after the check.
func closing[T any](l *launcher, child T, err error) (T, error) {
	if err == nil {
		l.closers = append(l.closers, any(child).(io.Closer))
	}
	return child, err
}

// check returns a check that runs do and then ends the child processes.
func (l *launcher) check(name, proves string, do func(j *verify.Judge)) verify.Check {
	return verify.Check{Name: name, Proves: proves, Do: func(j *verify.Judge) {
		defer func() {
			for _, child := range l.closers {
				child.Close()
			}
			l.closers = nil
		}()
		do(j)
	}}
}

func (l *launcher) policyChecks() (list []verify.Check) {
	build := func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
		p, err := plugin.NewPolicy(l.program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, Stream: r})
		return closing(l, p, err)
	}
	for _, c := range bandittest.PolicyChecks(build) {
		list = append(list, l.check(c.Name, c.Proves, func(j *verify.Judge) {
			verify.Must(c.Run())
			j.Promise(c.Proves, true, "")
		}))
	}
	for _, batch := range []int{1, 20} {
		name := "speed one by one"
		if batch > 1 {
			name = fmt.Sprintf("speed in batches of %d", batch)
		}
		list = append(list, l.check(name, "pulls per second, with contexts of 22 numbers and 2 arms", func(j *verify.Judge) {
			rate, err := speed(build, batch, 300*time.Millisecond)
			verify.Must(err)
			j.Note("pulls per second", verify.Estimate{Value: math.Round(rate)}, "")
		}))
	}
	return list
}

func (l *launcher) posteriorChecks(claims posterior.Claims, learns bool) (list []verify.Check) {
	of := posterior.Subject{Name: l.program.Name, Claims: claims, New: func(s posterior.Setup) (posterior.Posterior, error) {
		p, err := plugin.NewPosterior(l.program, s)
		return closing(l, p, err)
	}}
	for _, c := range verify.Posterior(of) {
		if c.Name != verify.Learning || learns {
			list = append(list, l.check(c.Name, c.Proves, c.Do))
		}
	}
	return list
}

// speed runs a policy for about the given duration, with contexts of 22 numbers and 2 arms. The argument batch is the
// number of pulls at a time. speed returns the number of pulls per second; the time of a pull includes Learn.
func speed(build bandittest.Builder, batch int, duration time.Duration) (float64, error) {
	spec := bandit.Spec{Dim: 22, Arms: []string{"a", "b"}, IgnoresActions: true}
	draws := stream.Root(1)
	p, err := build(spec, draws.Child("policy"))
	if err != nil {
		return 0, err
	}
	rounds, arms := make([]bandit.Round, batch), make([]int, batch)
	for i := range rounds {
		rounds[i] = bandit.Round{T: i + 1, Row: -1, Context: make([]float32, spec.Dim)}
		draws.Normals(rounds[i].Context)
	}
	play := func() error {
		if b, ok := p.(bandit.BatchActor); ok && batch > 1 {
			err = b.ActBatch(arms, rounds)
		} else {
			arms[0], err = p.Act(rounds[0])
		}
		for i, r := range rounds {
			if err == nil {
				err = p.Learn(r, arms[i], 1)
			}
		}
		return err
	}
	if err := play(); err != nil { // the start of the child does not count
		return 0, err
	}
	begin, n := time.Now(), 0
	for time.Since(begin) < duration {
		if err := play(); err != nil {
			return 0, err
		}
		n += batch
	}
	return float64(n) / time.Since(begin).Seconds(), nil
}
