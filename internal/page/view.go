package page

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

func newView(sets []*results.Set, o Options) (*view, error) {
	v := &view{Options: o, Data: newData(), parts: newParts(o.Watched)}
	if err := v.name(sets); err != nil {
		return nil, err
	}
	v.Policies = len(results.Labels(sets))
	m := maker{Options: o, detail: newDetail(sets), styles: make(map[string]int), order: results.Order(sets), options: make(map[string]string)}
	v.Data.Digits, v.Thinned = m.detail.digits, m.detail.thinned()
	for i, set := range sets {
		e, err := m.environment(set)
		if err != nil {
			return nil, err
		}
		if len(sets) > 1 {
			e.Data.Name = words.Plain(set.Label)
		}
		if i > 0 {
			e.Suffix = fmt.Sprint("-", i+1)
		}
		v.Environments = append(v.Environments, e)
		v.Data.Environments = append(v.Data.Environments, e.Data)
	}
	if len(sets) > 1 {
		v.across(sets, m)
	}
	return v, nil
}

// name sets the title and the notes. The notes are those of the trial that began last. The title is Options.Title, else
// that of the trial that began last, else the folder's name.
func (v *view) name(sets []*results.Set) error {
	title, notes := titled(sets)
	for paragraph := range strings.SplitSeq(notes, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
			v.Notes = append(v.Notes, paragraph)
		}
	}
	if v.Title = cmp.Or(words.Plain(v.Title), title); v.Title == "" {
		dir, err := filepath.Abs(sets[0].Dir)
		if err != nil {
			return fmt.Errorf("page: %w", err)
		}
		v.Title = words.Plain(filepath.Base(dir))
	}
	return nil
}

func (v *view) across(sets []*results.Set, how maker) {
	for _, m := range compare.Metrics() {
		a, err := compare.CompareAcross(sets, m, "")
		if err != nil {
			v.AcrossError = err.Error()
			return
		}
		t := how.tableOf(report.Across(a))
		t.drawRanks(a)
		v.Across = append(v.Across, comparisonView{m, t, how.matrix(a), v.Environments})
	}
}

// A maker makes the views of environments, one after the other.
type maker struct {
	Options
	detail  detail
	order   []string          // labels of all policies
	styles  map[string]int    // styles of curves by label, to which newEnvironment adds the policies of each environment
	options map[string]string // by label: options in the last environment so far that has the policy
}

// style returns the style of the curves of a policy; −1 if it has none.
func (m maker) style(label string) int {
	if style, ok := m.styles[label]; ok {
		return style
	}
	return -1
}

// environment reads all trials of a set and returns the view of its environment.
func (m maker) environment(set *results.Set) (*environmentView, error) {
	v := &environmentView{Conditions: set.Conditions}
	summary := compare.Totals(set)
	if err := summary.Explain(set); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	var err error
	if v.Data, err = newEnvironment(set, summary, m); err != nil {
		return nil, err
	}
	if err := v.compare(set, summary, m); err != nil {
		return nil, err
	}
	r := report.SummaryPage(summary)
	r.Notes = shortPaths(r.Notes, set.Damaged)
	v.Summary = m.tableOf(r)
	switch scores, how, err := compare.Scores(set); {
	case err == nil:
		v.Scores = m.table(report.ScoreTable(how, scores))
	case !errors.Is(err, compare.ErrNoScores):
		v.ScoresError = WithoutFolders(words.Plain(err.Error()))
	}
	if m.Log != nil {
		t, err := m.Log(summary)
		if err != nil {
			return nil, fmt.Errorf("page: %w", err)
		}
		v.Log = m.table(t)
	}
	if v.Mistakes, err = newMistakesView(v.Data, set, m); err != nil {
		return nil, err
	}
	v.Data.mergeArms()
	v.Provenance = newProvenance(set, m.detail.trials, m.options)
	if m.Summary != nil {
		m.Summary(summary)
	}
	return v, nil
}

// maxBands is the largest number of policies whose bands are shown at first. More bands would hide each other.
const maxBands = 8

// maxButtons is the largest number of policies that are chosen with buttons.
const maxButtons = 12

// List reports whether policies are chosen from a list rather than with buttons.
func (v *environmentView) List() bool { return len(v.Data.Policies) > maxButtons }

// Many reports whether there are too many policies to show their bands at first.
func (v *environmentView) Many() bool { return len(v.Data.Policies) > maxBands }

func newData() data {
	d := data{Environments: []*environment{}, Colors: len(plot.Palette())}
	// An empty pattern must not be nil, which is null in JSON.
	d.Dashes = lists.Each(plot.Dashes(), func(dash []float64) []float64 { return append([]float64{}, dash...) })
	for _, m := range compare.Metrics() {
		d.Metrics = append(d.Metrics, metric{m.String(), strings.ToUpper(m.String()[:1]) + m.String()[1:], m.NonNegative})
	}
	return d
}

