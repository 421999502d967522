package terminal

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/words"
)

// Plain returns w if all names are printable, else a writer that replaces unprintable characters with question marks.
// It also replaces newlines and tabs in each of the names, and in parts of them such as folders and values of flags. It
// finds only names that are whole in one call of Write. names has the strings from outside of the program that may be
// printed: arguments, and paths from the environment.
func Plain(w io.Writer, names []string) io.Writer {
	var odd []string
	for _, name := range names {
		parts := []string{name}
		for _, part := range append(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("/=,:", r) }), strings.TrimLeft(name, "-")) {
			parts = append(parts, part, strings.TrimSuffix(part, filepath.Ext(part)))
		}
		for _, part := range parts {
			if words.Plain(part) != part {
				odd = append(odd, part, words.Plain(part))
				if text := words.PlainText(part); text != words.Plain(part) { // exit.Print applies PlainText before it writes
					odd = append(odd, text, words.Plain(part))
				}
			}
		}
	}
	if odd == nil {
		return w
	}
	pairs := slices.Collect(slices.Chunk(odd, 2))
	slices.SortStableFunc(pairs, func(a, b []string) int { return cmp.Compare(len(b[0]), len(a[0])) }) // longest first
	return plainWriter{w, strings.NewReplacer(slices.Concat(pairs...)...)}
}

type plainWriter struct {
	w     io.Writer
	names *strings.Replacer
}

func (p plainWriter) Write(b []byte) (int, error) {
	_, err := io.WriteString(p.w, words.PlainText(p.names.Replace(string(b))))
	return len(b), err
}
