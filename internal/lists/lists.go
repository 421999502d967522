// Package lists complements the standard library's package slices.
package lists

import "sync"

// Each returns f(v) for each element v of a list; nil if the list is empty.
func Each[T, U any](list []T, f func(T) U) (all []U) {
	for _, v := range list {
		all = append(all, f(v))
	}
	return all
}

// Free holds pieces of memory for reuse by concurrent goroutines. It makes as many pieces as are in use at the same
// time. The piece that was returned last is taken first, as it is most likely still in the cache.
type Free[T any] struct {
	Make func() T // returns a new piece

	mu   sync.Mutex
	free []T
}

// Take returns a piece that nobody else has.
func (f *Free[T]) Take() T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.free); n > 0 {
		piece := f.free[n-1]
		f.free = f.free[:n-1]
		return piece
	}
	return f.Make()
}

// Give returns a piece to the list.
func (f *Free[T]) Give(piece T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free = append(f.free, piece)
}
