package table

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"banditsim/internal/words"
)

func (e *encoding) describe(out io.Writer) error {
	t := e.table
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	header := ""
	switch {
	case t.header:
		header = ", names of columns in the first line"
	case t.format == "csv" || t.format == "tsv":
		header = ", no names of columns"
	}
	fmt.Fprintf(w, "data\t%s, %s\n", words.Count(t.rows, "row"), words.Count(len(t.features), "feature"))
	fmt.Fprintf(w, "format\t%s%s\n", t.format, header)
	fmt.Fprintf(w, "SHA-256\t%s\n", t.sha256)
	if t.target != nil {
		fmt.Fprintf(w, "target\t%s, %d classes\n", words.Plain(t.target.name), len(t.arms))
	} else {
		fmt.Fprintf(w, "rewards\tof %d columns\n", len(t.arms))
	}
	fmt.Fprintf(w, "context\t%d wide\n", e.width)
	fmt.Fprintf(w, "uniform\tregret %.6g a pull\n", e.spec.UniformRegret)
	fmt.Fprintf(w, "best constant arm\t%s\n\n", e.spec.ConstantArm)
	if text := t.costText(); text != "" {
		fmt.Fprintf(w, "%s\n", text)
	}
	fmt.Fprintln(w, "arm\tbest in rows\tshare\tmean reward")
	for a, s := range t.summarize() {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.4g\n", words.Plain(t.arms[a]), s.best, words.Percent(100*float64(s.best)/float64(t.rows)), s.reward)
	}
	fmt.Fprintln(w, "\ncolumn\tkind\tvalues\tmissing\telements")
	for i := range t.features {
		c := &t.features[i]
		kind, values := c.summary()
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\n", words.Plain(c.name), kind, values, c.absent, e.featureWidth(i))
	}
	for _, l := range t.leftOut {
		fmt.Fprintf(w, "%s\tleft out\t%s: environment.%s=%s uses it\n", words.Plain(l.name), l.why, l.option, words.Plain(l.name))
	}
	return w.Flush()
}

// summary returns the kind of the column, and the range of its numbers or the first values of a category.
func (c *column) summary() (kind, values string) {
	if !c.numeric() {
		list, more := c.values[:min(len(c.values), 5)], ""
		if len(c.values) > len(list) {
			more = fmt.Sprintf(", … (%d in all)", len(c.values))
		}
		return "categorical", words.Plain(words.Shorten(strings.Join(list, ", "), 60)) + more
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c.numbers {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	m := c.moments()
	return "numeric", fmt.Sprintf("%.6g to %.6g, mean %.4g, sd %.4g", low, high, m.Mean, m.deviation())
}
