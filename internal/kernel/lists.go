package kernel

import (
	"math/bits"
	"unsafe"
)

// lists holds the arguments of the assembly of SumRows, AddRows and ColumnSums for one panel of columns.
type lists struct {
	dense    *float32 // C of SumRows, D of AddRows and ColumnSums
	table    *float32 // W of SumRows, G of AddRows, dst of ColumnSums
	init     *float32 // bias of SumRows
	off, idx *int32   // lists of SumRows and AddRows
	ld, ldt  int      // leading dimensions of dense and table in bytes
	m        int      // number of rows of dense; for gatherRowsAsm, number of rows of table
	last     uint64   // panel.last
	lanes    *int32   // panel.lanes
	bits     *uint64  // for gatherRowsAsm, the result of transposeLists: bit i of number r says that list i has row r of table
}

func (t *lists) byte() *byte { return (*byte)(unsafe.Pointer(t)) }

// listRows is the largest number of rows of C per call of sumRowsAsm.
const listRows = 256

// mostRows is the largest number of rows of G for which lists are transposed.
const mostRows = 256

// transposeLists transposes the lists of at most 64 rows of D: it sets bit i of transposed[r] if list i contains row r
// of G. The argument rows is the number of rows of G. With transposed lists, AddRows loads and stores each row of G
// only once. In between it adds the rows of D that belong to this row, in ascending order as always. transposeLists
// returns the address of transposed. It returns nil if G has more than mostRows rows, if the lists are too short for
// this to be faster, or if a list contains a row twice.
func transposeLists(transposed *[mostRows]uint64, rows int, off, idx []int32) *uint64 {
	if rows > mostRows || int(off[len(off)-1]-off[0]) < 2*rows {
		return nil
	}
	for i := range len(off) - 1 {
		bit := uint64(1) << i
		for _, r := range idx[off[i]:off[i+1]] {
			transposed[uint8(r)] |= bit
		}
	}
	set := 0
	for _, b := range transposed[:rows] {
		set += bits.OnesCount64(b)
	}
	if set != int(off[len(off)-1]-off[0]) {
		return nil
	}
	return &transposed[0]
}
