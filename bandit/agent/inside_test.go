package agent

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"banditsim/bandit"
	"banditsim/internal/must"
)

// TestSyncWithoutCommit checks that a journal is synced in time if no other Commit comes.
func TestSyncWithoutCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := must.Get(New(Config{Policy: "Uniform", Arms: []string{"a", "b"}, Columns: bandit.NumberColumns(1)}))(t)
		j, _, err := OpenJournal(a, filepath.Join(t.TempDir(), "log.jsonl"), Sync(time.Minute))
		must.OK(t, err)
		waits := func() bool {
			j.writing.Lock()
			defer j.writing.Unlock()
			return j.waits
		}
		planned := waits()
		time.Sleep(time.Minute)
		synctest.Wait()
		must.That(t, planned && !waits(), "not synced after a minute")
		must.OK(t, j.Close())
	})
}
