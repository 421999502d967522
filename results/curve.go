package results

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A Curve is a policy's cumulative regret by round: the mean over the seeds whose
// trials did all their rounds, with a t-interval at each round.
type Curve struct {
	Policy string
	Seeds  []uint64
	Rounds []int // the first is the round before the curve begins
	// Regret up to and with each of Rounds, an Estimate each; the first is 0.
	Regret []stats.Estimate
}

// Curves reads the rounds of all trials from round from on (1 for all); regret before it
// does not count. Each curve is thinned to at most points rounds. Memory does not grow
// with the number or the length of the trials. Policies without a finished trial have no curve; where
// no policy has one, the error is ErrNoneFinished.
func Curves(set *Set, metric Metric, from, points int) ([]Curve, error) {
	rounds := set.Setting.Protocol.Rounds
	if _, err := ParseMetric(string(metric)); err != nil {
		return nil, err
	}
	switch {
	case from < 1 || from > rounds:
		return nil, fmt.Errorf("results: curves: from round %d, want 1 to %d", from, rounds)
	case points < 2:
		return nil, fmt.Errorf("results: curves: %d points, want at least 2", points)
	}
	marks := thin(from-1, rounds, points)
	var curves []Curve
	for _, p := range set.Policies {
		c := Curve{Policy: p.Label, Rounds: marks}
		at := make([]stats.Moments, len(marks))
		for _, t := range p.Trials {
			if t.Totals.Failure != nil {
				continue
			}
			if err := addCurve(at, marks, t, set.Setting, metric); err != nil {
				return nil, err
			}
			c.Seeds = append(c.Seeds, t.Seed)
		}
		if len(c.Seeds) == 0 {
			continue
		}
		for i := range at {
			c.Regret = append(c.Regret, at[i].Estimate())
		}
		curves = append(curves, c)
	}
	if len(curves) == 0 {
		return nil, fmt.Errorf("results: curves: %w", ErrNoneFinished)
	}
	return curves, nil
}

// thin returns at most n numbers from first to last, evenly spaced, both among
// them.
func thin(first, last, n int) []int {
	n = min(n, last-first+1)
	marks := make([]int, n)
	for i := range marks {
		// In integers: rounding would let two marks fall on one round.
		marks[i] = first + i*(last-first)/max(n-1, 1)
	}
	return marks
}

// regretBetween is a trial's regret in the rounds from … to, both among them.
func regretBetween(t SeedTrial, setting Setting, metric Metric, from, to int) (float64, error) {
	at := make([]stats.Moments, 2)
	err := addCurve(at, []int{from - 1, to}, t, setting, metric)
	return at[1].Estimate().Mean, err
}

// addCurve adds one trial's cumulative regret since round marks[0] at every mark.
func addCurve(at []stats.Moments, marks []int, t SeedTrial, setting Setting, metric Metric) error {
	f, err := os.Open(t.Path)
	if err != nil {
		return fmt.Errorf("results: read rounds: %w", err)
	}
	defer f.Close()
	var sums regrets
	total, next := 0.0, 0
	read, err := scan(f, nil, func(line []byte, n int) error {
		round, realised, expected, err := parseRegrets(line)
		if err != nil {
			return err
		}
		if round != n {
			return fmt.Errorf("round %d, want round %d", round, n)
		}
		sums.add(n, setting.Protocol.AfterBurnIn(), realised, expected)
		if next == 0 { // the mark before the first round that counts
			if n <= marks[0] {
				return nil
			}
			at[0].Add(0)
			next = 1
		}
		if metric == Realised {
			total += realised
		} else {
			total += expected
		}
		if next < len(marks) && n == marks[next] {
			at[next].Add(total)
			next++
		}
		return nil
	})
	if err == nil {
		err = sums.check(&read.Totals)
	}
	if err == nil && (read.Totals.Failure != nil || read.Identity.Protocol != setting.Protocol || next != len(marks)) {
		err = errors.New("the file has changed while it was read: try again")
	}
	if err != nil {
		return fmt.Errorf("results: read %s: %w", t.Path, err)
	}
	return nil
}

var (
	realisedKey = []byte(`,"realised":`)
	expectedKey = []byte(`,"expected":`)
)

// parseRegrets reads the first three fields of a round's line, twenty times as
// fast as the whole line.
func parseRegrets(line []byte) (round int, realised, expected float64, err error) {
	rest := line[len(roundPrefix):]
	field := func(key []byte) (value []byte) {
		rest = bytes.TrimPrefix(rest, key)
		i := bytes.IndexByte(rest, ',')
		if i < 0 {
			return nil
		}
		value, rest = rest[:i], rest[i:]
		return value
	}
	var errs [3]error
	round, errs[0] = strconv.Atoi(string(field(nil)))
	if !bytes.HasPrefix(rest, realisedKey) {
		return 0, 0, 0, errors.New("round: no realised regret: the line is damaged")
	}
	realised, errs[1] = strconv.ParseFloat(string(field(realisedKey)), 64)
	if !bytes.HasPrefix(rest, expectedKey) {
		return 0, 0, 0, errors.New("round: no expected regret: the line is damaged")
	}
	expected, errs[2] = strconv.ParseFloat(string(field(expectedKey)), 64)
	if err := errors.Join(errs[:]...); err != nil || !words.Finite(realised) || !words.Finite(expected) {
		return 0, 0, 0, errors.New("round: a number is damaged")
	}
	return round, realised, expected, nil
}
