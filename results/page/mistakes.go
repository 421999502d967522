package page

import (
	"cmp"
	"slices"

	"banditsim/results"
)

// A mistake is a wrong pull of an arm in a data row.
type mistake struct{ row, arm int }

// mistakesOf gathers wrong pulls: how many, in every window, and from round from on of which rows.
type mistakesOf struct {
	windows windows
	from    int // rows before this round are not counted: their arms were drawn at random
	perArm  [][]float64
	rows    map[mistake][]int // by window
}

func newMistakesOf(a *axes, arms int) *mistakesOf {
	m := &mistakesOf{windows: a.Windows, from: a.firstCounted(), rows: make(map[mistake][]int)}
	for range arms {
		m.perArm = append(m.perArm, make([]float64, a.Windows.N))
	}
	return m
}

// firstCounted is the first round whose wrong pulls are the policy's own doing; where
// burn-in never ends there is none, and all count.
func (a *axes) firstCounted() int {
	if a.After == nil {
		return 1
	}
	return a.BurnIn + 1
}

func (m *mistakesOf) add(r *results.Round) {
	window := m.windows.of(r.Round)
	for _, w := range r.Wrong {
		row, arm := w[0], w[1]
		m.perArm[arm][window]++
		if row < 0 || r.Round < m.from {
			continue
		}
		key := mistake{row, arm}
		if m.rows[key] == nil {
			m.rows[key] = make([]int, m.windows.N)
		}
		m.rows[key][window]++
	}
}

// perRound is the number of wrong pulls of every arm a round, in the mean over each window and the
// seeds.
func (m *mistakesOf) perRound(seeds int) []numbers {
	out := make([]numbers, len(m.perArm))
	for arm, counts := range m.perArm {
		for i, n := range counts {
			out[arm] = append(out[arm], n/float64(m.windows.length(i)*seeds))
		}
	}
	return out
}

// A wrongRow is a data row and how often one arm was wrongly pulled in it.
type wrongRow struct {
	row     int
	times   int
	windows []int // the times in every window
}

// of lists the rows in which an arm was wrongly pulled, the most frequent first.
func (m *mistakesOf) of(arm int) []wrongRow {
	var out []wrongRow
	for key, windows := range m.rows {
		if key.arm != arm {
			continue
		}
		w := wrongRow{row: key.row, windows: windows}
		for _, n := range windows {
			w.times += n
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b wrongRow) int { return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.row, b.row)) })
	return out
}

// join adds the rows of another policy.
func (m *mistakesOf) join(other *mistakesOf) {
	for key, windows := range other.rows {
		if m.rows[key] == nil {
			m.rows[key] = make([]int, m.windows.N)
		}
		for i, n := range windows {
			m.rows[key][i] += n
		}
	}
}
