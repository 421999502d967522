package cli

import (
	"bytes"
	"cmp"
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
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// warn writes to stderr what the user should know though it does not stop the command.
func (a *app) warn(format string, args ...any) {
	fmt.Fprint(a.Stderr, report.WrapText(a.screen(a.Stderr), words.PlainText(fmt.Sprintf("warning: "+format+"\n", args...))))
}

// screen returns w, on a terminal with its width.
func (a *app) screen(w io.Writer) io.Writer {
	f, ok := terminal.Of(w)
	if !ok {
		return w
	}
	width, _ := terminal.Size(f)
	return report.Screen{Writer: w, Width: width, Unicode: terminal.HasUnicode(a.Getenv), Color: terminal.HasColors(w, a.Getenv)}
}

// screenTo returns w, with the width of stdout if that is a terminal.
func (a *app) screenTo(w io.Writer) io.Writer {
	if s, ok := a.screen(a.Stdout).(report.Screen); ok {
		s.Writer = w
		return s
	}
	return w
}

func (a *app) printLines(lines []string) error {
	_, err := io.WriteString(a.Stdout, strings.Join(append(lines, ""), "\n"))
	return err
}

// A selection says what of output folders is shown.
type selection struct {
	mixed       bool // several settings, each for itself
	environment string
	policies    []string
}

// maxFolders bounds the folders of a command.
const maxFolders = 100

func (s *selection) mixedFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().BoolVar(&s.mixed, "mixed", false, "accept trials with different settings"+usage)
}

func (s *selection) environmentFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.environment, "environment", "", "environment, of an experiment on several: its name there")
}

func (s *selection) policiesFlag(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&s.policies, "policies", nil, "policies: their labels, or a registered name for all its variants (default all)")
}

// load reads output folders and warns of files that are left out. Trials with different settings in one folder are an error unless
// they are asked for, or of an experiment on several environments. What several folders have of one setting is paired.
func (a *app) load(dirs []string, s selection) ([]*results.Set, error) {
	sets, err := a.loadEach(dirs, s.mixed)
	if err != nil {
		return nil, err
	}
	if len(dirs) > 1 {
		sets = results.Join(sets)
		note := fmt.Sprintf("%d folders of one setting: their policies are paired by seed\n", len(dirs))
		if len(sets) > 1 {
			note = fmt.Sprintf("%d folders, %d settings: trials are paired by seed within a setting only\n", len(dirs), len(sets))
		}
		fmt.Fprint(a.Stderr, report.WrapText(a.screen(a.Stderr), note))
	}
	if sets, err = ofEnvironment(sets, s.environment); err != nil {
		return nil, err
	}
	if sets, err = results.Select(sets, s.policies); err != nil {
		return nil, exit.Usage(fmt.Errorf("--policies: %w", err))
	}
	return sets, nil
}

// loadEach reads folders as load does, and pairs nothing.
func (a *app) loadEach(dirs []string, mixed bool) (all []*results.Set, err error) {
	for _, dir := range dirs {
		sets, err := results.LoadMixed(dir)
		if err == nil {
			err = a.checkMixed(dir, sets, mixed)
		}
		if err != nil {
			return nil, err
		}
		for _, d := range sets[0].Damaged {
			a.warn("left out: %v", d.Err)
		}
		all = append(all, sets...)
	}
	return all, nil
}

// checkMixed returns an error if there are several sets and that is not wanted.
func (a *app) checkMixed(dir string, sets []*results.Set, mixed bool) error {
	if mixed || len(sets) == 1 || sets[0].Named {
		return nil
	}
	return exit.Usage(fmt.Errorf("%w, or see a table of each setting with\n  %s", &results.MixedError{Dir: dir, Sets: sets}, a.CommandLine("report", dir, "--mixed")))
}

// ofEnvironment returns the sets of one environment, all for "".
func ofEnvironment(sets []*results.Set, environment string) ([]*results.Set, error) {
	if environment == "" {
		return sets, nil
	}
	for _, set := range sets {
		if set.Label == environment {
			return []*results.Set{set}, nil
		}
	}
	known := environments(sets)
	return nil, exit.Usage(fmt.Errorf("--environment: there is no %q%s: the folder has %s", environment, nearest.DidYouMean(environment, known), strings.Join(known, ", ")))
}

// environments returns the labels of the environments of sets.
func environments(sets []*results.Set) (labels []string) {
	for _, set := range sets {
		labels = append(labels, words.Plain(set.Label))
	}
	return labels
}

// checkTarget returns an error if the file at path, if there is one, is not one that may be replaced, and removes
// temporary files that killed commands left beside it. The caller has checked the ending, which trials, sidecars, checkpoints and
// locks do not have.
func checkTarget(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return exit.Usage(fmt.Errorf("%s is not a regular file: choose another name", path))
	}
	wholefile.Tidy(filepath.Dir(path))
	return nil
}

// leaveOut calls use with the sets. What use finds to be damaged on reading, a trial or the pulls of one, is warned of and
// left out, and use is called again with the rest, which leaveOut returns.
func (a *app) leaveOut(sets []*results.Set, use func(sets []*results.Set) error) ([]*results.Set, error) {
	return results.LeaveOut(sets, use, func(d results.Damaged) { a.warn("left out: %v", d.Err) })
}

// show is leaveOut for a command that writes to stdout, of a terminal with its width: what write writes in vain is dropped.
func (a *app) show(sets []*results.Set, write func(w io.Writer, sets []*results.Set) error) ([]*results.Set, error) {
	var buffer bytes.Buffer
	sets, err := a.leaveOut(sets, func(sets []*results.Set) error {
		buffer.Reset()
		return write(a.screenTo(&buffer), sets)
	})
	_, failed := buffer.WriteTo(a.Stdout)
	return sets, cmp.Or(err, failed)
}

// showAll is show as all that a command does: trials that are damaged or failed end in exit code 3.
func (a *app) showAll(sets []*results.Set, write func(w io.Writer, sets []*results.Set) error) error {
	sets, err := a.show(sets, write)
	if err != nil {
		return err
	}
	return incomplete(sets)
}

// incomplete returns exit code 3 if trials of the sets are damaged or failed.
func incomplete(sets []*results.Set) error {
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
	return incompleteBy(failed, len(damaged))
}

func incompleteBy(failed, damaged int) error {
	if failed == 0 && damaged == 0 {
		return nil
	}
	return exit.With(exit.CodeIncomplete, fmt.Errorf("failed trials: %d, damaged files: %d", failed, damaged))
}

// summarize returns the summary of each set.
func summarize(sets []*results.Set) (summaries []*compare.Summary, err error) {
	for _, set := range sets {
		s, err := compare.Summarize(set)
		if err != nil {
			return nil, err
		}
		summaries = append(summaries, s)
	}
	return summaries, nil
}

// summaryReport reports the summaries of sets: that of one, those of several settings if they are mixed, else the ranks over the
// environments and the summary of each.
func summaryReport(sets []*results.Set, list []*compare.Summary, mixed bool) report.Result {
	if !mixed && len(list) == 1 {
		return report.Summary(list[0])
	}
	r := report.Summaries(list)
	if mixed {
		return r
	}
	across, err := compare.CompareAcross(sets, compare.Primary())
	if err != nil {
		r.Sentences = []string{fmt.Sprintf("No comparison over the environments: %v", err)}
		return r
	}
	ranks := report.Across(across)
	r.Sentences, r.Tables = ranks.Sentences, ranks.Tables
	return r
}
