package plugin

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"banditsim/internal/words"
)

// maxPrinted is the number of bytes that are kept of what a child writes to stderr: the last ones.
const maxPrinted = 16 << 10

// printed keeps the end of what a child writes to stderr. It may be read while the child writes.
type printed struct {
	mu      sync.Mutex
	text    []byte
	dropped int64
	ended   chan struct{} // closed when stderr has ended
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = append(p.text, b...)
	if over := len(p.text) - maxPrinted; over > 0 {
		p.dropped += int64(over)
		p.text = append(p.text[:0], p.text[over:]...)
	}
	return len(b), nil
}

// kept returns the text that was kept, and the number of bytes before it that were dropped.
func (p *printed) kept() (text string, dropped int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.ToValidUTF8(string(p.text), "\uFFFD"), p.dropped
}

// String returns the text that was kept. If bytes before it were dropped, the first line says how many.
func (p *printed) String() string {
	text, dropped := p.kept()
	if dropped > 0 {
		return fmt.Sprintf("(%d bytes before these are not kept)\n%s", dropped, text)
	}
	return text
}

// Limits on what errors quote from stderr.
const (
	lastLines = 3   // number of lines
	maxQuoted = 160 // length of a line in bytes
)

// quote returns the last lines, joined into one; "" if there are none. It omits the head of a Python traceback and
// lines that mark a place with ^ or ~.
func (p *printed) quote() string {
	var lines []string
	kept, _ := p.kept()
	for line := range strings.Lines(kept) {
		if line := strings.TrimSpace(line); strings.Trim(line, "~^") != "" && line != tracebackHead {
			lines = append(lines, words.Shorten(line, maxQuoted))
		}
	}
	return strings.Join(lines[max(len(lines)-lastLines, 0):], " | ")
}

const tracebackHead = "Traceback (most recent call last):"

var (
	// calledAt matches the lines of a Python traceback that name file, line and, except for syntax errors, function.
	calledAt = regexp.MustCompile(`^  File "(.+)", line (\d+)(, in .+)?$`)
	// library matches the paths of Python's own files, of installed packages, and of code without a file.
	library = regexp.MustCompile(`^<|[/\\](site-packages|dist-packages|lib[/\\]python[\d.]+|Python\d+[/\\]Lib)[/\\]`)
)

// exception returns the last Python exception: text is its first line, such as "ValueError: 3". raised begins with the
// innermost place outside of libraries: "mine.py:12, in act: ValueError: 3". Without such a place, both are "".
func (p *printed) exception() (text, raised string) {
	inCalls, place := false, ""
	kept, _ := p.kept()
	for line := range strings.Lines(kept) {
		line = strings.TrimRight(line, "\r\n")
		switch m := calledAt.FindStringSubmatch(line); {
		case m != nil:
			if !inCalls {
				inCalls, text, place = true, "", ""
			}
			if !library.MatchString(m[1]) {
				place = filepath.Base(m[1]) + ":" + m[2] + m[3]
			}
		case inCalls && line != "" && !strings.HasPrefix(line, " "):
			inCalls, text = false, line
		}
	}
	if text == "" || place == "" {
		return "", ""
	}
	return text, place + ": " + words.Shorten(text, maxQuoted)
}
