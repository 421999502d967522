package cli_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

// allCommands returns the commands of the program but those of completion, which cobra brings.
func allCommands() []*cobra.Command {
	var all []*cobra.Command
	var add func(*cobra.Command)
	add = func(c *cobra.Command) {
		if c.Name() == "completion" {
			return
		}
		all = append(all, c)
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	add(cli.Command(builtin.Default()))
	return all
}

// writing are the flags that name what a command writes. --out is its own output; the others write something besides.
var writing = map[string]string{
	"html":   "the page",
	"figure": "the forest plot of a log",
	"write":  "the experiment file that tune found",
}

// jsonAlone are the commands with text or JSON that have --json: of tables, --format chooses.
var jsonAlone = []string{"banditsim plan", "banditsim missing", "banditsim version"}

// TestOneSpellingOfFlags: every verb calls its output --out, its format --format or -o, and gives a flag the type that it has elsewhere.
func TestOneSpellingOfFlags(t *testing.T) {
	outs, formats := 0, 0
	types := make(map[string]string)                                 // by name
	differ := []string{"pulls", "from-round", "to-round", "options"} // two things in two verbs, both fixed by scripts
	for _, c := range allCommands() {
		path := c.CommandPath()
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			usage := strings.ToLower(f.Usage)
			writes := strings.HasPrefix(usage, "write ") || strings.HasPrefix(usage, "also write ") || strings.HasPrefix(usage, "file to write") ||
				strings.HasPrefix(usage, "experiment file to write") || strings.HasPrefix(usage, "output folder") || strings.HasPrefix(usage, "folder for ")
			switch {
			case f.Name == "out":
				outs++
				if !writes {
					t.Errorf("%s --out: %q does not say what is written", path, f.Usage)
				}
			case f.Name == "format":
				formats++
				if f.Shorthand != "o" || !strings.HasPrefix(usage, "format of the output") {
					t.Errorf("%s --format: -%s, %q: want -o, format of the output", path, f.Shorthand, f.Usage)
				}
			case f.Shorthand != "" && !slices.Contains([]string{"help", "version"}, f.Name):
				t.Errorf("%s: --%s has the short form -%s: only --format has one", path, f.Name, f.Shorthand)
			case f.Name == "json":
				if !slices.Contains(jsonAlone, path) {
					t.Errorf("%s --json: want --format json", path)
				}
			case writes && writing[f.Name] == "" && f.Value.Type() == "string":
				t.Errorf("%s --%s names what is written (%q): want --out", path, f.Name, f.Usage)
			case slices.Contains([]string{"output", "outfile", "output-format", "outdir", "dir", "file", "path", "to", "type", "fmt"}, f.Name):
				t.Errorf("%s --%s: want --out or --format", path, f.Name)
			}
			if was, ok := types[f.Name]; ok && was != f.Value.Type() && !slices.Contains(differ, f.Name) {
				t.Errorf("%s --%s is of type %s, of another verb %s", path, f.Name, f.Value.Type(), was)
			}
			types[f.Name] = f.Value.Type()
		})
	}
	if outs < 8 || formats < 8 {
		t.Errorf("%d flags --out and %d --format, want 8 or more of each", outs, formats)
	}
}

// british are words that Americans spell otherwise. docs/glossary.md has the one exception, "realised".
var british = regexp.MustCompile(`(?i)\b(` +
	`\w*(colour|behaviour|favour|honour|neighbour|labour|rumour|flavour|vapour|harbour|humour|odour|vigour|endeavour)\w*` +
	`|(centr|theatr|fibr|litr|calibr)e[sd]?|centring|grey(s|scale|ed)?` +
	`|(cancel|label|model|travel|signal|level|fuel|total|channel|tunnel|marshal|initial|counsel|quarrel)l(ed|ing|ers?)|remodelled|unlabelled` +
	`|(catalogue|analogue|programme|licence|defence|offence|pretence|cheque|judgement|artefact|sceptic\w*|skilful|fulfil|enrol|instal|aluminium|plough|mould)s?` +
	`|whilst|amongst|learnt|spelt|ageing` +
	`|(re|de|un|non|over|pre)?-?(normal|standard|optim|minim|maxim|initial|random|regular|real|general|summar|organ|recogn|penal|equal|vector|factor|character|parametr|parameter` +
	`|token|serial|capital|visual|local|special|util|categor|final|formal|marginal|student|fertil|discret|symbol|central|priorit|stabil|emphas|custom|synchron|author|critic|apolog` +
	`|memor|quant|linear|diagonal|orthogonal|binar|digit|modern|neutral|sanit|item|material|immun|crystal|hypothes|synthes|canonical|parallel|polar|canal|econom|harmon|ideal|mobil)` +
	`is(e|ed|es|er|ers|ing|able|ation|ations)` +
	`|(analy|paraly|cataly)s(e|ed|er|ers|ing))\b`)

// TestAmericanSpelling reads all pages, comments, texts of the program and help.
func TestAmericanSpelling(t *testing.T) {
	check := func(where, text string) {
		for _, word := range british.FindAllString(text, -1) {
			if !strings.EqualFold(word, "realised") {
				t.Errorf("%s: %q is not the American spelling", where, word)
			}
		}
	}
	for _, word := range []string{"colour", "Behaviours", "normalisation", "re-initialised", "labelled", "centred", "grey", "analyse", "licence", "optimiser", "cancelling"} {
		if british.FindString(word) != word {
			t.Errorf("%q is not found", word)
		}
	}
	if found := british.FindAllString("noise otherwise promised exercise aria-labelledby analyses analysis advertised precise canceled meter metrics initials", -1); found != nil {
		t.Errorf("found where nothing is wrong: %q", found)
	}
	pages, sources := 0, 0
	root := os.DirFS("../../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			// The reference is of other days, uPlot and the corpora are of others, and toytest's option is of tests' files.
			if name := d.Name(); name == "out" || name == "node_modules" || name == "uplot" || name == "fuzz" || name == "toytest" || len(path) > 1 && name[0] == '.' && path != ".ci" {
				return fs.SkipDir
			}
			return nil
		}
		switch ext := filepath.Ext(path); {
		case ext == ".go":
			b, err := fs.ReadFile(root, path)
			if err != nil {
				return err
			}
			sources++
			check(path, prose(b, !strings.HasSuffix(path, "_test.go")))
		case slices.Contains([]string{".md", ".html", ".js", ".css", ".yaml", ".sh", ".py", ".R", ".mjs", ".s", ".c"}, ext), strings.HasPrefix(path, ".ci/") && ext == "", path == "docs/pictures/make":
			b, err := fs.ReadFile(root, path)
			if err != nil {
				return err
			}
			pages++
			check(path, string(b))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 50 || sources < 1000 {
		t.Errorf("only %d pages and %d Go files were found", pages, sources)
	}
	for _, c := range allCommands() {
		check(c.CommandPath(), c.Short+"\n"+c.Long+"\n"+c.Example)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { check(c.CommandPath()+" --"+f.Name, f.Usage) })
	}
}

// prose returns the comments of a Go file, and its strings if they are wanted.
func prose(source []byte, strs bool) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", -1, len(source)), source, nil, scanner.ScanComments)
	var b strings.Builder
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return b.String()
		case tok == token.COMMENT, tok == token.STRING && strs:
			b.WriteString(text + "\n")
		}
	}
}
