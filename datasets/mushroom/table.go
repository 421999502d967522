package mushroom

import (
	"fmt"

	"banditsim/internal/words"
)

// The UCI file.
const (
	UCISHA256   = "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e"
	UCIFile     = "agaricus-lepiota.data"
	Attribution = "Mushroom, UCI Machine Learning Repository, data set 73, doi:10.24432/C5959T, CC BY 4.0"
)

// A Row is a mushroom: its class and the letters of its attributes.
type Row struct {
	Class  byte
	Values [numAttributes]byte
}

// Edible reports whether the mushroom is edible.
func (r *Row) Edible() bool { return r.Class == Edible }

// A Table is a checked file: at least one row, known letters only. It is read-only and safe for
// concurrent use.
type Table struct {
	Rows   []Row
	SHA256 string // SHA-256 of the file's bytes, in hex
}

// IsUCI reports whether the rows are those of the UCI file, byte for byte.
func (t *Table) IsUCI() bool { return t.SHA256 == UCISHA256 }

// String describes the data for a caption.
func (t *Table) String() string {
	rows := words.Count(len(t.Rows), "row")
	if t.IsUCI() {
		return fmt.Sprintf("UCI Mushroom, %s", rows)
	}
	return fmt.Sprintf("own file, not UCI's (SHA-256 %.12s), %s", t.SHA256, rows)
}

// Edible returns the number of edible rows.
func (t *Table) Edible() int {
	n := 0
	for i := range t.Rows {
		if t.Rows[i].Edible() {
			n++
		}
	}
	return n
}
