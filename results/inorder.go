package results

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"banditsim/internal/pool"
)

// InOrder calls read for each of the items, such as records, on all processors, and add with what it returned, one at
// a time in the items' order. No more is kept in memory than what waits for its turn. After an error of read, add is
// not called for that item and those after it.
func InOrder[S, T any](items []S, read func(S) (T, error), add func(S, T)) error {
	var (
		mutex   sync.Mutex
		waiting = make(map[int]T)
		next    int
	)
	p := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	return p.Run(context.Background(), len(items), func(i int) error {
		v, err := read(items[i])
		if err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		waiting[i] = v
		for v, ok := waiting[next]; ok; v, ok = waiting[next] {
			add(items[next], v)
			delete(waiting, next)
			next++
		}
		return nil
	})
}

// Finished returns the records of the trials that did all their rounds.
func Finished(records []Record) []Record {
	return slices.DeleteFunc(slices.Clone(records), func(rec Record) bool { return rec.Totals.Failure != nil })
}
