package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"banditsim/internal/nearest"
	"banditsim/internal/words"
)

// Costs is a matrix of the cost of each arm for each class. In JSON it is an array of numbers, an object
// {"class": {"arm": cost}} or a string, the path of a CSV file. An array whose only element is an object or a string
// means that element. The zero value is no matrix.
type Costs struct {
	flat  []float64 // the costs of all arms for the first class, then for the second, and so on
	named []namedCost
	json  json.RawMessage // named costs as they were given
	file  string
}

type namedCost struct {
	class, arm string
	cost       float64
	at         string // place of a cost in a CSV file, as "FILE:LINE:COLUMN: "; else ""
}

// IsZero reports whether there is no matrix.
func (c Costs) IsZero() bool { return len(c.flat) == 0 && c.named == nil && c.file == "" }

// MarshalJSON encodes the matrix in the form in which it was given.
func (c Costs) MarshalJSON() ([]byte, error) {
	switch {
	case c.file != "":
		return json.Marshal(c.file)
	case c.named != nil:
		return c.json, nil
	}
	return json.Marshal(append([]float64{}, c.flat...))
}

// UnmarshalJSON decodes any of the forms of Costs.
func (c *Costs) UnmarshalJSON(b []byte) error {
	*c = Costs{}
	var list []json.RawMessage
	if b = bytes.TrimSpace(b); json.Unmarshal(b, &list) == nil && len(list) == 1 {
		if item := bytes.TrimSpace(list[0]); item[0] == '{' || item[0] == '"' {
			b = item
		}
	}
	switch b[0] {
	case '"':
		return json.Unmarshal(b, &c.file)
	case '[':
		if json.Unmarshal(b, &c.flat) == nil {
			return nil
		}
	case '{':
		c.named, c.json = []namedCost{}, slices.Clone(b)
		return eachMember(b, func(class string, arms json.RawMessage) error {
			if arms[0] != '{' {
				return fmt.Errorf("costs: class %s has %s, want the cost of each arm: {arm: cost}", quote(class), arms)
			}
			return eachMember(arms, func(arm string, cost json.RawMessage) error {
				n := namedCost{class: class, arm: arm}
				if json.Unmarshal(cost, &n.cost) != nil {
					return fmt.Errorf("costs: class %s, arm %s: %s is not a number", quote(class), quote(arm), cost)
				}
				c.named = append(c.named, n)
				return nil
			})
		})
	}
	return errors.New("costs are numbers, {class: {arm: cost}}, or the name of a CSV file")
}

// eachMember calls f for each member of a JSON object. Two members with the same name are an error.
func eachMember(b []byte, f func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.Token() // the opening brace; b is valid JSON
	seen := map[string]bool{}
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if seen[name.(string)] {
			return fmt.Errorf("costs: %s occurs twice", quote(name.(string)))
		}
		seen[name.(string)] = true
		if err := f(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// JSONSchema returns the schema of the three forms.
func (Costs) JSONSchema() map[string]any {
	number := map[string]any{"type": "number"}
	arms := map[string]any{"type": "object", "additionalProperties": number}
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "array", "items": number},
		map[string]any{"type": "object", "additionalProperties": arms},
		map[string]any{"type": "string"},
	}}
}

// read returns the costs in the CSV file that c names, or c itself if it names none. The first line of the file has the
// names of the arms after its first cell; each other line has the name of a class and its costs.
func (c Costs) read(ctx context.Context) (Costs, error) {
	if c.file == "" {
		return c, nil
	}
	text, err := readFile(ctx, c.file, "want the path of a CSV file, or the costs themselves")
	if err == nil {
		text, err = checkText(c.file, text)
	}
	if err != nil {
		return c, fmt.Errorf("costs: %w", err)
	}
	var arms []cell
	read := Costs{named: []namedCost{}}
	for cells, err := range readCSV(c.file, text, findSeparator(text)) {
		if err != nil {
			return c, fmt.Errorf("costs: %w", err)
		}
		if arms == nil {
			arms = slices.Clone(cells)
			continue
		}
		if len(read.named) > maxArms*maxArms {
			return c, fmt.Errorf("costs: %s has more than %d classes or arms", c.file, maxArms)
		}
		for i, cell := range cells[1:] {
			v, ok := parseNumber(cell.text)
			if !ok {
				return c, fmt.Errorf("costs: %w", at(c.file, cell.line, cell.column, "class %s, arm %s: %s is not a number such as 5.5", quote(cells[0].text), quote(arms[i+1].text), quote(cell.text)))
			}
			read.named = append(read.named, namedCost{strings.Clone(cells[0].text), arms[i+1].text, v, fmt.Sprintf("%s:%d:%d: ", c.file, cell.line, cell.column)})
		}
	}
	if len(read.named) == 0 {
		return c, fmt.Errorf("costs: %s has no costs: want a line with the names of the arms, and a line for each class with its name and its costs", c.file)
	}
	return read, nil
}

