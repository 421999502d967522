package nn

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/internal/must"
)

// twin computes the outputs of the network by plain loops, row after row. mask holds the dropout factors, or is nil. fma(a, b, c) returns
// a·b + c, rounded as the kernels do.
func twin[F float32 | float64](net *Network, x []F, rows [][]F, mask []F, fma func(a, b, c F) F) (out []F) {
	for r, row := range rows {
		h := row
		for i := range net.stages {
			h = twinStage(&net.stages[i], x, h, fma)
		}
		skip := func(to []F) {
			for j, v := range row[:net.skip.In] {
				for o := range to {
					to[o] = fma(v, x[net.skip.Weights+j*net.skip.Out+o], to[o])
				}
			}
		}
		for i, l := range net.layers {
			if i == net.hidden() && mask != nil {
				masked := make([]F, len(h))
				for j := range h {
					masked[j] = h[j] * mask[r*len(h)+j]
				}
				h = masked
			}
			next := slices.Clone(x[l.Bias:l.End])
			if i == net.hidden() && len(net.stages) == 0 {
				skip(next)
			}
			for o := range next {
				for j, v := range h {
					next[o] = fma(v, x[l.Weights+j*l.Out+o], next[o])
				}
				if i < net.hidden() {
					next[o] = max(next[o], 0)
				}
			}
			h = next
		}
		if len(net.stages) > 0 {
			skip(h)
		}
		out = append(out, h...)
	}
	return out
}

func twinStage[F float32 | float64](s *stage, x, image []F, fma func(a, b, c F) F) []F {
	maps := make([]F, s.patches()*s.Filters)
	for i := range maps {
		f, c, y := i%s.Filters, i/s.Filters%s.cols, i/s.Filters/s.cols
		sum := x[s.Bias+f]
		for q := range s.In {
			row, col, channel := y*s.Stride-s.Padding+q/s.channels/s.Size, c*s.Stride-s.Padding+q/s.channels%s.Size, q%s.channels
			var v F
			if row >= 0 && row < s.height && col >= 0 && col < s.width {
				v = image[(row*s.width+col)*s.channels+channel]
			}
			sum = fma(v, x[s.Weights+q*s.Filters+f], sum)
		}
		maps[i] = max(sum, 0)
	}
	pooled := make([]F, s.outputs())
	for o := range pooled {
		f, c, y := o%s.Filters, o/s.Filters%(s.cols/s.Pool), o/s.Filters/(s.cols/s.Pool)
		var largest, mean F
		for p := range s.Pool * s.Pool {
			v := maps[((y*s.Pool+p/s.Pool)*s.cols+c*s.Pool+p%s.Pool)*s.Filters+f]
			largest = max(largest, v)
			mean += F(1 / F(s.Pool*s.Pool) * v)
		}
		if pooled[o] = largest; s.Mean {
			pooled[o] = mean
		}
	}
	return pooled
}

// A shape is the architecture of a network, with the number of rows n of its problem.
type shape struct {
	name                    string
	height, width, channels int
	stages                  []Stage
	widths                  []int
	n                       int
	skip                    bool
}

func dense(n int, skip bool, widths ...int) shape {
	return shape{fmt.Sprint(widths, skip), 1, 1, widths[0], nil, widths[1:], n, skip}
}

