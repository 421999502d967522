package results

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"banditsim/internal/pool"
)

// InOrder calls read for each item, in parallel on all processors, and passes the results to add, one at a time and in
// the items' order. It keeps in memory only the results that wait for an earlier item. If read fails for an item, add
// is not called for that item or any later one, and InOrder returns the error.
func InOrder[S, T any](items []S, read func(S) (T, error), add func(S, T)) error {
	var (
		mutex   sync.Mutex
		waiting = make(map[int]T) // results by index of the item
		next    int               // index of the next item to pass to add
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

// Finished returns the records of the trials that did not fail.
func Finished(records []Record) []Record {
	return slices.DeleteFunc(slices.Clone(records), func(rec Record) bool { return rec.Totals.Failure != nil })
}
