package cli_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/datasets"
	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// TestTuningPage checks that the experiment file in docs/tuning.md has the schedule that the page describes.
func TestTuningPage(t *testing.T) {
	t.Parallel()
	page := doc(t, "docs/tuning.md")
	file := must.File(t, "wheel.yaml", fenced(page, "yaml")[0])
	stdout, _ := exits(t, exit.OK, "tune", file, "--dry-run")
	must.Contain(t, stdout, "LinUCB, 36 configurations", "3  34\n", "held out, 1–20\n", "output  out/wheel-tune")
	must.That(t, strings.Contains(page, "of 36 configurations") && strings.Contains(page, "`rounds-34/`"),
		"the page has another schedule")
}

// TestLinks checks that the files and headings that the README and docs/ link to exist, and that docs/README.md links to
// every page.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := must.Get(filepath.Glob("../../../docs/*.md"))(t)
	index := doc(t, "docs/README.md")
	link, heading := regexp.MustCompile(`\]\(([^)\s]*)\)`), regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`) // characters of a heading that its anchor lacks
	for _, page := range append(pages, "../../../README.md") {
		page = strings.TrimPrefix(page, "../../../")
		name := filepath.Base(page)
		must.That(t, name == "README.md" || strings.Contains(index, "("+name+")"), "docs/README.md does not list %s", page)
		for _, l := range link.FindAllStringSubmatch(doc(t, page), -1) {
			target, anchor, found := strings.Cut(l[1], "#")
			switch {
			case strings.Contains(target, "://"):
				continue
			case target == "":
				target = page
			default:
				target = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat("../../../" + target); err != nil {
				t.Errorf("%s: %s: %v", page, l[1], err)
			} else if found && !slices.ContainsFunc(heading.FindAllStringSubmatch(doc(t, target), -1), func(h []string) bool {
				return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == anchor
			}) {
				t.Errorf("%s: %s: no such heading", page, l[1])
			}
		}
	}
}

// printedTexts matches the parts of pages that programs write.
var printedTexts = regexp.MustCompile(`(?s)<!-- .*?<!-- end`)

// TestPages checks that the first sentence of every page of docs says who needs it, that no page but algorithms.md has over
// 250 lines, and that no line has over 120 characters, except for rows of tables and output of programs.
func TestPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatal(pages, err)
	}
	for _, page := range append(pages, "../../../README.md", "../../../CONTRIBUTING.md", "../../../SECURITY.md", "../../../CHANGELOG.md") {
		name := filepath.Base(page)
		whole := doc(t, strings.TrimPrefix(page, "../../../"))
		code, text := split(printedTexts.ReplaceAllString(whole, ""))
		for line := range strings.Lines(text + code) {
			must.That(t, !strings.HasPrefix(line, "<<<<<<< ") && !strings.HasPrefix(line, ">>>>>>> "),
				"%s has a conflict that nobody resolved: %q", page, line)
			row := strings.HasPrefix(strings.TrimSpace(line), "|")
			printed := strings.Contains(code, line) && !inShell.MatchString(strings.TrimSpace(line))
			n := utf8.RuneCountInString(line) - 1
			must.That(t, n <= 120 || row || printed, "%s has a line of %d characters, want 120 at most: %.60q", page, n, line)
		}
		if name == "README.md" || !strings.Contains(page, "/docs/") {
			continue
		}
		text = whole
		_, rest, _ := strings.Cut(text, "\n\n")
		must.That(t, strings.HasPrefix(rest, "For people "), "docs/%s does not begin with who needs it: %.60q", name, rest)
		n := strings.Count(text, "\n")
		must.That(t, n <= 250 || name == "algorithms.md", "docs/%s has %d lines, want 250 at most: divide it", name, n)
	}
}

// TestMap checks that the map in docs/architecture.md names the folder of every package that is not internal, in at most 45
// lines.
func TestMap(t *testing.T) {
	t.Parallel()
	_, page, _ := strings.Cut(doc(t, "docs/architecture.md"), "## The map\n")
	page, _, _ = strings.Cut(page, "\n## ")
	n := strings.Count(page, "\n")
	must.That(t, n <= 45, "the map of docs/architecture.md has %d lines, want at most 45", n)
	must.OK(t, fs.WalkDir(os.DirFS("../../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil || !d.IsDir() || path == ".":
			return err
		case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."), name == "internal", path == "examples":
			return fs.SkipDir
		}
		code, _ := filepath.Glob(filepath.Join("../../..", path, "*.go"))
		must.That(t, code == nil || strings.Contains(page, d.Name()+"/`"), "docs/architecture.md does not name %s", path)
		return nil
	}))
}

// doc returns a page of the repository.
func doc(t *testing.T, page string) string {
	t.Helper()
	return readText(t, "../../../"+page)
}

// fenced returns the code blocks of a language.
func fenced(text, language string) []string {
	var blocks []string
	for {
		_, rest, ok := strings.Cut(text, "\n```"+language+"\n")
		if !ok {
			return blocks
		}
		var block string
		block, text, _ = strings.Cut(rest, "```\n")
		blocks = append(blocks, block)
	}
}

// writeData writes the data of mushroom without the last row, so that the checksum differs.
func writeData(t *testing.T, path string) {
	t.Helper()
	packed := must.Get(os.ReadFile("../../../datasets/mushroom/data/agaricus-lepiota.data.gz"))(t)
	text := must.Get(datasets.Unpack(packed))(t)
	text = text[:bytes.LastIndexByte(bytes.TrimSpace(text), '\n')+1]
	must.OK(t, os.WriteFile(path, text, 0o666))
}

