package report

import (
	"bytes"
	"fmt"
	"io"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// WriteMixed writes summaries of several settings, each by itself under a heading that
// says what sets it apart. In JSON it is a list; in CSV the last column tells the settings apart.
func Mixed(w io.Writer, f Format, all []*compare.Summary) error {
	settings := make([]results.Conditions, len(all))
	for i, s := range all {
		settings[i] = s.Conditions
	}
	apart := results.Distinctions(settings)
	if f != Text && f != Markdown {
		return Render(w, f, nil, func() Sheet { return mixedSheet(all, apart) }, all)
	}
	var b bytes.Buffer
	for i, s := range all {
		heading := fmt.Sprintf("Setting %d of %d", i+1, len(all))
		if apart[i] != "" {
			heading += ": " + words.Plain(apart[i])
		}
		if f == Markdown {
			heading = "## " + escapeMarkdown(heading)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n\n", heading)
		if err := Summary(&b, f, s); err != nil {
			return err
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("report: write table: %w", err)
	}
	return nil
}

func mixedSheet(all []*compare.Summary, apart []string) Sheet {
	var joined Sheet
	for i, s := range all {
		one := summarySheet(s)
		joined.Header = append(one.Header, "setting")
		for _, row := range one.Rows {
			joined.Rows = append(joined.Rows, append(row, apart[i]))
		}
	}
	return joined
}
