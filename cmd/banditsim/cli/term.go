package cli

import (
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// terminal returns the file behind w if it is a terminal.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, false
	}
	return f, true
}

// terminalSize is in characters; 80 × 24 where the terminal does not tell.
func terminalSize(f *os.File) (width, height int) {
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}

// screen returns the file behind w if it is a terminal that understands escape sequences.
func screen(w io.Writer) (*os.File, bool) {
	f, ok := terminal(w)
	if !ok {
		return nil, false
	}
	if runtime.GOOS == "windows" {
		return f, enableEscapes(f) == nil
	}
	name := os.Getenv("TERM")
	return f, name != "" && name != "dumb"
}

// hasColors tells whether w shows colours and may: see no-color.org.
func hasColors(w io.Writer) bool {
	_, ok := screen(w)
	return ok && os.Getenv("NO_COLOR") == ""
}

// hasUnicode tells whether the locale's characters are those of Unicode.
func hasUnicode() bool {
	if runtime.GOOS == "windows" {
		return true // its console takes what Go writes
	}
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set counts
		if locale := os.Getenv(key); locale != "" {
			locale = strings.ToUpper(locale)
			return strings.Contains(locale, "UTF-8") || strings.Contains(locale, "UTF8")
		}
	}
	return false // the locale is then C
}
