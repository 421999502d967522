package experiment

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// An Advice names the policies to try first on a kind of table.
type Advice struct {
	Kind     string                 // kind of table, in words
	Fits     func(DataSummary) bool // reports whether a table is of the kind; nil for any
	Policies []string
}

// Advise returns the first element of c.Advice that fits the table.
func (c *Catalog) Advise(s DataSummary) (Advice, error) {
	at := slices.IndexFunc(c.Advice, func(a Advice) bool { return a.Fits == nil || a.Fits(s) })
	if at < 0 {
		return Advice{}, errors.New("experiment: the catalog has no advice for this kind of table: name the policies")
	}
	return c.Advice[at], nil
}

// A DataSummary summarizes the rows of a table, as policies see them.
type DataSummary struct {
	Rows       int
	Duplicates int // rows with the same context and rewards as an earlier row
	Arms       []string
	Best       []int // number of rows, by arm, in which no other arm has a higher reward
	Numbers    int   // number of numeric columns
	Categories int   // number of categorical columns
	Levels     int   // largest number of values of a categorical column
	// Tails are the names of the numeric columns of more than two values whose kurtosis, E[(x−μ)⁴]/σ⁴, is above 20. A
	// normal distribution has kurtosis 3, an exponential one 9.
	Tails []string
}

// heavyTails is the kurtosis above which a column has heavy tails, as for the option rank_tails in docs/algorithms.md.
const heavyTails = 20

// Summarize reads each row of the environment once. It returns an error if the data do not end.
func (e PlannedEnvironment) Summarize() (DataSummary, error) {
	if e.World.Rows == 0 {
		return DataSummary{}, errors.New("the rows do not end: want a table whose rows come once each, without environment.replacement=true")
	}
	env, err := e.World.New(stream.Root(0))
	if err != nil {
		return DataSummary{}, err
	}
	spec := env.Spec()
	columns := spec.Columns
	if columns == nil {
		columns = bandit.NumberColumns(spec.Dim)
	}
	s := DataSummary{Rows: e.World.Rows, Arms: spec.Arms, Best: make([]int, len(spec.Arms))}
	moments := make([]fourth, len(columns)) // moments by column; unused for categorical columns
	round, outcome := bandit.NewPull(spec)
	seen, seed := make(map[uint64]bool, s.Rows), maphash.MakeSeed()
	var row []byte
	for range s.Rows { // the first pass, even if the environment repeats the rows
		if err := env.Next(&round, &outcome); err == io.EOF {
			break
		} else if err != nil {
			return s, err
		}
		row, _ = binary.Append(row[:0], binary.LittleEndian, round.Context) // slices of numbers give no error
		row, _ = binary.Append(row, binary.LittleEndian, outcome.Mean)
		top := slices.Max(outcome.Mean)
		for a, v := range outcome.Mean {
			if v == top {
				s.Best[a]++
			}
		}
		if hash := maphash.Bytes(seed, row); seen[hash] {
			s.Duplicates++
		} else {
			seen[hash] = true
		}
		at := 0
		for i := range columns {
			if c := &columns[i]; c.Values == nil && !(c.Missing && round.Context[at+1] == 1) {
				moments[i].add(float64(round.Context[at]))
			}
			at += columns[i].Width()
		}
	}
	for i, c := range columns {
		if c.Values != nil {
			s.Categories++
			s.Levels = max(s.Levels, len(c.Values))
			continue
		}
		s.Numbers++
		if moments[i].heavy() {
			s.Tails = append(s.Tails, c.Name)
		}
	}
	return s, nil
}

// fourth accumulates the count, the mean and the sums of the powers 2 to 4 of deviations (Pébay, SAND2008-6212, 2008).
type fourth struct{ n, mean, m2, m3, m4 float64 }

func (f *fourth) add(v float64) {
	before, delta := f.n, v-f.mean
	f.n++
	d := delta / f.n
	t := delta * d * before
	f.mean += d
	f.m4 += float64(t*d*d*(float64(f.n*(f.n-3))+3)) + float64(6*d*d*f.m2) - float64(4*d*f.m3)
	f.m3 += float64(t*d*(f.n-2)) - float64(3*d*f.m2)
	f.m2 += t
}

// heavy reports whether the kurtosis κ = n·m4/m2² is above heavyTails and there are more than two different values. By
// Pearson's inequality κ ≥ 1 + γ², with the squared skewness γ² = n·m3²/m2³; only a column of two values, such as a
// rare flag, gives equality.
func (f *fourth) heavy() bool {
	kurtosis, skewness2 := f.n*f.m4/f.m2/f.m2, f.n*f.m3/f.m2*f.m3/f.m2/f.m2
	return kurtosis > heavyTails && kurtosis-skewness2-1 > 1e-6*kurtosis
}
