package kernel

import (
	"syscall"
	"unsafe"
)

// pages allocates memory that ends at a page without access. It reuses a few regions.
type pages struct {
	regions [][]byte
	used    int
}

const regionSize = 256 << 10 // a multiple of all page sizes

// alloc returns n elements and reports whether they end at a protected page.
func (p *pages) alloc(n int) ([]float32, bool) {
	if 4*n > regionSize {
		return make([]float32, n), false
	}
	if p.used == len(p.regions) {
		m, err := syscall.Mmap(-1, 0, regionSize+syscall.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
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
