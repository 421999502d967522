package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/cli"
	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// A specialCommand is a command of a page, given by its beginning, that gets flags in place of those of short, or is not run.
type specialCommand struct{ page, begin, flags, why string }

var special = []specialCommand{
	{"docs/environments.md", "run --data my.csv", "--quiet", "whole: the page has what the next command prints"},
	{"docs/experiment-files.md", "run", untrained, "thresholds hold after all rounds"},
	{"docs/figures.md", "run", "--set protocol.rounds=30 --quiet --seeds 1..2", "a figure ends at round 30"},
	{"docs/images.md", "data describe --environment images --data", notRun, "wants a file of MNIST"},
	{"docs/images.md", "run --environment images --data", notRun, "wants a file of MNIST"},
	{"docs/images.md", "run results/reference", notRun, "wants a folder of MNIST"},
	{"docs/lowest-regret.md", "run mushroom", untrained, "policies plan for all rounds"},
	{"docs/lowest-regret.md", "tune", "--dry-run", "13 minutes"},
	{"docs/plugins.md", "plugin verify", notRun, "seconds; .ci/run plugins does it in four languages"},
	{"docs/policies-measured.md", "compare FOLDER", notRun, "the folder is of a file that the page describes in words"},
	{"docs/reproduction.md", "run", untrained, "its folder is that of the committed trials"},
	{"docs/samplers.md", "run results/reference/interaction", untrained, "hours"},
	{"docs/scaling.md", "run sweep.yaml --trial", notRun, "the ID of a trial is of one file alone"},
	{"docs/scaling.md", "report many", notRun, "5 GB"},
	{"docs/scaling.md", "submit slurm sweep.yaml --shards 40 --workers 2 --out out/sweep --yes", notRun, "wants Slurm; .ci/run slurm"},
	{"docs/showdown.md", "run showdown", untrained + " --environment linear,iris", "hours"},
	{"docs/recommend.md", "recommend", "--minutes 0.5 --quiet", "minutes"},
	{"docs/running.md", "recommend", "--minutes 0.5 --quiet", "minutes"},
	{"docs/running.md", "compare out/quick --from-round 53", "--from-round 2", "there are two rounds"},
	{"docs/running.md", "run quick --dry-run", untrained, "training would be timed"},
	{"docs/running.md", "report out/quick --html page.html --watch", notRun, "until Ctrl-C: TestWatchPage"},
	{"docs/tutorial.md", "run --data tennis.csv --policies kNN,pICSGLD,LinUCB --seeds 1..8 --passes", "--quiet", "its length is what it shows"},
	{"docs/tuning.md", "run wheel-tuned.yaml --out", "", "its trials are there"},
	{"docs/tuning.md", "tune cross", notRun, "eight minutes of processor time"},
	{"README.md", "tune", "--dry-run", "that of docs/tuning.md is run"},
	{"README.md", "run showdown", untrained, "hours"},
}

const (
	notRun    = "not run"
	untrained = "--dry-run --set protocol.rounds=2 --set protocol.burn_in=0" // few rounds, because a dry run times training
)

// before lists the commands that prepare the folder of a page, in addition to writeInputs; unpack FOLDER ARCHIVE unpacks an
// archive.
var before = map[string][]string{
	"docs/logged.md":       {"run --environment logistic --policies Uniform,LinUCB --seeds 1..2 --set protocol.rounds=2 --quiet"},
	"docs/reproduction.md": {"unpack out/mushroom-paper results/reference/mushroom-paper/trials.tar.gz", "unpack examples/contour/out/mushroom-ablation results/reference/mushroom-ablation/trials.tar.gz"},
	"docs/showdown.md":     {"run showdown --environment iris,linear --policies LinUCB,LinTS,Uniform --seeds 1..6 --set protocol.rounds=2 --quiet"},
}

// everyday lists the pages whose commands TestCommands always runs. They have every verb but version, which a script runs.
var everyday = []string{"docs/experiment-files.md", "docs/logged.md", "docs/plugins.md", "docs/running.md", "docs/scaling.md", "docs/service.md", "docs/tuning.md"}

