package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain returns s with a question mark for each character that is not printable: control
// characters could change what a terminal shows.
func Plain(s string) string {
	return strings.NewReplacer("\n", "?", "\t", "?").Replace(PlainText(s))
}

// PlainText is Plain for a text of several lines: line ends and tabs stay.
func PlainText(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) && r != '\n' && r != '\t' {
			return '?'
		}
		return r
	}, s)
}

// PlainJSON returns JSON in which each character of a string that is not printable is escaped.
func PlainJSON(b []byte) []byte {
	var to []byte
	for _, r := range string(b) {
		if r < utf8.RuneSelf || strconv.IsPrint(r) { // JSON has escaped the control characters of ASCII
			to = utf8.AppendRune(to, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			to = fmt.Appendf(to, "\\u%04x", unit)
		}
	}
	return to
}

// Cell returns s as a cell of a CSV file that spreadsheets do not take for a formula: with an apostrophe in front if
// s begins with = + - @, a tab, a carriage return or an apostrophe, and is not a number.
func Cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r'", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// Shorten returns s, cut between runes to at most n bytes, which end in "…", if it is longer.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n-len("…"), 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Clip returns s, shortened if it would fill a screen.
func Clip(s string) string { return Shorten(s, 83) }

// Count returns a number of things as "1 pull" or "1,024 pulls".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Int(n) + " " + thing + "s"
}

// Ranges returns a sorted list as "1–3, 7": runs of three numbers or more are shortened.
func Ranges(sorted []uint64) string {
	return strings.Join(Runs(sorted, "–", 3), ", ")
}

// Runs returns the numbers of a sorted list as texts. Each run of at least as many consecutive numbers as least
// becomes one text: its ends, with dash between.
func Runs[N int | uint64](sorted []N, dash string, least int) (parts []string) {
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n] == sorted[n-1]+1 {
			n++
		}
		part := fmt.Sprint(sorted[0])
		if n < least {
			n = 1
		} else {
			part += dash + fmt.Sprint(sorted[n-1])
		}
		parts, sorted = append(parts, part), sorted[n:]
	}
	return parts
}

// Duration returns a time as "12.3 s", "13 min 20 s" or "5 h 2 min".
func Duration(seconds float64) string {
	if seconds < 59.95 { // above, it would read 60.0 s
		return fmt.Sprintf("%.1f s", seconds)
	}
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second)
	if d < time.Hour {
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%s h %d min", Int(int(d.Hours())), int(d.Minutes())%60)
}

// CommandLine returns the arguments of a command as they are typed into a POSIX shell. Arguments with characters that
// are not printable have the form $'…', which POSIX has had since 2024, and bash, zsh and ksh for much longer.
func CommandLine(args []string) string {
	var quoted []string
	for _, arg := range args {
		if strings.ContainsFunc(arg, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
			arg = dollarQuoted(arg)
		} else if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$&|;<>()*?[]#~`!{}") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		quoted = append(quoted, arg)
	}
	return strings.Join(quoted, " ")
}

// dollarQuoted returns an argument in the form $'…', with escapes for all bytes that are not printable ASCII.
func dollarQuoted(arg string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(arg) {
		switch c := arg[i]; {
		case c == '\'' || c == '\\':
			b.WriteString("\\" + string(c))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
