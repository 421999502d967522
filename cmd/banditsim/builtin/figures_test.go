package builtin_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// TestBins checks the percentages of chains in the contour's range in docs/reproduction.md against bins.csv.
func TestBins(t *testing.T) {
	t.Parallel()
	b := must.Get(os.ReadFile(filepath.Join(referenceDir("mushroom-paper"), "bins.csv")))(t)
	page := must.Get(os.ReadFile("../../../docs/reproduction.md"))(t)
	var inRange, all [3]float64 // one element per 200 rounds
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		f := strings.Split(line, ",")
		round := must.Get(strconv.Atoi(f[2]))(t)
		for _, bin := range strings.Fields(f[3]) {
			all[(round-1)/200]++
			if bin != "0" {
				inRange[(round-1)/200]++
			}
		}
	}
	want := fmt.Sprintf("%.0f %% are from 201 to 400, %.0f %% from 401 to 600", 100*inRange[1]/all[1], 100*inRange[2]/all[2])
	must.That(t, inRange[0] == 0 && strings.Contains(strings.Join(strings.Fields(string(page)), " "), want),
		"%v of %v chains are in range; the page does not have %q", inRange, all, want)
}

// TestFigures checks that docs/figures.tsv has every number in docs/reproduction.md and docs/lowest-regret.md, and every
// mean or difference with an interval in README.md, and that the committed rows give these numbers. A line of the file has
// the text on the page, the statistic, the policy as folder/label, the baseline, the metric, and the first and last round.
// Instead of a statistic, 'in' names a committed file that has the text; 'kept' says where it is from if no rows are left.
func TestFigures(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads all reference results")
	}
	var page []byte
	for _, name := range []string{"reproduction.md", "lowest-regret.md"} {
		b := must.Get(os.ReadFile("../../../docs/" + name))(t)
		page = append(page, b...)
	}
	table := must.Get(os.ReadFile("../../../docs/figures.tsv"))(t)
	text := strings.Join(strings.Fields(string(page)), " ")
	var known []string
	rows := referenceRows{t: t, sets: make(map[string]*results.Set), read: make(map[string]map[uint64][]float64)}
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		known = append(known, f[0])
		must.That(t, strings.Contains(text, f[0]), "the page does not have %q, which is in figures.tsv", f[0])
		switch f[1] {
		case "kept":
			continue
		case "in": // a committed table
			b, err := os.ReadFile(referenceDir(f[2]))
			must.That(t, err == nil && strings.Contains(string(b), f[0]), "%s does not have %q: %v", f[2], f[0], err)
			continue
		}
		must.Equal(t, strings.Join(f[1:], " ")+": the figure of the rows", rows.figure(f[1:]), f[0])
	}
	readme := must.Get(os.ReadFile("../../../README.md"))(t)
	for _, figure := range regexp.MustCompile(`[\d,]*\d ± [\d,]*\d|−?[\d,]*\d \[[−\d][^\]]*\]`).FindAllString(strings.Join(strings.Fields(string(readme)), " "), -1) {
		must.That(t, slices.ContainsFunc(known, func(k string) bool { return k == figure }),
			"README.md has %s, figures.tsv has not", figure)
	}
	text = regexp.MustCompile(`(?m)^    .*$`).ReplaceAllString(string(page), "") // without commands
	text = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)").ReplaceAllString(text, "")
	text = strings.Join(strings.Fields(text), " ")
	slices.SortFunc(known, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, figure := range known {
		whole := regexp.MustCompile(`(^|[^\d,.])` + regexp.QuoteMeta(figure) + `([,.]?([^\d,.]|$))`)
		for old := ""; old != text && strings.Contains(text, figure); { // adjacent matches share a blank
			old, text = text, whole.ReplaceAllString(text, "$1 $2")
		}
	}
	for _, at := range regexp.MustCompile(`\d[\d,.]*`).FindAllStringIndex(text, -1) {
		t.Errorf("figures.tsv does not have %s in: %s", text[at[0]:at[1]], strings.ToValidUTF8(text[max(at[0]-30, 0):min(at[1]+20, len(text))], ""))
	}
}

