package kernel

import (
	"syscall"
	"unsafe"
)

// pages gives out memory that ends at a page without access. It has a few
// regions and hands them out in turn.
type pages struct {
	regions [][]byte
	used    int
}

const (
	pageSize   = 4096
	regionSize = 64 * pageSize
)

// alloc returns n elements, and whether they end at a protected page.
func (p *pages) alloc(n int) ([]float32, bool) {
	if 4*n > regionSize {
		return make([]float32, n), false
	}
	if p.used == len(p.regions) {
		m, err := syscall.Mmap(-1, 0, regionSize+pageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return make([]float32, n), false
		}
		if err := syscall.Mprotect(m[regionSize:], syscall.PROT_NONE); err != nil {
			panic(err)
		}
		p.regions = append(p.regions, m)
	}
	m := p.regions[p.used][:regionSize]
	p.used++
	whole := unsafe.Slice((*float32)(unsafe.Pointer(&m[0])), regionSize/4)
	return whole[len(whole)-n:], true
}

func (p *pages) reset() { p.used = 0 }
