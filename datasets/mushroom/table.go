package mushroom

import (
	"fmt"

	"banditsim/internal/words"
)

// The UCI file.
const (
	UCISHA256   = "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e"
	UCIFile     = "agaricus-lepiota.data"
	uciURL      = "https://archive.ics.uci.edu/static/public/73/mushroom.zip"
	Attribution = "Mushroom, UCI Machine Learning Repository, data set 73, doi:10.24432/C5959T, CC BY 4.0"
)

// A Source is the kind of a table's data. It depends on the bytes, not on the path.
type Source string

const (
	SourceUCI     Source = "uci"     // the UCI file, byte for byte
	SourceReplica Source = "replica" // the output of the embedded generator
	SourceFile    Source = "file"    // any other file of the same schema
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
	Source Source
	SHA256 string // SHA-256 of the file's bytes, in hex
	// Path is the source of the bytes, "" for the replica. It differs between machines and does not
	// belong in results.
	Path string
	// Warning is for the user, on stderr and beside results: that these are not the UCI data, why a
	// download failed, that the cache was damaged. It may be "".
	Warning string
}

// Replica reports whether the rows are those of the embedded generator.
func (t *Table) Replica() bool { return t.Source == SourceReplica }

// String describes the data for a caption, without their path.
func (t *Table) String() string {
	rows := words.Count(len(t.Rows), "row")
	switch t.Source {
	case SourceUCI:
		return fmt.Sprintf("UCI Mushroom, %s", rows)
	case SourceReplica:
		return fmt.Sprintf("replica of UCI Mushroom (generated, not the real file), %s", rows)
	default:
		return fmt.Sprintf("own file, not UCI's (SHA-256 %.12s), %s", t.SHA256, rows)
	}
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
