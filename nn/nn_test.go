package nn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
)

// twin is the network in float64, written with plain loops. mask holds the dropout factors, or is
// nil.
func twin(m *MLP, x []float64, rows [][]float64, mask []float64) [][]float64 {
	var out [][]float64
	for r, in := range rows {
		h := in
		for i, l := range m.layers {
			if i == m.hidden() && mask != nil {
				masked := make([]float64, len(h))
				for j := range h {
					masked[j] = h[j] * mask[r*len(h)+j]
				}
				h = masked
			}
			next := make([]float64, l.out)
			for o := range next {
				next[o] = x[l.b+o]
				for j, v := range h {
					next[o] += v * x[l.w+j*l.out+o]
				}
				if i < m.hidden() {
					next[o] = math.Max(next[o], 0)
				}
			}
			h = next
		}
		if m.skip != nil {
			for o := range h {
				for j, v := range in {
					h[o] += v * x[m.skip.w+j*m.skip.out+o]
				}
			}
		}
		out = append(out, h)
	}
	return out
}

func twinEnergy(m *MLP, x []float64, rows [][]float64, mask []float64, arms []int32, rewards []float64, scale float64) float64 {
	sum := 0.0
	for i, out := range twin(m, x, rows, mask) {
		d := out[arms[i]] - rewards[i]
		sum += d * d
	}
	return scale * sum
}

// squaredError returns the energy of outputs and replaces them by its derivative.
func (p *problem) squaredError(out []float32, scale float64) (energy float64) {
	width := len(out) / len(p.arms)
	for i, arm := range p.arms {
		row := out[i*width : (i+1)*width]
		d := float64(row[arm]) - p.rewards[i]
		energy += scale * d * d
		clear(row)
		row[arm] = float32(2 * scale * d)
	}
	return energy
}

// problem is a random batch for a network.
type problem struct {
	net     *MLP
	x       []float32
	rows    [][]float64
	arms    []int32
	rewards []float64
}

// newProblem draws n rows: of zeros and ones if binary, else of any numbers.
func newProblem(t testing.TB, n int, binary bool, widths ...int) problem {
	t.Helper()
	m, err := New(widths...)
	if err != nil {
		t.Fatal(err)
	}
	return problemOf(m, n, binary, widths)
}

// newSkipProblem is newProblem for a network with a skip, whose weights are not at 0.
func newSkipProblem(t testing.TB, n int, binary bool, widths ...int) problem {
	t.Helper()
	m, err := NewSkip(widths...)
	if err != nil {
		t.Fatal(err)
	}
	p := problemOf(m, n, binary, widths)
	stream.Root(8).Normals(m.skip.weights(p.x))
	return p
}

func problemOf(m *MLP, n int, binary bool, widths []int) problem {
	r := stream.Root(7).Child("nn", fmt.Sprint(widths), n)
	p := problem{net: m, x: make([]float32, m.Dim())}
	m.Init(p.x, r.Child("init"))
	for range n {
		row := make([]float64, m.inputs())
		for j := range row {
			if row[j] = float64(float32(2*r.Float64() - 1)); binary {
				row[j] = float64(r.IntN(2))
			}
		}
		p.rows = append(p.rows, row)
		p.arms = append(p.arms, int32(r.IntN(m.layers[m.hidden()].out)))
		p.rewards = append(p.rewards, 10*r.Float64()-5)
	}
	return p
}

func (p problem) dense() *Rows {
	var rows Rows
	rows.Reset()
	for _, row := range p.rows {
		c := make([]float32, len(row))
		for j, v := range row {
			c[j] = float32(v)
		}
		rows.AppendDense(c)
	}
	return &rows
}

func (p problem) sparse(t testing.TB) *Rows {
	var rows Rows
	rows.Reset()
	for _, row := range p.rows {
		c := make([]float32, len(row))
		for j, v := range row {
			c[j] = float32(v)
		}
		ones, ok := Ones(nil, c)
		if !ok {
			t.Fatal("the rows are not of zeros and ones")
		}
		rows.AppendSparse(ones)
	}
	return &rows
}

func wide(x []float32) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

// near fails on NaN too.
func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

var shapes = []struct {
	n       int
	widths  []int
	problem func(t testing.TB, n int, binary bool, widths ...int) problem
}{
	{1, []int{1, 1}, newProblem},
	{5, []int{3, 2}, newProblem},
	{7, []int{4, 5, 3}, newProblem},
	{33, []int{9, 17, 8, 2}, newProblem},
	{64, []int{22, 16, 16, 16, 4}, newProblem},
	{7, []int{4, 5, 3}, newSkipProblem},
	{33, []int{9, 17, 8, 20}, newSkipProblem},
}

