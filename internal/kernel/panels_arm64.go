//go:build arm64 && !noasm

package kernel

// supported reports whether this processor runs the named kernel. All arm64
// processors that Go supports have NEON.
func supported(name string) bool { return name == "neon" }

// lanes returns the number of float32s in a vector.
func lanes() int { return 4 }

// wideLanes returns how many lanes the functions that find zeros and the
// generator of normals work on at once.
func wideLanes() int { return 16 }

// packTables reports whether sums of rows are faster from a packed copy of the
// table.
func packTables() bool { return false }

// nearCache is the size in bytes of the cache that a block of B should stay in.
func nearCache() int { return 24 << 10 }

// peakChains is the number of vectors in a round of peakAsm.
const peakChains = 24

// narrowest is the least number of columns of sums and of products that leave
// out zeros: the last vector of a panel ends with the last column.
const narrowest = 4

// evenPanel returns the next of the panels of at most so many vectors into which
// the columns that are left are split evenly. So no panel is narrow unless all
// columns are few.
func evenPanel(left, most int) panel {
	vectors := (left + 3) / 4
	panels := (vectors + most - 1) / most
	columns := min(left, 4*((vectors+panels-1)/panels))
	return panel{columns: columns, number: (columns - 1) / 4, last: uint64(4 * (columns - 4))}
}

func productPanel(_, left int) panel {
	if left < 4 {
		return panel{columns: left, number: 5 + left}
	}
	return evenPanel(left, 6)
}

func skipPanel(_, left int) panel { return evenPanel(left, 26) }

func listPanel(_, left, _ int) panel { return evenPanel(left, 26) }
