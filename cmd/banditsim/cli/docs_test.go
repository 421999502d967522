package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"banditsim/internal/exit"
	"banditsim/internal/must"
)

// TestTuningPage: the schedule of the file of docs/tuning.md is that of the page.
func TestTuningPage(t *testing.T) {
	t.Parallel()
	page := doc(t, "docs/tuning.md")
	file := must.File(t, "wheel.yaml", fenced(page, "yaml")[0])
	stdout, _ := exits(t, exit.OK, "tune", file, "--dry-run")
	must.Contain(t, stdout, "LinUCB, 36 configurations", "3  34\n", "held out, 1–20\n", "output  out/wheel-tune")
	if !strings.Contains(page, "of 36 configurations") || !strings.Contains(page, "`rounds-34/`") {
		t.Error("the page has another schedule")
	}
}

// TestLinks: the files and headings that the README and docs/ link to exist, and docs/README.md links to every page.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := must.Get(filepath.Glob("../../../docs/*.md"))(t)
	index := doc(t, "docs/README.md")
	link, heading := regexp.MustCompile(`\]\(([^)\s]*)\)`), regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`) // from a heading, in its anchor
	for _, page := range append(pages, "../../../README.md") {
		page = strings.TrimPrefix(page, "../../../")
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md does not list %s", page)
		}
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

// printedTexts are the parts of pages that programs write.
var printedTexts = regexp.MustCompile(`(?s)<!-- .*?<!-- end`)

// TestPages: every page of docs says in its first sentence who needs it, none but algorithms.md is over 250 lines, and no line
// is over 120 characters, except for rows of tables and what programs print.
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
			if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") {
				t.Errorf("%s has a conflict that nobody resolved: %q", page, line)
			}
			row := strings.HasPrefix(strings.TrimSpace(line), "|")
			printed := strings.Contains(code, line) && !inShell.MatchString(strings.TrimSpace(line))
			if n := utf8.RuneCountInString(line) - 1; n > 120 && !row && !printed {
				t.Errorf("%s has a line of %d characters, want 120 at most: %.60q", page, n, line)
			}
		}
		if name == "README.md" || !strings.Contains(page, "/docs/") {
			continue
		}
		text = whole
		if _, rest, _ := strings.Cut(text, "\n\n"); !strings.HasPrefix(rest, "For people ") {
			t.Errorf("docs/%s does not begin with who needs it: %.60q", name, rest)
		}
		if n := strings.Count(text, "\n"); n > 250 && name != "algorithms.md" {
			t.Errorf("docs/%s has %d lines, want 250 at most: divide it", name, n)
		}
	}
}

// TestMap: docs/architecture.md names the folder of every package that is not internal, on one screen.
func TestMap(t *testing.T) {
	t.Parallel()
	_, page, _ := strings.Cut(doc(t, "docs/architecture.md"), "## The map\n")
	page, _, _ = strings.Cut(page, "\n## ")
	if n := strings.Count(page, "\n"); n > 45 {
		t.Errorf("the map of docs/architecture.md has %d lines, want at most 45", n)
	}
	must.OK(t, fs.WalkDir(os.DirFS("../../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil || !d.IsDir() || path == ".":
			return err
		case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."), name == "internal", path == "examples":
			return fs.SkipDir
		}
		if code, _ := filepath.Glob(filepath.Join("../../..", path, "*.go")); code != nil && !strings.Contains(page, d.Name()+"/`") {
			t.Errorf("docs/architecture.md does not name %s", path)
		}
		return nil
	}))
}