// TestListings checks that every Go listing in the README and in some pages of docs is an exact part of a file in examples/
// or of an example test, and that the commands that copy an example replace what its module replaces.
func TestListings(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../../examples/*/*.go")
	must.Hold(t, err == nil && len(paths) != 0, "no examples: %v", err)
	modules, err := filepath.Glob("../../../examples/*/go.mod")
	must.OK(t, err)
	for _, path := range modules {
		for _, m := range replaced.FindAllStringSubmatch(readText(t, path), -1) {
			must.Contain(t, doc(t, "docs/extending.md"), " -replace "+m[1]+"=../"+m[1])
		}
	}
	paths = append(paths, "../../../results/frame/example_test.go", "../../../bandit/harness/example_test.go", "../../../bandit/agent/example_test.go")
	var code strings.Builder
	for _, path := range paths {
		code.WriteString(readText(t, path))
	}
	for _, page := range []string{"README.md", "docs/extending.md", "docs/library.md", "docs/extending-posteriors.md", "docs/extending-samplers.md", "docs/export.md"} {
		blocks := fenced(doc(t, page), "go")
		must.That(t, len(blocks) != 0, "%s has no listing", page)
		for i, block := range blocks {
			must.That(t, strings.Contains(code.String(), block), "%s: listing %d is not in examples:\n%s", page, i+1, block)
		}
	}
}

var (
	replaced      = regexp.MustCompile(`(?m)^replace (\S+) => \.\./\.\.`)
	goPathPattern = regexp.MustCompile("`([\\w./-]+\\.go)`")
	testPattern   = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	declaration   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestPagesReferToWhatExists checks that the Go files and tests that pages name exist. Pages give the path of a Go file from
// the root, or the end of this path.
func TestPagesReferToWhatExists(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../../..")
	var files, pages []string
	tests := map[string]bool{}
	must.OK(t, fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "out" || d.Name() == "node_modules" || len(p) > 1 && p[0] == '.' && p != ".ci"):
			return fs.SkipDir
		case strings.HasSuffix(p, ".go"):
			files = append(files, "/"+p)
		case strings.HasSuffix(p, ".md") && d.Name() != "summary.md" && d.Name() != "comparison.md":
			pages = append(pages, p)
		}
		if strings.HasSuffix(p, "_test.go") {
			b, err := fs.ReadFile(root, p)
			if err != nil {
				return err
			}
			for _, m := range declaration.FindAllSubmatch(b, -1) {
				tests[string(m[1])] = true
			}
		}
		return nil
	}))
	for _, page := range pages {
		text := doc(t, page)
		for _, m := range goPathPattern.FindAllStringSubmatch(text, -1) {
			must.That(t, slices.ContainsFunc(files, func(file string) bool { return strings.HasSuffix(file, "/"+m[1]) }),
				"%s names %s: there is no such file", page, m[1])
		}
		for _, m := range testPattern.FindAllStringSubmatch(text, -1) {
			must.That(t, tests[m[1]], "%s names %s: there is no such test", page, m[1])
		}
	}
}

// commandsOf returns a command and all commands below it, except the command completion of cobra.
func commandsOf(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" {
			all = append(all, commandsOf(sub)...)
		}
	}
	return all
}

// writing lists the flags besides --out that name a file to write: what they write is not the output proper of the command.
var writing = map[string]string{
	"html":   "the page",
	"figure": "the forest plot of a log",
	"write":  "the experiment file that tune found",
}

// TestOneSpellingOfFlags checks that every verb calls its output --out and its format --format or -o, and that flags of the
// same name have the same type.
func TestOneSpellingOfFlags(t *testing.T) {
	t.Parallel()
	outs, formats := 0, 0
	types := make(map[string]string) // by name
	for _, c := range commandsOf(cli.Command(builtin.Default())) {
		path := c.CommandPath()
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden { // a former name
				return
			}
			usage := strings.ToLower(f.Usage)
			writes := strings.HasPrefix(usage, "write ") || strings.HasPrefix(usage, "also write ") || strings.HasPrefix(usage, "file to write") ||
				strings.HasPrefix(usage, "experiment file to write") || strings.HasPrefix(usage, "output folder") || strings.HasPrefix(usage, "folder for ")
			switch {
			case f.Name == "out":
				outs++
				must.That(t, writes, "%s --out: %q does not say what is written", path, f.Usage)
			case f.Name == "format":
				formats++
				must.That(t, f.Shorthand == "o" && strings.HasPrefix(usage, "format of the output"),
					"%s --format: -%s, %q: want -o, format of the output", path, f.Shorthand, f.Usage)
			case f.Shorthand != "" && !slices.Contains([]string{"help", "version"}, f.Name):
				t.Errorf("%s: --%s has the short form -%s: only --format has one", path, f.Name, f.Shorthand)
			case writes && writing[f.Name] == "" && f.Value.Type() == "string":
				t.Errorf("%s --%s names what is written (%q): want --out", path, f.Name, f.Usage)
			case slices.Contains([]string{"output", "outfile", "output-format", "outdir", "dir", "file", "path", "to", "type", "fmt", "json"}, f.Name):
				t.Errorf("%s --%s: want --out or --format", path, f.Name)
			}
			if path == "banditsim learn" && f.Name == "policy" {
				return // this flag takes the name of a policy, while --policy of evaluate takes columns
			}
			if was, ok := types[f.Name]; ok && was != f.Value.Type() {
				t.Errorf("%s --%s is of type %s, of another verb %s", path, f.Name, f.Value.Type(), was)
			}
			types[f.Name] = f.Value.Type()
		})
	}
	must.That(t, outs >= 5 && formats >= 7, "%d flags --out and %d --format, want 5 and 7 or more", outs, formats)
}
