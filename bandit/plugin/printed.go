package plugin

import (
	"bytes"
	"fmt"
	"io"
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

// collect reads until the end.
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

// String returns what was kept, after a line that says how much was not.
func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.ToValidUTF8(string(p.text), "\uFFFD")
	if p.dropped > 0 {
		return fmt.Sprintf("(%d bytes before these are not kept)\n%s", p.dropped, text)
	}
	return text
}

// lastLines is the number of lines of stderr that errors quote, maxQuoted the greatest length of each in bytes.
const (
	lastLines = 3
	maxQuoted = 160
)

// quote returns the last lines on one line, "" if there are none.
func (p *printed) quote() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lines []string
	for line := range bytes.Lines(p.text) {
		if line := strings.TrimSpace(strings.ToValidUTF8(string(line), "\uFFFD")); line != "" {
			lines = append(lines, words.Shorten(line, maxQuoted))
		}
	}
	return strings.Join(lines[max(len(lines)-lastLines, 0):], " | ")
}
