package logged

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

func estimatedLog(t *testing.T, rows []Row) *Log {
	t.Helper()
	l := must.Get(New("log.csv", spec, rows))(t)
	must.OK(t, l.EstimatePropensities(t.Context(), nil))
	return l
}

// TestMinimize checks that minimize finds the minimum of a quadratic function with condition number 10⁴ from far away.
func TestMinimize(t *testing.T) {
	x := []float64{300, -20, 5, 1000}
	minimize(t.Context(), x, 1, func(g []float64) float64 {
		value := 0.0
		for i := range x {
			d, c := x[i]-float64(i), math.Pow(10, -float64(i)*4/3)
			g[i] = c * d
			value += c * d * d / 2
		}
		return value
	})
	for i, v := range x {
		must.Near(t, fmt.Sprint("x", i), v, float64(i), 0.02)
	}
}

// TestEstimatesAreFrequencies checks that with a categorical context the estimates are about the frequencies of the arms in each
// category, and with a constant context those in the other folds. Their sum must have the same bits on every processor.
func TestEstimatesAreFrequencies(t *testing.T) {
	rows := draw(stream.Root(3), skewedLogger, 6000)
	var count [2][3]float64
	for _, r := range rows {
		count[int(r.Context[1])][r.Arm]++
	}
	sum := 0.0
	for r, err := range estimatedLog(t, rows).Rows() {
		must.OK(t, err)
		x := int(r.Context[1])
		want := count[x][r.Arm] / (count[x][0] + count[x][1] + count[x][2])
		must.Hold(t, math.Abs(r.Propensity-want) <= 0.012, "row %d: propensity %g, want about %g", r.Number, r.Propensity, want)
		sum += r.Propensity
	}
	must.Equal(t, "the sum of the propensities", fmt.Sprintf("%x", sum), "0x1.4d3978e50697fp+11")
	for i := range rows[:45] {
		rows[i].Context, rows[i].Arm = []float32{1, 1}, i%3 // 15 rows of each, of which 3 are in each fold
	}
	for r := range estimatedLog(t, rows[:45]).Rows() {
		must.Near(t, "propensity, 12 of 36", r.Propensity, 1.0/3, 1e-12)
	}
}

// TestEstimatesOfBadLogs checks that propensities are finite and above 0 if the context separates the arms, if arms have no row, one row
// or fewer rows than folds, and with numbers of any size.
func TestEstimatesOfBadLogs(t *testing.T) {
	for name, change := range map[string]func(i int, r *Row){
		"separated":     func(_ int, r *Row) { r.Context = []float32{float32(r.Arm), float32(r.Arm * r.Arm)} },
		"one row":       func(i int, r *Row) { r.Arm = min(i, 1) },
		"three rows":    func(i int, r *Row) { r.Arm = max(2-i, 0) },
		"one arm":       func(_ int, r *Row) { r.Arm = 1 },
		"huge, tiny":    func(i int, r *Row) { r.Context = []float32{float32(i) * 1e30, 1e-30 * float32(i%7)} },
		"one away":      func(i int, r *Row) { r.Arm, r.Available = 2*(i%2), []bool{true, false, true} },
		"all constants": func(_ int, r *Row) { r.Context = []float32{7, 0} },
	} {
		rows := draw(stream.Root(4), uniformLogger, 300)
		for i := range rows {
			change(i, &rows[i])
		}
		for r, err := range estimatedLog(t, rows).Rows() {
			must.That(t, err == nil && r.Propensity > 0 && r.Propensity <= 1,
				"%s: row %d: propensity %g, %v", name, r.Number, r.Propensity, err)
		}
	}
	estimatedLog(t, draw(stream.Root(5), uniformLogger, 1))
}

// TestUnlikelyArm checks that an arm whose exponential underflows has a propensity above 0, and an unavailable arm 0.
func TestUnlikelyArm(t *testing.T) {
	for _, c := range []struct {
		available []bool
		want      string
	}{{nil, "true true"}, {[]bool{true, true}, "true true"}, {[]bool{false, true}, "false true"}} {
		m := armModel{arms: 2, index: []int32{0}, value: []float64{1000}, ends: []int{0, 1}, arm: []int{1}, available: [][]bool{c.available}}
		p := make([]float64, 2)
		m.probabilities(p, &armFit{frequency: []float64{0, 0}, w: []float64{0, 0, 1, 0}}, 0)
		must.Equal(t, fmt.Sprint("above 0 of ", c.available), fmt.Sprint(p[0] > 0, p[1] > 0), c.want)
	}
}

