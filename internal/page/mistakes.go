package page

import (
	"cmp"
	"slices"
)

// A mistake is a wrong pull of an arm in a data row.
type mistake struct{ row, arm int }

// A wrongPull is a mistake with the window of its round.
type wrongPull struct {
	mistake
	window int
}

// mistakeCounts counts wrong pulls in every window: of each arm, and of each arm in each row.
type mistakeCounts struct {
	windows windows
	perArm  [][]float64
	rows    map[mistake][]int // by window, from axes.firstCounted on: arms before it were drawn at random
}

func newMistakeCounts(a *axes, arms int) *mistakeCounts {
	return &mistakeCounts{a.Windows, a.Windows.lists(arms), make(map[mistake][]int)}
}

// firstCounted returns the first round after burn-in, or 1 if none is.
func (a *axes) firstCounted() int {
	if a.After == nil {
		return 1
	}
	return a.BurnIn + 1
}

// add adds a trial.
func (m *mistakeCounts) add(t *trialSums) {
	for arm, wrong := range t.wrong {
		for i, n := range wrong {
			m.perArm[arm][i] += n
		}
	}
	for _, w := range t.rows {
		m.at(w.mistake)[w.window]++
	}
}

// at returns the counts of a mistake by window.
func (m *mistakeCounts) at(key mistake) []int {
	if m.rows[key] == nil {
		m.rows[key] = make([]int, m.windows.N)
	}
	return m.rows[key]
}

// join adds the rows of another policy.
func (m *mistakeCounts) join(other *mistakeCounts) {
	for key, windows := range other.rows {
		to := m.at(key)
		for i, n := range windows {
			to[i] += n
		}
	}
}

// perRound returns the mean number of wrong pulls of every arm in a round, over each window and the
// seeds: [arm][window].
func (m *mistakeCounts) perRound(seeds int) []numbers {
	out := make([]numbers, len(m.perArm))
	for arm, counts := range m.perArm {
		for i, n := range counts {
			out[arm] = append(out[arm], n/float64(m.windows.length(i)*seeds))
		}
	}
	return out
}

// A wrongRow is a data row in which one arm was wrongly pulled.
type wrongRow struct {
	row     int
	times   int
	windows []int // number of wrong pulls in each window
}

// of returns the rows in which an arm was wrongly pulled, the most frequent first.
func (m *mistakeCounts) of(arm int) []wrongRow {
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
