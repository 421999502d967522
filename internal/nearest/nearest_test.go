package nearest

import (
	"fmt"
	"testing"

	"banditsim/internal/must"
)

func TestName(t *testing.T) {
	known := []string{"pICSGLD", "pCSGLD", "pSGLD", "Dropout", "ConstSGD", "EpsGreedy", "Uniform", "alpha"}
	for _, test := range []struct{ got, want string }{
		{"pICSGLD", "pICSGLD"},
		{"picsgld", "pICSGLD"},
		{"pISCGLD", "pICSGLD"}, // two neighbors swapped
		{"pSGD", "pSGLD"},
		{"droput", "Dropout"},
		{"drop", "Dropout"}, // cut short
		{"eps", "EpsGreedy"},
		{"uniform", "Uniform"},
		{"Unifrom", "Uniform"},
		{"alfa", "alpha"}, // two letters of five
		{"x", ""},
		{"", ""},
		{"LinUCB", ""},
		{"Bootstrapped", ""},
	} {
		got := Name(test.got, known)
		must.That(t, got == test.want, "Name(%q) = %q, want %q", test.got, got, test.want)
	}
	must.Equal(t, "DidYouMean", DidYouMean("uniform", known), " (did you mean Uniform?)")
	must.Equal(t, "DidYouMean of nothing near", DidYouMean("x", known), "")
	must.Equal(t, "Name without known names", Name("anything", nil), "")
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3}, // 2 in the unrestricted form
		{"größe", "grösse", 2},
	} {
		a, b := []rune(test.a), []rune(test.b)
		must.Equal(t, fmt.Sprintf("distance(%q, %q)", test.a, test.b), distance(a, b), test.want)
		must.Equal(t, fmt.Sprintf("distance(%q, %q)", test.b, test.a), distance(b, a), test.want)
	}
}
