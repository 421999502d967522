package report

import (
	"bytes"
	"fmt"
	"io"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Mixed writes summaries of several conditions, each under a heading that says in what it differs
// from the others, or names the environment. In JSON they are a list; in CSV the last column has the difference.
func Mixed(w io.Writer, f Format, all []*compare.Summary) error {
	conditions := make([]results.Conditions, len(all))
	for i, s := range all {
		conditions[i] = s.Conditions
	}
	differences := results.Distinctions(conditions)
	for i, s := range all {
		if s.Environment != "" {
			differences[i] = s.Environment
		}
	}
	if f == CSV || f == JSON {
		return Render(w, f, nil, func() Sheet { return mixedSheet(all, differences) }, all)
	}
	var b bytes.Buffer
	for i, s := range all {
		heading := fmt.Sprintf("Setting %d of %d", i+1, len(all))
		if all[i].Environment != "" {
			heading = fmt.Sprintf("Environment %d of %d", i+1, len(all))
		}
		if differences[i] != "" {
			heading += ": " + words.Plain(differences[i])
		}
		if f == Markdown {
			heading = "## " + escapeMarkdown(heading)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n\n", heading)
		var to io.Writer = &b
		if screen, ok := w.(Screen); ok {
			to = Screen{&b, screen.Width}
		}
		if err := Summary(to, f, s); err != nil {
			return err
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("report: write table: %w", err)
	}
	return nil
}

func mixedSheet(all []*compare.Summary, differences []string) Sheet {
	var out Sheet
	var parameters []compare.Parameters
	for _, s := range all {
		parameters = append(parameters, s.Parameters)
	}
	for i, s := range all {
		one := summarySheet(s, parameterNames(parameters...))
		out.Header = append(one.Header, "setting")
		for _, row := range one.Rows {
			out.Rows = append(out.Rows, append(row, differences[i]))
		}
	}
	return out
}
