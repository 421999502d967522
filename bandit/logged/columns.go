package logged

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/nearest"
)

// Columns say what a policy does in each row of a log: one column has the name of the arm that it pulls, or one column
// per arm, in the order of the arms, has that arm's probability. They belong to a CSV or JSON lines table with the rows
// of the log in the same order, such as the log itself. The policy must not have learned from these rows' rewards.
type Columns struct {
	Path  string // path of the table
	Names []string
}

// parse sets dst to the probabilities of all arms in a row of the table; places has the columns' indices in cells.
func (c *Columns) parse(dst []float64, cells []string, places []int, row int, arms []string) error {
	if len(places) == 1 {
		arm := slices.Index(arms, cells[places[0]])
		if arm < 0 { // an export has an apostrophe before some names
			arm = slices.Index(arms, strings.TrimPrefix(cells[places[0]], "'"))
		}
		if arm < 0 {
			return rowError(row, c.Names[0], cells[places[0]], "one of the arms "+strings.Join(arms, ", "))
		}
		clear(dst)
		dst[arm] = 1
		return nil
	}
	if _, err := probabilities(dst[:0], cells, places, c.Names, row); err != nil {
		return err
	}
	return checkSum(dst, row, c.Names[0])
}

// probabilities appends the number cells[k] for each k in places to dst; names has the names of these columns.
func probabilities(dst []float64, cells []string, places []int, names []string, row int) ([]float64, error) {
	for i, k := range places {
		p, err := finite(cells[k], row, names[i], "a probability")
		if err == nil && p < 0 {
			err = rowError(row, names[i], cells[k], "a probability, at least 0")
		}
		if err != nil {
			return dst, err
		}
		dst = append(dst, p)
	}
	return dst, nil
}

// checkSum returns an error unless probabilities add up to 1. first is the name of their first column.
func checkSum(probabilities []float64, row int, first string) error {
	if sum, ok := addUp(probabilities); !ok {
		return rowError(row, first+" …", fmt.Sprint(sum), "probabilities that add up to 1")
	}
	return nil
}

// addUp sums numbers and reports whether they can be probabilities: none is below 0, and the sum is 1 but for rounding.
func addUp(p []float64) (sum float64, ok bool) {
	for _, v := range p {
		sum += v
	}
	return sum, math.Abs(sum-1) < 1e-3 && slices.Min(p) >= 0
}

// tableOf returns the header of the table at path, a CSV or JSON lines with the given first line, and the source of its
// rows. In JSON lines the field named list may be a list.
func tableOf(path, first, list string) (header []string, from source, err error) {
	if strings.HasPrefix(first, "{") {
		return newJSONLines(path, list)
	}
	return newCSV(first)
}

// A follower reads the table of a Columns in step with the rows of the log.
type follower struct {
	*Columns
	arms   []string
	places []int // indices of the columns in the table
	file   *os.File
	in     cells
	rows   int
}

// follow opens the table of the policy with the given label for a log with the given arms.
func (c *Columns) follow(label string, arms []string) (*follower, error) {
	if n := len(c.Names); n != 1 && n != len(arms) {
		return nil, &InputError{fmt.Sprintf("policy %s: %d columns, the log has %d arms: want one column with the arm, or one for the probability of each arm, in the order %s", label, n, len(arms), strings.Join(arms, ", "))}
	}
	f := &follower{Columns: c, arms: arms}
	var header []string
	var from source
	first, err := firstLine(c.Path)
	if err == nil {
		header, from, err = tableOf(c.Path, first, usualAvailable)
	}
	for _, name := range c.Names {
		k := slices.Index(header, name)
		if k < 0 && err == nil {
			err = &InputError{fmt.Sprintf("there is no column %q%s: the header has %s", name, nearest.DidYouMean(name, header), strings.Join(header, ", "))}
		}
		f.places = append(f.places, k)
	}
	var in *bufio.Reader
	if err == nil {
		in, f.file, err = open(c.Path)
	}
	if err == nil {
		f.in, err = from(in)
	}
	if err != nil {
		err = fmt.Errorf("logged: policy %s: %s: %w", label, c.Path, err)
	}
	return f, err
}

// read sets dst to the probabilities in the next row. It returns an error if an arm with a positive probability is not
// available in round, the round of that row of the log.
func (f *follower) read(dst []float64, round bandit.Round) error {
	texts, err := f.in.Read()
	if err == nil {
		err = f.parse(dst, texts, f.places, f.rows+1, f.arms)
	} else if err == io.EOF {
		err = &InputError{fmt.Sprintf("it ends after row %d: want a row for each of the log", f.rows)}
	}
	for arm, v := range dst {
		if err == nil && v > 0 && !round.CanPull(arm) {
			err = &InputError{fmt.Sprintf("row %d: it pulls arm %s, which could not be pulled there", f.rows+1, f.arms[arm])}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	f.rows++
	return nil
}

// end returns an error if the table has rows left.
func (f *follower) end() error {
	if _, err := f.in.Read(); err != io.EOF {
		return fmt.Errorf("%s: %w", f.Path, errors.Join(err, &InputError{fmt.Sprintf("there are rows after the %d of the log: want a row for each", f.rows)}))
	}
	return nil
}