// TestHiddenCoverage checks on 300 logs with hidden propensities that the intervals of DR and SNIPS with estimated propensities hold the
// truth with a frequency at most four standard errors below 95 %, and that nearly all logs give a verdict.
func TestHiddenCoverage(t *testing.T) {
	const logs = 300
	truth := (0.8 + 0.1) / 2
	held, verdicts := map[string]int{}, 0
	for k := range logs {
		o := DefaultOptions()
		o.Model = linear
		e := must.Get(Evaluate(t.Context(), estimatedLog(t, draw(stream.Root(uint64(k)).Child("hidden"), skewedLogger, 1000)), []Policy{always(2)}, o))(t)
		if e.Diagnostics[0].Verdict() {
			verdicts++
		}
		for _, l := range e.Estimates {
			if l.Student.Low <= truth && truth <= l.Student.High {
				held[l.Estimator]++
			}
		}
	}
	least := 0.95 - 4*math.Sqrt(0.95*0.05/logs)
	t.Logf("verdicts on %d of %d, held: %v", verdicts, logs, held)
	must.That(t, float64(held["dr"])/logs >= least && float64(held["snips"])/logs >= least && verdicts >= logs-3,
		"verdicts on %d, held %v of %d, want at least %.3f", verdicts, held, logs, least)
}

// TestNoVerdictOnEstimates checks that there is no verdict if the pulls contradict the estimates: the log's policy changed over time, or
// no model linear in the context describes it.
func TestNoVerdictOnEstimates(t *testing.T) {
	for want, arm := range map[string]func(x float64, i int, u float64) int{
		"the policy of the log changed as it went: arm 0 was": func(_ float64, i int, u float64) int {
			return int(min(2, 3*u*math.Sqrt(float64(i+1)/4000)*1.4))
		},
		"the estimated propensities contradict the pulls: of the arms with a probability of": func(x float64, _ int, u float64) int {
			if u < 0.85 {
				return int(max(0, min(x+1.5, 2))) // the arm with the best score
			}
			return int(u*1000) % 3
		},
	} {
		s := stream.Root(6)
		rows := make([]Row, 4000)
		for i := range rows {
			x := make([]float32, 2)
			s.Normals(x)
			rows[i] = Row{Context: x, Arm: arm(float64(x[0]), i, s.Float64()), Propensity: 1, Reward: float64(s.IntN(2))}
		}
		e := must.Get(Evaluate(t.Context(), estimatedLog(t, rows), []Policy{always(0)}, DefaultOptions()))(t)
		if d := e.Diagnostics[0]; d.Verdict() || !strings.HasPrefix(d.Against[0], want) || !strings.Contains(d.Cure, "record the propensities") {
			t.Errorf("%v, %s, want %s", d.Against, d.Cure, want)
		}
	}
}

// TestLogsWithoutPropensities checks that every format is read without propensities, and that DM alone works until they are estimated.
func TestLogsWithoutPropensities(t *testing.T) {
	line := func(s string) string { return strings.Repeat(s, 4) }
	for name, text := range map[string]string{
		"plain.csv":  "arm,reward,x_a\n0,1,1\n1,0,2\n1,1,3\n0,1,1\n1,0,2\n0,1,3\n",
		"gap.csv":    "arm,reward,x_a,propensity\n0,1,1,0.5\n1,0,2,\n1,1,3,0.5\n0,0,3,0.5\n0,0,3,0.5\n",
		"lines.json": line("{\"arm\":0,\"reward\":1,\"x_a\":2}\n{\"arm\":1,\"reward\":0,\"x_a\":2}\n"),
		"vw.txt":     line("1:-1:0.5 | a:1\n2:0:7 | a:3\n"),
		"ds.json":    line("{\"_label_cost\":-1,\"_labelIndex\":0,\"c\":{\"a\":1,\"_multi\":[{},{}]}}\n{\"_label_cost\":0,\"_labelIndex\":1,\"c\":{\"a\":2,\"_multi\":[{},{}]}}\n"),
	} {
		path := must.File(t, name, text)
		l := must.Get(Open(path, ReadOptions{Propensity: EstimatedPropensity}))(t)
		must.That(t, l.Unrecorded, "%s: the propensities were read", name)
		must.OK(t, l.EstimatePropensities(t.Context(), nil))
		d := l.Description
		must.That(t, !l.Unrecorded && d.Least > 0 && d.Largest <= 1 && len(d.Calibration) != 0, "%s: %+v", name, d)
		if name == "vw.txt" {
			continue // its lines must have a probability
		}
		_, err := Open(path, ReadOptions{})
		must.Is(t, err, ErrNoPropensities)
		l = must.Get(Open(path, ReadOptions{Unrecorded: true}))(t)
		o := DefaultOptions()
		o.Model = linear
		_, err = Evaluate(t.Context(), l, []Policy{always(0)}, o)
		must.Is(t, err, ErrNoPropensities)
		o.Estimators = []string{"dm"}
		if e := must.Get(Evaluate(t.Context(), l, []Policy{always(0)}, o))(t); e.Diagnostics[0].Verdict() || math.IsNaN(e.Estimates[0].Mean.Mean) || len(e.Clips) > 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