// newEnvironment reads all trials of a set and returns its data for the scripts. It also sets in summary the rounds in
// which the worst seeds depart from the others (compare.PolicySummary.SetDepartures).
func newEnvironment(set *results.Set, summary *compare.Summary, m maker) (*environment, error) {
	d := &environment{Axes: newAxes(set.Conditions.Protocol, m.detail), Policies: []*policy{}, Marks: []mark{}, Series: []chart{}}
	d.ArmNames = lists.Each(set.Conditions.Environment.Arms, words.Plain)
	for k := range summary.Policies { // sorted, the best first
		of := &summary.Policies[k]
		records := set.Find(of.Policy)
		p, err := readPolicy(set, of, d.Axes, m.detail)
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		p.Style = slices.Index(m.order, records.Label) // the same colors as in figures
		m.styles[p.Label] = p.Style
		if each, before, err := plot.GradientSteps(set, records.Policy); err == nil {
			p.Steps = &steps{each, before}
		}
		d.Policies = append(d.Policies, p)
	}
	d.addFinals(summary)
	d.addSeries()
	return d, nil
}

// addFinals sets Marks, and Final of each policy.
func (d *environment) addFinals(s *compare.Summary) {
	if uniform, _ := s.Conditions.UniformRegret(); uniform > 0 {
		d.Marks = append(d.Marks, mark{"acting uniformly", toDigits(uniform, fullDigits), words.Amount(uniform)})
	}
	if c := s.Constant; c != nil && c.Arm != "" {
		d.Marks = append(d.Marks, mark{"always “" + words.Plain(c.Arm) + "”", toDigits(float64(c.Regret), fullDigits), words.Amount(float64(c.Regret))})
	}
	for i, p := range d.Policies { // s has the same policies first, and those without a finished trial after them
		for _, m := range compare.Metrics() {
			r := s.Policies[i].Regret[m]
			f := final{Text: r.All.String(), Percent: words.Percent(float64(r.Percent)), Interval: numbers{r.All.Mean, math.NaN(), math.NaN()}, BySeed: r.BySeed}
			if r.All.HasInterval() {
				f.Interval[1], f.Interval[2] = r.All.Low, r.All.High
			}
			p.Final[m.String()] = f
		}
	}
}

// addSeries sets Series from the diagnostics of all policies.
func (d *environment) addSeries() {
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

// maxArms is the largest number of arms that have curves. "5 other arms" counts as one.
const maxArms = 12

// mergeArms merges the curves of the least pulled arms into one if there are more than maxArms arms.
func (d *environment) mergeArms() {
	if len(d.ArmNames) <= maxArms {
		return
	}
	pulls := make([]float64, len(d.ArmNames))
	order := make([]int, len(pulls))
	for arm := range order {
		order[arm] = arm
		for _, p := range d.Policies {
			for _, share := range p.Arms[arm] {
				pulls[arm] += share
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pulls[b], pulls[a]) })
	own, others := order[:maxArms-1], order[maxArms-1:]
	slices.Sort(own)
	merge := func(of []numbers) []numbers {
		merged := lists.Each(own, func(arm int) numbers { return of[arm] })
		rest := make(numbers, d.Axes.Windows.N)
		for _, arm := range others {
			for i, v := range of[arm] {
				rest[i] += v
			}
		}
		return append(merged, rest)
	}
	names := lists.Each(own, func(arm int) string { return d.ArmNames[arm] })
	d.ArmNames = append(names, words.Count(len(others), "other arm"))
	for _, p := range d.Policies {
		p.Arms, p.Mistakes = merge(p.Arms), merge(p.Mistakes)
	}
}

// newMistakesView returns the tables of wrong pulls. Options.Describe describes the data rows. If the pulls of all
// finished trials were recorded, the tables also have the regret of the wrong pulls.
func newMistakesView(d *environment, set *results.Set, m maker) (mistakesView, error) {
	v, e := mistakesView{From: d.Axes.firstCounted()}, set.Conditions.Environment
	pulls, err := compare.FindMistakes(set)
	switch {
	case err == nil:
		v.Cost = m.table(report.MistakesTable(pulls))
	case !errors.Is(err, compare.ErrNoPulls):
		return v, fmt.Errorf("page: %w", err)
	}
	together := newMistakeCounts(d.Axes.Windows)
	all := []*policy{{mistakes: together}}
	for _, p := range d.Policies {
		together.join(p.mistakes)
		all = append(all, p)
	}
	if len(all)*len(d.ArmNames)*leastRows > m.detail.rows {
		all, v.Together = all[:1], true
	}
	if len(together.rows) == 0 {
		return v, nil
	}
	var own *datasets.Rows
	var rows *describedRows
	err = nil
	if m.Describe != nil {
		own, err = m.Describe(e)
	}
	switch {
	case err != nil:
		v.Unknown = "What the rows are is not shown: " + WithoutFolders(words.Plain(err.Error())) + "."
	case own == nil:
		v.Unknown = fmt.Sprintf("The environment %s does not describe its rows here.", words.Plain(e.Name))
	default:
		if rows, err = newDescribedRows(own); err != nil {
			return v, fmt.Errorf("page: rows of environment %s: %w", words.Plain(e.Name), err)
		}
	}
	length := min(max(m.detail.rows/(len(all)*len(d.ArmNames)), leastRows), topRows)
	for _, p := range all {
		tables := policyMistakes{Name: p.Label, Style: p.Style}
		of := slices.DeleteFunc(slices.Clone(pulls), func(of compare.Mistakes) bool { return p.Label != "" && words.Plain(of.Policy) != p.Label })
		for arm, name := range d.ArmNames {
			t, err := newWrongTable(p.mistakes, of, arm, name, rows, length)
			if err != nil {
				return v, err
			}
			tables.Arms = append(tables.Arms, t)
		}
		v.Policies = append(v.Policies, tables)
	}
	return v, nil
}
