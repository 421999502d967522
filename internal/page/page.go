// Package page writes an output folder as one self-contained HTML file. It has interactive regret curves, tables, the
// comparison with any baseline, the diagnostics of each policy, its wrong pulls by data row, and the provenance. If
// there are several environments, it also has a switch between them and the ranks over them.
//
// The page makes no network request: its scripts, its styles and uPlot, which draws the charts, are embedded, and a
// content security policy allows nothing else. The only exception is a page that is rewritten during a run, which loads
// itself again. A page names no folder of the machine that wrote it.
//
// The same folder gives the same bytes. Every trial file is read in full and its checksum is verified. A file is read
// again only to check recorded pulls, or to explain why policies have the same regret. A page's size does not depend on
// the length of the trials: it is 10 to 60 kB per policy and environment, and 50 bytes per trial for its regret.
//
// contract.go defines the data for the scripts; page.schema.json is its JSON schema.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"time"

	"banditsim/datasets"
	"banditsim/internal/report"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// Options are the options of a page.
type Options struct {
	Title string // "" for the title in the newest sidecar or, if it has none, the folder's name
	// Describe, if not nil, returns the rows of an environment's data, or nil if the environment cannot describe them. If
	// it returns an error, such as that the data are missing, the page shows the error.
	Describe func(results.Environment) (*datasets.Rows, error)
	// Summary, if not nil, is called with the summary of each set, as compare.Summarize returns it. The page computes it
	// without reading the trial files a second time.
	Summary func(*compare.Summary)
	// Log, if not nil, returns a table with two things for each policy: what a log of decisions says that it would earn,
	// and its result in the summary. If Log returns an error, no page is made.
	Log func(*compare.Summary) (report.Table, error)
	// Watched is set for a page that a command rewrites during a run. The page reloads itself after Reloads, and keeps
	// choices and unfolded sections. The last page of a run has Reloads zero, and does not reload itself.
	Watched bool
	Reloads time.Duration
}

// Write writes the page of a folder to path, whole or not at all. sets has one set for each environment.
func Write(path string, sets []*results.Set, o Options) error {
	b, err := Render(sets, o)
	if err != nil {
		return err
	}
	return wholefile.Write(path, b)
}

// Render returns the page that Write would write.
func Render(sets []*results.Set, o Options) ([]byte, error) {
	v, err := newView(sets, o)
	if err != nil {
		return nil, err
	}
	document, err := template.New("page.html").Funcs(functions).ParseFS(files, "page.html", "parts.html")
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	var b bytes.Buffer
	if err := document.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	// Names of files, archives and tables may contain unprintable characters.
	return []byte(words.PlainText(b.String())), nil
}

//go:generate ./bundle

//go:embed page.html parts.html page.css page.js live.js uplot
var files embed.FS

var functions = template.FuncMap{
	"chart": func(key, title, note string) chart { return chart{key, title, note} },
	"color": func(style int) int { return style % len(plot.Palette()) },
	"dash":  func(style int) int { return style % len(plot.Dashes()) },
	"warns": func(note string) bool { return strings.HasPrefix(note, "warning: ") },
}

// hash returns the source expression 'sha256-…' with which a content security policy allows a script or a style sheet.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// embedded returns the concatenated text of embedded files.
func embedded(names ...string) string {
	var text strings.Builder
	for _, name := range names {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // a mistake in the go:embed directive
		}
		text.Write(b)
	}
	return text.String()
}

// parts has the scripts and styles of a page. Unlike texts from trials, they have types that the template trusts.
type parts struct {
	PlotScript, PageScript template.JS
	PlotStyle, PageStyle   template.CSS
	PlotLicense            string
}

func newParts(watched bool) parts {
	scripts := []string{"page.js"}
	if watched {
		scripts = append(scripts, "live.js")
	}
	return parts{
		PlotScript:  template.JS(embedded("uplot/uPlot.iife.min.js")),
		PageScript:  template.JS(embedded(scripts...)),
		PlotStyle:   template.CSS(embedded("uplot/uPlot.min.css")),
		PageStyle:   template.CSS(paletteCSS() + embedded("page.css")),
		PlotLicense: embedded("uplot/LICENSE"),
	}
}

// Policy returns the content security policy of the page.
func (p parts) Policy() string {
	return fmt.Sprintf("default-src 'none'; script-src %s %s; style-src %s %s; img-src data:; base-uri 'none'; form-action 'none'",
		hash(string(p.PlotScript)), hash(string(p.PageScript)), hash(string(p.PlotStyle)), hash(string(p.PageStyle)))
}

// paletteCSS returns a style sheet with the palette's colors as custom properties --c0, --c1, …, and with the classes
// c0, c1, … for the colors and d0, d1, … for the dashes of lines.
func paletteCSS() string {
	var root, classes strings.Builder
	for i, c := range plot.Palette() {
		fmt.Fprintf(&root, "  --c%d: light-dark(#%06x, #%06x);\n", i, c.Light, c.Dark)
		fmt.Fprintf(&classes, ".c%d { stroke: var(--c%d); color: var(--c%d); }\n", i, i, i)
	}
	for i, d := range plot.Dashes() {
		if d != nil {
			fmt.Fprintf(&classes, ".d%d { stroke-dasharray: %s; }\n", i, strings.Trim(fmt.Sprint(d), "[]"))
		}
	}
	return ":root {\n" + root.String() + "}\n" + classes.String()
}
