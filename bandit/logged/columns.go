package logged

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/nearest"
)

// Columns say what a policy does in each row of a log: one column has the name of the arm that it pulls, or one column per arm, in the
// order of the arms, has the probability of that arm. They are read from a CSV or JSON lines table with one row for each row of the log,
// in the same order; the table can be the log itself. The policy must not have learned from the rewards.
type Columns struct {
	Path  string // the table
	Names []string
}

// rows yields the probabilities of all arms row by row, in a slice that it reuses.
func (c *Columns) rows(arms []string) iter.Seq2[[]float64, error] {
	return func(yield func([]float64, error) bool) {
		header, from, err := tableOf(c.Path)
		var places []int
		for _, name := range c.Names {
			k := slices.Index(header, name)
			if k < 0 && err == nil {
				err = &InputError{fmt.Sprintf("there is no column %q%s: the header has %s", name, nearest.DidYouMean(name, header), strings.Join(header, ", "))}
			}
			places = append(places, k)
		}
		if err == nil {
			err = read(c.Path, func(in *bufio.Reader) error {
				cells, err := from(in)
				probabilities, more := make([]float64, len(arms)), true
				for row := 1; err == nil && more; row++ {
					var texts []string
					if texts, err = cells.Read(); err == nil {
						err = c.probabilities(probabilities, texts, places, row, arms)
					}
					if err == nil {
						more = yield(probabilities, nil)
					}
				}
				return err
			})
		}
		if err != nil && err != io.EOF {
			yield(nil, err)
		}
	}
}

// probabilities reads the probabilities of all arms in a row.
func (c *Columns) probabilities(dst []float64, cells []string, places []int, row int, arms []string) error {
	if len(places) == 1 {
		arm := slices.Index(arms, cells[places[0]])
		if arm < 0 {
			return rowError(row, c.Names[0], cells[places[0]], "one of the arms "+strings.Join(arms, ", "))
		}
		clear(dst)
		dst[arm] = 1
		return nil
	}
	sum := 0.0
	for arm, k := range places {
		p, err := finite(cells[k], row, c.Names[arm], "a probability")
		if err == nil && p < 0 {
			err = rowError(row, c.Names[arm], cells[k], "a probability, at least 0")
		}
		if err != nil {
			return err
		}
		dst[arm] = p
		sum += p
	}
	if !(math.Abs(sum-1) < 1e-3) {
		return rowError(row, c.Names[0]+" …", fmt.Sprint(sum), "probabilities that add up to 1")
	}
	return nil
}

// tableOf returns the header of a table and the source of its rows.
func tableOf(path string) (header []string, from source, err error) {
	first, err := firstLine(path)
	switch {
	case err != nil:
		return nil, nil, err
	case strings.HasPrefix(first, "{"):
		return newJSONLines(path, usualAvailable)
	}
	if header, err = csv.NewReader(strings.NewReader(first)).Read(); err != nil {
		err = fmt.Errorf("header: %w", err)
	}
	return header, fromCSV, err
}

// A follower reads columns in step with the rows of the log.
type follower struct {
	path string
	arms []string
	next func() ([]float64, error, bool)
	stop func()
	rows int
}

func (c *Columns) follow(arms []string) *follower {
	next, stop := iter.Pull2(c.rows(arms))
	return &follower{path: c.Path, arms: arms, next: next, stop: stop}
}

// read writes the probabilities in the next row of the log to dst; round is that row's.
func (f *follower) read(dst []float64, round bandit.Round) error {
	p, err, ok := f.next()
	if !ok {
		err = &InputError{fmt.Sprintf("it ends after row %d: want a row for each of the log", f.rows)}
	}
	for arm, v := range p {
		if err == nil && v > 0 && !round.CanPull(arm) {
			err = &InputError{fmt.Sprintf("row %d: it pulls arm %s, which could not be pulled there", f.rows+1, f.arms[arm])}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	f.rows++
	copy(dst, p)
	return nil
}

// end returns an error if the table has rows left.
func (f *follower) end() error {
	if _, err, more := f.next(); more {
		return fmt.Errorf("%s: %w", f.path, errors.Join(err, &InputError{fmt.Sprintf("there are rows after the %d of the log: want a row for each", f.rows)}))
	}
	return nil
}