func TestForwardAgreesWithTheFloat64Twin(t *testing.T) {
	for _, s := range shapes {
		p := s.problem(t, s.n, false, s.widths...)
		out := p.net.newWorkspace(s.n).Forward(p.x, p.dense(), nil)
		for i, want := range twin(p.net, wide(p.x), p.rows, nil) {
			for k, w := range want {
				if got := float64(out[i*p.net.layers[p.net.hidden()].out+k]); !near(got, w, 1e-5) {
					t.Errorf("%v: output %d of row %d is %g, want %g", s.widths, k, i, got, w)
				}
			}
		}
	}
}

// TestGradient compares every element of the gradient with central differences of the float64
// twin, which are exact to about 1e-6 here (the energy is piecewise quadratic in each parameter),
// with and without dropout.
func TestGradient(t *testing.T) {
	for _, s := range shapes {
		for _, rate := range []float64{0, 0.5, 0.3} {
			if rate > 0 && len(s.widths) == 2 {
				continue
			}
			t.Run(fmt.Sprint(s.widths, rate), func(t *testing.T) {
				p := s.problem(t, s.n, false, s.widths...)
				ws := p.net.newWorkspace(s.n)
				var mask []float64
				var dropout *Dropout
				if rate > 0 {
					dropout = &Dropout{Rate: rate, Samples: 3, Rand: stream.Root(1)}
				}
				out := ws.Forward(p.x, p.dense(), dropout)
				if rate > 0 {
					mask = wide(factors(ws))
				}
				const scale = 1.5
				grad := make([]float32, p.net.Dim())
				energy := p.squaredError(out, scale)
				ws.Backward(grad, p.x, out)

				x := wide(p.x)
				at := func() float64 { return twinEnergy(p.net, x, p.rows, mask, p.arms, p.rewards, scale) }
				if want := at(); !near(energy, want, 1e-5*want) {
					t.Errorf("energy %g, want %g", energy, want)
				}
				const h = 1e-6
				for i := range x {
					x[i] += h
					up := at()
					x[i] -= 2 * h
					down := at()
					x[i] += h
					if want := (up - down) / (2 * h); !near(float64(grad[i]), want, 2e-4*(1+math.Abs(want))) {
						t.Errorf("∂U/∂x[%d] = %g, want %g", i, grad[i], want)
					}
				}
			})
		}
	}
}

// TestSparseEqualsDense compares the bits of the sparse first layer with those of the dense one,
// forward and backward.
func TestSparseEqualsDense(t *testing.T) {
	for _, p := range []problem{newProblem(t, 40, true, 117, 20, 20, 2), newSkipProblem(t, 40, true, 117, 20, 20, 2), newSkipProblem(t, 40, true, 30, 20, 17)} {
		testSparse(t, p)
	}
}

func testSparse(t *testing.T, p problem) {
	run := func(rows *Rows) (out, grad []float32) {
		ws := p.net.newWorkspace(40)
		delta := ws.Forward(p.x, rows, nil)
		out = slices.Clone(delta)
		p.squaredError(delta, 1)
		grad = make([]float32, p.net.Dim())
		ws.Backward(grad, p.x, delta)
		return out, grad
	}
	out1, grad1 := run(p.dense())
	out2, grad2 := run(p.sparse(t))
	for i := range out1 {
		if out1[i] != out2[i] {
			t.Fatalf("output %d: dense %g, sparse %g", i, out1[i], out2[i])
		}
	}
	for i := range grad1 {
		if grad1[i] != grad2[i] {
			t.Fatalf("gradient %d: dense %g, sparse %g", i, grad1[i], grad2[i])
		}
	}
}

// TestBatchEqualsRows: predicting rows at once gives the bits of predicting them one by one, with
// dropout too.
func TestBatchEqualsRows(t *testing.T) {
	p := newProblem(t, 9, false, 6, 8, 7, 3)
	for _, withDropout := range []bool{false, true} {
		dropout := func() *Dropout {
			if !withDropout {
				return nil
			}
			return &Dropout{Rate: 0.5, Samples: 5, Rand: stream.Root(3)}
		}
		all := p.net.newWorkspace(9).Forward(p.x, p.dense(), dropout())
		ws, d := p.net.newWorkspace(1), dropout()
		for i := range p.rows {
			one := p
			one.rows = p.rows[i : i+1]
			out := ws.Forward(p.x, one.dense(), d)
			for k, v := range out {
				if v != all[i*3+k] {
					t.Errorf("dropout %t: output %d of row %d: %g alone, %g in the batch", withDropout, k, i, v, all[i*3+k])
				}
			}
		}
	}
}

func TestInitIsUniformWithinOneOverRootFanIn(t *testing.T) {
	m, err := New(100, 50, 2)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, m.Dim())
	m.Init(x, stream.Root(1))
	for i, l := range m.layers {
		bound := 1 / math.Sqrt(float64(l.in))
		largest, squares := 0.0, 0.0
		for _, v := range x[l.w : l.b+l.out] {
			largest = math.Max(largest, math.Abs(float64(v)))
			squares += float64(v) * float64(v)
		}
		n := float64(l.b + l.out - l.w)
		// The variance of a uniform number on ±b is b²/3; that of its square 4b⁴/45.
		want, se := bound*bound/3, math.Sqrt(4./45/n)*bound*bound
		if got := squares / n; largest > bound || !near(got, want, 5*se) {
			t.Errorf("layer %d: largest %g of %g, variance %g, want %g ± %g", i, largest, bound, got, want, se)
		}
	}
}

