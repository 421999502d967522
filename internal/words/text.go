package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain returns s with unprintable characters replaced by question marks, as they could change what a terminal shows.
func Plain(s string) string {
	return strings.NewReplacer("\n", "?", "\t", "?").Replace(PlainText(s))
}

// PlainText is Plain for several lines: it keeps newlines and tabs.
func PlainText(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) && r != '\n' && r != '\t' {
			return '?'
		}
		return r
	}, s)
}

// PlainJSON returns the JSON b with unprintable characters in strings escaped.
func PlainJSON(b []byte) []byte {
	var escaped []byte
	for _, r := range string(b) {
		if r < 0x7f || strconv.IsPrint(r) { // below 0x7f JSON has escaped what is not printable
			escaped = utf8.AppendRune(escaped, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			escaped = fmt.Appendf(escaped, "\\u%04x", unit)
		}
	}
	return escaped
}

// Cell returns s as a CSV cell that spreadsheets do not evaluate as a formula: with an apostrophe before it if it
// begins with = + - @, a tab, a carriage return or an apostrophe, and is not a number.
func Cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r'", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// Shorten returns s if it has at most n bytes. Otherwise it returns a prefix of s and "…", n bytes at most if n ≥ 3.
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

// CutMiddle shortens s to n characters by cutting its middle. It keeps more of the end, where names in a sweep differ.
func CutMiddle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := (n - 1) / 3
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// Clip is Shorten to about one line of a terminal.
func Clip(s string) string { return Shorten(s, 83) }

// Count returns n with the noun thing, as "1 pull" or "1,024 pulls". The plural of thing must end in s.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Int(n) + " " + thing + "s"
}

// AtMost returns the first n texts of a list. If others are left out, a last text follows: prefix and, say, "7 more".
func AtMost(list []string, n int, prefix string) []string {
	if more := len(list) - n; more > 0 {
		return append(list[:n:n], prefix+Int(more)+" more")
	}
	return list
}

// Ranges returns a sorted list as "1–3, 7": a run of three or more numbers becomes a range.
func Ranges(sorted []uint64) string { return strings.Join(Runs(sorted, "–", 3), ", ") }

// Runs returns the numbers of a sorted list as strings. A run of minLen or more consecutive numbers becomes one string:
// its first and its last number with dash between them.
func Runs[N int | uint64](sorted []N, dash string, minLen int) (parts []string) {
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n] == sorted[n-1]+1 {
			n++
		}
		part := fmt.Sprint(sorted[0])
		if n < minLen {
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
	if seconds < 59.95 { // 59.95 would become 60.0 s
		return fmt.Sprintf("%.1f s", seconds)
	}
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second)
	if d < time.Hour {
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%s h %d min", Int(int(d.Hours())), int(d.Minutes())%60)
}

// CommandLine returns args quoted for a POSIX shell. Arguments with unprintable characters have the form $'…', which is
// in POSIX since 2024, and in bash, zsh and ksh for much longer.
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

// dollarQuoted returns an argument in the form $'…', with all bytes that are not printable ASCII characters escaped.
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
