package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// lockFile is the file in an output folder that a run locks. It is never removed.
const lockFile = ".lock"

// A Holder is the run that holds the lock of an output folder.
type Holder struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Started time.Time `json:"started"`
	Command []string  `json:"command"`
}

// A LockedError reports that another run works in the output folder.
type LockedError struct {
	Dir    string
	Holder Holder // the zero value if it could not be read
}

func (e *LockedError) Error() string {
	who := "another process"
	if h := e.Holder; h.PID != 0 {
		who = fmt.Sprintf("process %d on %s since %s", h.PID, words.Plain(h.Host), h.Started.Format(time.DateTime))
		if len(h.Command) > 0 {
			who += fmt.Sprintf(" (%s)", words.Plain(strings.Join(h.Command, " ")))
		}
	}
	return fmt.Sprintf("%s is in use by %s: wait until it has ended, or choose another output folder; shards that run at once need a folder each", e.Dir, who)
}

// maxHolder is how many bytes of a lock file are read.
const maxHolder = 1 << 20

// Lock locks an existing output folder for one run and writes the Holder to the lock file. The operating system
// releases the lock, however the process ends. If a lock file is not locked, the Holder in it is out of date. Whether
// machines that share a folder see each other's locks depends on the file system.
func Lock(dir string, started time.Time, command []string) (unlock func(), err error) {
	path := filepath.Join(dir, lockFile)
	// A link must not be followed, because the file that it leads to would be truncated.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("harness: lock the output folder: %s is not a regular file: delete it, or choose another output folder", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("harness: lock the output folder: %w", err)
	}
	err = wholefile.Lock(f)
	holder, ok := readHolder(f)
	// If there is no Holder, the run that has the lock may not have written it yet. Or the run has ended, and a child
	// process that it was just starting still has the file open.
	for try := 0; errors.Is(err, wholefile.ErrLocked) && !ok && try < 50; try++ {
		time.Sleep(10 * time.Millisecond)
		err = wholefile.Lock(f)
		holder, ok = readHolder(f)
	}
	switch {
	case errors.Is(err, wholefile.ErrLocked):
		f.Close()
		return nil, &LockedError{dir, holder}
	case err != nil:
		f.Close()
		return nil, fmt.Errorf("harness: lock the output folder: %s: %w: want a folder on a file system with locks", path, err)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	b, err := json.Marshal(Holder{PID: os.Getpid(), Host: host, Started: started, Command: command})
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.WriteAt(append(b, '\n'), 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("harness: lock the output folder: %w", err)
	}
	return func() {
		f.Truncate(0) // AtWork then finds no Holder; an error does no harm, since only the lock counts
		f.Close()     // unlocks
	}, nil
}

// readHolder reads a lock file. ok is false if the file is empty or incomplete.
func readHolder(f io.ReaderAt) (h Holder, ok bool) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, maxHolder))
	ok = err == nil && json.Unmarshal(b, &h) == nil
	return h, ok
}