var shapes = []shape{
	dense(1, false, 1, 1), dense(5, false, 3, 2), dense(7, false, 4, 5, 3), dense(33, false, 9, 17, 8, 2), dense(20, false, 22, 16, 16, 16, 4),
	dense(7, true, 4, 5, 3), dense(33, true, 9, 17, 8, 20),
	{"one pixel", 1, 1, 1, []Stage{{Filters: 1, Size: 1, Stride: 1, Pool: 1}}, []int{1}, 1, false},
	{"no pool, linear head", 5, 4, 2, []Stage{{Filters: 3, Size: 3, Stride: 1, Pool: 1}}, []int{2}, 3, false},
	{"padding", 5, 6, 1, []Stage{{Filters: 2, Size: 3, Stride: 1, Padding: 1, Pool: 2}}, []int{4, 3}, 5, false},
	{"padding beyond the image", 2, 2, 1, []Stage{{Filters: 2, Size: 3, Stride: 1, Padding: 3, Pool: 1}}, []int{2}, 2, false},
	{"stride", 9, 8, 3, []Stage{{Filters: 4, Size: 3, Stride: 2, Padding: 1, Pool: 1}}, []int{5, 2}, 4, false},
	{"stride beyond the size", 9, 9, 1, []Stage{{Filters: 3, Size: 2, Stride: 3, Pool: 3}}, []int{2}, 4, false},
	{"mean", 6, 6, 1, []Stage{{Filters: 3, Size: 3, Stride: 1, Pool: 2, Mean: true}}, []int{2}, 4, false},
	{"a pool of three that leaves a rest", 9, 9, 1, []Stage{{Filters: 3, Size: 2, Stride: 1, Pool: 3}}, []int{2}, 4, false},
	{"two stages", 12, 12, 1, []Stage{{Filters: 3, Size: 3, Stride: 1, Padding: 1, Pool: 2}, {Filters: 17, Size: 3, Stride: 1, Pool: 4, Mean: true}}, []int{5, 3}, 3, false},
	{"the first products take the image", 9, 9, 2, []Stage{{Filters: 3, Size: 4, Stride: 1, Pool: 2}, {Filters: 4, Size: 2, Stride: 1, Pool: 1}}, []int{2}, 3, false},
	{"three stages", 10, 11, 2, []Stage{{Filters: 4, Size: 3, Stride: 1, Pool: 1}, {Filters: 4, Size: 5, Stride: 1, Padding: 2, Pool: 2}, {Filters: 6, Size: 3, Stride: 2, Padding: 1, Pool: 1}},
		[]int{3}, 3, false},
	{"skip", 6, 7, 2, []Stage{{Filters: 3, Size: 3, Stride: 1, Padding: 1, Pool: 2}}, []int{4, 3}, 5, true},
	{"skip, linear head, wide", 6, 5, 1, []Stage{{Filters: 2, Size: 3, Stride: 1, Pool: 2}}, []int{17}, 3, true},
}

// problem is a random batch for a network, with random derivatives with respect to the outputs.
type problem struct {
	net      *Network
	x, delta []float32
	rows     [][]float32
}

func (s shape) network(t testing.TB) *Network {
	t.Helper()
	net := must.Get(NewConv(s.height, s.width, s.channels, s.stages, s.widths...))(t)
	if s.skip {
		net = net.WithSkip()
	}
	return net
}

// problem draws rows of zeros and ones if binary, else of normal numbers. It draws the weights of a skip too, which Init sets to 0.
func (s shape) problem(t testing.TB, binary bool) problem {
	t.Helper()
	r := stream.Root(7).Child(s.name)
	net := s.network(t)
	p := problem{net: net, x: make([]float32, net.Dim()), delta: make([]float32, s.n*s.widths[len(s.widths)-1])}
	net.Init(p.x, r.Child("init"))
	r.Child("skip").Normals(net.skip.weights(p.x))
	r.Normals(p.delta)
	for range s.n {
		row := make([]float32, s.height*s.width*s.channels)
		r.Normals(row)
		for j := range row {
			if binary {
				row[j] = float32(r.IntN(2))
			}
		}
		p.rows = append(p.rows, row)
	}
	return p
}

func rowsOf(list [][]float32) *Rows {
	var rows Rows
	rows.Reset()
	for _, row := range list {
		rows.AppendDense(row)
	}
	return &rows
}

// step returns the outputs and the gradient.
func (p problem) step(pass *Pass, rows *Rows, dropout *Dropout) (out, grad []float32) {
	out, grad = slices.Clone(pass.Forward(p.x, rows, dropout)), make([]float32, p.net.Dim())
	pass.Backward(grad, p.x, p.delta)
	return out, grad
}

