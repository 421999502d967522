// Package freelist keeps scratch memory for goroutines that run side by side.
package freelist

import "sync"

// A List holds pieces of memory for reuse. It makes as many as are in use at once. The piece that was returned last
// is taken first, as it is most likely still in the cache.
type List[T any] struct {
	Make func() T // returns a new piece

	mu   sync.Mutex
	free []T
}

// Take returns a piece that nobody else has.
func (l *List[T]) Take() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		piece := l.free[n-1]
		l.free = l.free[:n-1]
		return piece
	}
	return l.Make()
}

// Give returns a piece to the list.
func (l *List[T]) Give(piece T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, piece)
}
