package yamltree

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTime: no text of the size of a file takes long, whatever repeats in it.
func TestTime(t *testing.T) {
	repeat := func(s string) string { return strings.Repeat(s, MaxFile/2/len(s)) }
	keys := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < MaxFile/2; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text string }{
		{"literal newlines", "a: |\n" + repeat("\n")},
		{"folded newlines", "a: >\n" + repeat("\n")},
		{"literal lines", "a: |\n" + repeat(" x\n")},
		{"folded lines", "a: >\n" + repeat(" x\n")},
		{"literal blanks", "a: |\n" + repeat(" \n")},
		{"literal one line", "a: |\n  " + repeat("x")},
		{"newlines", "a: 1\n" + repeat("\n")},
		{"comments", "a: 1\n" + repeat("#\n")},
		{"comments2", repeat("#\n") + "a: 1\n"},
		{"plain multi", "a: b\n" + repeat(" x\n")},
		{"plain multi blank", "a: b\n" + repeat(" \n") + " c"},
		{"quoted newlines", "a: \"" + repeat("\n") + "\""},
		{"single quoted newlines", "a: '" + repeat("\n") + "'"},
		{"quoted escapes", "a: \"" + repeat("\\n") + "\""},
		{"list", repeat("- a\n")},
		{"empty list", repeat("-\n")},
		{"flow", "[" + repeat("a,") + "]"},
		{"flow empty", "[" + repeat(",") + "]"},
		{"flow newlines", "[" + repeat("\n") + "]"},
		{"colons", repeat("a: ")},
		{"anchors", repeat("- &a b\n")},
		{"tags", repeat("!!str ")},
		{"tabs", "a: " + repeat("\t")},
		{"blanks", "a: " + repeat(" ") + "x"},
		{"docs", repeat("---\n")},
		{"docs2", repeat("...\n")},
		{"question", repeat("? ")},
		{"question lines", repeat("? a\n")},
		{"cr", "a: |\n" + repeat("\r")},
		{"crlf", "a: |\n" + repeat("\r\n")},
		{"keys", keys("k%d: 1\n")},
		{"flow map", "{" + keys("k%d: 1,") + "}"},
		{"literal in list", repeat("- |\n  x\n")},
		{"literals empty", repeat("- |\n")},
		{"quotes", repeat("\"\" ")},
		{"directives", repeat("%a\n")},
		{"ampersand", repeat("&")},
		{"star", repeat("*")},
		{"braces", repeat("}")},
		{"percent", repeat("%")},
		{"at", repeat("@")},
		{"backslash", "a: \"" + repeat("\\x")},
		{"alias", "a: &x 1\nb: [" + repeat("*x,") + "]"},
		{"merge", repeat("<<: a\n")},
		{"plain long", repeat("x")},
		{"plain words", repeat("x ")},
		{"hash", repeat(" #")},
		{"list comments", repeat("- a # b\n")},
		{"deeper", repeat("- a\n\n\n\n")},
		{"literal then comment", "a: |\n  x\n" + repeat("#\n")},
		{"unicode", "a: " + repeat("é")},
	} {
		start := time.Now()
		_, err := Parse("f.yaml", []byte(c.text))
		if took := time.Since(start); took > 5*time.Second { // alone they take less than 0.1 s; a text of line ends took 8 s
			t.Errorf("%s: %d bytes took %v (error %v)", c.name, len(c.text), took, err)
		}
	}
}

// TestBlankLines: a text may have blank lines, but not so many in a row that the parser needs minutes.
func TestBlankLines(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"as many as there may be", "a: 1\n" + strings.Repeat("\n", MaxBlank) + "b: 2\n", ""},
		{"at several places", "a: |\n" + strings.Repeat(strings.Repeat(" \n", MaxBlank)+"  x\n", 50), ""},
		{"one more", "a: 1\nb: |\n" + strings.Repeat("\n", MaxBlank+1) + "c: 2\n", "f.yaml:3:1: more than 200 blank lines in a row begin here"},
		{"at the end", "a: 1\n" + strings.Repeat(" \t\n", MaxBlank+1), "f.yaml:2:1: more than 200"},
		{"of Windows", "a: 1\r\nb: 2\r\n" + strings.Repeat("\r\n", MaxBlank+1), "f.yaml:3:1: more than 200"},
		{"of old programs", "a: 1\r" + strings.Repeat("\r", MaxBlank+1), "more than 200"},
		{"in a file that begins with them", strings.Repeat("\n", MaxBlank+2) + "a: 1", "f.yaml:1:1: more than 200"},
	} {
		_, err := Parse("f.yaml", []byte(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
