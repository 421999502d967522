//go:build !linux

package kernel

// pages is ordinary memory where this test knows of no other.
type pages struct{}

func (p *pages) alloc(n int) ([]float32, bool) { return make([]float32, n), false }

func (p *pages) reset() {}
