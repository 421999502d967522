package logged

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/moments"
	"banditsim/internal/words"
	"banditsim/posterior"
)

// EstimatedPropensity is the ReadOptions.Propensity of a log whose propensities are to be estimated.
const EstimatedPropensity = "estimate"

const (
	armFolds  = 5      // number of folds; a row's propensity is from the model that has not seen its fold
	armRidge  = 1.0    // prior precision of parameters, which keeps them finite if the context separates the arms
	maxParams = 200000 // largest number of parameters of the model of a fold
)

// An armModel is a multinomial logistic regression of the arm given the context, P(a | x) ∝ exp(f_a + b_a + w_a·x) over
// the available arms of a row, with f_a the logarithm of the arm's frequency in the training rows (an arm without rows
// counts as ½ row). Fitting minimizes the negative log-likelihood + ½·armRidge·Σ(b² + w²). Columns of 0 and 1 are taken
// as they are, constant ones left out, others standardized. Without a context the probabilities are the frequencies. A
// gradient costs (nonzero elements of all contexts) × (arms) operations.
type armModel struct {
	arms   int
	center []float64 // subtracted from each column of the context
	scale  []float64 // divides each column then; 0: the column is left out
	binary []bool
	used   int // number of columns that are not left out

	ends      []int // row i is nonzero in columns index[ends[i]:ends[i+1]], with values value[ends[i]:ends[i+1]]
	index     []int32
	value     []float64
	arm, fold []int
	available [][]bool // as in Row
}

// EstimatePropensities replaces the log's propensities, if any, with estimates, and updates Description. The model that
// estimates a row's propensity has not seen the row's fold; each arm's rows are dealt to the folds in turn. Results do
// not depend on parallel. It returns ErrNoContext if there are unused columns but none was recognized as context.
func (l *Log) EstimatePropensities(ctx context.Context, parallel posterior.Parallel) error {
	if l.Context == nil && len(l.Ignored) > 0 {
		return l.wrap(fmt.Errorf("propensities would be estimated %w", ErrNoContext))
	}
	l.propensity = nil
	m := &armModel{arms: len(l.Spec.Arms), ends: []int{0}}
	if err := m.collect(ctx, l); err != nil {
		return err
	}
	if n := m.arms * (m.used + 1); n > maxParams {
		return l.wrap(&InputError{fmt.Sprintf("%s and a context of %s make %s parameters of a model of the arms, want at most %s: leave columns out of --context",
			words.Count(m.arms, "arm"), words.Count(m.used, "number"), words.Int(n), words.Int(maxParams))})
	}
	var fits [armFolds]armFit
	parallel.Do(armFolds, func(k int) { fits[k] = m.fit(ctx, k) })
	if err := ctx.Err(); err != nil {
		return err
	}
	var c calibration
	d := drift{make([]float64, m.arms*(len(m.scale)+1)), make([]float64, m.arms*(len(m.scale)+1))}
	p := make([]float64, m.arms)
	for i, arm := range m.arm {
		m.probabilities(p, &fits[m.fold[i]], i)
		l.propensity = append(l.propensity, p[arm])
		c.add(p, m.available[i], arm)
		d.add(m, p, i)
	}
	bins := c.bins()
	l.Unrecorded, l.doubt = false, cmp.Or(miscalibrated(bins), d.found(l))
	if err := l.describeAgain(ctx); err != nil {
		return err
	}
	l.Description.Calibration, l.Description.Uniform = bins, false
	return nil
}

// describeAgain updates Description by another pass, for propensities that were unknown in the first.
func (l *Log) describeAgain(ctx context.Context) error {
	d := newDescriber(false)
	for row, err := range l.Rows() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		d.add(row)
	}
	duplicates := l.Description.Duplicates
	l.Description = d.describe(l.Spec.Arms, nil)
	l.Description.Duplicates = duplicates
	return nil
}

