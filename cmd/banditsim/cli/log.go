package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/logged"
	"banditsim/bandit/stream"
	"banditsim/internal/exit"
	"banditsim/internal/logs"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/results"
)

// readFlags are the flags that say how to read a log.
type readFlags struct {
	logged.ReadOptions
	data string
}

func (f *readFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Arm, "arm", "", "column of the arm that was pulled (default arm, action or item_id)")
	flags.StringVar(&f.Reward, "reward", "", "column of the reward (default reward or click)")
	flags.StringVar(&f.Propensity, "propensity", "", "column of the probability with which the arm was chosen (default propensity, propensity_score, pscore or probability); "+
		"estimate: estimate it from the context, whatever the log has")
	flags.StringVar(&f.Position, "position", "", "column of the position on a page; positions are pooled; none: there is none (default position)")
	flags.StringVar(&f.Time, "time", "", "column of the time; none: there is none (default time or timestamp)")
	flags.StringVar(&f.Available, "available", "", "column of the arms that could be pulled, as a|b|c or a list in JSON; an empty cell: all (default available)")
	flags.StringSliceVar(&f.Context, "context", nil, "columns of the context, separated by commas: numbers or categories; none: there is none (default those whose name begins with context_, x_, feature_ or user_feature_, in any case)")
	flags.StringSliceVar(&f.Probabilities, "probabilities", nil, "columns of the probabilities of all arms, in their order (default none)")
	flags.StringSliceVar(&f.Arms, "arms", nil, "names of all arms, in their order (default those in the log)")
	flags.StringVar(&f.data, "data", "", "of our own pulls: source of the data of their environment")
}

// openLog reads a log: a file, or a folder of results in which exactly one trial has recorded pulls. A log without
// propensities is an error, unless unrecorded is true or --propensity asks for estimates.
func (a *app) openLog(ctx context.Context, path string, f *readFlags, unrecorded bool) (*logged.Log, error) {
	path = a.Path(path)
	o := f.ReadOptions
	o.Unrecorded = unrecorded
	o.Duplicates = true
	if slices.Equal(o.Context, []string{"none"}) {
		o.Context = []string{}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if path, err = onlyPulls(path); err != nil {
			return nil, exit.Usage(err)
		}
	}
	o.Pulls = func() (*logged.Simulated, error) {
		pulls, err := a.simulated(ctx, path, f.data)
		if err == nil && pulls == nil {
			a.warn("%s: its trial is not beside it, so that its contexts are not known: policies see one constant number", path)
		}
		return pulls, err
	}
	l, err := logged.Open(path, o)
	if err == nil && f.Propensity == logged.EstimatedPropensity {
		if l.Unrecorded {
			err = l.EstimatePropensities(ctx, parallel(runtime.GOMAXPROCS(0)))
		} else {
			a.warn("%s: its column %s has the propensities: none are estimated", path, f.Propensity)
		}
	}
	return l, a.logError(l, err)
}

// logError adds advice and the exit code to an error about a log. It uses l only if err is logged.ErrNoContext.
func (a *app) logError(l *logged.Log, err error) error {
	switch {
	case errors.Is(err, logged.ErrNoPropensities):
		return exit.Usage(fmt.Errorf("%w: a log tells of other policies only with the probability of each choice: record one of a policy that draws a share of its pulls "+
			"uniformly (--set POLICY.explore=0.05), or that knows them anyway: %s; "+
			"or estimate them from the context: --propensity estimate; or trust a model of the rewards alone: evaluate --estimators dm",
			err, strings.Join(a.catalog.Randomizers(), ", ")))
	case errors.As(err, new(*logged.InputError)): // an error in a row of the log
		return exit.Usage(err)
	case errors.Is(err, logged.ErrNoContext):
		columns := strings.Join(l.Ignored, ", ")
		cure := fmt.Sprintf("name it with --context %s, or say that there is none with --context none", strings.Join(l.Ignored, ","))
		if l.Exported {
			cure = "exported pulls have no contexts: evaluate the folder of the run, or say that there is none with --context none"
		}
		return exit.Usage(fmt.Errorf("%w; not used are %s: %s", err, columns, cure))
	}
	return err
}

