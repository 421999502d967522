package posterior

import "sync"

// A freeList keeps scratch memory for chains that run side by side: as many
// pieces as are in use at once, the one given back last taken first, so that
// chains that run in turn share one that is in the cache.
type freeList[T any] struct {
	make func() T

	mu   sync.Mutex
	free []T
}

// take returns a piece that nobody else has.
func (l *freeList[T]) take() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		piece := l.free[n-1]
		l.free = l.free[:n-1]
		return piece
	}
	return l.make()
}

// give returns a piece.
func (l *freeList[T]) give(piece T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, piece)
}