// TestForward compares the outputs on every kernel with those of plain loops, bit for bit. It checks that the gradient has the same bits
// on every kernel too, whatever batch size the Pass is made for.
func TestForward(t *testing.T) {
	defer kernel.Use(kernel.Name())
	for _, s := range shapes {
		p := s.problem(t, false)
		want := twin(p.net, p.x, p.rows, nil, kernel.FMA32)
		var first []float32
		for i, name := range kernel.Available() {
			must.OK(t, kernel.Use(name))
			out, grad := p.step(p.net.NewPass(s.n+3*i), rowsOf(p.rows), nil)
			must.Equal(t, s.name+" on "+name, out, want)
			if i == 0 {
				first = grad
			} else if !slices.Equal(grad, first) {
				t.Errorf("%s: another gradient on %s than on %s", s.name, name, kernel.Available()[0])
			}
		}
	}
}

// factors returns the dropout factors without padding.
func factors(p *Pass) []float32 {
	var all []float32
	l := p.net.layers[p.net.hidden()-1]
	for i := range p.rows.N {
		all = append(all, p.factor[i*l.ld:][:l.Out]...)
	}
	return all
}

// TestGradient compares every element of the gradient with central differences of the plain loops in float64, with and without
// dropout. The outputs are piecewise linear in each parameter.
func TestGradient(t *testing.T) {
	for _, s := range shapes {
		for _, rate := range []float64{0, 0.5} {
			if rate > 0 && len(s.widths) == 1 {
				continue
			}
			p := s.problem(t, false)
			var mask []float64
			var dropout *Dropout
			if rate > 0 {
				dropout = &Dropout{Rate: rate, Samples: 3, Rand: stream.Root(1)}
			}
			pass := p.net.NewPass(s.n)
			_, grad := p.step(pass, rowsOf(p.rows), dropout)
			if rate > 0 {
				mask = checktest.Wide(factors(pass))
			}
			rows := lists.Each(p.rows, func(row []float32) []float64 { return checktest.Wide(row) })
			x, largest := checktest.Wide(p.x), 0.0
			for _, g := range grad {
				largest = max(largest, math.Abs(float64(g)))
			}
			const h = 1e-7
			for j, was := range x {
				at := func(v float64) (sum float64) {
					x[j] = v
					for k, v := range twin(p.net, x, rows, mask, func(a, b, c float64) float64 { return a*b + c }) {
						sum += v * float64(p.delta[k])
					}
					return sum
				}
				want := (at(was+h) - at(was-h)) / (2 * h)
				must.Near(t, fmt.Sprintf("%s, dropout %g: derivative by parameter %d", s.name, rate, j), float64(grad[j]), want, 2e-6*largest)
				x[j] = was
			}
		}
	}
}

// TestSparseEqualsDense checks that a sparse batch gives the same bits as the equal dense batch, forward and backward.
func TestSparseEqualsDense(t *testing.T) {
	for _, s := range append(shapes, dense(40, false, 117, 20, 20, 2), dense(40, true, 117, 20, 20, 2), dense(40, true, 30, 20, 17)) {
		p := s.problem(t, true)
		var sparse Rows
		for _, row := range p.rows {
			ones, _ := Ones(nil, row)
			sparse.AppendSparse(ones)
		}
		out, grad := p.step(p.net.NewPass(s.n), rowsOf(p.rows), nil)
		out2, grad2 := p.step(p.net.NewPass(s.n), &sparse, nil)
		must.That(t, slices.Equal(out, out2) && slices.Equal(grad, grad2), "%s: a sparse batch has other numbers", s.name)
	}
}

