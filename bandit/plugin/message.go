package plugin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Limits on the length of answers, in bytes.
const (
	answerLimit = 64 << 10              // an answer, apart from the numbers in it
	numberLimit = 64                    // each number in an answer
	stateLimit  = 1 << 28 / numberLimit // how many numbers are as long as the longest state in an answer, 256 MiB of text
)

// A message is a request to a child, or a lesson: pulls to learn from, which the child does not answer.
// docs/protocol.md describes the fields.
type message struct {
	ID      int       `json:"id"`
	Type    string    `json:"type"`
	How     string    `json:"how,omitempty"`
	N       int       `json:"n,omitempty"`
	Round   int       `json:"round,omitempty"`
	Pulls   []int     `json:"pulls,omitempty"`
	Arms    []int     `json:"arms,omitempty"`
	Rewards []float64 `json:"rewards,omitempty"`
	// Available has the arms that can be pulled in each pull.
	Available [][]int       `json:"available,omitempty"`
	Contexts  [][]float64   `json:"contexts,omitempty"`
	Features  [][][]float64 `json:"features,omitempty"`
	State     []byte        `json:"state,omitempty"`
	Frame     int           `json:"frame,omitempty"`
}

// write appends a message, followed by a frame of numbers if there are any, to the pending messages.
func (c *child) write(m message, frame []float64) error {
	c.requests++
	m.ID, m.Frame = c.requests, 8*len(frame)
	b, err := json.Marshal(m)
	if err != nil { // the message holds NaN or an infinity
		return c.fail(m.Type, err.Error())
	}
	c.pending, err = binary.Append(append(append(c.pending, b...), '\n'), binary.LittleEndian, frame)
	return err
}

type answer struct {
	ID           *int         `json:"id"`
	Error        string       `json:"error"`
	Arms         []index      `json:"arms"`
	Propensities [][]number   `json:"propensities"`
	Values       [][]number   `json:"values"`
	Contexts     [][]number   `json:"contexts"`
	Features     [][][]number `json:"features"`
	Means        [][]number   `json:"means"`
	Rewards      [][]number   `json:"rewards"`
	State        []byte       `json:"state"`
	Frame        int          `json:"frame"`
}

// A number is a float64 for which null in JSON is an error; encoding/json would read it as 0.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("%s where a number is due (JSON has no NaN and no infinity)", clip(b))
	}
	*n = number(v)
	return nil
}

// An index is an int for which null in JSON is an error; encoding/json would read it as 0.
type index int

func (n *index) UnmarshalJSON(b []byte) error {
	v, err := strconv.Atoi(string(b))
	if err != nil {
		return fmt.Errorf("%s where a whole number is due", clip(b))
	}
	*n = index(v)
	return nil
}

// ask sends the pending messages and returns the answer to the last of them, with its frame. The answer may hold as
// many numbers as the argument numbers says.
func (c *child) ask(kind string, numbers int) (*answer, []float64, error) {
	line, err := c.transfer(kind, answerLimit+numbers*numberLimit)
	if err != nil {
		return nil, nil, err
	}
	a := &answer{}
	if err := json.Unmarshal(line, a); err != nil {
		if cause := c.otherRequest(line); cause != "" {
			return nil, nil, c.fail(kind, cause)
		}
		return nil, nil, c.nonsense(kind, line, err)
	}
	if err := c.check(kind, a, line, numbers); err != nil || a.Frame == 0 {
		return a, nil, err
	}
	frame, err := c.readFrame(kind, a.Frame)
	return a, frame, err
}

func (c *child) request(kind string, m message, numbers int) (*answer, []float64, error) {
	if err := c.write(m, nil); err != nil {
		return nil, nil, err
	}
	return c.ask(kind, numbers)
}

// answeredError is the beginning of Error.Cause for a child that answered with an error.
const answeredError = "it answered with an error: "

// check fails the child if its answer is an error, or answers another request, or announces a wrong frame.
func (c *child) check(kind string, a *answer, line []byte, numbers int) error {
	switch {
	case a.Error != "":
		if a.ID == nil {
			kind = c.during(kind)
		} else if before := c.requests - *a.ID; before > 0 && before <= c.lessons {
			c.requests, kind = *a.ID, c.lesson+" before "+kind
		}
		return c.fail(kind, answeredError+a.Error)
	case a.ID == nil:
		return c.fail(kind, fmt.Sprintf("it answered %s, which has no id: want that of the request, %d", clip(line), c.requests))
	case *a.ID != c.requests:
		return c.fail(kind, c.otherRequest(line))
	case a.Frame < 0 || a.Frame%8 != 0 || a.Frame/8 > numbers:
		return c.fail(kind, fmt.Sprintf("it announced a frame of %d bytes, want 8 bytes for each of at most %d numbers", a.Frame, numbers))
	}
	c.lessons = 0
	return nil
}

// otherRequest returns the cause of failure if line answers another request than the latest. If line has no ID or the
// latest ID, it returns "". It decodes only the ID, because line may answer hello, where other fields have other types.
func (c *child) otherRequest(line []byte) string {
	var of struct {
		ID *int `json:"id"`
	}
	if err := json.Unmarshal(line, &of); err != nil || of.ID == nil || *of.ID == c.requests {
		return ""
	}
	return fmt.Sprintf("it answered request %d: an answer is due to the latest, and one only", *of.ID)
}

// nonsense fails the child for an answer that cannot be decoded.
func (c *child) nonsense(kind string, line []byte, err error) error {
	kind = c.during(kind)
	if t := bytes.TrimSpace(line); len(t) == 0 || t[0] != '{' {
		return c.fail(kind, fmt.Sprintf("it wrote %s to stdout, where only answers belong: print to stderr", clip(line)))
	}
	text := err.Error()
	for _, word := range []string{"NaN", "Infinity"} {
		if bytes.Contains(line, []byte(word)) {
			text = "it holds " + word + ", which is no number of JSON"
			break
		}
	}
	return c.fail(kind, fmt.Sprintf("its answer %s cannot be read: %s", clip(line), strings.TrimPrefix(text, "json: ")))
}
