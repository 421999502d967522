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

// mistakeCounts counts wrong pulls by window.
type mistakeCounts struct {
	windows windows
	perArm  [][]float64 // [arm][window]
	// rows counts the wrong pulls of each mistake by window, from round axes.firstCounted on, as earlier pulls are random.
	rows map[mistake][]int
}

func newMistakeCounts(a *axes, arms int) *mistakeCounts {
	return &mistakeCounts{a.Windows, a.Windows.lists(arms), make(map[mistake][]int)}
}

// firstCounted returns the first round after burn-in, or 1 without burn-in or if no round follows it.
func (a *axes) firstCounted() int {
	if a.After == nil {
		return 1
	}
	return a.BurnIn + 1
}

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

// at returns the counts of a mistake by window, which the caller may increase.
func (m *mistakeCounts) at(key mistake) []int {
	if m.rows[key] == nil {
		m.rows[key] = make([]int, m.windows.N)
	}
	return m.rows[key]
}

// join adds the rows of another policy, but not its counts per arm.
func (m *mistakeCounts) join(other *mistakeCounts) {
	for key, windows := range other.rows {
		to := m.at(key)
		for i, n := range windows {
			to[i] += n
		}
	}
}

// perRound returns the mean number of wrong pulls per round, over the seeds, by arm and window.
func (m *mistakeCounts) perRound(seeds int) []numbers {
	out := make([]numbers, len(m.perArm))
	for arm, counts := range m.perArm {
		for i, n := range counts {
			out[arm] = append(out[arm], n/float64(m.windows.length(i)*seeds))
		}
	}
	return out
}

// A wrongRow is a data row for which one arm was wrongly pulled.
type wrongRow struct {
	row     int
	times   int   // number of wrong pulls
	windows []int // number of wrong pulls in each window
}

// of returns the rows for which an arm was wrongly pulled, those with the most wrong pulls first.
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
