// Package folder reads output folders and shows their tables.
package folder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/nearest"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// A Viewer reads output folders, and writes what they show.
type Viewer struct {
	*usage.Process
}

// Warn writes to Stderr what the user should know though it does not stop the command.
func (v Viewer) Warn(format string, args ...any) {
	fmt.Fprint(v.Stderr, report.WrapText(v.screenOf(v.Stderr), words.PlainText(fmt.Sprintf("warning: "+format+"\n", args...))))
}

// Load reads an output folder and warns of files that are left out. If mixed, or if the trials are of an
// experiment on several environments, it returns a set for each setting; otherwise trials with different
// settings are an error.
func (v Viewer) Load(dir string, mixed bool) ([]*results.Set, error) {
	sets, err := results.LoadMixed(dir)
	if err == nil {
		err = v.CheckMixed(dir, sets, mixed)
	}
	if err != nil {
		return nil, err
	}
	for _, d := range sets[0].Damaged {
		v.Warn("left out: %v", d.Err)
	}
	return sets, nil
}

// CheckMixed returns an error if there are several sets and that is not wanted.
func (v Viewer) CheckMixed(dir string, sets []*results.Set, mixed bool) error {
	if mixed || len(sets) == 1 || sets[0].Named {
		return nil
	}
	return exit.Usage(fmt.Errorf("%w, or see a table of each setting with\n  %s", &results.MixedError{Dir: dir, Sets: sets}, v.CommandLine("report", dir, "--mixed")))
}

// CheckTarget returns an error if the file at path, if there is one, is not one that may be replaced, and removes
// temporary files that killed commands left beside it. The caller has checked the ending, which trials, sidecars, checkpoints and
// locks do not have.
func CheckTarget(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return exit.Usage(fmt.Errorf("%s is not a regular file: choose another name", path))
	}
	wholefile.Tidy(filepath.Dir(path))
	return nil
}

// Screen returns stdout, on a terminal with its width.
func (v Viewer) Screen() io.Writer { return v.screenOf(v.Stdout) }

func (v Viewer) screenOf(w io.Writer) io.Writer {
	f, ok := terminal.Of(w)
	if !ok {
		return w
	}
	width, _ := terminal.Size(f)
	return report.Screen{Writer: w, Width: width, Unicode: terminal.HasUnicode(v.Getenv), Color: terminal.HasColors(w, v.Getenv)}
}

// MaxFolders bounds the folders of a command.
const MaxFolders = 100

// ShowAll reads folders as ShowEach does. What they have of one setting is paired. Of the sets it returns those of
// --environment, with the policies of --policies alone.
func (v Viewer) ShowAll(dirs []string, mixed bool, environment string, policies []string) ([]*results.Set, error) {
	sets, err := v.ShowEach(dirs, mixed)
	if err != nil {
		return nil, err
	}
	if len(dirs) > 1 {
		sets = results.Join(sets)
		note := fmt.Sprintf("%d folders of one setting: their policies are paired by seed\n", len(dirs))
		if len(sets) > 1 {
			note = fmt.Sprintf("%d folders, %d settings: trials are paired by seed within a setting only\n", len(dirs), len(sets))
		}
		fmt.Fprint(v.Stderr, report.WrapText(v.screenOf(v.Stderr), note))
	}
	if sets, err = OfEnvironment(sets, environment); err != nil {
		return nil, err
	}
	if sets, err = results.Select(sets, policies); err != nil {
		return nil, exit.Usage(fmt.Errorf("--policies: %w", err))
	}
	return sets, nil
}

// ShowEach reads folders as Load does.
func (v Viewer) ShowEach(dirs []string, mixed bool) ([]*results.Set, error) {
	var all []*results.Set
	for _, dir := range dirs {
		sets, err := v.Load(dir, mixed)
		if err != nil {
			return nil, err
		}
		all = append(all, sets...)
	}
	return all, nil
}

// Summarize returns the summary of each set.
func Summarize(sets []*results.Set) (summaries []*compare.Summary, err error) {
	for _, set := range sets {
		s, err := compare.Summarize(set)
		if err != nil {
			return nil, err
		}
		summaries = append(summaries, s)
	}
	return summaries, nil
}

// Report reports the summaries of sets: that of one, those of several settings if they are mixed, else the ranks over the environments and the
// summary of each.
func Report(sets []*results.Set, list []*compare.Summary, mixed bool) report.Result {
	switch {
	case !mixed && len(list) == 1:
		return report.Summary(list[0])
	case mixed:
		return report.Summaries(list)
	}
	r := report.Summaries(list)
	ranks := Ranks(sets)
	r.Sentences, ranks.Sentences = ranks.Sentences, nil
	r.Tables = ranks.Tables
	return r
}

// Ranks reports the comparison over the environments of sets, or why there is none.
func Ranks(sets []*results.Set) report.Result {
	across, err := compare.CompareAcross(sets, compare.Primary())
	if err != nil {
		return report.Result{Sentences: []string{fmt.Sprintf("No comparison over the environments: %v", err)}}
	}
	return report.Across(across)
}

// EnvironmentFlag adds the flag that selects one of several environments.
func EnvironmentFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "environment", "", "environment, of an experiment on several: its name there")
}

// OfEnvironment returns the sets of one environment, all for "".
func OfEnvironment(sets []*results.Set, environment string) ([]*results.Set, error) {
	if environment == "" {
		return sets, nil
	}
	var known []string
	for _, set := range sets {
		if set.Label == environment {
			return []*results.Set{set}, nil
		}
		known = append(known, words.Plain(set.Label))
	}
	return nil, exit.Usage(fmt.Errorf("--environment: there is no %q%s: the folder has %s", environment, nearest.DidYouMean(environment, known), strings.Join(known, ", ")))
}

// PoliciesFlag adds the flag that selects policies.
func PoliciesFlag(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringSliceVar(to, "policies", nil, "policies: their labels, or a registered name for all its variants (default all)")
}

// CheckOne returns an error if there are several sets.
func CheckOne(dir string, sets []*results.Set) error {
	if len(sets) == 1 {
		return nil
	}
	var known []string
	for _, set := range sets {
		known = append(known, words.Plain(set.Label))
	}
	return exit.Usage(fmt.Errorf("%s has %d environments: choose one with --environment: %s", dir, len(sets), strings.Join(known, ", ")))
}

// Incomplete returns exit code 3 if trials of the sets are damaged or failed.
func Incomplete(sets []*results.Set) error {
	failed, damaged := 0, make(map[string]bool) // by path: each set has those of all
	for _, set := range sets {
		for _, d := range set.Damaged {
			damaged[d.Path] = true
		}
		for _, p := range set.Policies {
			for _, t := range p.Records {
				if t.Totals.Failure != nil {
					failed++
				}
			}
		}
	}
	if failed == 0 && len(damaged) == 0 {
		return nil
	}
	return exit.With(exit.CodeIncomplete, fmt.Errorf("failed trials: %d, damaged files: %d", failed, len(damaged)))
}

// NoneFinished adds exit code 3 to the error that no trial is finished.
func NoneFinished(err error) error {
	if errors.Is(err, compare.ErrNoneFinished) {
		return exit.With(exit.CodeIncomplete, err)
	}
	return err
}
