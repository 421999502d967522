package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/internal/wholefile"
)

// A Sync says when a journal is synced to the disk: at each Commit (SyncAlways), only at Close (SyncNever) or, if it is
// positive, at most that duration after a Commit. Only a power failure can lose lines that are not synced. A process
// that is killed loses none, because Commit has written them.
type Sync time.Duration

// The values of Sync that are not positive.
const (
	SyncAlways Sync = 0
	SyncNever  Sync = -1
)

// A Journal is an agent whose decisions and rewards are written to a file before they are acknowledged. A new process
// replays the file to restore the agent; 'banditsim evaluate' reads the file as a log. A Journal is safe for concurrent
// use; only one process at a time can open the file.
//
// The file consists of lines of JSON. The first is the head, which has the ID of the agent. Examples of the others:
//
//	{"id":1,"context":{"age":41,"country":"us"},"arm":"b","propensity":0.31}
//	{"id":1,"reward":1}
type Journal struct {
	agent *Agent
	file  *os.File
	sync  Sync

	lines []byte // complete lines that are not written yet; guarded by the agent's mutex

	writing sync.Mutex // held during Commit; guards the fields below
	size    int64      // bytes of the file, all of them complete lines
	waits   bool       // a timer runs that will call syncNow
	failed  error      // error of syncNow, which the next Commit returns
}

// head is the first line of a journal.
type head struct {
	Journal int      `json:"journal"` // version of the format
	Agent   string   `json:"agent"`
	Policy  string   `json:"policy"`
	Arms    []string `json:"arms"`
	Columns []string `json:"columns"`
}

const journalVersion = 1

var errNoJournal = errors.New("this is no journal of an agent: name another file")

// event is a line of a journal after the head: a reward if Reward is not nil, else a decision.
type event struct {
	ID         uint64   `json:"id"`
	Context    Context  `json:"context,omitempty"`
	Arms       []string `json:"arms,omitempty"` // the available arms; empty: all
	Arm        string   `json:"arm,omitempty"`
	Propensity float64  `json:"propensity,omitzero"`
	Reward     *float64 `json:"reward,omitempty"`
}

// A Replay reports what OpenJournal found in a journal.
type Replay struct {
	Decisions, Rewards int // numbers of decisions and rewards that were replayed, because the agent did not have them
	Torn               int // length in bytes of an incomplete last line, which was removed; no Commit of it had succeeded
}

// OpenJournal opens the journal of an agent, or creates it. It replays the lines that the agent does not have yet: the
// agent chooses and learns again. If the journal belongs to another agent, or a line is invalid, or the agent does not
// choose the arm in a line, OpenJournal returns an error that names the line, and leaves the file as it is. The agent
// may then have replayed earlier lines. After OpenJournal, the agent must be used only through the journal.
func OpenJournal(a *Agent, path string, s Sync) (j *Journal, replayed Replay, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, replayed, fmt.Errorf("agent: %w", err)
	}
	j = &Journal{agent: a, file: file, sync: s}
	if err = wholefile.Lock(file); errors.Is(err, wholefile.ErrLocked) {
		err = errors.New("another process writes it: end that, or name another file")
	}
	if info, wrong := file.Stat(); wrong == nil && !info.Mode().IsRegular() { // reading it might never end
		err = errors.New("it is not a regular file: name another")
	}
	if err == nil {
		err = j.replay(&replayed)
	}
	if err == nil && replayed.Torn > 0 {
		err = file.Truncate(j.size)
	}
	if err == nil && j.size == 0 { // a new journal begins with the head
		columns := lists.Each(a.config.Columns, func(col bandit.Column) string { return col.Name })
		err = errors.Join(j.append(head{journalVersion, a.id, a.config.Policy, a.config.Arms, columns}), j.Commit())
	}
	if err != nil {
		file.Close()
		return nil, replayed, fmt.Errorf("agent: journal %s: %w", path, err)
	}
	return j, replayed, nil
}

// replay reads the file and replays the lines that the agent does not have. It counts them in found, and sets j.size.
func (j *Journal) replay(found *Replay) error {
	a := j.agent
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, err := a.identify(); err != nil {
		return err
	}
	known := a.chosen + a.learned // number of events that the agent already has
	in := bufio.NewReaderSize(j.file, 1<<16)
	begins := fmt.Appendf(nil, `{"journal":%d,"agent":"%s"`, journalVersion, a.id)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		switch {
		case err == io.EOF && n == 1 && !bytes.HasPrefix(begins, line) && !bytes.HasPrefix(line, begins):
			return errNoJournal // not even the beginning of a head, which a process that was killed may have left
		case err == io.EOF && uint64(max(n-2, 0)) < known:
			return fmt.Errorf("it has %d decisions and rewards, the agent has %d: want the agent's own journal", max(n-2, 0), known)
		case err == io.EOF:
			found.Torn = len(line)
			return nil
		case err != nil:
			return err
		case n == 1:
			err = j.checkHead(line)
		case uint64(n-2) >= known:
			err = j.again(line, found)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		j.size += int64(len(line))
	}
}

