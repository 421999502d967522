package page

import (
	"cmp"
	"slices"
)

// A mistake is a data row and an arm that was wrongly pulled for it.
type mistake struct{ row, arm int }

// A wrongPull is one pull of a wrong arm: the data row, the arm, and the index of the window (a range of rounds, see
// windows) in which it happened.
type wrongPull struct {
	mistake
	window int
}

// mistakeCounts has the number of wrong pulls of each mistake by window, from round axes.firstCounted on, as earlier
// pulls are random.
type mistakeCounts struct {
	windows windows
	rows    map[mistake][]int
}

func newMistakeCounts(w windows) *mistakeCounts { return &mistakeCounts{w, make(map[mistake][]int)} }

// firstCounted returns the first round after burn-in, or 1 without burn-in or if no round follows it.
func (a *axes) firstCounted() int {
	if a.After == nil {
		return 1
	}
	return a.BurnIn + 1
}

// at returns the counts of a mistake by window, which the caller may increase.
func (m *mistakeCounts) at(key mistake) []int {
	if m.rows[key] == nil {
		m.rows[key] = make([]int, m.windows.N)
	}
	return m.rows[key]
}

// join adds the counts of another policy.
func (m *mistakeCounts) join(other *mistakeCounts) {
	for key, windows := range other.rows {
		to := m.at(key)
		for i, n := range windows {
			to[i] += n
		}
	}
}

// A wrongRow is a data row for which one arm was wrongly pulled.
type wrongRow struct {
	Row     int
	Times   int   // number of wrong pulls
	Windows []int // number of wrong pulls in each window
}

// of returns the rows for which an arm was wrongly pulled, those with the most wrong pulls first.
func (m *mistakeCounts) of(arm int) []wrongRow {
	var out []wrongRow
	for key, windows := range m.rows {
		if key.arm != arm {
			continue
		}
		w := wrongRow{Row: key.row, Windows: windows}
		for _, n := range windows {
			w.Times += n
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b wrongRow) int { return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Row, b.Row)) })
	return out
}
