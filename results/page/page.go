package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"path/filepath"

	"banditsim/internal/wholefile"
	"banditsim/results"
)

// Options are what the trial files do not tell.
type Options struct {
	Title string // of the page; "" takes the folder's name
	Rows  *Rows  // nil where the data are not at hand
}

// Write makes the page of a set and writes it to path, in whole or not at all.
func Write(path string, set *results.Set, o Options) error {
	b, err := Render(set, o)
	if err != nil {
		return err
	}
	return wholefile.Write(path, b)
}

// Render returns the page.
func Render(set *results.Set, o Options) ([]byte, error) {
	v, err := newView(set, o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := document.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return b.Bytes(), nil
}

//go:embed page.html parts.html page.css js uplot
var files embed.FS

var document = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"chart":  func(key, title, note string) chart { return chart{key, title, note} },
	"colour": func(style int) int { return style % colours },
	"dash":   func(style int) int { return style % dashes },
}).ParseFS(files, "page.html", "parts.html"))

// Curves differ in colour and in dashes, as in the plots of package results: page.css has as many.
const (
	colours = 7
	dashes  = 5
)

// A chart is a place that page.js draws in.
type chart struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Note  string `json:"note"`
}

// A part is an embedded file, or several, and its hash for the content security policy.
type part struct {
	text string
	Hash string // such as 'sha256-…'
}

// JS and CSS are for the template: embedded files are trusted, unlike all that comes from
// trials.
func (p part) JS() template.JS   { return template.JS(p.text) }
func (p part) CSS() template.CSS { return template.CSS(p.text) }

// embedded joins embedded files, between an opening and a closing text.
func embedded(open string, names []string, shut string) part {
	text := open
	for _, name := range names {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // not embedded: the program was built wrongly
		}
		text += string(b)
	}
	text += shut
	sum := sha256.Sum256([]byte(text))
	return part{text, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
}

// The parts of every page.
var (
	plotScript = embedded("", []string{"uplot/uPlot.iife.min.js"}, "")
	plotStyle  = embedded("", []string{"uplot/uPlot.min.css"}, "")
	pageStyle  = embedded("", []string{"page.css"}, "")
	pageScript = embedded("(() => {\n\"use strict\";\nconst data = JSON.parse(document.getElementById(\"data\").textContent);\n", []string{
		"js/theme.js", "js/format.js", "js/plot.js", "js/chart.js", "js/touch.js", "js/legend.js",
		"js/regret.js", "js/heat.js", "js/sampler.js", "js/mistakes.js", "js/start.js",
	}, "})();\n")
	plotLicence = embedded("", []string{"uplot/LICENSE"}, "").text
)

// title is the folder's name.
func title(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return filepath.Base(abs), nil
}
