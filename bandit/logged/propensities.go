package logged

import (
	"fmt"
	"math"
)

// A pullCheck holds the propensities of a log against its pulls. With p the propensity of the logged arm, the mean of
// 1{arm = k}/p is 1 for each arm k, over all rows and over those that any rule picks by their contexts and the rows before:
// here those in which an element of the context is above its mean so far, and the others. Its variance is at most (1/p_min −
// 1)/n, with the smallest propensity of the log: the rows of the arm alone can miss what is pulled seldom.
type pullCheck struct {
	least   float64 // p_min
	arms    []string
	columns []string // of the context, as many as there is room for
	rows    int
	means   []float64 // of the columns so far
	all     side
	sides   [][2]side // by column: not above its mean, above
}

// A side has the rows on one side of a column's mean, or all.
type side struct {
	rows []int     // by arm: those that offer it
	sums []float64 // Σ1/p by arm
}

func newSide(arms int) side { return side{make([]int, arms), make([]float64, arms)} }

func (s side) add(arm, offered int, propensity float64) {
	for k := range offered {
		s.rows[k]++
	}
	s.sums[arm] += 1 / propensity
}

const (
	maxSums       = 1 << 20
	leastExpected = 30   // pulls at p_min below which the normal limit of the mean is not trusted
	falseAlarm    = 1e-4 // chance that a log with right propensities is refused
)

func newPullCheck(l *Log) *pullCheck {
	c := &pullCheck{least: l.Description.Least, arms: l.Spec.Arms, all: newSide(len(l.Spec.Arms))}
	if len(l.Context) == 0 {
		return c
	}
	c.columns = l.Columns[:min(len(l.Columns), maxSums/(2*len(c.arms)))]
	c.means = make([]float64, len(c.columns))
	for range c.columns {
		c.sides = append(c.sides, [2]side{newSide(len(c.arms)), newSide(len(c.arms))})
	}
	return c
}

// add adds a pull of which so many arms were offered, 0 for all.
func (c *pullCheck) add(arm, offered int, propensity float64, context []float32) {
	if offered == 0 {
		offered = len(c.arms)
	}
	c.rows++
	c.all.add(arm, offered, propensity)
	for j := range c.columns {
		v, s := float64(context[j]), 0
		if v > c.means[j] {
			s = 1
		}
		c.sides[j][s].add(arm, offered, propensity)
		c.means[j] += (v - c.means[j]) / float64(c.rows)
	}
}

// contradiction returns where propensities and pulls are farthest apart, "" if nowhere too far for the number of comparisons.
func (c *pullCheck) contradiction() string {
	tests, worst, said := 0, 0.0, ""
	try := func(sum float64, rows, arm int, where string) {
		n := float64(rows)
		if n*c.least < leastExpected {
			return
		}
		mean := sum / n
		z := (mean - 1) / math.Sqrt(max(1/c.least-1, 1e-9)/n)
		if tests++; math.Abs(z) > worst {
			worst = math.Abs(z)
			said = fmt.Sprintf("the propensities contradict the pulls: the mean of 1{arm = %s}/p%s is %.3g, want 1 (z %.1f)", c.arms[arm], where, mean, z)
		}
	}
	for arm, sum := range c.all.sums {
		try(sum, c.all.rows[arm], arm, "")
	}
	for j, sides := range c.sides {
		for s, at := range []string{" at most its mean", " above its mean"} {
			for arm, sum := range sides[s].sums {
				try(sum, sides[s].rows[arm], arm, " over the rows with "+c.columns[j]+at)
			}
		}
	}
	if limit := math.Sqrt2 * math.Erfinv(1-falseAlarm/float64(max(tests, 1))); worst <= limit {
		return ""
	}
	return said
}