// collect reads the rows twice: first to find how to standardize the columns, then to store the rows.
func (m *armModel) collect(ctx context.Context, l *Log) error {
	columns := moments.NewVectors(l.Spec.Dim)
	m.center, m.scale, m.binary = columns.Mean, make([]float64, l.Spec.Dim), slices.Repeat([]bool{true}, l.Spec.Dim)
	for row, err := range l.Rows() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		columns.Add(row.Context)
		for j, x := range row.Context {
			m.binary[j] = m.binary[j] && (x == 0 || x == 1)
		}
	}
	for j, s := range columns.Squares {
		switch {
		case !(s > 0):
			continue
		case m.binary[j]:
			m.center[j], m.scale[j] = 0, 1
		default:
			m.scale[j] = math.Sqrt(s / columns.N)
		}
		m.used++
	}
	turn := make([]int, m.arms) // fold of each arm's next row, modulo armFolds
	for arm := range turn {
		turn[arm] = arm // so that arms with few rows are not all in the first folds
	}
	for row, err := range l.Rows() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for j, x := range row.Context {
			if v := float64(x) - m.center[j]; v != 0 && m.scale[j] > 0 {
				m.index, m.value = append(m.index, int32(j)), append(m.value, v/m.scale[j])
			}
		}
		m.ends, m.arm = append(m.ends, len(m.index)), append(m.arm, row.Arm)
		m.available = append(m.available, slices.Clone(row.Available))
		m.fold = append(m.fold, turn[row.Arm]%armFolds)
		turn[row.Arm]++
	}
	return nil
}

// An armFit has the parameters of the model of a fold, with the symbols of armModel.
type armFit struct {
	frequency []float64 // f_a
	w         []float64 // b_a of all arms, then w_a of all arms for each column
}

// fit fits the model to the rows outside the fold.
func (m *armModel) fit(ctx context.Context, fold int) armFit {
	count, n := make([]float64, m.arms), 0.0
	for i, arm := range m.arm {
		if m.fold[i] != fold {
			count[arm]++
			n++
		}
	}
	fit := armFit{frequency: count, w: make([]float64, m.arms*(len(m.scale)+1))}
	for a, c := range count {
		fit.frequency[a] = kernel.Log(max(c, 0.5) / max(n, 1))
	}
	if m.used == 0 || n == 0 {
		return fit
	}
	p := make([]float64, m.arms)
	minimize(ctx, fit.w, 2/float64(m.used+1), func(gradient []float64) float64 {
		loss := 0.0
		for j, w := range fit.w {
			gradient[j] = float64(armRidge * w)
			loss += float64(armRidge / 2 * float64(w*w))
		}
		for i, arm := range m.arm {
			if m.fold[i] == fold {
				continue
			}
			loss -= m.probabilities(p, &fit, i)
			p[arm]--
			kernel.AddScaled(gradient[:m.arms], 1, p)
			for k := m.ends[i]; k < m.ends[i+1]; k++ {
				first := m.arms * (int(m.index[k]) + 1)
				kernel.AddScaled(gradient[first:first+m.arms], m.value[k], p)
			}
		}
		for j := range gradient {
			gradient[j] /= n
		}
		return loss / n
	})
	return fit
}

// probabilities sets p to the probabilities of all arms in row i, and returns the log-probability of the row's arm.
func (m *armModel) probabilities(p []float64, fit *armFit, i int) (log float64) {
	copy(p, fit.frequency)
	kernel.AddScaled(p, 1, fit.w[:m.arms])
	for k := m.ends[i]; k < m.ends[i+1]; k++ {
		first := m.arms * (int(m.index[k]) + 1)
		kernel.AddScaled(p, m.value[k], fit.w[first:first+m.arms])
	}
	for a, can := range m.available[i] {
		if !can {
			p[a] = math.Inf(-1)
		}
	}
	top, sum := slices.Max(p), 0.0
	log = p[m.arm[i]] - top
	for a, v := range p {
		p[a] = kernel.Exp(v - top)
		sum += p[a]
	}
	for a, v := range p {
		if m.available[i] == nil || m.available[i][a] {
			p[a] = max(v/sum, math.SmallestNonzeroFloat32) // propensities must be above 0
		}
	}
	return log - kernel.Log(sum)
}

