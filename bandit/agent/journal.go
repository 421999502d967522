package agent

import (
	"banditsim/internal/wholefile"
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// A Sync says when what was written is on the disk, should the power fail: SyncAlways, SyncNever, or else at most that long after
// it was acknowledged. A process that is killed loses nothing in any case, as what is acknowledged has been written.
type Sync time.Duration

// The two ends of a Sync.
const (
	SyncAlways Sync = 0
	SyncNever  Sync = -1
)

// A Journal is an agent whose decisions and rewards are written to a file of JSON lines before they are acknowledged. The file is a
// log for 'banditsim evaluate', and what a new process replays. It is safe for concurrent use, by one process at a time.
//
// The first line is the journal's head, with the ID of the agent. A decision and a reward are
//
//	{"id":1,"context":{"age":41,"country":"us"},"arm":"b","propensity":0.31}
//	{"id":1,"reward":1}
type Journal struct {
	agent *Agent
	file  *os.File
	sync  Sync

	lines []byte // what is not written yet; the agent's mutex guards it

	writing sync.Mutex // held by who writes
	size    int64      // bytes of the file that are whole lines
	synced  time.Time
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

// event is a line of a journal: a decision, or a reward.
type event struct {
	ID         uint64   `json:"id"`
	Context    Context  `json:"context,omitempty"`
	Arm        string   `json:"arm,omitempty"`
	Propensity float64  `json:"propensity,omitzero"`
	Reward     *float64 `json:"reward,omitempty"`
}

// A Replay says what OpenJournal found.
type Replay struct {
	Decisions, Rewards int // that the agent had not seen
	Torn               int // bytes of a last line without an end, which were cut off: nobody was told of what it had
}

// OpenJournal opens the journal of an agent, or makes it, and replays what the agent has not seen, by choosing and learning again. A
// journal of another agent, a line that is none, and a choice that differs are errors that name the line; the file is unchanged
// then. The agent is to be used through the journal from now on.
func OpenJournal(a *Agent, path string, s Sync) (j *Journal, replayed Replay, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, replayed, fmt.Errorf("agent: %w", err)
	}
	j = &Journal{agent: a, file: file, sync: s, synced: time.Now()}
	if err = wholefile.Lock(file); errors.Is(err, wholefile.ErrLocked) {
		err = errors.New("another process writes it: end that, or name another file")
	}
	if err == nil {
		err = j.replay(&replayed)
	}
	if err == nil && replayed.Torn > 0 {
		err = file.Truncate(j.size)
	}
	if err == nil {
		_, err = file.Seek(j.size, io.SeekStart)
	}
	if err == nil && j.size == 0 {
		err = j.begin()
	}
	if err != nil {
		file.Close()
		return nil, replayed, fmt.Errorf("agent: journal %s: %w", path, err)
	}
	return j, replayed, nil
}

// begin writes the head.
func (j *Journal) begin() error {
	c := j.agent.config
	h := head{Journal: journalVersion, Agent: j.agent.id, Policy: c.Policy, Arms: c.Arms}
	for _, col := range c.Columns {
		h.Columns = append(h.Columns, col.Name)
	}
	if err := j.append(h); err != nil {
		return err
	}
	return j.Commit()
}

// replay reads the file to its end.
func (j *Journal) replay(found *Replay) error {
	a := j.agent
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, err := a.identify(); err != nil {
		return err
	}
	known := a.chosen + a.learned // events that the agent has seen
	in := bufio.NewReaderSize(j.file, 1<<16)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		switch {
		case err == io.EOF && n == 1 && len(line) == 0 && known > 0:
			return errors.New("it is empty, and the agent has made decisions: want the journal that has them")
		case err == io.EOF && uint64(max(n-2, 0)) < known:
			return fmt.Errorf("it has %d decisions and rewards, the agent has %d: want the agent's own journal", max(n-2, 0), known)
		case err == io.EOF:
			found.Torn = len(line)
			return nil
		case err != nil:
			return err
		}
		switch {
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

func (j *Journal) checkHead(line []byte) error {
	var h head
	if err := json.Unmarshal(line, &h); err != nil || h.Journal == 0 {
		return errors.New("this is no journal of an agent: name another file")
	}
	switch {
	case h.Journal != journalVersion:
		return fmt.Errorf("a journal of version %d, want %d", h.Journal, journalVersion)
	case h.Agent != j.agent.id:
		return fmt.Errorf("the journal is of agent %.12s… (%s), this is %.12s… (%s): name another file", h.Agent, h.Policy, j.agent.id, j.agent.config.Policy)
	}
	return nil
}

// again carries out an event of the file.
func (j *Journal) again(line []byte, found *Replay) error {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("neither a decision nor a reward: %w", err)
	}
	if e.Reward != nil {
		found.Rewards++
		return j.agent.learn(e.ID, *e.Reward)
	}
	found.Decisions++
	c, _, err := j.agent.choose(e.Context)
	if err == nil && (c.ID != e.ID || c.Arm != e.Arm || c.Propensity != e.Propensity) {
		err = fmt.Errorf("the agent chooses %s with %v as decision %d, the line has %s with %v as %d: it was written by another agent or version",
			c.Arm, c.Propensity, c.ID, e.Arm, e.Propensity, e.ID)
	}
	return err
}

// append adds a line to those that are to be written.
func (j *Journal) append(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		j.lines = append(append(j.lines, line...), '\n')
	}
	return err
}

// Choose is Agent.Choose. Acknowledge the choice after Commit.
func (j *Journal) Choose(c Context) (Choice, error) {
	a := j.agent
	a.mutex.Lock()
	defer a.mutex.Unlock()
	choice, _, err := a.choose(c)
	if err != nil {
		return choice, err
	}
	return choice, j.append(event{ID: choice.ID, Context: c, Arm: choice.Arm, Propensity: choice.Propensity})
}

// Learn is Agent.Learn. Acknowledge the reward after Commit.
func (j *Journal) Learn(id uint64, reward float64) error {
	a := j.agent
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if err := a.learn(id, reward); err != nil {
		return err
	}
	return j.append(event{ID: id, Reward: &reward})
}

// Commit returns when all that was chosen and learned before the call is written, and on the disk as Sync says. Calls at the same
// time share a write. After an error, such as a full disk, nothing is lost: the next Commit writes it.
func (j *Journal) Commit() error {
	j.writing.Lock()
	defer j.writing.Unlock()
	a := j.agent
	a.mutex.Lock()
	lines := j.lines
	j.lines = nil
	a.mutex.Unlock()
	if len(lines) == 0 {
		return nil
	}
	if _, err := j.file.WriteAt(lines, j.size); err != nil {
		a.mutex.Lock()
		j.lines = append(slices.Clip(lines), j.lines...)
		a.mutex.Unlock()
		return fmt.Errorf("agent: journal: %w", errors.Join(err, j.file.Truncate(j.size)))
	}
	j.size += int64(len(lines))
	if j.sync == SyncNever || j.sync != SyncAlways && time.Since(j.synced) < time.Duration(j.sync) {
		return nil
	}
	j.synced = time.Now()
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("agent: journal: %w", err)
	}
	return nil
}

// Close writes what is left and closes the file. The agent remains usable without the journal.
func (j *Journal) Close() error {
	err := j.Commit()
	if j.sync != SyncNever {
		err = errors.Join(err, j.file.Sync())
	}
	return errors.Join(err, j.file.Close())
}
