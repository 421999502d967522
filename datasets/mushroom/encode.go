package mushroom

import "fmt"

// An Encoding maps the letters of a row to a vector.
type Encoding string

const (
	// OneHot has an element for each value of each attribute, 1 if the row has the value and
	// else 0: 117 elements.
	OneHot Encoding = "onehot"
	// Ordinal has an element for each attribute, 22 elements: the index of the letter in the
	// attribute's code book over the highest index, in [0, 1]; 0 for an attribute of one value.
	Ordinal Encoding = "ordinal"
)

// Contexts holds the encoded rows of a table. It is read-only and safe for concurrent use:
// environments share it.
//
// The code book has the 117 values that occur in the UCI file, in schema order, whatever rows the
// table has: a column means the same on the file and on a part of it. Another
// file may have one of the nine letters that are legal but do not occur there. Those follow the
// attribute's other letters in Ordinal, and have columns after the 117 in OneHot.
type Contexts struct {
	Table    *Table
	Encoding Encoding
	Dim      int      // elements of a context
	Columns  []string // their names: "odor=foul" (OneHot) or "odor" (Ordinal)
	Groups   []int    // attribute of each column, from 1 (OneHot), or nil (Ordinal)

	data []float32 // len(Table.Rows) × Dim
}

// Row returns the context of a row: Dim elements, read-only.
func (c *Contexts) Row(i int) []float32 { return c.data[i*c.Dim : (i+1)*c.Dim : (i+1)*c.Dim] }

// Encode encodes all rows, 4·Dim bytes each. The result serves all environments over the table.
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
		c.Groups = append(c.Groups, a+1)
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

// books returns the values of each attribute: those of the UCI file, then the others that occur
// in the table.
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