// A drift is a score test of whether arms are chosen in the same way from the first row to the last. Suppose that a
// parameter θ of the model changes as θ + s·(1 + ln t), with t the fraction of the rows so far. For each parameter,
// score has the derivative of the log-likelihood with respect to s at s = 0, and variance the variance of that
// derivative. The test detects early changes best, such as those of policies that learn.
type drift struct{ score, variance []float64 }

// add adds row i, in which the arms have the probabilities p.
func (d *drift) add(m *armModel, p []float64, i int) {
	slope := 1 + kernel.Log((float64(i)+0.5)/float64(len(m.arm)))
	add := func(first int, x float64) {
		x *= slope
		for a, v := range p {
			d.score[first+a] -= float64(x * v)
			d.variance[first+a] += float64(float64(x*x) * float64(v*(1-v)))
		}
		d.score[first+m.arm[i]] += x
	}
	add(0, 1)
	for k := m.ends[i]; k < m.ends[i+1]; k++ {
		add(m.arms*(int(m.index[k])+1), m.value[k])
	}
}

// found describes the most significant drift, or returns "" if none is significant after correction for multiple tests.
func (d *drift) found(l *Log) string {
	tests, worst, at := 0, 0.0, 0
	for k, v := range d.variance {
		if v < leastExpected {
			continue
		}
		tests++
		if z := math.Abs(d.score[k] / math.Sqrt(v)); z > worst {
			worst, at = z, k
		}
	}
	if worst <= limit(tests) {
		return ""
	}
	by := ""
	if arms := len(l.Spec.Arms); at >= arms {
		by = " by " + l.Columns[at/arms-1]
	}
	return fmt.Sprintf("the policy of the log changed as it went: arm %s was chosen otherwise%s in the first rows than later (z %.1f), and what learned from its "+
		"own rewards is not judged without its propensities", l.Spec.Arms[at%len(l.Spec.Arms)], by, worst)
}

// miscalibrated describes the bin with the largest |Z|, or returns "" if no bin's |Z| is significant.
func miscalibrated(bins []calibrationBin) string {
	worst := slices.MaxFunc(bins, func(a, b calibrationBin) int { return cmp.Compare(math.Abs(a.Z), math.Abs(b.Z)) })
	if math.Abs(worst.Z) <= limit(len(bins)) {
		return ""
	}
	return fmt.Sprintf("the estimated propensities contradict the pulls: of the arms with a probability of %g to %g, %.3g %% were pulled, want %.3g %% (z %.1f)",
		worst.From, worst.To, 100*worst.Pulled, 100*worst.Estimated, worst.Z)
}

// A calibrationBin counts the pairs of a row and an arm whose estimated probability is at least From and below To.
type calibrationBin struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Pairs     int     `json:"pairs"`
	Estimated float64 `json:"estimated"` // mean probability
	Pulled    float64 `json:"pulled"`    // share of the pairs whose arm was pulled
	Z         float64 `json:"z"`         // Pulled less Estimated, in standard errors
}

// edges are the bounds of the bins; the last bin includes 1.
var edges = [...]float64{0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}

// A calibration has the sums for each calibrationBin.
type calibration [len(edges) - 1]struct {
	pairs, pulled        int
	estimated, variances float64
}

// add adds the probabilities of the arms in a row.
func (c *calibration) add(p []float64, available []bool, arm int) {
	for a, v := range p {
		if available != nil && !available[a] {
			continue
		}
		k := 0
		for k < len(c)-1 && v >= edges[k+1] {
			k++
		}
		b := &c[k]
		b.pairs++
		b.estimated += v
		b.variances += float64(v * (1 - v))
		if a == arm {
			b.pulled++
		}
	}
}

// bins returns the bins that are not empty.
func (c *calibration) bins() (list []calibrationBin) {
	for k, b := range c {
		if n := float64(b.pairs); n > 0 {
			z := (float64(b.pulled) - b.estimated) / math.Sqrt(max(b.variances, 1e-300))
			list = append(list, calibrationBin{edges[k], edges[k+1], b.pairs, b.estimated / n, float64(b.pulled) / n, z})
		}
	}
	return list
}