// onlyPulls returns the path of the file of pulls in a folder of results, which must have exactly one such file.
func onlyPulls(dir string) (string, error) {
	trials := filepath.Join(dir, results.TrialsDir)
	files, _ := fs.Glob(os.DirFS(trials), "*.pulls.csv.gz") // filepath.Glob would take [ in the name of a folder for a pattern
	switch len(files) {
	case 0:
		return "", fmt.Errorf("%s has no pulls: run the same command with --record pulls", dir)
	case 1:
		return filepath.Join(trials, files[0]), nil
	}
	return "", fmt.Errorf("%s has the pulls of %d trials: name one of the files, such as %s", dir, len(files), filepath.Join(trials, files[0]))
}

// simulated returns the environment of the trial with the pulls at path, or nil if the trial's file is not beside them.
func (a *app) simulated(ctx context.Context, path, data string) (*logged.Simulated, error) {
	trial := strings.TrimSuffix(path, ".pulls.csv.gz") + ".jsonl"
	if _, err := os.Stat(trial); err != nil {
		return nil, nil
	}
	rec, err := results.ReadRecord(trial)
	if err == nil {
		err = rec.CheckPulls()
	}
	if err != nil {
		return nil, err
	}
	id := rec.Identity()
	world, err := a.catalog.World(ctx, id.Environment, data)
	if err != nil {
		return nil, err
	}
	open := func() (bandit.Environment, error) {
		draws, _, burnIn := stream.Trial(id.Seed)
		env, err := world.New(draws)
		if err != nil || id.Protocol.Arms.IsZero() {
			return env, err
		}
		return &arriving{env, id.Protocol.Arms, burnIn}, nil
	}
	env, err := open()
	if err != nil {
		return nil, err
	}
	spec := env.Spec()
	if !spec.IgnoresActions {
		return nil, exit.Usage(fmt.Errorf("%s: contexts of the environment %s depend on the arms that were pulled: such a log cannot be evaluated", path, id.Environment.Name))
	}
	return &logged.Simulated{Spec: spec, New: open}, nil
}

// arriving is an environment whose arms come and go as they did in a trial (Protocol.Arms).
type arriving struct {
	bandit.Environment
	arms  bandit.Arrivals
	draws *stream.Stream
}

func (a *arriving) Next(r *bandit.Round, o *bandit.Outcome) error {
	err := a.Environment.Next(r, o)
	a.arms.Put(r, len(o.Mean), a.draws)
	return err
}

func (a *app) logCommand() *cobra.Command {
	var f readFlags
	var format report.Format
	cmd := &cobra.Command{
		Use:   "describe LOG",
		Short: "Describe a log of pulls: arms, rewards, propensities, drift, duplicates",
		Long: `Describe a log of pulls: arms, rewards, propensities and the smallest, the share of rewards
that are zero, drift over time and rows that are the same. Formats are recognized by their
header: our own pulls ('run --record pulls', or the folder that it wrote, 'export --pulls'),
the Open Bandit Dataset, Vowpal Wabbit's dsjson and text, JSON lines, and any CSV, whose columns the
flags name; text may be packed by gzip. docs/logged.md says more.`,
		Example: `  banditsim log describe out/recorded
  banditsim log describe clicks.csv --arm ad --reward click --propensity p --context age,country`,
		Args: usage.Count(1, 1),
		RunE: keepsNothing(func(ctx context.Context, args []string) error {
			l, err := a.openLog(ctx, args[0], &f, false)
			if err != nil {
				return err
			}
			return logs.Describe(l).Render(a.screen(a.Stdout), format)
		}),
	}
	f.add(cmd)
	usage.Format(cmd, &format)
	return usage.Group(&cobra.Command{Use: "log", Short: "Describe logs of pulls"}, cmd)
}
