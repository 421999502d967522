package plugin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// answerLimit is the greatest length of an answer without numbers, in bytes, and numberLimit that of a number in it.
const (
	answerLimit = 64 << 10
	numberLimit = 64
	stateLimit  = 1 << 28 // limit of an answer that holds a state
)

// message begins a message, which the caller ends with "}\n" and a frame.
func (c *child) message(kind string) {
	c.requests++
	b := append(c.pending, `{"id":`...)
	b = strconv.AppendInt(b, int64(c.requests), 10)
	b = append(b, `,"type":"`...)
	b = append(b, kind...)
	c.pending = append(b, '"')
}

// int adds a number to the message.
func (c *child) int(key string, v int) {
	b := append(append(append(c.pending, `,"`...), key...), `":`...)
	c.pending = strconv.AppendInt(b, int64(v), 10)
}

// ints adds a list to the message.
func (c *child) ints(key string, list []int) {
	b := c.key(key)
	for i, v := range list {
		b = strconv.AppendInt(separate(b, i), int64(v), 10)
	}
	c.pending = append(b, ']')
}

// numbers adds a list to the message.
func (c *child) numbers(key string, list []float64) { c.pending = appendNumbers(c.key(key), list) }

func (c *child) key(key string) []byte {
	b := append(c.pending, `,"`...)
	b = append(b, key...)
	return append(b, `":[`...)
}

// appendNumbers writes a list after its opening bracket, as the shortest decimals that give the numbers back.
func appendNumbers(b []byte, list []float64) []byte {
	for i, v := range list {
		b = strconv.AppendFloat(separate(b, i), v, 'g', -1, 64)
	}
	return append(b, ']')
}

func separate(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// A block is numbers as rows of a width, or as rows of several lists of a width.
type block struct {
	key    string
	values []float64
	lists  int // lists in each row, 0: the row itself is one
	width  int
}

// blocks ends the message with blocks of numbers: in a frame, if the child takes frames, or as lists.
func (c *child) blocks(list ...block) {
	n := 0
	for _, b := range list {
		n += len(b.values)
	}
	if c.frames && len(list) > 0 {
		c.pending = append(c.pending, `,"frame":`...)
		c.pending = strconv.AppendInt(c.pending, int64(8*n), 10)
		c.pending = append(c.pending, "}\n"...)
		for _, b := range list {
			for _, v := range b.values {
				c.pending = binary.LittleEndian.AppendUint64(c.pending, math.Float64bits(v))
			}
		}
		return
	}
	for _, l := range list {
		b := c.key(l.key)
		row := max(l.lists, 1) * l.width
		for i := 0; i < len(l.values); i += row {
			b = append(separate(b, i), '[')
			if l.lists == 0 {
				b = appendNumbers(b, l.values[i:i+row])
				continue
			}
			for k := 0; k < row; k += l.width {
				b = appendNumbers(append(separate(b, k), '['), l.values[i+k:i+k+l.width])
			}
			b = append(b, ']')
		}
		c.pending = append(b, ']')
	}
	c.pending = append(c.pending, "}\n"...)
}

// An answer is what a child may answer.
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

// A number is a float64 that is not null: encoding/json would take that for 0.
type number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("%s where a number is due (JSON has no NaN and no infinity)", clip(b))
	}
	*n = number(v)
	return nil
}

// An index is a whole number that is not null.
type index int

// UnmarshalJSON implements json.Unmarshaler.
func (n *index) UnmarshalJSON(b []byte) error {
	v, err := strconv.Atoi(string(b))
	if err != nil {
		return fmt.Errorf("%s where a whole number is due", clip(b))
	}
	*n = index(v)
	return nil
}

// ask sends the message that was begun, with all before it, and returns the answer with its frame. An answer may have so
// many numbers.
func (c *child) ask(kind string, numbers int) (*answer, []float64, error) {
	limit := answerLimit + numbers*numberLimit
	if numbers == stateLimit {
		limit = stateLimit
	}
	line, err := c.transfer(kind, limit)
	if err != nil {
		return nil, nil, err
	}
	a := &c.answer
	a.reset()
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
	return a, floats(frame), err
}

// answeredError begins the cause of a child that answered with an error.
const answeredError = "it answered with an error: "

// check checks what is common to all answers.
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

// otherRequest returns the cause of an answer to another request than the latest, whatever else it holds: an answer to hello has
// fields of other types. It is "" of a line without such an id.
func (c *child) otherRequest(line []byte) string {
	var of struct {
		ID *int `json:"id"`
	}
	if err := json.Unmarshal(line, &of); err != nil || of.ID == nil || *of.ID == c.requests {
		return ""
	}
	return fmt.Sprintf("it answered request %d: an answer is due to the latest, and one only", *of.ID)
}

// nonsense is the failure of an answer that cannot be read.
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

// reset empties an answer and keeps its slices.
func (a *answer) reset() {
	*a = answer{Arms: a.Arms[:0]}
}

// floats returns the numbers of a frame.
func floats(frame []byte) []float64 {
	list := make([]float64, len(frame)/8)
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(frame[8*i:]))
	}
	return list
}