func (c Costs) validate() error {
	const most = 1e12
	for i, v := range c.flat {
		if !(math.Abs(v) <= most) {
			return fmt.Errorf("costs: number %d is %g, want −1e12 to 1e12", i+1, v)
		}
	}
	for _, n := range c.named {
		if !(math.Abs(n.cost) <= most) {
			return fmt.Errorf("costs: %sclass %s, arm %s: %g, want −1e12 to 1e12", n.at, quote(n.class), quote(n.arm), n.cost)
		}
	}
	return nil
}

// inOrder returns the matrix as numbers: for each class the costs of all arms, both in the order of classes.
func (c Costs) inOrder(classes []string) (Costs, error) {
	n := len(classes)
	if c.named == nil {
		if len(c.flat) != n*n {
			return c, fmt.Errorf("costs: %d numbers, want %d: %d classes, %s, with the costs of the %[3]d arms each; or name them: {class: {arm: cost}}", len(c.flat), n*n, n, some(classes))
		}
		return c, nil
	}
	index := map[string]int{}
	for i, name := range classes {
		index[name] = i
	}
	flat := Costs{flat: make([]float64, n*n)}
	given := make([]bool, n*n)
	for _, v := range c.named {
		for i, name := range []string{v.class, v.arm} {
			if _, ok := index[name]; !ok {
				return c, fmt.Errorf("costs: %sthere is no %s %s%s: the classes, and so the arms, are %s", v.at, []string{"class", "arm"}[i], quote(name), nearest.DidYouMean(name, classes), some(classes))
			}
		}
		i := index[v.class]*n + index[v.arm]
		if given[i] {
			return c, fmt.Errorf("costs: %sclass %s, arm %s: there is a cost already", v.at, quote(v.class), quote(v.arm))
		}
		given[i], flat.flat[i] = true, v.cost
	}
	if i := slices.Index(given, false); i >= 0 {
		return c, fmt.Errorf("costs: class %s has no cost of the arm %s: want the costs of all %d arms for each class", quote(classes[i/n]), quote(classes[i%n]), n)
	}
	return flat, nil
}

// costText returns the matrix of costs as plain text, or "" if there is none. It shows at most 12 classes and arms.
func (t *table) costText() string {
	if t.costs.IsZero() {
		return ""
	}
	const most = 12
	n := len(t.arms)
	shown := min(n, most)
	cost := func(class, arm int) float64 { return t.costs.flat[class*n+arm] }
	own := 0 // number of classes whose own arm, that of the same name, costs least
	for class := range n {
		if slices.Min(t.costs.flat[class*n:(class+1)*n]) == cost(class, class) {
			own++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "costs        of each class (row) by arm (column); the arm of the class costs least for %d of %d classes\n", own, n)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	name := func(i int) string { return words.Plain(words.Shorten(t.arms[i], 20)) }
	line := func(first string, cell func(arm int) string) {
		fmt.Fprint(w, "  ", first)
		for arm := range shown {
			fmt.Fprint(w, "\t", cell(arm))
		}
		if n > shown {
			fmt.Fprint(w, "\t…")
		}
		fmt.Fprintln(w)
	}
	line("class", name)
	for class := range shown {
		line(name(class), func(arm int) string { return words.Exact(cost(class, arm)) })
	}
	w.Flush() // a strings.Builder returns no errors
	if n > shown {
		fmt.Fprintf(&b, "  … %d more\n", n-shown)
	}
	return b.String()
}
