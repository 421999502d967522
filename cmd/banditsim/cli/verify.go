package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/terminal"
	"banditsim/internal/nearest"
	"banditsim/posterior/verify"
	"banditsim/posterior/verify/claims"
)

type verifyFlags struct {
	out     string
	grade   string
	format  string
	seed    uint64
	workers int
	all     bool
	quiet   bool
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [NAME…]",
		Short: "Do samplers sample? Hold them to what is known",
		Long: `Do samplers sample? Every sampler is held to what it claims: steps worked out by hand,
variances in closed form, a regression whose answer is known, exact draws, the flat
histogram of a contour. Every posterior is held to the contract that policies rely on:
the same luck gives the same bits, a restored one goes on where it was, a known
function is learnt, and so on.

A statistic passes within ` + fmt.Sprint(verify.Limit) + ` standard errors (SE). That is so wide that right samplers
do not fail in a lifetime, and so sharp that a fault of 5 % lies 9 out. The diagnostics
beside it (effective sample size, split-R̂) are not proof.

Without arguments everything that is registered is verified. One line is that of the
worst number of a check; --all shows them all. With --out the card is kept in a folder
too, as card.txt and card.json. Exit code 4 tells that one has failed.`,
		Example: `  banditsim sampler verify
  banditsim sampler verify SGLD pICSGLD --grade long
  banditsim sampler verify --out out/sampler-verify
  banditsim sampler verify -o json > card.json`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.verifiable(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			parts, err := a.parts(args)
			if err == nil {
				err = f.check(cmd)
			}
			if err != nil {
				return usageError(err)
			}
			if f.out != "" {
				if err := makeFolder(f.out); err != nil {
					return err
				}
			}
			cards, err := a.verify(cmd.Context(), &f, parts)
			if err != nil {
				return err
			}
			report := newReportCard(&f, cards)
			if f.out != "" {
				paths, err := report.keep(f.out, f.all)
				if err != nil {
					return err
				}
				defer a.tellWritten(paths)
			}
			if f.format == "json" {
				err = report.writeJSON(a.stdout)
			} else {
				err = report.writeText(a.stdout, f.all)
			}
			if err == nil && len(report.failed) > 0 {
				err = exitWith(ExitThreshold, fmt.Errorf("sampler verify: failed: %s", strings.Join(report.failed, ", ")))
			}
			return err
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "folder for the card, as card.txt and card.json (default none)")
	flags.StringVar(&f.grade, "grade", string(verify.Quick), "quick (half a minute for all) or long (some minutes)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all randomness")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "checks at a time; results do not depend on it")
	flags.StringVarP(&f.format, "output", "o", "table", "form of the output: table or json")
	flags.BoolVar(&f.all, "all", false, "a line for every statistic, not only the worst of a check")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	completeValues(cmd, "grade", "quick", "long")
	completeValues(cmd, "output", "table", "json")
	return cmd
}

// check returns an error if a flag's value is of no use.
func (f *verifyFlags) check(cmd *cobra.Command) error {
	if err := noEmptyFlags(cmd); err != nil {
		return err
	}
	if !slices.Contains(verify.Grades(), verify.Grade(f.grade)) {
		return fmt.Errorf("--grade %q%s: want quick or long", f.grade, nearest.DidYouMean(f.grade, []string{"quick", "long"}))
	}
	if f.format != "table" && f.format != "json" {
		return fmt.Errorf("--output %q%s: want table or json", f.format, nearest.DidYouMean(f.format, []string{"table", "json"}))
	}
	return checkWorkers(f.workers)
}

// verifiable lists all that can be verified: samplers, then the posteriors that have
// no sampler of their name.
func (a *app) verifiable() []string {
	var names []string
	for _, s := range a.catalog.Samplers() {
		names = append(names, s.Name)
	}
	for _, p := range a.catalog.Posteriors() {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// parts returns what names stand for, all if there are none: a sampler, a posterior, or
// both of one name.
func (a *app) parts(names []string) ([]verify.Part, error) {
	known := a.verifiable()
	if len(names) == 0 {
		names = known
	}
	var parts []verify.Part
	for i, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown sampler %q%s: want some of %s", name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("sampler %s is named twice", name)
		}
		for _, s := range a.catalog.Samplers() {
			if s.Name == name {
				parts = append(parts, verify.Part{Name: name, Doc: s.Doc, Kind: "sampler", Subject: claims.Sampler{Method: s}})
			}
		}
		for _, p := range a.catalog.Contracts() {
			if p.Name == name {
				parts = append(parts, verify.Part{Name: name, Doc: p.Doc, Kind: "posterior", Subject: p})
			}
		}
	}
	return parts, nil
}

// verify runs the checks, with progress on stderr.
func (a *app) verify(ctx context.Context, f *verifyFlags, parts []verify.Part) ([]verify.Card, error) {
	ctx, stop := notifyInterrupts(ctx)
	defer stop()
	var count func(done, total int)
	hide := func() {}
	if !f.quiet {
		count, hide = terminal.ShowCount(a.stderr, "checks")
	}
	hide = sync.OnceFunc(hide)
	told := make(chan struct{})
	quiet := context.AfterFunc(ctx, func() {
		hide() // the line is to stay on the terminal
		fmt.Fprintln(a.stderr, "stopping after the checks at hand; Ctrl-C again stops at once")
		close(told)
	})
	o := verify.Options{Grade: verify.Grade(f.grade), Seed: f.seed}
	cards, err := verify.Report(ctx, parts, o, f.workers, count)
	if !quiet() {
		<-told
	}
	hide()
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return nil, stopped(cause, cause)
	}
	return cards, err
}
