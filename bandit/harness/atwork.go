package harness

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
)

// AtWork returns who works in an output folder at this moment, by what its lock file
// says. The lock itself is left alone: to try it could keep a run from beginning. A
// process of this machine that has ended without a word, as if killed, does not
// count; those of others are believed, as nobody here can tell.
func AtWork(dir string) (Holder, bool) {
	f, err := os.Open(filepath.Join(dir, lockFile))
	if err != nil {
		return Holder{}, false
	}
	defer f.Close()
	var h Holder
	b, err := io.ReadAll(io.LimitReader(f, maxHolder))
	if err != nil || json.Unmarshal(b, &h) != nil || h.PID <= 0 {
		return Holder{}, false // it has ended, and said so, or is about to begin
	}
	if host, err := os.Hostname(); err == nil && host == h.Host && !alive(h.PID) {
		return Holder{}, false
	}
	return h, true
}
