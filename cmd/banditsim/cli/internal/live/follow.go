package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"banditsim/bandit/harness"
	"banditsim/results"
)

// A Look is what there is in a folder at one time.
type Look struct {
	Run    harness.Holder // the run that works in the folder, if AtWork
	AtWork bool
	Idle   bool   // no run works in the folder, nor did at the look before
	State  string // a text that changes when trial files do
}

// Follow calls show with what is in the folder, now and then every so often, until the run that works in it has ended or ctx
// is canceled. A folder in which no run works, or that does not exist yet, waits for one.
func Follow(ctx context.Context, dir string, every time.Duration, show func(Look) error) (ended bool, err error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for seen := false; ; {
		// Before the trials are read: if the run has ended by now, they are complete.
		run, atWork := harness.AtWork(dir)
		if err := show(Look{Run: run, AtWork: atWork, Idle: !seen && !atWork, State: folderState(dir)}); err != nil {
			return false, err
		}
		if seen && !atWork {
			return true, nil
		}
		seen = atWork
		select {
		case <-ctx.Done():
			return false, nil
		case <-ticker.C:
		}
	}
}

// folderState returns a text that changes when trial files do.
func folderState(dir string) string {
	paths, err := results.TrialFiles(dir)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintln(&b, len(paths))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintln(&b, filepath.Base(path), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
