package compare

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results/stats"
)

func TestCurves(t *testing.T) {
	set := resultstest.Trials(t, []string{"p", "q"}, 3, 60, nil)
	for _, metric := range []*Metric{Expected(), Realised()} {
		for _, from := range []int{1, 53, 60} {
			curves := must.Get(Curves(set, curveOptions(metric, from, 1000)))(t)
			for k, c := range curves {
				if len(c.Rounds) != 60-from+2 || c.Rounds[0] != from-1 || c.Rounds[len(c.Rounds)-1] != 60 || len(c.Seeds) != 3 {
					t.Fatalf("%s from %d: rounds %d, seeds %d", metric, from, c.Rounds, c.Seeds)
				}
				must.Equal(t, fmt.Sprintf("%s from %d: starts at", metric, from), c.Regret[0].Mean, 0)
				// Sum all rounds, read with all fields.
				ends := make([]float64, 3)
				for i, trial := range set.Policies[k].Records {
					for r, err := range trial.Rounds() {
						must.OK(t, err)
						if r.Round >= from && metric == Expected() {
							ends[i] += r.Expected
						} else if r.Round >= from {
							ends[i] += r.Realised
						}
					}
				}
				must.Equal(t, fmt.Sprintf("%s from %d: ends at", metric, from), c.End(), stats.NewEstimate(ends))
			}
		}
	}
	// Thinned curves go through the same points.
	all := must.Get(Curves(set, curveOptions(Expected(), 1, 1000)))(t)
	few := must.Get(Curves(set, curveOptions(Expected(), 1, 7)))(t)
	must.Equal(t, "points", len(few[0].Rounds), 7)
	for i, round := range few[0].Rounds {
		must.Equal(t, fmt.Sprint("round ", round), few[0].Regret[i], all[0].Regret[round])
	}
}

func TestThin(t *testing.T) {
	for _, test := range []struct {
		first, last, n int
		want           []int
	}{
		{0, 3, 10, []int{0, 1, 2, 3}},
		{0, 10, 3, []int{0, 5, 10}},
		{52, 60, 2, []int{52, 60}},
		{9, 10, 2, []int{9, 10}},
	} {
		if got := Thin(test.first, test.last, test.n); !slices.Equal(got, test.want) {
			t.Errorf("Thin(%d, %d, %d) = %d, want %d", test.first, test.last, test.n, got, test.want)
		}
	}
	for last := 1; last < 3000; last += 7 {
		marks := Thin(0, last, 500)
		for i := 1; i < len(marks); i++ {
			if marks[i] <= marks[i-1] {
				t.Fatalf("thin to %d: %d after %d", last, marks[i], marks[i-1])
			}
		}
	}
}

func TestCurveErrors(t *testing.T) {
	set := resultstest.Trials(t, []string{"p"}, 1, 60, nil)
	for _, test := range []struct {
		metric *Metric
		from   int
		want   string
	}{{Expected(), 0, "want 1 to 60"}, {Expected(), 61, "want 1 to 60"}, {nil, 1, "no metric"}} {
		must.Refuse(Curves(set, curveOptions(test.metric, test.from, 500)))(t, test.want)
	}
	must.Refuse(Curves(set, curveOptions(Expected(), 1, 1)))(t, "want at least 2")
	curves, err := Curves(set, curveOptions(Expected(), 1, 2))
	must.That(t, err == nil && len(curves) == 1, "%d curves of 2 points, error %v", len(curves), err)
	// Curves finds a byte that changed after Load.
	path := set.Policies[0].Records[0].Path
	b := resultstest.ReadFile(t, path)
	i := bytes.Index(b, []byte(`"wrong":[[17`))
	b[i+10] = '9'
	resultstest.WriteFile(t, path, b)
	must.Refuse(Curves(set, curveOptions(Expected(), 1, 500)))(t, "checksum differs")
}

// TestViews checks the views against sums of all rounds.
func TestViews(t *testing.T) {
	set := resultstest.Trials(t, []string{"p"}, 3, 120, nil)
	var regret [3][]float64 // regret of each round, by seed
	for i, rec := range set.Policies[0].Records {
		for r, err := range rec.Rounds() {
			must.OK(t, err)
			regret[i] = append(regret[i], r.Expected)
		}
	}
	for _, c := range []struct {
		view     View
		from, to int
	}{{Window, 1, 120}, {Window, 53, 119}, {Rate, 1, 120}, {Rate, 60, 100}} {
		o := curveOptions(Expected(), c.from, 500)
		o.View, o.To, o.Band = c.view, c.to, SeedsBand
		curves := must.Get(Curves(set, o))(t)
		curve := curves[0]
		if last := curve.Rounds[len(curve.Rounds)-1]; last != c.to || len(curve.Rounds) != len(curve.Regret) {
			t.Fatalf("%+v: ends in round %d with %d of %d values", c, last, len(curve.Regret), len(curve.Rounds))
		}
		since := c.from - 1
		for k, round := range curve.Rounds {
			mean := 0.0
			for i := range regret {
				sum := 0.0
				for _, v := range regret[i][since:round] {
					sum += v
				}
				must.Near(t, "regret of a seed", curve.BySeed[i][k], sum/float64(round-since), 1e-9)
				mean += sum / float64(round-since) / 3
			}
			must.Near(t, "mean regret", curve.Regret[k].Mean, mean, 1e-9)
			if c.view == Window {
				since = round
			}
		}
	}
	for rounds, want := range map[int]int{1: 1, 50: 1, 51: 2, 101: 5, 2000: 50, 2501: 100} {
		must.Equal(t, fmt.Sprintf("windows of %d rounds have", rounds), WindowWidth(rounds), want)
	}
}

// TestBands checks the bands against the values of the seeds.
func TestBands(t *testing.T) {
	set := resultstest.Trials(t, []string{"p"}, 5, 60, nil)
	curveOf := func(b Band) Curve {
		o := curveOptions(Expected(), 1, 7)
		o.Band = b
		return must.Get(Curves(set, o))(t)[0]
	}
	seeds := curveOf(SeedsBand)
	for _, b := range Bands() {
		c := curveOf(b)
		for k, e := range c.Regret {
			values := make([]float64, 5)
			for i := range values {
				values[i] = seeds.BySeed[i][k]
			}
			low, high := stats.StudentT.Of(values, 1)
			switch b {
			case BootstrapTBand:
				low, high = stats.BootstrapT.Of(values, 1)
			case quantileBand: // the second and the fourth of five seeds are at 25 and 75 %
				slices.Sort(values)
				low, high = values[0]+0.4*(values[1]-values[0]), values[4]-0.4*(values[4]-values[3])
			case SeedsBand, noBand:
				must.That(t, !e.HasInterval(), "%s: an interval", b)
				continue
			}
			must.Near(t, string(b)+" low", e.Low, low, 1e-9)
			must.Near(t, string(b)+" high", e.High, high, 1e-9)
		}
	}
}

func curveOptions(m *Metric, from, points int) CurveOptions {
	return CurveOptions{Metric: m, View: Cumulative, Band: TBand, From: from, To: LastRound, Points: points}
}
