// Package terminal detects what a terminal can show, and shows progress on it.
package terminal

import (
	"cmp"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// Of returns the file behind w if it is a terminal.
func Of(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, false
	}
	return f, true
}

// Size returns the size of a terminal in characters, or 80 × 24 if the terminal does not report it.
func Size(f *os.File) (width, height int) {
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}

// Screen returns the file behind w if it is a terminal that understands escape sequences.
func Screen(w io.Writer, getenv func(string) string) (*os.File, bool) {
	f, ok := Of(w)
	if !ok {
		return nil, false
	}
	if runtime.GOOS == "windows" {
		return f, enableEscapes(f) == nil
	}
	name := getenv("TERM")
	return f, name != "" && name != "dumb"
}

// HasColors reports whether w shows colors and NO_COLOR does not forbid them (no-color.org).
func HasColors(w io.Writer, getenv func(string) string) bool {
	_, ok := Screen(w, getenv)
	return ok && getenv("NO_COLOR") == ""
}

// HasUnicode reports whether the character set of the locale is Unicode.
func HasUnicode(getenv func(string) string) bool {
	if runtime.GOOS == "windows" {
		return true // the console of Windows takes UTF-8
	}
	locale := strings.ToUpper(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))) // if none is set, the locale is C
	return strings.Contains(locale, "UTF-8") || strings.Contains(locale, "UTF8")
}
