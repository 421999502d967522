package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/reportcard"
	"banditsim/internal/usage"
	"banditsim/internal/verify"
	"banditsim/internal/wholefile"
	"banditsim/lab/claims"
	"banditsim/posterior/sgmcmc"
)

type verifyFlags struct {
	runFlags
	grade string
	seed  uint64
	all   bool
}

func (a app) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [NAME…]",
		Short: "Check samplers and posteriors against known answers",
		Long: `Check samplers and posteriors against known answers. Each sampler is checked for what it
claims: steps worked out by hand, variances in closed form, a regression with a known
posterior, exact draws, the flat histogram of a contour. Each posterior is checked for
the contract that policies rely on: equal streams give equal bits, a restored posterior
continues where it was, a known function is learned, and so on.

A statistic passes within ` + fmt.Sprint(verify.Limit) + ` standard errors (SE). A correct sampler practically never
fails, and a fault of 5 % is 9 standard errors off. The diagnostics beside it (effective
sample size, split-R̂) are not proof.

The default is everything that is registered. Each line shows the worst number of a
check; --all shows all of them. With --out the card is also written to a folder, as
card.txt and card.json. Exit code 4 means that a check failed.`,
		Example: `  go -C lab run . verify
  go -C lab run . verify SGLD pICSGLD --grade long
  go -C lab run . verify --out out/sampler-verify
  go -C lab run . verify -o json > card.json`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.verifiable(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: checked(func(cmd *cobra.Command, args []string) error {
			parts, err := a.parts(args)
			_, unknown := nearest.Parse("--grade", f.grade, verify.Grades())
			if err := cmp.Or(err, unknown); err != nil {
				return exit.Usage(err)
			}
			if f.out != "" {
				if err := wholefile.MakeFolder(f.out); err != nil {
					return fmt.Errorf("--out: %w: name a folder that can be written", err)
				}
			}
			card, err := a.verify(cmd.Context(), &f, parts)
			if err != nil {
				return err
			}
			if f.out != "" {
				paths, err := card.Keep(f.out, f.all)
				if err != nil {
					return err
				}
				defer a.printPaths(paths)
			}
			err = card.Write(a.stdout, f.format, f.all)
			if err == nil && len(card.Failed) > 0 {
				err = exit.FailedCheck(fmt.Errorf("verify: failed: %s", strings.Join(card.Failed, ", ")))
			}
			return err
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "folder for the card, as card.txt and card.json (default none)")
	flags.StringVar(&f.grade, "grade", string(verify.Quick), "quick (half a minute for all) or long (some minutes)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all randomness")
	f.workers = runtime.GOMAXPROCS(0)
	usage.Workers(cmd, &f.workers, "checks at a time; results do not depend on it")
	usage.TextOrJSON(cmd, &f.format)
	flags.BoolVar(&f.all, "all", false, "a line for every statistic, not only the worst of a check")
	usage.Quiet(cmd, &f.quiet)
	usage.CompleteValues(cmd, "grade", "quick", "long")
	return cmd
}

// verifiable returns the names of all samplers, then the names of the posteriors that share no name with a sampler.
func (a app) verifiable() []string {
	names := lists.Each(a.catalog.Samplers, func(s sgmcmc.Subject) string { return s.Name })
	for _, p := range a.catalog.Posteriors() {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// parts returns the samplers and posteriors with the given names, or all if there are no names, each with its checks.
func (a app) parts(names []string) ([]reportcard.Part, error) {
	known := a.verifiable()
	if len(names) == 0 {
		names = known
	}
	if err := nearest.Distinct("there is no sampler or posterior", "sampler", names, known); err != nil {
		return nil, err
	}
	var parts []reportcard.Part
	for _, name := range names {
		for _, s := range a.catalog.Samplers {
			if s.Name == name {
				parts = append(parts, reportcard.Part{Name: name, Doc: s.Doc, Kind: "sampler", Checks: claims.Sampler{Subject: s}.Checks()})
			}
		}
		for _, p := range a.catalog.Contracts {
			if p.Name == name {
				parts = append(parts, reportcard.Part{Name: name, Doc: p.Doc, Kind: "posterior", Checks: verify.Posterior(p)})
			}
		}
	}
	return parts, nil
}

// verify runs the checks of parts, with progress on stderr, and returns the report card.
func (a app) verify(ctx context.Context, f *verifyFlags, parts []reportcard.Part) (*reportcard.Card, error) {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	count, hide := a.progress(f.quiet, "checks")
	hide = sync.OnceFunc(hide)
	printed := make(chan struct{})
	quiet := context.AfterFunc(ctx, func() {
		hide() // removes the progress line, which would overwrite the message
		fmt.Fprintln(a.stderr, "stopping after the current checks; Ctrl-C again stops at once")
		close(printed)
	})
	card, err := reportcard.Run(ctx, parts, verify.Options{Grade: verify.Grade(f.grade), Seed: f.seed}, f.workers, count)
	if !quiet() {
		<-printed
	}
	hide()
	return card, exit.Stopped(ctx, err, "", exit.CodeFailure)
}
