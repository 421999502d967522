// Command coverage measures how often the intervals of 'banditsim evaluate' contain the truth, on simulated logs, and
// updates the tables of docs/logged.md:
//
//	go -C lab run ./coverage -docs ../docs/logged.md
//
// A log has 4,000 rows with a context of three standard normal numbers, and ten arms with rewards 0 and 1. Each world
// has a rate. With equal arms, the reward is 1 with this probability. With different arms, the probability is a
// logistic function of the context, between 0.5 and 1.5 times the rate. Half of the pulls are uniform. The others are
// of a neighbor of the arm that would pay best with different arms. LinUCB is trained on one half of a log and
// evaluated on the other. The estimators are doubly robust (DR), inverse propensity weighting (IPS), and the latter
// self-normalized (SNIPS). The tables count the interval that a report relies on. This is the t-interval of DR if it
// has a verdict (the log can tell the policy's value), otherwise the exact or the Bernstein interval. With -hidden the
// propensities of logs are hidden and estimated: see hidden.go.
//
// With -recorded the logs are those of learning policies, and the table also has the regret that their uniform pulls
// cost. A log has the pulls of a trial in the environment logistic, 4,000 unless changed by -rounds; the first 100 are
// uniform. From each log the mean rewards of Uniform and of always pulling one arm are estimated, and intervals with a
// verdict count. The truth is the mean of the expected rewards in the contexts of the log.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/logged"
	"banditsim/bandit/stream"
	"banditsim/internal/pool"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/results/stats"
)

const (
	arms = 10
	dim  = 3
	rows = 4000
)

