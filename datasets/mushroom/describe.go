package mushroom

import (
	"fmt"
	"io"
	"text/tabwriter"

	"banditsim/internal/words"
)

// Describe writes what a table holds as plain text: the source, the classes,
// and for every attribute its values with their counts and their share in each
// class. Legal values that do not occur are left out.
func Describe(w io.Writer, t *Table) error {
	edible := t.Edible()
	poisonous := len(t.Rows) - edible
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	// tabwriter keeps the first error and returns it from Flush.
	fmt.Fprintf(tw, "data\t%s\n", t)
	fmt.Fprintf(tw, "SHA-256\t%s\n", t.SHA256)
	fmt.Fprintf(tw, "edible\t%d (%s)\n", edible, percent(edible, len(t.Rows)))
	fmt.Fprintf(tw, "poisonous\t%d (%s)\n", poisonous, percent(poisonous, len(t.Rows)))
	fmt.Fprintf(tw, "one-hot\t%d wide\n", t.oneHotDim())
	switch t.Source {
	case SourceUCI:
		fmt.Fprintf(tw, "source\t%s\n", Attribution)
	case SourceReplica:
		fmt.Fprintf(tw, "fitted to\t%s\n", Attribution)
	}
	fmt.Fprintln(tw)
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("mushroom: describe: %w", err)
	}

	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "attribute\tvalue\tname\trows\tof edible\tof poisonous")
	for a := range schema {
		name := schema[a].Name
		for _, v := range schema[a].Values {
			e, p := t.count(a, v.Letter)
			if e+p == 0 {
				continue
			}
			fmt.Fprintf(tw, "%s\t%c\t%s\t%d\t%s\t%s\n", name, v.Letter, v.Name, e+p, percent(e, edible), percent(p, poisonous))
			name = "" // once an attribute
		}
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("mushroom: describe: %w", err)
	}
	return nil
}

// count returns how many edible and poisonous rows have a letter.
func (t *Table) count(attribute int, letter byte) (edible, poisonous int) {
	for i := range t.Rows {
		if t.Rows[i].Values[attribute] != letter {
			continue
		}
		if t.Rows[i].Edible() {
			edible++
		} else {
			poisonous++
		}
	}
	return edible, poisonous
}

func (t *Table) oneHotDim() int {
	n := 0
	for _, book := range t.books() {
		n += len(book)
	}
	return n
}

// percent writes n of total, '-' of nothing.
func percent(n, total int) string {
	if total == 0 {
		return "-"
	}
	return words.Percent(100 * float64(n) / float64(total))
}
