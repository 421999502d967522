package mushroom

import (
	"slices"
	"testing"
)

func encode(t testing.TB, table *Table, e Encoding) *Contexts {
	t.Helper()
	c, err := table.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOneHot(t *testing.T) {
	columns := encode(t, uciTable(t), OneHot).Columns
	for _, tt := range []struct {
		name  string
		table func(testing.TB) *Table
	}{
		{"one row", func(t testing.TB) *Table { return table(t, edibleRow) }},
		{"UCI", uciTable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := tt.table(t)
			c := encode(t, table, OneHot)
			if c.Dim != 117 || !slices.Equal(c.Columns, columns) {
				t.Fatalf("%d wide, want 117; columns %q", c.Dim, c.Columns)
			}
			for i := range table.Rows {
				row := c.Row(i)
				if len(row) != c.Dim {
					t.Fatalf("row %d has %d elements", i, len(row))
				}
				ones := 0
				for j, x := range row {
					if x != 0 && x != 1 {
						t.Fatalf("row %d, column %d: %v", i, j, x)
					}
					if x == 1 {
						// The ones are in the order of the attributes.
						a := &schema[ones]
						v := a.Values[a.Index(table.Rows[i].Values[ones])]
						if want := a.Name + "=" + v.Name; c.Columns[j] != want {
							t.Fatalf("row %d: column %q is 1, want %q", i, c.Columns[j], want)
						}
						ones++
					}
				}
				if ones != numAttributes {
					t.Fatalf("row %d has %d ones, want %d", i, ones, numAttributes)
				}
			}
		})
	}
}

// Letters that are legal but do not occur in the UCI file widen the code book
// at its end.
func TestOneHotWidens(t *testing.T) {
	c := encode(t, table(t, edibleRow, with(edibleRow, "veil-type", "u"), with(edibleRow, "stalk-root", "z")), OneHot)
	if want := []string{"stalk-root=rhizomorphs", "veil-type=universal"}; !slices.Equal(c.Columns[117:], want) {
		t.Fatalf("columns past 117 are %q, want %q", c.Columns[117:], want)
	}
	narrow := encode(t, table(t, edibleRow), OneHot)
	if !slices.Equal(c.Columns[:117], narrow.Columns) || !slices.Equal(c.Row(0)[:117], narrow.Row(0)) {
		t.Error("the first 117 columns have changed")
	}
	for row, want := range [][]float32{{0, 0}, {0, 1}, {1, 0}} {
		if got := c.Row(row)[117:]; !slices.Equal(got, want) {
			t.Errorf("row %d ends in %v, want %v", row, got, want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	c := encode(t, table(t, with(edibleRow, "cap-shape", "f")), Ordinal)
	if c.Dim != 22 || c.Columns[4] != "odor" {
		t.Fatalf("%d wide, columns %q", c.Dim, c.Columns)
	}
	// Places in the schema over the highest one: cap-shape f is 3 of 0…5,
	// population n 2 of 0…5, veil-type p the only one.
	for _, tt := range []struct {
		attribute string
		column    int
		want      float32
	}{
		{"cap-shape", 0, 3. / 5}, {"cap-surface", 1, 1}, {"cap-color", 2, 1}, {"bruises", 3, 0}, {"odor", 4, 0},
		{"gill-attachment", 5, 1}, {"stalk-root", 10, 1. / 4}, {"veil-type", 15, 0}, {"population", 20, 2. / 5}, {"habitat", 21, 0},
	} {
		if got := c.Row(0)[tt.column]; got != tt.want {
			t.Errorf("%s is %v, want %v", tt.attribute, got, tt.want)
		}
	}
	// A letter from outside the UCI file follows those in it.
	c = encode(t, table(t, edibleRow, with(edibleRow, "veil-type", "u")), Ordinal)
	if c.Row(0)[15] != 0 || c.Row(1)[15] != 1 {
		t.Errorf("veil-type p and u are %v and %v, want 0 and 1", c.Row(0)[15], c.Row(1)[15])
	}
}

func TestOrdinalTellsAllValuesApart(t *testing.T) {
	table := uciTable(t)
	c := encode(t, table, Ordinal)
	for a := range schema {
		code := map[byte]float32{}
		letter := map[float32]byte{}
		for i := range table.Rows {
			l, x := table.Rows[i].Values[a], c.Row(i)[a]
			if y, ok := code[l]; ok && y != x {
				t.Fatalf("%s %q is %v and %v", schema[a].Name, l, x, y)
			}
			if k, ok := letter[x]; ok && k != l {
				t.Fatalf("%s: %q and %q are both %v", schema[a].Name, k, l, x)
			}
			if x < 0 || x > 1 {
				t.Fatalf("%s %q is %v", schema[a].Name, l, x)
			}
			code[l], letter[x] = x, l
		}
	}
}

func TestEncodeUnknown(t *testing.T) {
	_, err := table(t, edibleRow).Encode("binary")
	wantError(t, err, `mushroom: encode: unknown encoding "binary", want onehot or ordinal`)
}
