package cli_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

// commandsOf returns a command and those below it, but for completion, which cobra brings.
func commandsOf(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" {
			all = append(all, commandsOf(sub)...)
		}
	}
	return all
}

// writing are the flags that name what a command writes. --out is its own output; the others write something besides.
var writing = map[string]string{
	"html":   "the page",
	"figure": "the forest plot of a log",
	"write":  "the experiment file that tune found",
}

// TestOneSpellingOfFlags: every verb calls its output --out, its format --format or -o, and gives a flag the type that it has elsewhere.
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
			case writes && writing[f.Name] == "" && f.Value.Type() == "string":
				t.Errorf("%s --%s names what is written (%q): want --out", path, f.Name, f.Usage)
			case slices.Contains([]string{"output", "outfile", "output-format", "outdir", "dir", "file", "path", "to", "type", "fmt", "json"}, f.Name):
				t.Errorf("%s --%s: want --out or --format", path, f.Name)
			}
			if path == "banditsim learn" && f.Name == "policy" {
				return // one policy by name; of evaluate, a fixed policy by its columns
			}
			if was, ok := types[f.Name]; ok && was != f.Value.Type() {
				t.Errorf("%s --%s is of type %s, of another verb %s", path, f.Name, f.Value.Type(), was)
			}
			types[f.Name] = f.Value.Type()
		})
	}
	if outs < 5 || formats < 7 {
		t.Errorf("%d flags --out and %d --format, want 5 and 7 or more", outs, formats)
	}
}