// unpack unpacks an archive of committed trials into a folder.
func unpack(t *testing.T, folder, archive string) {
	t.Helper()
	must.OK(t, os.MkdirAll(folder, 0o777))
	out, err := exec.Command("tar", "-xzf", archive, "-C", folder).CombinedOutput()
	must.Hold(t, err == nil, "%v: %s", err, out)
}

// TestCommands checks that every command of the README and of docs/ parses, and that those of the pages in everyday, or of all
// pages with BANDITSIM_LONG=1, succeed, with trials of two rounds. The commands of a page run in their order in one folder,
// which has tables, a log, the experiment files of the page as NAME.yaml, and the run out/quick.
func TestCommands(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	_, python := exec.LookPath("python3")
	reference := must.Get(filepath.Abs("../../../results"))(t)
	pages := must.Get(filepath.Glob("../../../docs/*.md"))(t)
	inputs := t.TempDir()
	writeInputs(t, inputs)
	shell(t, inputs, command{line: "run quick --seeds 1..2 --record pulls,scores --quiet"}.short())
	all, unused, verbs := 0, slices.Clone(special), map[string]bool{}
	for _, path := range append(pages, "../../../README.md") {
		page := strings.TrimPrefix(path, "../../../")
		text := doc(t, page)
		list := commands(text)
		all += len(list)
		begins := func(s specialCommand) bool {
			return s.page == page && slices.ContainsFunc(list, func(c command) bool { return strings.HasPrefix(c.line, s.begin) })
		}
		unused = slices.DeleteFunc(unused, begins)
		for _, c := range list {
			parse(t, inputs, page, c.line)
		}
		if !slices.Contains(everyday, page) && os.Getenv(longEnv) == "" {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			dir := t.TempDir()
			must.OK(t, os.CopyFS(dir, os.DirFS(inputs)))
			if err := os.Symlink(reference, filepath.Join(dir, "results")); err != nil {
				t.Skip(err)
			}
			writeExperiments(t, dir, text)
			for _, line := range before[page] {
				if words := strings.Fields(line); words[0] == "unpack" {
					unpack(t, filepath.Join(dir, words[1]), filepath.Join(dir, words[2]))
					continue
				}
				shell(t, dir, line)
			}
			for i, c := range list {
				if c.mention && slices.Index(list, c) < i || python != nil && strings.Contains(c.line, "python3") {
					continue
				}
				line := c.short()
				if at := slices.IndexFunc(special, func(s specialCommand) bool { return s.page == page && strings.HasPrefix(c.line, s.begin) }); at >= 0 {
					line = c.line + " " + special[at].flags
				}
				if strings.HasSuffix(line, notRun) {
					continue
				}
				verb, _, _ := strings.Cut(line, " ")
				verbs[verb] = true
				printed := shell(t, dir, line)
				for row := range strings.Lines(printed) { // the page has this table
					if c.line == "compare out/my" && page == "docs/environments.md" && strings.HasPrefix(row, " ") && !strings.Contains(text, "\n    "+row) {
						t.Errorf("%s does not have %q, which %s printed", page, row, c.line)
					}
				}
			}
		})
	}
	for _, s := range unused {
		t.Errorf("%s has no command that begins with banditsim %s", s.page, s.begin)
	}
	for _, c := range cli.Command(catalog()).Commands() {
		must.That(t, !c.IsAvailableCommand() || verbs[c.Name()] || slices.Contains([]string{"completion", "version"}, c.Name()),
			"no page in everyday has the verb %s", c.Name())
	}
	must.That(t, all >= 200, "only %d commands were found", all)
}

// A command is a command of a page.
type command struct {
	line    string // without "banditsim"
	mention bool   // in a sentence, in which a verb alone only names the command
}