func main() {
	n := flag.Int("logs", 1000, "logs of each world and rate")
	looks := flag.Int("looks", 500, "logs that are looked at while they grow")
	docs := flag.String("docs", "", "file whose tables are renewed")
	hide := flag.Bool("hidden", false, "hide the propensities of logs and estimate them")
	learned := flag.Bool("recorded", false, "take logs that learning policies write")
	seeds := flag.Int("seeds", 20, "with -recorded: trials of each policy")
	explore := flag.Float64("explore", 0.1, "with -recorded: share of uniform pulls")
	flag.IntVar(&protocol.Rounds, "rounds", protocol.Rounds, "with -recorded: rounds of ten pulls in a log")
	only := flag.String("policies", strings.Join(learners, ","), "with -recorded: policies, separated by commas")
	flag.Parse()
	marker, text, err := begin, "", error(nil)
	switch {
	case *hide:
		marker = beginHidden
		text, err = hidden(*n)
	case *learned:
		text, err = recorded(*seeds, *explore, strings.Split(*only, ","))
	default:
		text, err = tables(*n, *looks)
	}
	if err == nil && *docs != "" {
		err = renew(*docs, marker, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// each returns f(0) … f(n−1), computed on all processors.
func each[T any](n int, f func(i int) (T, error)) ([]T, error) {
	all := make([]T, n)
	workers := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	return all, workers.Run(context.Background(), n, func(i int) (err error) {
		all[i], err = f(i)
		return err
	})
}

// spec is the spec of all worlds.
var spec = bandit.Spec{Dim: dim, Arms: strings.Split("0123456789", ""), IgnoresActions: true, UniformRegret: math.NaN()}

// A world determines the distribution of logs.
type world struct {
	rate  float64
	equal bool // all arms have the same expected reward
}

func (w world) String() string {
	if w.equal {
		return "equal"
	}
	return "different"
}

// mean returns the expected reward of an arm.
func (w world) mean(x []float32, arm int) float64 {
	if w.equal {
		return w.rate
	}
	return w.rate * (0.5 + 1/(1+math.Exp(-2*score(x, arm))))
}

// score returns the linear score of an arm; each arm has its own function of the context.
func score(x []float32, arm int) float64 {
	angle := 2 * math.Pi * float64(arm) / arms
	return float64(float64(x[0])*math.Cos(angle)) + float64(float64(x[1])*math.Sin(angle)) + float64(0.3*float64(x[2]))
}

// log returns a log drawn with s.
func (w world) log(s *stream.Stream) (*logged.Log, error) {
	list := make([]logged.Row, rows)
	for i := range list {
		r := &list[i]
		*r = logged.Row{Context: make([]float32, dim), Arm: s.IntN(arms), Propensity: 0.5 / arms, Time: math.NaN()}
		s.Normals(r.Context)
		best := 0
		for a := range arms {
			if score(r.Context, a+1) > score(r.Context, best+1) { // the logger prefers a neighbor of the arm that pays best
				best = a
			}
			r.Means = append(r.Means, w.mean(r.Context, a))
		}
		if s.Float64() < 0.5 {
			r.Arm = best
		}
		if r.Arm == best {
			r.Propensity += 0.5
		}
		if s.Float64() < r.Means[r.Arm] {
			r.Reward = 1
		}
	}
	return logged.New("simulated", spec, list)
}

// judged are the policies that are evaluated.
var judged = []logged.Policy{
	always(0),
	{Label: "Uniform", New: byDefault(policy.UniformKind())},
	{Label: "LinUCB", New: byDefault(policy.UCBKind(exact.Linear(), 1))},
}

// always returns the policy that always pulls an arm.
func always(arm int) logged.Policy {
	return logged.Policy{Label: fmt.Sprint("always ", arm), New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(arm), nil }}
}

// byDefault returns a function that builds policies of kind k with default options.
func byDefault[O any](k policy.Kind[O]) func(policy.Setup) (bandit.Policy, error) {
	return func(s policy.Setup) (bandit.Policy, error) { return k.New(k.Defaults(), s) }
}

// A count has numbers of logs, such as those for one world and one policy.
type count struct {
	logs        int
	verdicts    int    // logs with a verdict
	held        int    // verdicts where the DR interval contains the truth
	significant int    // verdicts with a significant difference from the log's policy, which is false if all arms are equal
	sure        int    // logs without a verdict but with an exact or a Bernstein interval
	sureHeld    int    // logs counted in sure whose interval contains the truth
	t           [3]int // verdicts where the t-interval contains the truth, by estimator: DR, SNIPS, IPS
}

// measure returns the counts for each policy in judged over n logs of a world.
func measure(w world, n int) ([]count, error) {
	counts := make([]count, len(judged))
	for k := range n {
		l, err := w.log(stream.Root(uint64(k+1)).Child("coverage", math.Float64bits(w.rate), w.equal))
		if err != nil {
			return nil, err
		}
		if err := evaluate(l, judged, counts); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// evaluate evaluates policies on a log, and adds the results to their counts.
func evaluate(l *logged.Log, policies []logged.Policy, counts []count) error {
	o := logged.DefaultOptions()
	k := exact.Linear()
	o.Model = func(s posterior.Setup) (posterior.Posterior, error) { return k.New(k.Defaults(), s) }
	e, err := logged.Evaluate(context.Background(), l, policies, o)
	if err != nil {
		return err
	}
	for i := range counts {
		counts[i].add(e.Estimates[3*i : 3*i+3])
	}
	return nil
}

// add counts a log. lines are the DR, SNIPS and IPS estimates of the policy.
func (c *count) add(lines []logged.Estimate) {
	holds := func(low, high float64) bool { return low <= lines[0].Truth && lines[0].Truth <= high }
	c.logs++
	if dr := lines[0]; dr.Verdict {
		c.verdicts++
		if holds(dr.Mean.Low, dr.Mean.High) {
			c.held++
		}
		if dr.Holm < stats.Significance {
			c.significant++
		}
		for k, l := range lines {
			if holds(l.Student.Low, l.Student.High) {
				c.t[k]++
			}
		}
		return
	}
	ends := lines[2].Bernstein
	if !math.IsNaN(lines[1].Exact[0]) {
		ends = lines[1].Exact
	}
	if !math.IsNaN(ends[0]) {
		c.sure++
		if holds(ends[0], ends[1]) {
			c.sureHeld++
		}
	}
}

// tables returns the tables as Markdown.
func tables(n, looks int) (string, error) {
	var worlds []world
	for _, equal := range []bool{false, true} {
		for _, rate := range []float64{0.002, 0.02, 0.2, 0.5} {
			worlds = append(worlds, world{rate, equal})
		}
	}
	counts, err := each(len(worlds), func(k int) ([]count, error) { return measure(worlds[k], n) })
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d logs of 4,000 rows in each line; a share of 95 %% of 1,000 has a standard error of 0.7 points.\n\n", n)
	b.WriteString("| arms | rate | policy | verdict | its DR, t | SNIPS, t | IPS, t | false verdicts | no verdict, exact or Bernstein |\n| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for k, w := range worlds {
		for i, c := range counts[k] {
			significant := "–"
			if w.equal {
				significant = percent(c.significant, c.logs)
			}
			fmt.Fprintf(&b, "| %s | %g | %s | %s | %s | %s | %s | %s | %s |\n", w, w.rate, judged[i].Label, percent(c.verdicts, c.logs),
				percent(c.held, c.verdicts), percent(c.t[1], c.verdicts), percent(c.t[2], c.verdicts), significant, percent(c.sureHeld, c.sure))
		}
	}
	return b.String() + sequences(looks), nil
}

// sequences compares confidence sequences with other intervals on n logs, at which it looks every 100 rows. It returns
// a table of the shares of logs in which an interval contains the truth at every look. Rewards are 1, and rarely 50.
func sequences(n int) string {
	const size, high = 5000, 0.02
	var b strings.Builder
	fmt.Fprintf(&b, "\nRewards of 1, and of 50 with probability %g, in logs of %d rows with weights of 1 that are looked at every 100 rows: of %d logs\n\n", high, size, n)
	b.WriteString("| interval | held at every look |\n| --- | ---: |\n")
	truth := 1 + 49*high
	for _, c := range []struct {
		name string
		of   func(weight, reward []float64) (low, high float64)
	}{
		{"`sequence --range 0,50`", func(w, r []float64) (float64, float64) { return stats.ConfidenceSequence(w, r, 0, 50) }},
		{"`bernstein --range 0,50`", func(w, r []float64) (float64, float64) { return stats.EmpiricalBernstein(w, r, 0, 50) }},
		{"`t`", func(_, r []float64) (float64, float64) { e := stats.NewEstimate(r); return e.Low, e.High }},
	} {
		held := 0
		for k := range n {
			s := stream.Root(uint64(k + 1)).Child("looks")
			weight, reward := slices.Repeat([]float64{1}, size), make([]float64, size)
			for i := range reward {
				if reward[i] = 1; s.Float64() < high {
					reward[i] = 50
				}
			}
			always := true
			for at := 100; at <= size && always; at += 100 {
				low, high := c.of(weight[:at], reward[:at])
				always = low <= truth && truth <= high
			}
			if always {
				held++
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", c.name, percent(held, n))
	}
	return b.String()
}

// percent returns part as a percentage of total, or a dash if total is below 20.
func percent(part, total int) string {
	if total < 20 {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(total))
}

// begin, beginHidden and end enclose the tables in docs/logged.md and docs/propensities.md.
const (
	begin       = "<!-- coverage: go -C lab run ./coverage -docs ../docs/logged.md -->\n"
	beginHidden = "<!-- coverage: go -C lab run ./coverage -hidden -logs 200 -docs ../docs/propensities.md -->\n"
	end         = "<!-- end of coverage -->\n"
)

// renew replaces the text between the markers begin and end in a file.
func renew(path, begin, text string) error {
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
