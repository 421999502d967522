package page

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// compare sets Verdict, Anytime, Comparisons (with the baseline that package compare picks) and Data.Compared (with
// every baseline that a reader of the page can choose). It also sets Ranks and Sentences of summary.
func (v *environmentView) compare(set *results.Set, summary *compare.Summary, how maker) error {
	data := &compared{Metrics: make(map[string]*differences), Texts: []string{}, at: make(map[string]int), places: make(map[string]int)}
	for i, p := range set.Policies {
		data.at[p.Label] = i
		label := words.Plain(p.Label)
		data.Policies = append(data.Policies, contender{Label: label, Style: how.style(label)})
	}
	// The baselines to choose from are the first policies, which have the lowest means.
	choices := min(max(how.detail.baselines/(len(set.Policies)*len(compare.Metrics())), leastBaselines), len(v.Data.Policies))
	v.LeftOut = len(v.Data.Policies) - choices
	for _, p := range summary.Policies[:choices] { // in the order of v.Data.Policies
		data.Policies[data.at[p.Policy]].Baseline = true
	}
	for _, m := range compare.Metrics() {
		o := compare.DefaultOptions(set)
		o.Metric = m
		c, err := compare.Compare(set, o)
		if errors.Is(err, compare.ErrNoneFinished) {
			summary.Sentences = []string{compare.NoneFinished}
			v.Verdict = compare.NoneFinished
			return nil
		}
		if err != nil {
			return fmt.Errorf("page: %w", err)
		}
		if m == compare.Primary() {
			summary.Ranks, summary.Sentences = c.Ranks, c.Sentences
			v.Verdict = strings.Join(c.Sentences, " ")
		}
		if len(c.Differences) == 0 {
			return nil
		}
		t := how.tableOf(report.Comparison(c))
		t.draw(c)
		if err := data.add(set, c); err != nil {
			return fmt.Errorf("page: %w", err)
		}
		if how.detail.thinned() && m != compare.Primary() { // the scripts fill this table from the data
			picked := data.Metrics[m.String()].Picked
			picked.Caption, picked.Notes = data.texts(t.Caption), data.texts(t.Notes)
			t.Rows, t.Notes = nil, nil
		}
		v.Comparisons = append(v.Comparisons, comparisonView{Metric: m, tableView: t})
	}
	v.Data.Compared = data
	return v.anytime(set, how)
}

// maxPairs is the largest number of policies for which the page has all details of every pair: the anytime intervals
// and, with each baseline, the warnings that name seeds.
const maxPairs = 12

// anytime sets Anytime, unless there are more than maxPairs policies or too few seeds.
func (v *environmentView) anytime(set *results.Set, how maker) error {
	if len(set.Policies) > maxPairs {
		return nil
	}
	a, err := compare.Sequential(set, compare.Primary(), compare.Until{Separated: true})
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	if !slices.ContainsFunc(a.Pairs, func(p compare.AnytimePair) bool { return p.Mean.HasInterval() }) {
		return nil
	}
	v.Anytime = how.tableOf(report.Anytime(a))
	return nil
}

// leastBaselines is the smallest number of baselines to choose from, unless there are fewer policies.
const leastBaselines = 3

// Kinds of columns in compared.Columns whose cells are text in the page's data. The scripts compute other kinds' cells.
const (
	ownColumn   = "own"   // cells do not depend on the baseline
	otherColumn = "other" // cells depend on the baseline
)

// columnKinds has the kinds of a comparison's columns, by name. The scripts compute all but ownColumn and otherColumn.
var columnKinds = map[string]string{
	"policy": "policy", "seeds": "seeds", "difference": "difference", "difference_interval": "interval",
	"p": "p", "sign_flip_p": "signFlip", "p_holm": "holm", "sign_flip_p_holm": "signFlipHolm", "significant": "mark", "seeds_needed": "needed",
	"mean_rank": ownColumn, "best": ownColumn, "probability_best": ownColumn,
}

// columnKind returns a column's kind. It is ownColumn for policies' options, and otherColumn if columnKinds lacks name.
func columnKind(name string) string {
	if strings.HasPrefix(name, "option_") {
		return ownColumn
	}
	return cmp.Or(columnKinds[name], otherColumn)
}

// add adds the comparisons by one metric. c is the comparison with the baseline that package compare picked.
func (d *compared) add(set *results.Set, c *compare.Comparison) error {
	table := report.Comparison(c).Tables[0]
	d.Columns = lists.Each(table.Columns, func(c report.Column[int]) string { return columnKind(c.Name) })
	of := &differences{Baselines: make([]*baseline, len(set.Policies))}
	of.Picked = d.newBaseline(c, table)
	of.Cells = d.cells(c, table, ownColumn)
	for i, p := range set.Policies {
		if !d.Policies[i].Baseline {
			continue
		}
		with, err := c.With(set, p.Label)
		if err != nil {
			return err
		}
		left := d.leaveOut(with)
		r := report.Comparison(with)
		table := r.Tables[0]
		of.Baselines[i] = d.newBaseline(with, table)
		of.Baselines[i].Cells = d.cells(with, table, otherColumn)
		of.Baselines[i].Caption = d.texts(table.Caption)
		of.Baselines[i].Notes = d.texts(append(r.Below(), left...))
	}
	d.Metrics[c.Metric.String()] = of
	return nil
}