// short returns the command with flags that make it fast: two rounds and, if it has seeds, two seeds.
func (c command) short() string {
	verb, rest, _ := strings.Cut(c.line, " ")
	switch {
	case c.mention && rest == "":
		return c.line + " --help"
	case verb != "run" && verb != "score":
		return c.line
	}
	line := c.line + " --set protocol.rounds=2 --set protocol.burn_in=0"
	if strings.Contains(line, "..") {
		line += " --seeds 1..2"
	}
	if verb == "score" {
		line += " --contexts 20 --draws 10"
	} else if strings.Contains(line, "scores") {
		line += " --score-contexts 20 --score-draws 10"
	}
	return line
}

var (
	span    = regexp.MustCompile("`([^`]+)`")
	comment = regexp.MustCompile(`\s+# .*`)
	inShell = regexp.MustCompile(`^(?:[A-Z_]+=\S+ |time |taskset -c 0 |/usr/bin/time (?:-f (?:'[^']*'|\S+) )?|strace .* )*banditsim (.+)$`)
)

// split returns the lines of a page in blocks of code, and the other lines.
func split(page string) (code, text string) {
	var codes, texts strings.Builder
	fence, block, blank := false, false, true
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
			continue
		}
		block = fence || strings.HasPrefix(line, "    ") && (blank || block)
		if blank = strings.TrimSpace(line) == ""; block {
			codes.WriteString(line)
		} else {
			texts.WriteString(line)
		}
	}
	return codes.String(), texts.String()
}

// commands returns the commands of a page: those in blocks of code, then those in sentences and tables.
func commands(page string) []command {
	code, text := split(page)
	var all []command
	for line := range strings.Lines(strings.ReplaceAll(code, "\\\n", " ")) {
		for part := range strings.SplitSeq(comment.ReplaceAllString(strings.TrimSpace(line), ""), "; ") {
			if m := inShell.FindStringSubmatch(part); m != nil {
				all = append(all, command{line: m[1]})
			}
		}
	}
	for _, s := range span.FindAllStringSubmatch(text, -1) {
		if m := inShell.FindStringSubmatch(strings.Join(strings.Fields(s[1]), " ")); m != nil {
			all = append(all, command{m[1], true})
		}
	}
	return all
}

// standIns replaces placeholders in the commands of pages, such as FILE, and data that tests do not have.
var standIns = strings.NewReplacer("--environment NAME", "--environment linear", "--baseline NAME", "--baseline pSGLD",
	" DIR", " out/quick", "--style FILE", "--style style.yaml", " FILE.yaml", " wheel.yaml", "auto/8", "3/8", "init e.yaml", "init new.yaml", " FILE", " sweep.yaml", " LOG", " log.csv",
	" E ", " quick --environment bernoulli --policies Uniform,UCB1,BetaTS,GaussianTS ")

var word = regexp.MustCompile(`(?:[^\s'"]|'[^']*'|"[^"]*")+`)

// arguments splits a command into arguments as a shell does: it knows quotes and *.
func arguments(dir, line string) (args []string) {
	for _, w := range word.FindAllString(line, -1) {
		plain := regexp.MustCompile(`'([^']*)'|"([^"]*)"`).ReplaceAllString(w, "$1$2")
		if files, _ := filepath.Glob(filepath.Join(dir, w)); plain == w && strings.Contains(w, "*") && len(files) > 0 {
			for _, file := range files {
				args = append(args, strings.TrimPrefix(file, dir+"/"))
			}
		} else {
			args = append(args, plain)
		}
	}
	return args
}

// parse parses the flags and arguments of a command.
func parse(t *testing.T, dir, page, line string) {
	t.Helper()
	line, _, _ = strings.Cut(standIns.Replace(line), " > ")
	line = inputFile.ReplaceAllString(line, "")
	c, args, err := cli.Command(catalog()).Find(arguments(dir, line))
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err == nil && c.Runnable() && strings.Contains(line, " ") { // a verb alone only names the command
		err = c.ValidateArgs(c.Flags().Args())
	}
	must.Want(t, page+": banditsim "+line, err, "")
}

