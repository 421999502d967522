package plugin

import (
	"fmt"
	"io"
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
	ended   chan struct{} // closed when nothing more will come
}

func (p *printed) collect(from io.Reader) {
	defer close(p.ended)
	io.Copy(p, from) // a pipe that fails has ended
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

// kept returns what was kept, and the number of bytes that were not.
func (p *printed) kept() (text string, dropped int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.ToValidUTF8(string(p.text), "\uFFFD"), p.dropped
}

// String returns what was kept, after a line that says how much was not.
func (p *printed) String() string {
	text, dropped := p.kept()
	if dropped > 0 {
		return fmt.Sprintf("(%d bytes before these are not kept)\n%s", dropped, text)
	}
	return text
}

// lastLines is the number of lines of stderr that errors quote, maxQuoted the greatest length of each in bytes.
const (
	lastLines = 3
	maxQuoted = 160
)

// quote returns the last lines on one line, without the head and the marks of a traceback of Python; "" if there are none.
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
	// frame is the line of a frame in a traceback of Python; of a syntax error it names no function.
	frame = regexp.MustCompile(`^  File "(.+)", line (\d+)(, in .+)?$`)
	// library matches files of Python and of installed packages, and code without a file.
	library = regexp.MustCompile(`^<|[/\\](site-packages|dist-packages|lib[/\\]python[\d.]+|Python\d+[/\\]Lib)[/\\]`)
)

// exception returns the first line of the last exception of Python, such as "ValueError: text", and that line with the
// last place of its traceback outside libraries, such as "mine.py:12, in act: ValueError: text"; "" if there is none.
func (p *printed) exception() (text, raised string) {
	inFrames, place := false, ""
	kept, _ := p.kept()
	for line := range strings.Lines(kept) {
		line = strings.TrimRight(line, "\r\n")
		switch m := frame.FindStringSubmatch(line); {
		case m != nil:
			if !inFrames {
				inFrames, text, place = true, "", ""
			}
			if !library.MatchString(m[1]) {
				place = filepath.Base(m[1]) + ":" + m[2] + m[3]
			}
		case inFrames && line != "" && !strings.HasPrefix(line, " "):
			inFrames, text = false, line
		}
	}
	if text == "" || place == "" {
		return "", ""
	}
	return text, place + ": " + words.Shorten(text, maxQuoted)
}