// TestBatchEqualsRows checks that predicting a batch gives the same bits as predicting its rows one by one, with dropout too.
func TestBatchEqualsRows(t *testing.T) {
	for _, s := range shapes {
		p := s.problem(t, false)
		for _, samples := range []int{0, 5} {
			dropout := func() *Dropout {
				if samples == 0 || len(s.widths) == 1 {
					return nil
				}
				return &Dropout{Rate: 0.5, Samples: samples, Rand: stream.Root(3)}
			}
			all := p.net.NewPass(s.n).Forward(p.x, rowsOf(p.rows), dropout())
			var each []float32
			one, d := p.net.NewPass(1), dropout()
			for i := range p.rows {
				each = append(each, one.Forward(p.x, rowsOf(p.rows[i:i+1]), d)...)
			}
			must.Equal(t, fmt.Sprintf("%s, %d masks: one by one and in a batch", s.name, samples), all, each)
		}
	}
}

// TestConvByHand compares output and gradient for one filter over a 4×4 image with values computed by hand. The filter takes horizontal
// differences; with its bias of 1 its map is 3 5 / −1 3 before ReLU.
func TestConvByHand(t *testing.T) {
	image := []float32{
		1, 2, 0, 1,
		3, 1, 2, 0,
		0, 2, 1, 1,
		1, 0, 2, 1,
	}
	for _, c := range []struct {
		mean bool
		out  float32
		grad []float32
	}{
		{false, 2*5 - 1, []float32{4, 0, 2, 2, 4, 0, 4, 2, 2, 2, 5, 1}},
		{true, 2*2.75 - 1, []float32{2, 2, .5, 3, 2, 1.5, 1, 2.5, 1.5, 1.5, 2.75, 1}},
	} {
		net := shape{"by hand", 4, 4, 1, []Stage{{Filters: 1, Size: 3, Stride: 1, Pool: 2, Mean: c.mean}}, []int{1}, 1, false}.network(t)
		p := problem{net: net, x: []float32{1, 0, -1, 2, 0, -2, 1, 0, -1, 1, 2, -1}, delta: []float32{1}}
		if out, grad := p.step(net.NewPass(1), rowsOf([][]float32{image}), nil); out[0] != c.out || !slices.Equal(grad, c.grad) {
			t.Errorf("mean %v: output %g and gradient %v, want %g and %v", c.mean, out[0], grad, c.out, c.grad)
		}
	}
}

// TestInitReachesItsBound checks that weights and biases lie within ±1/√fan-in and nearly reach both bounds. The largest of n uniform
// numbers on ±b is below b(1 − 20/n) with probability e⁻¹⁰. Some layers widen and some narrow, so that fan-out in place of fan-in fails.
func TestInitReachesItsBound(t *testing.T) {
	net := dense(1, false, 4, 3000, 7, 2000).network(t)
	x := make([]float32, net.Dim())
	net.Init(x, stream.Root(1))
	for i, l := range net.Layers() {
		for what, part := range map[string][]float32{"weights": l.weights(x), "biases": l.bias(x)} {
			bound := 1 / math.Sqrt(float64(l.In))
			near := func(v float32) bool {
				return float64(v) <= bound*(1+1e-6) && float64(v) > bound*(1-20/float64(len(part)))
			}
			if low, high := slices.Min(part), slices.Max(part); len(part) >= 1000 && !(near(high) && near(-low)) {
				t.Errorf("layer %d: %s from %g to %g, want ±%g", i, what, low, high, bound)
			}
		}
	}
}

// TestDropoutFactors compares mean and variance of the factors with those of Binomial(samples, 1−rate)/(samples·(1−rate)).
func TestDropoutFactors(t *testing.T) {
	s := dense(500, false, 2, 101, 1)
	p, pass := s.problem(t, false), s.network(t).NewPass(500)
	for samples, rate := range map[int]float64{1: 0, 3: 0.2, 5: 0.5} {
		pass.Forward(p.x, rowsOf(p.rows), &Dropout{Rate: rate, Samples: samples, Rand: stream.Root(5)})
		n, sum, squares := 0.0, 0.0, 0.0
		for _, f := range factors(pass) {
			n, sum, squares = n+1, sum+float64(f), squares+float64(f)*float64(f)
		}
		variance := rate / (1 - rate) / float64(samples)
		name, mean := fmt.Sprintf("rate %g, %d samples: ", rate, samples), sum/n
		must.Near(t, name+"mean", mean, 1, 5*math.Sqrt(variance/n)+1e-6)
		must.Near(t, name+"variance", squares/n-mean*mean, variance, 0.03*variance+1e-6)
	}
}

