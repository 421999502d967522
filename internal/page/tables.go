package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results/compare"
)

// table returns the view of a table. below has lines to add to its notes.
func (m maker) table(t report.Table, below ...string) *tableView {
	t.Notes = lists.Each(slices.Concat(t.Notes, below), WithoutFolders)
	return &tableView{Table: t, Styles: lists.Each(t.Rows, func(cells []string) int { return m.style(cells[0]) })}
}

// tableOf returns the view of the first table of a result, with the warnings and notes of the result.
func (m maker) tableOf(r report.Result) *tableView { return m.table(r.Tables[0], r.Below()...) }

const barWidth = 160

// placeOfBar returns the horizontal place of x in a bar that shows values from low to high.
func placeOfBar(x, low, high float64) float64 {
	const margin = 6
	return math.Round(10*(margin+(barWidth-2*margin)*(x-low)/(high-low))) / 10
}

// shades is the number of colors of the cells of a matrix.
const shades = 6

// matrix returns the regret of every policy in every environment.
func (m maker) matrix(a *compare.Across) []matrixRow {
	var rows []matrixRow
	rank := func(v float64) string { return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") }
	for _, p := range a.Policies {
		label := words.Plain(p.Policy)
		row := matrixRow{Label: label, Rank: strconv.FormatFloat(p.MeanRank, 'f', 2, 64), Style: m.style(label)}
		for e, regret := range p.Regret {
			cell := matrixCell{Text: words.Amount(regret), Rank: rank(p.Ranks[e]), Shade: int(float64(shades) * (p.Ranks[e] - 1) / float64(len(a.Policies)))}
			if uniform, _ := a.Environments[e].Conditions.UniformRegret(); uniform > 0 {
				cell.Text = words.Percent(100 * regret / uniform)
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// drawRanks adds a bar to each row: the mean rank with half of the critical difference to each side, as in plot.Ranks.
func (v *tableView) drawRanks(a *compare.Across) {
	last := max(float64(len(a.Policies)), 2)
	at := func(rank float64) float64 { return placeOfBar(min(max(rank, 1), last), 1, last) }
	v.BarHeader = "ranks 1 to " + words.Int(int(last))
	half := float64(a.CriticalDifference) / 2
	for _, p := range a.Policies { // in the order of the rows
		v.Bars = append(v.Bars, &bar{at(1), at(p.MeanRank - half), at(p.MeanRank), at(p.MeanRank + half), words.Finite(half)})
	}
}

// draw adds bars to the rows of a comparison, on a common scale that includes zero.
func (v *tableView) draw(c *compare.Comparison) {
	low, high := 0.0, 0.0
	for _, d := range c.Differences {
		for _, x := range []float64{d.Mean.Low, d.Mean.Mean, d.Mean.High} {
			if !math.IsNaN(x) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	if low == high {
		return
	}
	v.BarHeader, v.Bars = "interval around 0", make([]*bar, len(v.Rows))
	at := func(x float64) float64 { return placeOfBar(x, low, high) }
	for i, d := range c.Differences { // in row i+1: row 0 is the baseline, which has no difference
		if !math.IsNaN(d.Mean.Mean) {
			v.Bars[i+1] = &bar{at(0), at(d.Mean.Low), at(d.Mean.Mean), at(d.Mean.High), d.Mean.HasInterval()}
		}
	}
}
