package mushroom

import "fmt"

// An Encoding turns the letters of a row into a vector.
type Encoding string

const (
	// OneHot has an element for every value of every attribute, 1 where the row
	// has it and else 0: 117 wide.
	OneHot Encoding = "onehot"
	// Ordinal has an element for every attribute, 22 wide: the place of the
	// letter in the attribute's code book over the highest place, in [0, 1];
	// 0 for an attribute of one value.
	Ordinal Encoding = "ordinal"
)

// Contexts are the encoded rows of a table. They are not changed after they
// were made: environments share them, in goroutines too.
//
// The code book is made of the 117 values that occur in the UCI file, in schema
// order, whatever rows the table has: a column means the same on the file, on
// the replica and on a part of either. A file of one's own may have letters that
// are legal but do not occur there (nine are). They are not lost: those that
// occur follow the attribute's others in Ordinal, and get columns of their own
// after the 117 in OneHot.
type Contexts struct {
	Table    *Table
	Encoding Encoding
	Dim      int      // elements a context
	Columns  []string // their names: "odor=foul" (OneHot) or "odor" (Ordinal)

	data []float32 // len(Table.Rows) × Dim
}

// Row returns the context of a row: Dim elements, not to be written to.
func (c *Contexts) Row(i int) []float32 { return c.data[i*c.Dim : (i+1)*c.Dim : (i+1)*c.Dim] }

// Encode encodes all rows. It costs 4·Dim bytes a row; do it once for all the
// environments over a table.
func (t *Table) Encode(e Encoding) (*Contexts, error) {
	switch e {
	case OneHot:
		return t.oneHot(), nil
	case Ordinal:
		return t.ordinal(), nil
	}
	return nil, fmt.Errorf("mushroom: encode: unknown encoding %q, want %s or %s", e, OneHot, Ordinal)
}

func (t *Table) oneHot() *Contexts {
	c := &Contexts{Table: t, Encoding: OneHot}
	books := t.books()
	var column [numAttributes][256]int // attribute, letter → column
	add := func(a int, v Value) {
		column[a][v.Letter] = len(c.Columns)
		c.Columns = append(c.Columns, schema[a].Name+"="+v.Name)
	}
	for a := range books {
		for _, v := range books[a][:schema[a].InUCI] {
			add(a, v)
		}
	}
	for a := range books {
		for _, v := range books[a][schema[a].InUCI:] {
			add(a, v)
		}
	}
	c.Dim = len(c.Columns)
	c.data = make([]float32, len(t.Rows)*c.Dim)
	for i := range t.Rows {
		row := c.Row(i)
		for a, letter := range t.Rows[i].Values {
			row[column[a][letter]] = 1
		}
	}
	return c
}

func (t *Table) ordinal() *Contexts {
	c := &Contexts{Table: t, Encoding: Ordinal, Dim: numAttributes}
	var code [numAttributes][256]float32
	for a, book := range t.books() {
		c.Columns = append(c.Columns, schema[a].Name)
		for i, v := range book {
			if len(book) > 1 {
				code[a][v.Letter] = float32(i) / float32(len(book)-1)
			}
		}
	}
	c.data = make([]float32, len(t.Rows)*c.Dim)
	for i := range t.Rows {
		row := c.Row(i)
		for a, letter := range t.Rows[i].Values {
			row[a] = code[a][letter]
		}
	}
	return c
}

// books returns every attribute's values: those of the UCI file, then the
// others that occur in the table.
func (t *Table) books() [numAttributes][]Value {
	var seen [numAttributes][256]bool
	for i := range t.Rows {
		for a, letter := range t.Rows[i].Values {
			seen[a][letter] = true
		}
	}
	var books [numAttributes][]Value
	for a := range schema {
		for i, v := range schema[a].Values {
			if i < schema[a].InUCI || seen[a][v.Letter] {
				books[a] = append(books[a], v)
			}
		}
	}
	return books
}