// factors returns the dropout factors without padding.
func factors(ws *workspace) []float32 {
	var all []float32
	l := ws.net.layers[ws.net.hidden()-1]
	for i := range ws.rows.N {
		all = append(all, ws.factor[i*l.ld:][:l.out]...)
	}
	return all
}

// TestDropoutFactors compares the mean and the variance of the factors with those of
// Binomial(samples, 1−rate)/(samples·(1−rate)).
func TestDropoutFactors(t *testing.T) {
	for _, c := range []struct {
		rate    float64
		samples int
	}{{0.5, 1}, {0.5, 5}, {0.2, 3}, {0, 1}} {
		p := newProblem(t, 500, false, 2, 101, 1)
		ws := p.net.newWorkspace(500)
		ws.Forward(p.x, p.dense(), &Dropout{Rate: c.rate, Samples: c.samples, Rand: stream.Root(5)})
		all := factors(ws)
		n, sum, squares := float64(len(all)), 0.0, 0.0
		for _, f := range all {
			sum += float64(f)
			squares += float64(f) * float64(f)
		}
		variance := c.rate / (1 - c.rate) / float64(c.samples)
		if got := sum / n; !near(got, 1, 5*math.Sqrt(variance/n)+1e-6) {
			t.Errorf("rate %g, %d samples: mean %g, want 1", c.rate, c.samples, got)
		}
		if got := squares/n - sum/n*sum/n; !near(got, variance, 0.03*variance+1e-6) {
			t.Errorf("rate %g, %d samples: variance %g, want %g", c.rate, c.samples, got, variance)
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, p := range []problem{newProblem(t, 64, true, 117, 32, 32, 2), newSkipProblem(t, 64, true, 117, 32, 32, 2)} {
		testAllocations(t, p)
	}
}

func testAllocations(t *testing.T, p problem) {
	rows, ws, grad := p.sparse(t), p.net.newWorkspace(64), make([]float32, p.net.Dim())
	if n := testing.AllocsPerRun(10, func() {
		out := ws.Forward(p.x, rows, nil)
		p.squaredError(out, 1)
		ws.Backward(grad, p.x, out)
	}); n != 0 {
		t.Errorf("%v allocations a step, want none", n)
	}
}

// TestFeatures: the outputs are linear in the features.
func TestFeatures(t *testing.T) {
	p := newProblem(t, 7, false, 4, 5, 3)
	ws := p.net.newWorkspace(7)
	out := ws.Forward(p.x, p.dense(), nil)
	features, stride := ws.Features()
	l := p.net.layers[1]
	for i := range 7 {
		for k := range 3 {
			want := float64(p.x[l.b+k])
			for j := range 5 {
				want += float64(features[i*stride+j]) * float64(p.x[l.w+j*3+k])
			}
			if got := float64(out[i*3+k]); !near(got, want, 1e-5) {
				t.Errorf("output %d of row %d is %g, by the features %g", k, i, got, want)
			}
		}
	}
	p = newProblem(t, 2, false, 4, 3)
	ws = p.net.newWorkspace(2)
	ws.Forward(p.x, p.dense(), nil)
	if features, _ := ws.Features(); features != nil {
		t.Errorf("%d features of a linear model, want none", len(features))
	}
}

func TestNewRefusesBadWidths(t *testing.T) {
	for _, widths := range [][]int{nil, {3}, {3, 0}, {0, 2}, {3, -1, 2}} {
		if _, err := New(widths...); err == nil {
			t.Errorf("New(%v): no error", widths)
		}
	}
	if _, err := NewSkip(3, 2); err == nil {
		t.Error("NewSkip of a linear network: no error")
	}
}

// TestSkipBeginsAtZero: Init sets the weights of a skip to 0 whatever they were, and no other parameter, so that the network begins as
// one without a skip does.
func TestSkipBeginsAtZero(t *testing.T) {
	m, err := NewSkip(7, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := New(7, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	x, want := make([]float32, m.Dim()), make([]float32, plain.Dim())
	for i := range x {
		x[i] = 3
	}
	m.Init(x, stream.Root(1))
	plain.Init(want, stream.Root(1))
	skip, ok := m.Skip()
	if !ok || skip.End-skip.Weights != 7*3 {
		t.Fatalf("skip %+v, %v", skip, ok)
	}
	for i, v := range x {
		switch {
		case i >= skip.Weights && i < skip.End:
			if v != 0 {
				t.Errorf("weight %d of the skip is %g", i-skip.Weights, v)
			}
		case v != want[i]:
			t.Errorf("parameter %d is %g, without a skip %g", i, v, want[i])
		}
	}
}
