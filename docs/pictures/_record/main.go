// Record runs commands on a terminal and writes their output as an SVG, in which the lines appear one after the other:
//
//	record OUT.svg COLUMNS COMMAND…
//
// Each command is run by sh. Output may have lines and the escape sequences of bold green text; other control
// characters are an error. A viewer without animation shows all lines at once.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sizes in pixels, and times in seconds.
const (
	charWidth, lineHeight = 8.4, 18
	margin                = 16
	typed, between        = 1.2, 0.04 // pauses after a command, and between the lines of its output
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("want OUT.svg COLUMNS COMMAND…")
	}
	columns, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	var s screen
	for _, command := range args[2:] {
		for _, line := range broken("$ "+command, columns) {
			s.line(line, "prompt")
		}
		s.at += typed
		out, err := onTerminal(command, columns)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", command, err, out)
		}
		for line := range strings.Lines(strings.ReplaceAll(string(out), "\r\n", "\n")) {
			line = strings.TrimSuffix(line, "\n")
			class := ""
			if rest, ok := strings.CutPrefix(line, "\x1b[1;32m"); ok {
				line, class = strings.TrimSuffix(rest, "\x1b[0m"), "winner"
			}
			if i := strings.IndexFunc(line, func(r rune) bool { return r < ' ' }); i >= 0 {
				return fmt.Errorf("%s: a control character in %q", command, line)
			}
			s.line(line, class)
			s.at += between
		}
		s.line("", "")
	}
	return os.WriteFile(args[0], s.svg(columns), 0o666)
}

// broken splits a command before its flags into lines of at most width characters, or more without a flag to split at.
func broken(command string, width int) []string {
	if utf8.RuneCountInString(command) <= width {
		return []string{command}
	}
	at := strings.LastIndex(command[:width-2], " --")
	if strings.TrimSpace(command[:max(at, 0)]) == "" {
		return []string{command}
	}
	return append([]string{command[:at] + " \\"}, broken("    "+command[at+1:], width)...)
}

// onTerminal returns the output of a command on a terminal of the given width, using script of util-linux.
func onTerminal(command string, columns int) ([]byte, error) {
	line := fmt.Sprintf("stty rows 50 cols %d; %s", columns, command)
	cmd := exec.Command("script", "--quiet", "--return", "--command", line, "/dev/null")
	cmd.Env = append(os.Environ(), "SHELL=/bin/sh", "TERM=xterm", "LC_ALL=C.UTF-8", "NO_COLOR=")
	return cmd.CombinedOutput()
}

// A screen has the lines of a recording.
type screen struct {
	body bytes.Buffer // SVG elements of the lines
	rows int
	at   float64 // time at which the next line appears
}

var bars = regexp.MustCompile(`[▏▎▍▌▋▊▉█]+`)

func (s *screen) line(text, class string) {
	y := margin + lineHeight*(s.rows+1) - 5
	s.rows++
	if text == "" {
		return
	}
	fmt.Fprintf(&s.body, "<g class=\"line %s\" style=\"animation-duration:%.2fs\">", class, s.at)
	// Bars are drawn as rectangles, because block characters differ between fonts.
	for _, at := range bars.FindAllStringIndex(text, -1) {
		length := 0.0
		for _, r := range text[at[0]:at[1]] {
			length += float64(0x2590-r) / 8 // █ is U+2588, ▏ U+258F
		}
		fmt.Fprintf(&s.body, `<rect class="bar" x="%.1f" y="%d" width="%.1f" height="10"/>`,
			margin+charWidth*float64(utf8.RuneCountInString(text[:at[0]])), y-9, charWidth*length)
	}
	text = bars.ReplaceAllStringFunc(text, func(b string) string { return strings.Repeat(" ", utf8.RuneCountInString(b)) })
	text = strings.TrimRight(text, " ")
	fmt.Fprintf(&s.body, "<text x=\"%d\" y=\"%d\" textLength=\"%.1f\" xml:space=\"preserve\">%s</text></g>\n",
		margin, y, charWidth*float64(utf8.RuneCountInString(text)), html.EscapeString(text))
}

func (s *screen) svg(columns int) []byte {
	width, height := int(2*margin+charWidth*float64(columns)), 2*margin+lineHeight*(s.rows-1)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">
<style>
text{fill:#d8dee9} .prompt text{fill:#ffffff;font-weight:bold} .winner text{fill:#7ee787;font-weight:bold} .bar{fill:#6cb6ff} .winner .bar{fill:#7ee787}
@keyframes appear{from{opacity:0} 99.9%%{opacity:0} to{opacity:1}}
@media (prefers-reduced-motion:no-preference){.line{animation-name:appear;animation-fill-mode:backwards}}
</style>
<rect width="%d" height="%d" rx="8" fill="#161b22"/>
`, width, height, width, height, width, height)
	b.Write(s.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}
