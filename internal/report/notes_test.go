package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestNotes: an empty line stands before notes, and none where there are no notes, in text and in
// Markdown.
func TestNotes(t *testing.T) {
	for name, f := range map[string]Format{"text": Text, "markdown": Markdown, "latex": LaTeX} {
		print := func(x Table, b *bytes.Buffer) error { return Result{Tables: []Table{x}}.Render(b, f) }
		var bare, noted bytes.Buffer
		table := Table{Caption: []string{"caption"}, Columns: []Head{{Header: "a"}, {Header: "b"}}, Rows: [][]string{{"x", "1"}}}
		if err := print(table, &bare); err != nil {
			t.Fatal(err)
		}
		if s := bare.String(); strings.HasSuffix(s, "\n\n") || !strings.HasSuffix(s, "\n") {
			t.Errorf("%s without notes ends in %q", name, s[max(0, len(s)-20):])
		}
		table.Notes = []string{"a note"}
		if err := print(table, &noted); err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(noted.String(), bare.String()); !ok || !strings.HasPrefix(rest, "\n") || !strings.Contains(rest, "a note\n") {
			t.Errorf("%s: the note is set as %q", name, rest)
		}
	}
}