// cells returns, for each policy, its cells in the columns of a kind. It returns nil if there are no such columns.
func (d *compared) cells(c *compare.Comparison, table report.Table, kind string) [][]string {
	if !slices.Contains(d.Columns, kind) {
		return nil
	}
	cells := make([][]string, len(d.Policies))
	for i, row := range table.Rows { // row 0 is the baseline's
		policy := d.at[c.Baseline]
		if i > 0 {
			policy = d.at[c.Differences[i-1].Policy]
		}
		for k, cell := range row {
			if d.Columns[k] == kind {
				cells[policy] = append(cells[policy], cell)
			}
		}
	}
	return cells
}

// leaveOut removes warnings that name seeds from c if there are more than maxPairs policies. It returns a note that
// says where to find these warnings, or nil if it removed none.
func (d *compared) leaveOut(c *compare.Comparison) []string {
	all := len(c.Warnings)
	if len(d.Policies) > maxPairs {
		c.Warnings = slices.DeleteFunc(c.Warnings, func(w compare.Warning) bool {
			return w.Kind == compare.Outliers || w.Kind == compare.SkewedSample || w.Kind == compare.UnpairedSeeds || w.Kind == compare.NoInterval
		})
	}
	if len(c.Warnings) == all {
		return nil
	}
	return []string{"Outliers, skewed differences, seeds without a pair and pairs without an interval are named by: banditsim compare DIR --baseline NAME"}
}

// texts returns the indices of lines in Texts, and adds missing lines to Texts.
func (d *compared) texts(lines []string) []int {
	places := []int{}
	for _, line := range lines {
		if _, ok := d.places[line]; !ok {
			d.places[line] = len(d.Texts)
			d.Texts = append(d.Texts, line)
		}
		places = append(places, d.places[line])
	}
	return places
}

// newBaseline returns a baseline with the numbers of comparison c and the marks in its table.
func (d *compared) newBaseline(c *compare.Comparison, table report.Table) *baseline {
	n := len(d.Policies)
	none := func() rounded { return slices.Repeat(rounded{math.NaN()}, n) }
	b := &baseline{Policy: d.at[c.Baseline], Seeds: make([]int, n), Mean: none(), HalfInterval: none(), P: none(), SignFlip: none(), Needed: make([]int, n), Holm: none(), SignFlipHolm: none()}
	marks, mark := slices.Repeat([]string{" "}, n), slices.Index(d.Columns, "mark")
	for i, f := range c.Differences {
		k := d.at[f.Policy]
		b.Seeds[k], b.Needed[k] = f.Mean.N, f.SeedsNeeded
		b.Mean[k], b.HalfInterval[k] = roundEstimate(f.Mean)
		b.P[k], b.SignFlip[k], b.Holm[k], b.SignFlipHolm[k] = roundP(f.P), roundP(f.SignFlip), roundP(f.Holm), roundP(f.SignFlipHolm)
		marks[k] = cmp.Or(table.Rows[i+1][mark], " ")
	}
	b.Marks = strings.Join(marks, "")
	return b
}

// roundEstimate returns the mean and half the interval of e, rounded to the fewest digits, at least six, with which
// MeanText and Interval return the same texts as for e.
func roundEstimate(e stats.Estimate) (mean, half float64) {
	digits := enough(6, func(digits int) bool {
		mean, half := toDigits(e.Mean, digits), toDigits(e.Half(), digits)
		r := stats.Estimate{Mean: mean, Low: mean - half, High: mean + half}
		return r.MeanText() == e.MeanText() && r.Interval() == e.Interval()
	})
	return toDigits(e.Mean, digits), toDigits(e.Half(), digits)
}

// roundP returns p rounded to the fewest digits that change neither its text (words.PValue) nor its significance.
func roundP(p float64) float64 {
	return toDigits(p, enough(1, func(digits int) bool {
		r := toDigits(p, digits)
		return words.PValue(r) == words.PValue(p) && (r < stats.Significance) == (p < stats.Significance)
	}))
}

// enough returns the smallest number from digits on for which same is true, or 17, which keeps all digits of a float64.
func enough(digits int, same func(digits int) bool) int {
	for digits < 17 && !same(digits) {
		digits++
	}
	return digits
}

// toDigits returns v rounded to the given number of significant digits.
func toDigits(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // never an error
	return r
}
