package logs

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"banditsim/bandit/logged"
	"banditsim/internal/report"
	"banditsim/internal/wholefile"
	"banditsim/results/plot"
)

//go:embed page.html
var pageText string

// WritePage writes a self-contained HTML page to path: verdicts and warnings, the figures, and the tables with all columns. It loads nothing from
// the network. The same evaluation gives the same bytes.
func WritePage(path string, s *logged.Evaluation) error {
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("logs: page: %w", err)
	}
	var drawn []template.HTML
	for _, figure := range figures {
		f := figure.Of(s)
		if f == nil {
			continue
		}
		b, err := plot.SVG(f)
		if err != nil {
			return fmt.Errorf("logs: page: %w", err)
		}
		if i := bytes.Index(b, []byte("<svg")); i > 0 {
			b = b[i:]
		}
		drawn = append(drawn, template.HTML(b)) // drawn here, with texts escaped
	}
	arms := table(armColumns, s.Log.Description.Arms, describeLines(s.Log)...)
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		Name     string
		Verdicts []string
		Warnings []string
		Figures  []template.HTML
		Tables   []titled
	}{s.Log.Name(), Verdicts(s), Warnings(s), drawn, []titled{
		{"Diagnostics", diagnosticTable(s)}, {"Estimates", estimateTable(s)}, {"Estimates by clip", table(clipColumns, s.Clips)}, {"The log", arms},
	}})
	if err != nil {
		return fmt.Errorf("logs: page: %w", err)
	}
	return wholefile.Write(path, b.Bytes())
}

type titled struct {
	Title string
	report.Table
}
