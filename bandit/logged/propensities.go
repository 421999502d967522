package logged

import (
	"fmt"
	"math"

	"banditsim/bandit"
)

// A pullCheck compares the propensities of a log with its pulls. If p is the propensity of the logged arm, the mean of
// 1{arm = k}/p is expected to be 1 for each arm k, over all rows and over any rows chosen by contexts and earlier rows.
// The check takes this mean over all rows and, for each context element, over two groups: the rows whose element is at
// most its mean over earlier rows, and the others. The variance of a mean over n rows is at most (1/p_min − 1)/n, with
// p_min the smallest propensity of the log. The check uses this bound: the sample variance could miss rare large terms.
type pullCheck struct {
	least  float64 // p_min
	arms   []string
	rows   int
	means  []float64 // means so far of the first columns of the context, as many as maxSums allows
	groups []group   // all rows; then for each of these columns the rows with at most its mean, and those above
}

// A group of rows has, for each arm, the number of rows in which it was available and the sum of 1/p over its pulls.
type group struct {
	where string // which rows, for messages
	rows  []int
	sums  []float64
}

const (
	maxSums       = 1 << 20 // largest number of sums in all groups by column together
	leastExpected = 30      // for a normal approximation: least number of expected pulls (pullCheck), least variance of a score (drift)
	falseAlarm    = 1e-4    // probability that a log with correct propensities is refused
)

func newPullCheck(l *Log) *pullCheck {
	c := &pullCheck{least: float64(l.Description.Least), arms: l.Spec.Arms}
	k := len(c.arms)
	add := func(where string) {
		c.groups = append(c.groups, group{where, make([]int, k), make([]float64, k)})
	}
	add("")
	if len(l.Context) == 0 {
		return c
	}
	for _, name := range l.Columns[:min(len(l.Columns), maxSums/(2*k))] {
		c.means = append(c.means, 0)
		add(" over the rows with " + name + " at most its mean")
		add(" over the rows with " + name + " above its mean")
	}
	return c
}

func (c *pullCheck) add(r bandit.Round, arm int, propensity float64) {
	c.rows++
	addTo := func(g *group) {
		for k := range c.arms {
			if r.CanPull(k) {
				g.rows[k]++
			}
		}
		g.sums[arm] += 1 / propensity
	}
	addTo(&c.groups[0])
	for j, mean := range c.means {
		v, above := float64(r.Context[j]), 0
		if v > mean {
			above = 1
		}
		addTo(&c.groups[1+2*j+above])
		c.means[j] += (v - mean) / float64(c.rows)
	}
}

// contradiction describes the largest deviation of a mean from 1, or returns "" if it is not above the limit.
func (c *pullCheck) contradiction() string {
	tests, worst, text := 0, 0.0, ""
	for _, g := range c.groups {
		for arm, sum := range g.sums {
			n := float64(g.rows[arm])
			if n*c.least < leastExpected || c.groups[0].sums[arm] == 0 { // run.unseen has the arms without a pull
				continue
			}
			mean := sum / n
			z := (mean - 1) / math.Sqrt(max(1/c.least-1, 1e-9)/n)
			if tests++; math.Abs(z) > worst {
				worst = math.Abs(z)
				text = fmt.Sprintf("the propensities contradict the pulls: the mean of 1{arm = %s}/p%s is %.3g, want 1 (z %.1f)", c.arms[arm], g.where, mean, z)
			}
		}
	}
	if worst <= limit(tests) {
		return ""
	}
	return text
}

// limit returns the z-score above which the largest of the given number of tests is significant (Bonferroni).
func limit(tests int) float64 { return math.Sqrt2 * math.Erfinv(1-falseAlarm/float64(max(tests, 1))) }
