package replica_test

import (
	"math/bits"

	"banditsim/datasets/mushroom"
)

// A bitRow is a one-hot row in three words: rows differ in half as many
// attributes as bits.
type bitRow [3]uint64

func bitRows(t *mushroom.Table) []bitRow {
	rows := make([]bitRow, len(t.Rows))
	for i := range t.Rows {
		bit := 0
		for a, attribute := range mushroom.Schema() {
			b := bit + attribute.Index(t.Rows[i].Values[a])
			rows[i][b/64] |= 1 << (b % 64)
			bit += len(attribute.Values)
		}
	}
	return rows
}

func (r bitRow) distance(s bitRow) int {
	d := 0
	for i := range r {
		d += bits.OnesCount64(r[i] ^ s[i])
	}
	return d / 2
}

// nearestNeighbor returns the share of test rows whose nearest training rows by
// Hamming distance, all of them, are of their class. Where both tables are the
// same a row is not its own neighbor.
func nearestNeighbor(train, test *mushroom.Table) float64 {
	from, to := bitRows(train), bitRows(test)
	right := 0
	for i := range to {
		least, ok := 1<<30, false
		for j := range from {
			if train == test && i == j {
				continue
			}
			same := train.Rows[j].Class == test.Rows[i].Class
			switch d := to[i].distance(from[j]); {
			case d < least:
				least, ok = d, same
			case d == least:
				ok = ok && same
			}
		}
		if ok {
			right++
		}
	}
	return float64(right) / float64(len(to))
}

// odorRule returns the accuracy of the commoner class of each odor, the best
// rule of one attribute.
func odorRule(t *mushroom.Table) float64 {
	const odor = 4
	var count [256][2]int
	for i := range t.Rows {
		class := 0
		if t.Rows[i].Edible() {
			class = 1
		}
		count[t.Rows[i].Values[odor]][class]++
	}
	right := 0
	for _, c := range count {
		right += max(c[0], c[1])
	}
	return float64(right) / float64(len(t.Rows))
}

// repeated returns how many rows equal an earlier one.
func repeated(t *mushroom.Table) int {
	seen := map[mushroom.Row]bool{}
	for _, r := range t.Rows {
		seen[r] = true
	}
	return len(t.Rows) - len(seen)
}

// common returns how many rows of t occur in other, the class included.
func common(t, other *mushroom.Table) int {
	seen := map[mushroom.Row]bool{}
	for _, r := range other.Rows {
		seen[r] = true
	}
	n := 0
	for _, r := range t.Rows {
		if seen[r] {
			n++
		}
	}
	return n
}
