package page

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
)

func newView(set *results.Set, o Options) (*view, error) {
	v := &view{
		Title: words.Plain(o.Title), Conditions: set.Conditions, Verdict: compare.Verdict(set),
		PlotScript: plotScript, PageScript: pageScript, PlotStyle: plotStyle, PageStyle: pageStyle, PlotLicence: plotLicence,
	}
	if o.Title == "" {
		dir, err := filepath.Abs(set.Dir)
		if err != nil {
			return nil, fmt.Errorf("page: %w", err)
		}
		v.Title = words.Plain(filepath.Base(dir))
	}
	var err error
	summary := compare.Totals(set)
	summary.Explain(set)
	if v.Data, err = newData(set, summary); err != nil {
		return nil, err
	}
	v.Finished = len(v.Data.Policies) > 0
	styles := make(map[string]int) // by label, as tables show it
	for _, p := range v.Data.Policies {
		styles[p.Label] = p.Style
	}
	v.Data.sortAs(summary)
	v.Summary = newTableView(report.SummaryTable(summary), styles)
	for _, m := range compare.Metrics {
		o := compare.DefaultOptions(set)
		o.Metric = m
		c, err := compare.Compare(set, o)
		if err != nil && !errors.Is(err, compare.ErrNoneFinished) {
			return nil, fmt.Errorf("page: %w", err)
		}
		if err == nil && len(c.Differences) > 0 {
			t := newTableView(report.ComparisonTable(c), styles)
			t.draw(c)
			v.Comparisons = append(v.Comparisons, comparisonView{m, t})
		}
	}
	if v.Mistakes, err = newMistakesView(v.Data, o.Rows); err != nil {
		return nil, err
	}
	v.Provenance = newProvenance(set)
	return v, nil
}

// newData reads all trials, and finds the summary's departures on the way.
func newData(set *results.Set, summary *compare.Summary) (data, error) {
	d := data{Axes: newAxes(set.Conditions.Protocol), ArmNames: []string{}, Policies: []*policy{}}
	for _, m := range compare.Metrics {
		d.Metrics = append(d.Metrics, metric{m.Name, strings.ToUpper(m.Name[:1]) + m.Name[1:], m.NonNegative})
	}
	for _, name := range set.Conditions.Environment.Arms {
		d.ArmNames = append(d.ArmNames, words.Plain(name))
	}
	for i := range set.Policies {
		k := slices.IndexFunc(summary.Policies, func(s compare.PolicySummary) bool { return s.Policy == set.Policies[i].Label })
		departures := summary.Policies[k].Departures(d.Axes.Rounds)
		p, err := readPolicy(set, &set.Policies[i], d.Axes, departures)
		if err != nil {
			return data{}, err
		}
		if departures != nil {
			departures.Set()
		}
		if p != nil {
			p.Style = len(d.Policies) // as in figures
			d.Policies = append(d.Policies, p)
		}
	}
	d.addSeries()
	return d, nil
}

// addSeries sets Series.
func (d *data) addSeries() {
	for _, p := range d.Policies {
		if p.Sampler == nil {
			continue
		}
		for _, s := range p.Sampler.Series {
			if !slices.ContainsFunc(d.Series, func(c chart) bool { return c.Title == s.Name }) {
				d.Series = append(d.Series, chart{fmt.Sprint("series-", len(d.Series)), s.Name, s.Unit})
			}
		}
	}
}

// sortAs sorts the policies as a summary, the best first.
func (d *data) sortAs(s *compare.Summary) {
	place := make(map[string]int)
	for i, p := range s.Policies {
		place[words.Plain(p.Policy)] = i
	}
	slices.SortStableFunc(d.Policies, func(a, b *policy) int { return cmp.Compare(place[a.Label], place[b.Label]) })
}

func newMistakesView(d data, rows *Rows) (mistakesView, error) {
	v := mistakesView{From: d.Axes.firstCounted(), Known: rows != nil}
	together := newMistakeCounts(d.Axes, len(d.ArmNames))
	all := []*policy{{mistakes: together}}
	for _, p := range d.Policies {
		together.join(p.mistakes)
		all = append(all, p)
	}
	v.HasRows = len(together.rows) > 0
	for _, p := range all {
		tables := policyMistakes{Name: p.Label, Style: p.Style}
		for arm, name := range d.ArmNames {
			t, err := newWrongTable(p.mistakes, arm, name, rows)
			if err != nil {
				return v, err
			}
			tables.Arms = append(tables.Arms, t)
		}
		v.Policies = append(v.Policies, tables)
	}
	return v, nil
}
