package logged

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/nearest"
)

// journalTitle is the name of the format that package bandit/agent writes.
const journalTitle = "journal of an agent"

// journalColumns are the first columns of the table as which a journal is read. The columns of the context follow.
var journalColumns = []string{"arm", "reward", "propensity", "id", "arms"}

// newJournal returns the table of the journal at path, whose first line is head.
func newJournal(path, head string, o ReadOptions) (*table, error) {
	var h struct{ Arms, Columns []string }
	if err := json.Unmarshal([]byte(head), &h); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	for _, name := range h.Columns {
		if slices.Contains(journalColumns, name) {
			return nil, fmt.Errorf("the context has a column %s, which is also one of the log: name it otherwise in the agent", name)
		}
	}
	if o.Arms == nil {
		o.Arms = h.Arms
	}
	header := slices.Concat(journalColumns, h.Columns)
	return newTable(journalTitle, path, header, func(in *bufio.Reader) (cells, error) {
		j := &journal{lines: lines{in: in}, names: []byte(head[max(strings.Index(head, `,"arms":`), 0):]), header: header, waiting: map[uint64][]string{}}
		_, err := j.next()
		return j, err
	}, o.or(ReadOptions{Arm: "arm", Reward: "reward", Propensity: "propensity", Available: "arms", Context: h.Columns}))
}

// journal reads the decisions that have a reward, in the order of the rewards. It holds a decision in memory until its
// reward, and leaves out decisions without one.
type journal struct {
	lines
	names    []byte // end of the first line, with the names of the arms and columns
	header   []string
	waiting  map[uint64][]string // cells of decisions without a reward yet, by ID
	rewarded bool                // a reward was read
}

// Read returns the cells of the next decision with a reward.
func (j *journal) Read() ([]string, error) {
	for {
		line, err := j.next()
		switch {
		case err == io.EOF && !j.rewarded && len(j.waiting) > 0:
			return nil, fmt.Errorf("no rows: none of its %d decisions has a reward yet", len(j.waiting))
		case err != nil:
			return nil, err
		}
		cells, err := j.event(line)
		switch {
		case err != nil && line[len(line)-1] != '\n':
			return nil, io.EOF // the writer was killed within the line, before it acknowledged the event
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", j.line, err)
		case cells != nil:
			return cells, nil
		}
	}
}

// event parses a line. For a reward it returns the cells of the decision that it belongs to, for a decision nil.
func (j *journal) event(line []byte) ([]string, error) {
	var e struct {
		ID         uint64
		Context    map[string]any
		Arms       json.RawMessage // names of the available arms; absent: all
		Arm        string
		Propensity float64
		Reward     *float64
	}
	if err := unmarshal(line, &e); err != nil {
		return nil, fmt.Errorf("neither a decision nor a reward: %w", err)
	}
	if bytes.HasPrefix(line, []byte(`{"journal":`)) { // another journal was appended to the first
		if !bytes.HasSuffix(bytes.TrimSpace(line), j.names) {
			return nil, fmt.Errorf("another journal begins, whose arms or columns are not those of the first: want a file for each: %s", bytes.TrimSpace(line))
		}
		clear(j.waiting) // the numbers of decisions begin at 1 again
		return nil, nil
	}
	if e.Reward != nil {
		j.rewarded = true
		cells := j.waiting[e.ID]
		if cells == nil {
			return nil, fmt.Errorf("a reward of decision %d, which no line before has, or which has one", e.ID)
		}
		delete(j.waiting, e.ID)
		cells[1] = strconv.FormatFloat(*e.Reward, 'g', -1, 64)
		return cells, nil
	}
	cells, fields := make([]string, len(j.header)), map[string]string{}
	if cells[0] = e.Arm; e.Propensity > 0 {
		cells[2] = strconv.FormatFloat(e.Propensity, 'g', -1, 64)
	}
	cells[3], cells[4] = strconv.FormatUint(e.ID, 10), string(e.Arms)
	if err := flatten(fields, "", e.Context, ""); err != nil {
		return nil, err
	}
	for name, v := range fields {
		k := slices.Index(j.header, name)
		if k < len(journalColumns) {
			return nil, fmt.Errorf("the context has a %s%s, which the first line does not name", name, nearest.DidYouMean(name, j.header))
		}
		cells[k] = v
	}
	j.waiting[e.ID] = cells
	return nil, nil
}