// TestDropoutKeepsByTheWord checks that a mask keeps a unit if the next 16 bits of the stream, read as a fraction, are at least the rate.
// There are so many units that equality occurs too.
func TestDropoutKeepsByTheWord(t *testing.T) {
	s := dense(160, false, 1, 4096, 1)
	p, pass := s.problem(t, false), s.network(t).NewPass(160)
	for _, rate := range []float64{0.5, 0.25, 0.3, 1. / 65536, 65535. / 65536} {
		pass.Forward(p.x, rowsOf(p.rows), &Dropout{Rate: rate, Samples: 1, Rand: stream.Root(5)})
		words := stream.Root(5)
		resolved := math.Round(rate*65536) / 65536
		var word uint64
		edge := 0
		for i, factor := range factors(pass) {
			if i%4 == 0 {
				word = words.Uint64()
			}
			u := float64(word&0xFFFF) / 65536
			word >>= 16
			want := 0.0
			if u >= resolved {
				want = 1 / (1 - rate)
			}
			if u == resolved {
				edge++
			}
			if !(math.Abs(float64(factor)-want) <= 1e-6*want) {
				t.Fatalf("rate %g: unit %d: factor %g at %g, want %g", rate, i, factor, u, want)
			}
		}
		must.That(t, edge != 0, "rate %g: no number at the edge: the test shows nothing", rate)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, s := range shapes {
		p := s.problem(t, true)
		pass, rows, grad := p.net.NewPass(s.n), rowsOf(p.rows), make([]float32, p.net.Dim())
		if n := testing.AllocsPerRun(5, func() {
			pass.Forward(p.x, rows, nil)
			pass.Backward(grad, p.x, p.delta)
		}); n != 0 {
			t.Errorf("%s: %v allocations a step, want none", s.name, n)
		}
	}
}

// TestFeatures checks that, without a skip, the outputs are the last layer applied to the features.
func TestFeatures(t *testing.T) {
	for _, s := range shapes {
		p := s.problem(t, false)
		pass := p.net.NewPass(s.n)
		out := pass.Forward(p.x, rowsOf(p.rows), nil)
		features, stride := pass.Features()
		must.That(t, features == nil == (len(s.stages) == 0 && len(s.widths) == 1), "%s: %d features", s.name, len(features))
		l := &p.net.layers[p.net.hidden()]
		for i := 0; i < len(out) && features != nil && !s.skip; i++ {
			row, k := i/l.Out, i%l.Out
			want := float64(l.bias(p.x)[k])
			for j := range l.In {
				want += float64(features[row*stride+j]) * float64(p.x[l.Weights+j*l.Out+k])
			}
			must.Near(t, fmt.Sprintf("%s: output %d, by the features", s.name, i), float64(out[i]), want, 1e-5*(1+math.Abs(want)))
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, widths := range [][]int{nil, {3}, {3, 0}, {0, 2}, {3, -1, 2}} {
		_, err := New(widths...)
		must.That(t, err != nil, "New(%v): no error", widths)
	}
	good := Stage{Filters: 2, Size: 3, Stride: 1, Pool: 1}
	for _, stages := range [][]Stage{
		{{Filters: 0, Size: 3, Stride: 1, Pool: 1}}, {{Filters: 2, Size: 0, Stride: 1, Pool: 1}}, {{Filters: 2, Size: 9, Stride: 1, Pool: 1}},
		{{Filters: 2, Size: 3, Stride: 0, Pool: 1}}, {{Filters: 2, Size: 3, Stride: 1, Padding: -1, Pool: 1}}, {{Filters: 2, Size: 3, Stride: 1}},
		{{Filters: 2, Size: 3, Stride: 1, Pool: 7}}, {{Filters: 2, Size: 3, Stride: 1, Pool: 16}}, {good, {Filters: 1, Size: 7, Stride: 1, Pool: 1}},
	} {
		if _, err := NewConv(8, 8, 1, stages, 2); err == nil {
			t.Errorf("%+v: no error", stages)
		}
	}
	if _, err := NewConv(8, 8, 1, []Stage{good}); err == nil {
		t.Error("no outputs: no error")
	}
	if _, err := NewConv(8, 0, 1, []Stage{good}, 2); err == nil {
		t.Error("an image without columns: no error")
	}
}

// TestSkipBeginsAtZero checks that Init sets the weights of a skip to 0, and the other parameters to what it does without a skip.
func TestSkipBeginsAtZero(t *testing.T) {
	for _, s := range shapes {
		if !s.skip {
			continue
		}
		net := s.network(t)
		s.skip = false
		x, want := slices.Repeat([]float32{3}, net.Dim()), make([]float32, s.network(t).Dim())
		net.Init(x, stream.Root(1))
		s.network(t).Init(want, stream.Root(1))
		must.That(t, slices.Equal(x, append(want, make([]float32, net.Skip().In*net.Skip().Out)...)),
			"%s: %v, want %v and zeros", s.name, x, want)
	}
}

// TestPassNumbers checks that PassNumbers is within a fifth of the memory that is allocated for a large batch.
func TestPassNumbers(t *testing.T) {
	stages := []Stage{{Filters: 8, Size: 5, Stride: 1, Pool: 2}, {Filters: 16, Size: 5, Stride: 1, Pool: 2, Mean: true}}
	net := shape{"", 28, 28, 1, stages, []int{50, 10}, 1, false}.network(t)
	const batch = 200
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	pass := net.NewPass(batch)
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(pass)
	want := float64(after.TotalAlloc-before.TotalAlloc) / 4 // what was allocated
	must.Near(t, "numbers of a pass", float64(net.PassNumbers(batch)), want, want/5)
	must.Equal(t, "products", net.Products(), 576*25*8+64*200*16+256*50+50+500+10)
}

// TestLayers checks that stages, dense layers and skip, in this order, fill the vector of parameters.
func TestLayers(t *testing.T) {
	for _, s := range shapes {
		net, end := s.network(t), 0
		for _, l := range net.Layers() {
			must.That(t, l.Weights == end && l.Bias == end+l.In*l.Out && l.End == l.Bias+l.Out,
				"%s: layer %+v after %d parameters", s.name, l, end)
			end = l.End
		}
		if skip := net.Skip(); s.skip {
			out := s.widths[len(s.widths)-1]
			want := Layer{net.inputs, out, end, net.Dim(), net.Dim(), out}
			must.That(t, skip == want && want.Bias == end+skip.In*skip.Out, "%s: skip %+v, want %+v", s.name, skip, want)
		} else if end != net.Dim() || skip != (Layer{}) {
			t.Errorf("%s: layers up to %d of %d parameters, skip %+v", s.name, end, net.Dim(), skip)
		}
	}
}

// BenchmarkConvStep measures a forward and a backward pass of 256 images of 28×28 through the network of package
// lab/deep (32 and 64 filters of 5×5, two layers of 50), and through two networks with fewer filters.
func BenchmarkConvStep(b *testing.B) {
	for _, maps := range [][2]int{{8, 16}, {16, 32}, {32, 64}} {
		b.Run(fmt.Sprint(maps[0], "-", maps[1]), func(b *testing.B) {
			stages := []Stage{{Filters: maps[0], Size: 5, Stride: 1, Pool: 2}, {Filters: maps[1], Size: 5, Stride: 1, Pool: 2}}
			s := shape{"digits", 28, 28, 1, stages, []int{50, 50, 5}, 256, false}
			p := s.problem(b, false)
			pass, rows, grad := p.net.NewPass(256), rowsOf(p.rows), make([]float32, p.net.Dim())
			for b.Loop() {
				pass.Forward(p.x, rows, nil)
				pass.Backward(grad, p.x, p.delta)
			}
		})
	}
}
