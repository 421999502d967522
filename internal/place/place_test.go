package place

import (
	"errors"
	"strings"
	"testing"

	"banditsim/internal/must"
)

var errOdd = errors.New("is odd")

func TestErrorShowsLineAndCaret(t *testing.T) {
	long := strings.Repeat("a", 100) + "X" + strings.Repeat("b", 100)
	for _, c := range []struct {
		name, text   string
		line, column int
		want         string
	}{
		{"within", "a: 1\nb: two\r\nc: 3\n", 2, 4, "f.yaml:2:4: is odd\n  b: two\n     ^"},
		{"beyond ASCII", "τ: x", 1, 4, "f.yaml:1:4: is odd\n  τ: x\n     ^"},
		{"a tab before", "\ta: x", 1, 5, "f.yaml:1:5: is odd\n  \ta: x\n  \t   ^"},
		{"behind the end", "ab", 7, 9, "f.yaml:1:3: is odd\n  ab\n    ^"},
		{"before the beginning", "ab", 0, -1, "f.yaml:1:1: is odd\n  ab\n  ^"},
		{"empty", "", 1, 1, "f.yaml:1:1: is odd\n  \n  ^"},
		{"long", long, 1, 101, "f.yaml:1:101: is odd\n  …" + strings.Repeat("a", 60) + "X" + strings.Repeat("b", 59) + "…\n" +
			strings.Repeat(" ", 63) + "^"},
		{"commands to the terminal", "a\x1b[31m", 1, 2, "f.yaml:1:2: is odd\n  a?[31m\n   ^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := NewSource("f.yaml", c.text).At(c.line, c.column).Wrap(errOdd)
			got := err.Error()
			must.That(t, got == c.want, "got\n%s\nwant\n%s", got, c.want)
			must.That(t, errors.Is(err, errOdd), "the cause is lost")
		})
	}
}

func TestWrapPointsIntoTexts(t *testing.T) {
	for _, c := range []struct {
		name, line, text string
		column, want     int
	}{
		{"plain", "- a τ b", "a τ b", 3, 7},
		{"quoted", `- "a τ b"`, "a τ b", 3, 8},
		{"in other words", `- "a \u03c4 b"`, "a τ b", 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := &TextError{Text: c.text, Offset: strings.Index(c.text, "b"), Err: errOdd}
			var got *Error
			err := NewSource("f", c.line).At(1, c.column).Wrap(text)
			must.That(t, errors.As(err, &got) && got.Column == c.want && got.Err == errOdd, "got %v, want column %d", err, c.want)
		})
	}
}

func TestWrapLeavesAlone(t *testing.T) {
	here := NewSource("f", "ab\ncd").At(1, 2)
	placed := here.Wrap(errOdd)
	for _, c := range []struct {
		name      string
		got, want error
	}{
		{"no error", here.Wrap(nil), nil},
		{"nowhere", Place{}.Wrap(errOdd), errOdd},
		{"placed already", NewSource("g", "").At(1, 1).Wrap(placed), placed},
	} {
		must.That(t, c.got == c.want, "%s: got %v, want %v", c.name, c.got, c.want)
	}
}

func TestTextErrorShowsCaret(t *testing.T) {
	err := &TextError{Text: "x < τ y", Offset: len("x < τ "), Err: errOdd}
	want := "is odd\n  x < τ y\n        ^"
	must.That(t, err.Error() == want, "got\n%s\nwant\n%s", err, want)
}
