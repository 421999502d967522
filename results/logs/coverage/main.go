// Coverage measures how often the intervals of 'banditsim evaluate' hold the truth, on simulated logs, and writes the tables of
// docs/logged.md:
//
//	go run ./results/logs/coverage -docs docs/logged.md -json counts.json
//
// The logs are rows drawn from 500,000 contexts of the environment logistic with its defaults (five arms, contexts of ten numbers, rewards
// 0 and 1), whose mean is the truth, written by ε-greedy around the best arm with ε = 1 (uniform), .5, .2 and .05. The policy always pulls the
// first arm. The model of rewards is wrong on purpose: half of the true mean and .2. Bootstrap intervals have logs of their own, as they take
// most of the time, and 1,999 resamples in place of 9,999. All takes about ten minutes of one core. Each cell of the table, one logger with one
// number of rows, is written when it is done, and a second run with the same -json goes on with the cells that are missing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/logged/estimate"
	"banditsim/bandit/stream"
	"banditsim/datasets/synthetic"
	"banditsim/internal/pool"
	"banditsim/internal/words"
	"banditsim/results/logs"
	"banditsim/results/stats"
)

// resamples of a bootstrap. Where (resamples+1)·2.5 % is an integer, as here, their number moves the ends of an interval at random, and not how
// often it holds the truth.
const resamples = 1999

var (
	epsilons = []float64{1, 0.5, 0.2, 0.05}
	rows     = []int{200, 2000, 20000}
)

