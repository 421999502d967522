package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// warn writes a warning to stderr.
func (a *app) warn(format string, args ...any) {
	fmt.Fprint(a.Stderr, report.WrapText(a.screen(a.Stderr), words.PlainText(fmt.Sprintf("warning: "+format+"\n", args...))))
}

// screen returns w or, if w is a terminal, a report.Screen with its width and capabilities.
func (a *app) screen(w io.Writer) io.Writer {
	f, ok := terminal.Of(w)
	if !ok {
		return w
	}
	width, _ := terminal.Size(f)
	return report.Screen{Writer: w, Width: width, Unicode: terminal.HasUnicode(a.Getenv), Color: terminal.HasColors(w, a.Getenv)}
}

// screenTo returns w or, if stdout is a terminal, a report.Screen over w with the width and capabilities of stdout.
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

// aligned returns a line for each pair of strings, in two columns.
func aligned(rows [][2]string) []string {
	return report.NewTable(report.Columns[[2]string]{
		{Text: func(r [2]string) string { return r[0] }},
		{Text: func(r [2]string) string { return r[1] }},
	}, rows).Lines()
}

// A selection is the part of output folders that a command shows.
type selection struct {
	mixed       bool // accept several settings, and show them separately
	environment string
	policies    []string
}

// maxFolders is the largest number of folders that a command takes.
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

// load reads output folders and warns about files that are left out. Trials with different settings in one folder are
// an error, unless s.mixed accepts them or they are of an experiment on several environments. Trials of one setting
// in several folders are joined to one set and paired by seed.
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

// loadEach reads folders as load does, but does not join or select sets.
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

// checkMixed refuses several sets in dir, unless mixed accepts them or they are named environments of one experiment.
func (a *app) checkMixed(dir string, sets []*results.Set, mixed bool) error {
	if mixed || len(sets) == 1 || sets[0].Named {
		return nil
	}
	return exit.Usage(fmt.Errorf("%w, or see a table of each setting with\n  %s", &results.MixedError{Dir: dir, Sets: sets}, a.CommandLine("report", dir, "--mixed")))
}

// ofEnvironment returns the first set whose label is the argument environment, or all sets if that is "".
func ofEnvironment(sets []*results.Set, environment string) ([]*results.Set, error) {
	at := slices.IndexFunc(sets, func(s *results.Set) bool { return s.Label == environment })
	switch {
	case environment == "":
		return sets, nil
	case at >= 0:
		return sets[at : at+1], nil
	}
	known := environments(sets)
	return nil, exit.Usage(fmt.Errorf("--environment: there is no %q%s: the folder has %s", environment, nearest.DidYouMean(environment, known), strings.Join(known, ", ")))
}

// environments returns the label of each set's environment.
func environments(sets []*results.Set) []string {
	return lists.Each(sets, func(s *results.Set) string { return words.Plain(s.Label) })
}

// checkTarget returns an error if there is something at path that is not a regular file. It also removes the temporary
// files that interrupted commands left in the folder. The caller must first check the extension of path, so that the
// file is no trial, sidecar, checkpoint or lock.
func checkTarget(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return exit.Usage(fmt.Errorf("%s is not a regular file: choose another name", path))
	}
	wholefile.Tidy(filepath.Dir(path))
	return nil
}

// checkAgent returns an error if an agent cannot be written to path, because its folder does not exist or because the
// file that is there, such as a log, is not an agent.
func checkAgent(path string) error {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return exit.Usage(fmt.Errorf("%s cannot be written: %w: make its folder first", path, err))
	}
	if b, err := wholefile.ReadFile(path); err == nil && !bytes.HasPrefix(b, []byte("banditsim agent ")) {
		return exit.Usage(fmt.Errorf("%s is there and is not an agent: choose another name", path))
	}
	return checkTarget(path)
}

// leaveOut calls use with the sets. If use finds a damaged trial, or damaged pulls of a trial, leaveOut warns and
// calls use again with the rest. It returns the sets of the last call.
func (a *app) leaveOut(sets []*results.Set, use func(sets []*results.Set) error) ([]*results.Set, error) {
	return results.LeaveOut(sets, use, func(d results.Damaged) { a.warn("left out: %v", d.Err) })
}

// show calls leaveOut with write and prints only the output of write's last call to stdout, formatted for its terminal.
func (a *app) show(sets []*results.Set, write func(w io.Writer, sets []*results.Set) error) ([]*results.Set, error) {
	var buffer bytes.Buffer
	sets, err := a.leaveOut(sets, func(sets []*results.Set) error {
		buffer.Reset()
		return write(a.screenTo(&buffer), sets)
	})
	_, failed := buffer.WriteTo(a.Stdout)
	return sets, cmp.Or(err, failed)
}

// showAll is show, but returns an error with exit code 3 if trials are damaged or failed.
func (a *app) showAll(sets []*results.Set, write func(w io.Writer, sets []*results.Set) error) error {
	sets, err := a.show(sets, write)
	if err != nil {
		return err
	}
	return incomplete(sets)
}

// incomplete returns an error with exit code 3 if trials of the sets are damaged or failed.
func incomplete(sets []*results.Set) error {
	failed, damaged := 0, make(map[string]bool) // damaged has paths, as all sets of a folder list the same damaged files
	for _, set := range sets {
		for _, d := range set.Damaged {
			damaged[d.Path] = true
		}
		for _, p := range set.Policies {
			failed += len(compare.Failed(p.Records))
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

// summaryReport returns a report of sets and their summaries. Several sets are environments of one experiment, and the
// report begins with the ranks over them, unless mixed says that they are different settings.
func summaryReport(sets []*results.Set, list []*compare.Summary, mixed bool) report.Result {
	if !mixed && len(list) == 1 {
		return report.Summary(list[0])
	}
	r := report.Summaries(list)
	if mixed {
		return r
	}
	across, err := compare.CompareAcross(sets, compare.Primary(), "")
	if err != nil {
		r.Sentences = []string{fmt.Sprintf("No comparison over the environments: %v", err)}
		return r
	}
	ranks := report.Across(across)
	r.Sentences, r.Tables = ranks.Sentences, ranks.Tables
	return r
}