// inputFile matches the redirection of a command's input.
var inputFile = regexp.MustCompile(` < (\S+\.jsonl)`)

// shell runs a command as a shell does, with > FILE and < FILE, and returns what it prints.
func shell(t *testing.T, dir, line string) string {
	t.Helper()
	line, file, redirected := strings.Cut(standIns.Replace(line), " > ")
	input := inputFile.FindStringSubmatch(line)
	args, want := arguments(dir, inputFile.ReplaceAllString(line, "")), 0
	if args[0] == "missing" {
		want = exit.CodeIncomplete
	}
	var stdin []io.Reader
	if input != nil {
		stdin = append(stdin, bytes.NewReader(must.Get(os.ReadFile(filepath.Join(dir, input[1])))(t)))
	}
	code, stdout, stderr := run(dir, os.Getenv, args, stdin...)
	must.That(t, code == want, "%s: exit code %d\n%s%s", line, code, stdout, stderr)
	if redirected {
		must.OK(t, os.WriteFile(filepath.Join(dir, strings.TrimSpace(file)), []byte(stdout), 0o666))
	}
	return stdout
}

// writeInputs writes the files that the commands of several pages read.
func writeInputs(t *testing.T, dir string) {
	t.Helper()
	var log, choices strings.Builder
	log.WriteString("arm,reward,propensity,x_1,x_2\n")
	choices.WriteString("choice\n")
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		arm, x, y := random.IntN(4), random.Float64(), random.Float64()
		fmt.Fprintf(&log, "%d,%.3f,0.25,%.3f,%.3f\n", arm, float64(arm)*x+y, x, y)
		choices.WriteString("3\n")
	}
	var shop, requests, rewards strings.Builder
	shop.WriteString("age,country,arm,reward,propensity\n")
	for i := range 1000 {
		age, country, arm := 20+random.IntN(40), []string{"us", "de"}[random.IntN(2)], []string{"boots", "sandals", "sneakers"}[random.IntN(3)]
		fmt.Fprintf(&shop, "%d,%s,%s,%d,0.3333333333333333\n", age, country, arm, random.IntN(2))
		fmt.Fprintf(&requests, "{\"context\":{\"age\":%d,\"country\":\"%s\"}}\n", age, country)
		fmt.Fprintf(&rewards, "{\"id\":%d,\"reward\":%d}\n", i+1, random.IntN(2))
	}
	sweep := "name: sweep\nextends: quick\nseeds: 1..20\npolicies: [EpsGreedy, Uniform]\nprotocol: {rounds: 2, burn_in: 0}\n"
	for name, text := range map[string]string{"my.csv": doc(t, "datasets/table/data/iris.csv"), "tennis.csv": doc(t, "docs/tennis.csv"),
		"log.csv": log.String(), "choices.csv": choices.String(),
		"shop.csv": shop.String(), "requests.jsonl": requests.String(), "rewards.jsonl": rewards.String(),
		"sweep.yaml": sweep, "experiment.yaml": sweep,
		"e.yaml": fenced(doc(t, "docs/experiment-files.md"), "yaml")[0], "style.yaml": fenced(doc(t, "docs/figures.md"), "yaml")[0]} {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	writeExperiments(t, dir, doc(t, "docs/tuning.md"))
	writeData(t, filepath.Join(dir, "own.data"))
}

// writeExperiments writes the experiment files of a page, each as NAME.yaml, with smaller budgets of searches.
func writeExperiments(t *testing.T, dir, page string) {
	t.Helper()
	for _, text := range fenced(page, "yaml") {
		m := regexp.MustCompile(`(?m)^name: (\S+)`).FindStringSubmatch(text)
		if m == nil {
			continue // only a part of an experiment file
		}
		must.OK(t, os.WriteFile(filepath.Join(dir, m[1]+".yaml"), []byte(strings.Replace(text, "budget: 60", "budget: 12", 1)), 0o666))
	}
}