// checkHead returns an error unless the first line is the head of a journal of this agent.
func (j *Journal) checkHead(line []byte) error {
	var h head
	if err := json.Unmarshal(line, &h); err != nil || h.Journal == 0 {
		return errNoJournal
	}
	switch {
	case h.Journal != journalVersion:
		return fmt.Errorf("a journal of version %d, want %d", h.Journal, journalVersion)
	case h.Agent != j.agent.id:
		return fmt.Errorf("the journal is of agent %.12s… (%s), this is %.12s… (%s): name another file", h.Agent, h.Policy, j.agent.id, j.agent.config.Policy)
	}
	return nil
}

// again replays the event in line and counts it in found. If it is a decision, the agent must choose the same again.
func (j *Journal) again(line []byte, found *Replay) error {
	var e event
	err := json.Unmarshal(line, &e)
	if err == nil && e.Reward == nil && e.Arm == "" {
		err = errors.New("it has no arm: are two files joined here?")
	}
	if err != nil {
		return fmt.Errorf("neither a decision nor a reward: %w", err)
	}
	if e.Reward != nil {
		found.Rewards++
		before := j.agent.learned
		if err := j.agent.learn(e.ID, *e.Reward); j.agent.learned == before {
			return err
		}
		return nil // even if the training after the reward failed: it failed, too, when the line was written
	}
	found.Decisions++
	c, err := j.agent.choose(e.Context, e.Arms)
	if err == nil && (c.ID != e.ID || c.Arm != e.Arm || c.Propensity != e.Propensity) {
		err = fmt.Errorf("the agent chooses %s with %v as decision %d, the line has %s with %v as %d: it, or a line before it, is of another agent or version, or was changed",
			c.Arm, c.Propensity, c.ID, e.Arm, e.Propensity, e.ID)
	}
	return err
}

// append adds v, as a line of JSON, to the lines that the next Commit writes.
func (j *Journal) append(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		j.lines = append(append(j.lines, line...), '\n')
	}
	return err
}

// Choose is Agent.Choose. The caller must call Commit before it acts on the choice.
func (j *Journal) Choose(c Context, among ...string) (Choice, error) {
	a := j.agent
	a.mutex.Lock()
	defer a.mutex.Unlock()
	choice, err := a.choose(c, among)
	if err != nil {
		return choice, err
	}
	c = maps.Clone(c)
	for _, col := range a.config.Columns {
		switch v := c[col.Name]; { // so that replay reads the same value: JSON rounds ints above 2⁵³ and refuses NaN and the json.Number +1
		case v == nil:
		case col.Values == nil:
			c[col.Name], _ = number(v) // choose has converted v without an error
		default:
			c[col.Name] = category(v)
		}
	}
	return choice, j.append(event{ID: choice.ID, Context: c, Arms: among, Arm: choice.Arm, Propensity: choice.Propensity})
}

// Learn is Agent.Learn. The caller must call Commit before it acknowledges the reward.
func (j *Journal) Learn(id uint64, reward float64) error {
	a := j.agent
	a.mutex.Lock()
	defer a.mutex.Unlock()
	before := a.learned
	err := a.learn(id, reward)
	if a.learned > before { // the reward is learned, even if err is that of the training after it
		err = errors.Join(err, j.append(event{ID: id, Reward: &reward}))
	}
	return err
}

// Commit writes the decisions and rewards of all earlier calls to the file, and syncs the file according to Sync.
// Concurrent calls may share one write. After a failed write, as on a full disk, the next Commit tries again.
func (j *Journal) Commit() (err error) {
	defer prefix(&err, "agent: journal")
	j.writing.Lock()
	defer j.writing.Unlock()
	a := j.agent
	a.mutex.Lock()
	lines := j.lines
	j.lines = nil
	a.mutex.Unlock()
	err, j.failed = j.failed, nil
	if len(lines) == 0 {
		return err
	}
	if _, wrong := j.file.WriteAt(lines, j.size); wrong != nil {
		a.mutex.Lock()
		j.lines = append(slices.Clip(lines), j.lines...)
		a.mutex.Unlock()
		return errors.Join(err, wrong, j.file.Truncate(j.size))
	}
	j.size += int64(len(lines))
	switch {
	case j.sync == SyncAlways:
		return errors.Join(err, j.file.Sync())
	case j.sync > 0 && !j.waits:
		j.waits = true
		time.AfterFunc(time.Duration(j.sync), j.syncNow)
	}
	return err
}

// syncNow syncs the file, whether or not another Commit comes.
func (j *Journal) syncNow() {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.waits, j.failed = false, j.file.Sync()
}

// Close commits, syncs and closes the file. It syncs even with SyncNever, because an agent that is saved after Close
// must not have more decisions than the file. After Close, the agent can be used without the journal.
func (j *Journal) Close() error {
	return errors.Join(j.Commit(), j.file.Sync(), j.file.Close())
}
