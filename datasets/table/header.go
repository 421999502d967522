package table

import "fmt"

// findHeader reports whether the first line of CSV holds the names of columns: no cell is a number, occurs twice in the
// line or again in its column. A name that occurs twice is an error if a column has only numbers below it, and
// else a warning: both are rows.
func findHeader(file string, first []cell, records func(func([]cell) error) error) (header bool, warning string, err error) {
	column := map[string]int{}
	named, doubled := 0, -1
	for i, c := range first {
		if _, number := parseNumber(c.text); number {
			return false, "", nil
		}
		if c.text == "" {
			continue
		}
		named++
		if _, twice := column[c.text]; twice && doubled < 0 {
			if c.missing() {
				return false, "", nil // a row with several missing values
			}
			doubled = i
		}
		column[c.text] = max(column[c.text], i)
	}
	if named == 0 {
		return false, "", nil
	}
	const none, numbers, others = 0, 1, 2
	below := make([]int, len(first)) // what the lines below the first have in the column
	lines, repeated := 0, false
	err = records(func(cells []cell) error {
		if lines++; lines == 1 {
			return nil
		}
		for i, c := range cells {
			if c.missing() {
				continue
			}
			if c.text == first[i].text {
				repeated = true
				return errEnough
			}
			if _, number := parseNumber(c.text); number && below[i] != others {
				below[i] = numbers
			} else {
				below[i] = others
			}
		}
		return nil
	})
	switch {
	case err != nil && err != errEnough:
		return false, "", err
	case repeated:
		return false, "", nil
	case doubled < 0:
		return true, "", nil
	}
	warning, err = doubledName(file, first, doubled, func(i int) bool { return below[i] == numbers })
	return false, warning, err
}

// doubledName returns the error or the warning of a first line that has a name twice.
func doubledName(file string, first []cell, doubled int, numbersBelow func(column int) bool) (warning string, err error) {
	c := first[doubled]
	for i := range first {
		if numbersBelow(i) && !first[i].missing() {
			return "", at(file, c.line, c.column, "the name %s is that of two columns: rename one, or use environment.header=no if the line holds none", quote(c.text))
		}
	}
	return fmt.Sprintf("line %d of %s counts as a row, since it has %s twice: if it holds names of columns rename one, else use environment.header=no",
		first[0].line, file, quote(c.text)), nil
}