type referenceRows struct {
	t    *testing.T
	sets map[string]*results.Set         // by folder
	read map[string]map[uint64][]float64 // results of rounds, by name and count
}

// counts has the counts that figures may use in place of a metric: mushrooms eaten, and poisonous mushrooms eaten.
var counts = map[string]func(*results.Round) float64{
	"eaten": func(r *results.Round) float64 { return float64(r.Arms[1]) },
	"poisonous": func(r *results.Round) (n float64) {
		for _, wrong := range r.Wrong {
			n += float64(wrong[1])
		}
		return n
	},
}

// rounds returns a policy's regret or count in every round, by seed. name is folder/label, count a metric or a key of counts.
func (r *referenceRows) rounds(name, count string) map[uint64][]float64 {
	if by := r.read[name+" "+count]; by != nil {
		return by
	}
	folder, label, _ := strings.Cut(name, "/")
	set := r.sets[folder]
	if set == nil {
		dir := r.t.TempDir()
		for name, b := range archived(r.t, folder) {
			path := filepath.Join(dir, name)
			must.OK(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
			must.OK(r.t, os.WriteFile(path, b, 0o644))
		}
		set = must.Get(results.Load(dir))(r.t)
		r.sets[folder] = set
	}
	p := set.Find(label)
	must.Hold(r.t, p != nil, "%s has no %q", folder, label)
	by := make(map[uint64][]float64)
	for _, rec := range p.Records {
		rounds, value := rec.Rounds(), counts[count]
		if value == nil {
			m := must.Get(compare.ParseMetric(count))(r.t)
			rounds, value = rec.Regrets(), m.Round
		}
		for round, err := range rounds {
			if err != nil {
				r.t.Fatal(err)
			}
			by[rec.Seed] = append(by[rec.Seed], value(round))
		}
	}
	r.read[name+" "+count] = by
	return by
}

// figure computes the text of a line of docs/figures.tsv from its other columns.
func (r *referenceRows) figure(f []string) string {
	folder, _, _ := strings.Cut(f[1], "/")
	var from, to int
	must.Get(fmt.Sscan(f[4], &from, &to))(r.t)
	var values []float64
	sum := func(name string) map[uint64]float64 {
		by := make(map[uint64]float64)
		for seed, values := range r.rounds(name, f[3]) {
			for _, v := range values[from-1 : to] {
				by[seed] += v
			}
		}
		return by
	}
	policy := sum(f[1])
	var base map[uint64]float64
	if f[2] != "" {
		base = sum(f[2])
	}
	for _, seed := range slices.Sorted(maps.Keys(policy)) {
		b, ok := base[seed]
		if base == nil || ok {
			values = append(values, policy[seed]-b)
		}
	}
	e := stats.NewEstimate(values)
	first := stats.NewEstimate(values[:3])
	slices.Sort(values)
	switch f[0] {
	case "mean":
		return e.String()
	case "mean alone":
		return words.AmountTo(e.Mean, 0)
	case "to a tenth":
		return words.AmountTo(e.Mean, 1)
	case "to a hundredth":
		return words.AmountTo(e.Mean, 2)
	case "percent of uniform":
		c := r.sets[folder].Conditions
		return words.Percent(100 * e.Mean / (float64(c.Protocol.Pulls*(to-from+1)) * float64(c.Environment.UniformRegret)))
	case "difference":
		return e.MeanText() + " " + e.Interval()
	case "mean of three":
		return words.AmountTo(first.Mean, 0)
	case "median":
		return words.Amount(stats.Median(values))
	case "best":
		return words.Amount(values[0])
	case "worst":
		return words.Amount(values[len(values)-1])
	case "mean of all but the worst":
		return words.AmountTo(stats.NewEstimate(values[:len(values)-1]).Mean, 0)
	case "p":
		return words.PValue(e.PValue())
	case "p of six":
		return words.PValue(6 * e.PValue())
	}
	r.t.Fatalf("unknown statistic %q", f[0])
	return ""
}
