package mushroom

import (
	"fmt"
	"io"
	"text/tabwriter"

	"banditsim/datasets"
	"banditsim/internal/words"
)

// Describe writes what a table holds as plain text: the source, the classes and the width of the contexts.
func Describe(w io.Writer, t *Table) error {
	edible := t.Edible()
	share := 100 * float64(edible) / float64(len(t.Rows))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "data\t%s\n", t)
	fmt.Fprintf(tw, "SHA-256\t%s\n", t.SHA256)
	fmt.Fprintf(tw, "edible\t%d (%s)\n", edible, words.Percent(share))
	fmt.Fprintf(tw, "poisonous\t%d (%s)\n", len(t.Rows)-edible, words.Percent(100-share))
	fmt.Fprintf(tw, "one-hot\t%d wide\n", t.oneHotDim())
	fmt.Fprintf(tw, "uniform\tregret %.6g a pull\n", UniformRegret(t))
	fmt.Fprintf(tw, "best constant arm\t%s\n", constantArm(t))
	if t.IsUCI() {
		fmt.Fprintf(tw, "source\t%s\n", Attribution)
	}
	// tabwriter keeps the first error and returns it from Flush.
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("mushroom: describe: %w", err)
	}
	return nil
}

// columns returns the class and the attributes.
func (t *Table) columns() []datasets.Column {
	columns := []datasets.Column{t.column("class", func(r *Row) byte { return r.Class })}
	columns[0].Legend = []datasets.Value{{Value: string(Edible), Name: "edible"}, {Value: string(Poisonous), Name: "poisonous"}}
	for k, a := range schema {
		c := t.column(a.Name, func(r *Row) byte { return r.Values[k] })
		for _, v := range a.Values {
			c.Legend = append(c.Legend, datasets.Value{Value: string(v.Letter), Name: v.Name})
		}
		columns = append(columns, c)
	}
	return columns
}

func (t *Table) column(name string, letter func(*Row) byte) datasets.Column {
	c := datasets.Column{Name: name, Values: make([]string, len(t.Rows))}
	for i := range t.Rows {
		c.Values[i] = string(letter(&t.Rows[i]))
	}
	return c
}

func (t *Table) oneHotDim() int {
	n := 0
	for _, book := range t.books() {
		n += len(book)
	}
	return n
}
