package page

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
)

// addSeries lists the series of all policies, each once.
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

func newView(set *results.Set, o Options) (*view, error) {
	v := &view{
		Title: words.Plain(o.Title), Conditions: set.Conditions, Verdict: compare.Verdict(set),
		PlotScript: plotScript, PageScript: pageScript, PlotStyle: plotStyle, PageStyle: pageStyle, PlotLicence: plotLicence,
	}
	if o.Title == "" {
		name, err := title(set.Dir)
		if err != nil {
			return nil, err
		}
		v.Title = words.Plain(name)
	}
	var err error
	if v.Data, err = newData(set); err != nil {
		return nil, err
	}
	v.Finished = len(v.Data.Policies) > 0
	styles := make(map[string]int) // of the labels as tables show them
	for _, p := range v.Data.Policies {
		styles[p.Label] = p.Style
	}
	summary := compare.Summarise(set)
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

func newData(set *results.Set) (data, error) {
	d := data{Axes: newAxes(set.Conditions.Protocol), ArmNames: []string{}, Policies: []*policy{}}
	for _, m := range compare.Metrics {
		d.Metrics = append(d.Metrics, metric{m.Name, strings.ToUpper(m.Name[:1]) + m.Name[1:], m.NonNegative})
	}
	for _, name := range set.Conditions.Environment.Arms {
		d.ArmNames = append(d.ArmNames, words.Plain(name))
	}
	for i := range set.Policies {
		p, err := gather(set, &set.Policies[i], d.Axes)
		if err != nil {
			return data{}, err
		}
		if p != nil {
			p.Style = len(d.Policies) // as in the plots of package results
			d.Policies = append(d.Policies, p)
		}
	}
	d.addSeries()
	return d, nil
}

// sortAs puts the policies in the order of a summary, the best first.
func (d *data) sortAs(s *compare.Summary) {
	place := make(map[string]int)
	for i, p := range s.Policies {
		place[words.Plain(p.Policy)] = i
	}
	slices.SortStableFunc(d.Policies, func(a, b *policy) int { return cmp.Compare(place[a.Label], place[b.Label]) })
}

func newMistakesView(d data, rows *Rows) (mistakesView, error) {
	v := mistakesView{From: d.Axes.firstCounted(), Known: rows != nil}
	together := newMistakesOf(d.Axes, len(d.ArmNames))
	for _, p := range d.Policies {
		together.join(p.mistakes)
	}
	v.HasRows = len(together.rows) > 0
	add := func(name string, style int, m *mistakesOf) error {
		tables := policyMistakes{Name: name, Style: style}
		for arm, armName := range d.ArmNames {
			t, err := newWrongTable(m, arm, armName, rows)
			if err != nil {
				return err
			}
			tables.Arms = append(tables.Arms, t)
		}
		v.Policies = append(v.Policies, tables)
		return nil
	}
	if err := add("", 0, together); err != nil {
		return v, err
	}
	for _, p := range d.Policies {
		if err := add(p.Label, p.Style, p.mistakes); err != nil {
			return v, err
		}
	}
	return v, nil
}
