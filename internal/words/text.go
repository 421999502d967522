package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Plain returns s with a question mark for each character that is not printable: control
// characters could change what a terminal shows.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// Cell returns s as a cell of a CSV file that spreadsheets do not take for a formula: after an apostrophe if it begins
// with = + - @, a tab, a carriage return or an apostrophe, and is not a number. Without that apostrophe it is s.
func Cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r'", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// Shorten cuts s to at most n bytes, between runes, the last of which is then "…".
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

// Clip returns s, shortened to 80 bytes if it would fill a screen.
func Clip(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// Count returns a number of things as "1 pull" or "1,024 pulls".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Int(n) + " " + thing + "s"
}

// Ranges returns a sorted list as "1–3, 7": runs of three numbers or more are shortened.
func Ranges(sorted []uint64) string {
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		if j-i >= 2 {
			parts = append(parts, fmt.Sprintf("%d–%d", sorted[i], sorted[j]))
			i = j + 1
			continue
		}
		parts = append(parts, fmt.Sprint(sorted[i]))
		i++
	}
	return strings.Join(parts, ", ")
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

// CommandLine returns the arguments of a command as they are typed into a POSIX shell.
func CommandLine(args []string) string {
	var b strings.Builder
	for i, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$&|;<>()*?[]#~`!{}") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(arg)
	}
	return b.String()
}
