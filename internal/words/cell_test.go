package words

import (
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestCell checks that formulas get an apostrophe, which can be removed again, and that other cells do not change.
func TestCell(t *testing.T) {
	for _, s := range []string{"=1+2", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "'quoted", "''", "=", "-"} {
		got := Cell(s)
		must.That(t, got[0] == '\'' && strings.TrimPrefix(got, "'") == s, "%q: %q", s, got)
	}
	for _, s := range []string{"", "p", "12", "-12.5", "+Inf", "-1e-07", "a=b", "{}"} {
		got := Cell(s)
		must.That(t, got == s, "%q: %q", s, got)
	}
}

// TestPlainJSON checks that DEL and unprintable characters above it are escaped, and no others.
func TestPlainJSON(t *testing.T) {
	must.Equal(t, "JSON", string(PlainJSON([]byte("\"a~\x7f\u009b\u00e9\U000e0001\""))), `"a~\u007f\u009bé\udb40\udc01"`)
}
