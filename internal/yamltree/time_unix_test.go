//go:build unix

package yamltree

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"banditsim/internal/must"
)

// processorTime returns the processor time of this process, to which other work on the machine does not add.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	must.OK(t, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestTime checks that no text of half the maximum size takes long to parse, whatever repeats in it.
func TestTime(t *testing.T) {
	repeat := func(s string) string { return strings.Repeat(s, maxFile/2/len(s)) }
	keys := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < maxFile/2; i++ {
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
		start := processorTime(t)
		_, err := Parse("f.yaml", []byte(c.text))
		if took := processorTime(t) - start; took > 4*time.Second { // each takes under 0.1 s on an idle machine; newlines once took 8 s
			t.Errorf("%s: %d bytes took %v (error %v)", c.name, len(c.text), took, err)
		}
	}
}