func main() {
	var o options
	flag.IntVar(&o.logs, "logs", 2000, "logs of each logger and length")
	flag.IntVar(&o.bootstraps, "bootstraps", 2000, "logs of each logger and length for bootstrap intervals")
	flag.IntVar(&o.longBootstraps, "long-bootstraps", 200, "the same with 20,000 rows")
	flag.StringVar(&o.docs, "docs", "", "file whose tables are renewed")
	flag.StringVar(&o.counts, "json", "", "file for the counts; cells that it has with the same numbers of logs are not counted again")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type options struct {
	logs, bootstraps, longBootstraps int
	docs, counts                     string
}

// of returns the number of logs with so many rows.
func (o options) of(rows int, bootstrap bool) int {
	switch {
	case !bootstrap:
		return o.logs
	case rows > 2000:
		return o.longBootstraps
	}
	return o.bootstraps
}

// A cell counts logs of one logger with one number of rows.
type cell struct {
	Epsilon   float64           `json:"epsilon"`
	Rows      int               `json:"rows"`
	Logs      int               `json:"logs"`
	NoVerdict int               `json:"no_verdict"`
	Skewed    int               `json:"skewed"` // logs with a verdict and skewed terms
	All       map[string]*share `json:"all"`    // by interval
	Trusted   map[string]*share `json:"without_warning"`
}

// A share is of logs whose interval holds the truth.
type share struct {
	Held int `json:"held"`
	Of   int `json:"of"`
}

func run(o options) error {
	world, err := newPopulation()
	if err != nil {
		return err
	}
	cells, err := load(o)
	if err != nil {
		return err
	}
	type part struct {
		cell      int
		bootstrap bool
	}
	var missing []part
	for _, bootstrap := range []bool{false, true} {
		for i, c := range cells {
			if c.counted(bootstrap) != o.of(c.Rows, bootstrap) {
				missing = append(missing, part{i, bootstrap})
			}
		}
	}
	var writing sync.Mutex
	workers := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	err = workers.Run(context.Background(), len(missing), func(k int) error {
		begun, p := time.Now(), missing[k]
		counts, n := newCell(cells[p.cell].Epsilon, cells[p.cell].Rows), o.of(cells[p.cell].Rows, p.bootstrap)
		draw := stream.Root(1).Child("coverage", counts.Rows, math.Float64bits(counts.Epsilon), p.bootstrap)
		for range n {
			world.log(draw, counts, p.bootstrap)
		}
		writing.Lock()
		defer writing.Unlock()
		cells[p.cell].take(counts, p.bootstrap)
		fmt.Fprintf(os.Stderr, "ε = %g, %d rows, bootstrap %v: %d logs, %v\n", counts.Epsilon, counts.Rows, p.bootstrap, n, time.Since(begun).Round(time.Second))
		return save(cells, o)
	})
	if err != nil {
		return err
	}
	fmt.Print(tables(cells))
	return save(cells, o)
}

func newCell(epsilon float64, rows int) *cell {
	return &cell{Epsilon: epsilon, Rows: rows, All: map[string]*share{}, Trusted: map[string]*share{}}
}

// load returns all cells, with the counts of the file if there is one.
func load(o options) ([]*cell, error) {
	var cells []*cell
	b, err := os.ReadFile(o.counts)
	if err == nil {
		if err := json.Unmarshal(b, &cells); err != nil {
			return nil, fmt.Errorf("%s: %w", o.counts, err)
		}
		return cells, nil
	}
	if o.counts != "" && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, size := range rows {
		for _, epsilon := range epsilons {
			cells = append(cells, newCell(epsilon, size))
		}
	}
	return cells, nil
}

// isBootstrap reports whether an interval is counted on the logs for bootstrap intervals.
func isBootstrap(name string) bool { return strings.HasSuffix(name, "bootstrap") }

// counted returns the number of logs that the cell has counted.
func (c *cell) counted(bootstrap bool) int {
	if !bootstrap {
		return c.Logs
	}
	if s := c.All["DR, bootstrap"]; s != nil {
		return s.Of
	}
	return 0
}

// take replaces the counts of one kind by those of from.
func (c *cell) take(from *cell, bootstrap bool) {
	if !bootstrap {
		c.Logs, c.NoVerdict, c.Skewed = from.Logs, from.NoVerdict, from.Skewed
	}
	for _, pair := range [][2]map[string]*share{{c.All, from.All}, {c.Trusted, from.Trusted}} {
		maps.DeleteFunc(pair[0], func(name string, _ *share) bool { return isBootstrap(name) == bootstrap })
		maps.Copy(pair[0], pair[1])
	}
}

// save writes the tables and the counts to their files, if there are any.
func save(cells []*cell, o options) error {
	if o.docs != "" {
		if err := renew(o.docs, tables(cells)); err != nil {
			return err
		}
	}
	if o.counts == "" {
		return nil
	}
	b, err := json.MarshalIndent(cells, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.counts, b, 0o666)
}

// A population is what logs draw their rows from.
type population struct {
	arms   int
	truth  float64 // mean expected reward of the first arm
	people []person
}

// A person is a context by what matters of it.
type person struct {
	best  int       // arm
	means []float64 // expected rewards
}

func newPopulation() (*population, error) {
	world, err := synthetic.Logistic().Open(context.Background(), synthetic.Logistic().Defaults(), "")
	if err != nil {
		return nil, err
	}
	env, err := world.New(stream.Root(1).Child("environment"))
	if err != nil {
		return nil, err
	}
	spec := env.Spec()
	p := &population{arms: len(spec.Arms), people: make([]person, 500_000)}
	round := bandit.Round{Context: make([]float32, spec.Dim)}
	outcome := bandit.Outcome{Reward: make([]float64, p.arms), Mean: make([]float64, p.arms)}
	for i := range p.people {
		if err := env.Next(&round, &outcome); err != nil {
			return nil, err
		}
		means := slices.Clone(outcome.Mean)
		p.people[i] = person{slices.Index(means, slices.Max(means)), means}
		p.truth += means[0] / float64(len(p.people))
	}
	return p, nil
}

// log draws a log, estimates the policy's value as 'banditsim evaluate' does, and counts.
func (p *population) log(draw *stream.Stream, c *cell, bootstrap bool) {
	size := c.Rows
	sample := &estimate.Sample{Weight: make([]float64, size), Reward: make([]float64, size), Model: make([]float64, size), Value: make([]float64, size)}
	propensity := make([]float64, size)
	for i := range size {
		who := &p.people[draw.IntN(len(p.people))]
		arm := draw.IntN(p.arms)
		if c.Epsilon < 1 && draw.Float64() >= c.Epsilon {
			arm = who.best
		}
		q := c.Epsilon / float64(p.arms)
		if arm == who.best {
			q += 1 - c.Epsilon
		}
		propensity[i] = q
		if draw.Float64() < who.means[arm] {
			sample.Reward[i] = 1
		}
		sample.Model[i], sample.Value[i] = 0.5*who.means[arm]+0.2, 0.5*who.means[0]+0.2
		if arm == 0 {
			sample.Weight[i] = 1 / q
		}
	}
	verdict := estimate.Diagnose(sample.Weight, sample.Reward, propensity, p.arms).Verdict()
	skewed := verdict && logs.Skewed(estimate.DoublyRobust().Of(sample).Terms)
	trusted := verdict && !skewed
	count := func(name string, low, high float64) { c.count(name, low <= p.truth && p.truth <= high, trusted) }
	if bootstrap {
		for _, e := range []estimate.Estimator{estimate.IPS(), estimate.DoublyRobust()} {
			low, high := logs.BootstrapInterval(e.Of(sample).Terms, resamples)
			count(e.Title+", bootstrap", low, high)
		}
		return
	}
	c.Logs++
	if !verdict {
		c.NoVerdict++
	}
	if skewed {
		c.Skewed++
	}
	for _, e := range estimate.All() {
		terms := e.Of(sample).Terms
		t := stats.NewEstimate(terms)
		count(e.Title+", t", t.Low, t.High)
	}
	low, high := stats.EmpiricalBernstein(sample.Weight, sample.Reward, 0, 1)
	count("IPS, Bernstein", low, high)
	low, high = stats.ConfidenceSequence(sample.Weight, sample.Reward, 0, 1)
	count("IPS, sequence", low, high)
	if c.Epsilon == 1 {
		low, high := logs.Matched(sample)
		count("matched, exact", low, high)
	}
}

// count notes whether an interval holds the truth. One that is not a number does not.
func (c *cell) count(name string, held, trusted bool) {
	add := func(to map[string]*share) {
		s := to[name]
		if s == nil {
			s = &share{}
			to[name] = s
		}
		s.Of++
		if held {
			s.Held++
		}
	}
	add(c.All)
	if trusted {
		add(c.Trusted)
	}
}

// columns are those of the tables.
var columns = []string{"IPS, t", "SNIPS, t", "DR, t", "SNDR, t", "IPS, bootstrap", "DR, bootstrap", "IPS, Bernstein", "IPS, sequence", "matched, exact",
	"clipped IPS, t", "DM, t", "Switch-DR, t", "DRos, t", "clipped DR, t"}

// tables returns the tables as Markdown.
func tables(cells []*cell) string {
	cells = slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Logs == 0 })
	var b strings.Builder
	// write writes a table; without rows whose cells have too few logs.
	write := func(title string, of func(*cell) map[string]*share, names []string) {
		fmt.Fprintf(&b, "\n%s\n\n| logger | rows | refused |", title)
		for _, name := range names {
			fmt.Fprintf(&b, " %s |", strings.NewReplacer("bootstrap", "boot", "IPS, B", "B", "IPS, s", "s", "matched, ", "").Replace(name))
		}
		b.WriteString("\n| --- | ---: | ---: |" + strings.Repeat(" ---: |", len(names)) + "\n")
		for _, c := range cells {
			logger := fmt.Sprintf("ε = %g", c.Epsilon)
			if c.Epsilon == 1 {
				logger = "uniform"
			}
			row, some := fmt.Sprintf("| %s | %s | %s |", logger, words.Int(c.Rows), words.Percent(100*float64(c.NoVerdict)/float64(c.Logs))), false
			for _, name := range names {
				s := of(c)[name]
				if s == nil || s.Of < 20 {
					row += " – |"
					continue
				}
				row, some = row+fmt.Sprintf(" %.1f |", 100*float64(s.Held)/float64(s.Of)), true
			}
			if some {
				b.WriteString(row + "\n")
			}
		}
	}
	skewed := 0
	b.WriteString("\nLogs of each logger:\n\n")
	for i, c := range cells {
		if skewed += c.Skewed; i > 0 && cells[i-1].Rows == c.Rows {
			continue
		}
		of := 0
		if s := c.All["DR, bootstrap"]; s != nil {
			of = s.Of
		}
		fmt.Fprintf(&b, "- %s with %s rows, and %s more for the bootstrap\n", words.Int(c.Logs), words.Int(c.Rows), words.Int(of))
	}
	fmt.Fprintf(&b, "\nA share of 95 %% of 2,000 logs has a standard error of 0.5 %%, of 200 one of 1.5 %%. The warning of skewed\nterms came on %s.\n", words.Count(skewed, "log"))
	unbiased, biased := columns[:9], columns[9:]
	write("All logs, in percent:", func(c *cell) map[string]*share { return c.All }, unbiased)
	write("Logs without a warning, in percent:", func(c *cell) map[string]*share { return c.Trusted }, unbiased)
	write("Estimators whose intervals leave out a bias, logs without a warning, in percent:", func(c *cell) map[string]*share { return c.Trusted }, biased)
	four := []string{"IPS, t", "SNIPS, t", "DR, t", "SNDR, t"}
	held := func(c *cell) bool { // on all logs of the cell
		return !slices.ContainsFunc(four, func(name string) bool {
			share := float64(c.All[name].Held) / float64(c.All[name].Of)
			return share < 0.93 || share > 0.97
		})
	}
	var falseAlarms, good, missed, bad int
	for _, c := range cells {
		if warned := c.NoVerdict + c.Skewed; held(c) {
			falseAlarms, good = falseAlarms+warned, good+c.Logs
		} else {
			missed, bad = missed+c.Logs-warned, bad+c.Logs
		}
	}
	percent := func(part, of int) string { return words.Percent(100 * float64(part) / float64(max(of, 1))) }
	fmt.Fprintf(&b, "\nWhere the t-intervals of IPS, SNIPS, DR and SNDR all hold the truth on 93 to 97 %% of all logs, %s of the logs have a\nwarning: false alarms. Where one of them does not, %s have none, on which the second table has the shares.\n",
		percent(falseAlarms, good), percent(missed, bad))
	return b.String()
}

// Markers of the tables in docs/logged.md.
const (
	begin = "<!-- coverage: go run ./results/logs/coverage -docs docs/logged.md -json counts.json -->\n"
	end   = "<!-- end of coverage -->\n"
)

// renew replaces the text between the markers of a file.
func renew(path, text string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no %q … %q", path, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(path, []byte(before+begin+text+end+after), 0o666)
}
