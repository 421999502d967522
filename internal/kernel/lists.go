package kernel

import (
	"math/bits"
	"unsafe"
)

// lists holds the arguments of SumRows, AddRows and ColumnSums for one panel of columns, like product.
type lists struct {
	dense    *float32 // C of SumRows, D of AddRows and ColumnSums
	table    *float32 // W of SumRows, G of AddRows, dst of ColumnSums
	init     *float32 // bias of SumRows
	off, idx *int32
	ld, ldt  int     // leading dimensions of dense and table in bytes
	m        int     // rows of dense; for gatherRows those of table
	last     uint64  // panel.last
	lanes    *int32  // panel.lanes
	bits     *uint64 // transposed lists, only for gatherRows
}

func (t *lists) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// listRows is the number of rows per call.
const listRows = 256

// mostRows is the largest number of rows of G for which lists are transposed.
const mostRows = 256

// transposeLists transposes the lists of at most 64 rows of D: it sets bit i of
// transposed[r] if list i contains row r of G. With transposed lists a row of G is
// loaded and stored once for many additions, which are in the same order. It returns
// false if the lists are too short to make this faster, or if one contains a row twice.
func transposeLists(transposed *[mostRows]uint64, rows int, off, idx []int32) bool {
	if int(off[len(off)-1]-off[0]) < 2*rows {
		return false
	}
	bit := uint64(1)
	for i := range len(off) - 1 {
		for _, r := range idx[off[i]:off[i+1]] {
			transposed[uint8(r)] |= bit
		}
		bit <<= 1
	}
	set := 0
	for _, b := range transposed[:rows] {
		set += bits.OnesCount64(b)
	}
	return set == int(off[len(off)-1]-off[0])
}
