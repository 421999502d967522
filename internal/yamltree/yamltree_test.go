package yamltree

import (
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestBlankLines checks that maxBlank blank lines in a row are accepted, and more are an error.
func TestBlankLines(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"as many as there may be", "a: 1\n" + strings.Repeat("\n", maxBlank) + "b: 2\n", ""},
		{"at several places", "a: |\n" + strings.Repeat(strings.Repeat(" \n", maxBlank)+"  x\n", 50), ""},
		{"one more", "a: 1\nb: |\n" + strings.Repeat("\n", maxBlank+1) + "c: 2\n", "f.yaml:3:1: more than 200 blank lines in a row begin here"},
		{"at the end", "a: 1\n" + strings.Repeat(" \t\n", maxBlank+1), "f.yaml:2:1: more than 200"},
		{"of Windows", "a: 1\r\nb: 2\r\n" + strings.Repeat("\r\n", maxBlank+1), "f.yaml:3:1: more than 200"},
		{"of old programs", "a: 1\r" + strings.Repeat("\r", maxBlank+1), "more than 200"},
		{"in a file that begins with them", strings.Repeat("\n", maxBlank+2) + "a: 1", "f.yaml:1:1: more than 200"},
	} {
		_, err := Parse("f.yaml", []byte(c.text))
		must.Want(t, c.name, err, c.want)
	}
}
