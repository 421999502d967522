package nn

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
)

// convTwin is the network with plain loops: outputs by images. fma(a, b, c) is a·b + c, as the kernels round it.
func convTwin[F float32 | float64](net *ConvNet, x []F, images [][]F, fma func(a, b, c F) F) [][]F {
	var out [][]F
	for _, picture := range images {
		image := picture
		for i := range net.stages {
			s := &net.stages[i]
			maps := make([]F, s.squares()*s.Filters)
			for y := range s.rows {
				for c := range s.cols {
					for f := range s.Filters {
						sum := x[s.b+f]
						for q := range s.square() {
							row, col, channel := y*s.Stride-s.Padding+q/s.channels/s.Size, c*s.Stride-s.Padding+q/s.channels%s.Size, q%s.channels
							var v F
							if row >= 0 && row < s.height && col >= 0 && col < s.width {
								v = image[(row*s.width+col)*s.channels+channel]
							}
							sum = fma(v, x[s.w+q*s.Filters+f], sum)
						}
						maps[(y*s.cols+c)*s.Filters+f] = max(sum, 0)
					}
				}
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
				pooled[o] = largest
				if s.Mean {
					pooled[o] = mean
				}
			}
			image = pooled
		}
		h := image
		for i, l := range net.head.layers {
			next := make([]F, l.out)
			for o := range next {
				next[o] = x[net.from+l.b+o]
				for j, v := range h {
					next[o] = fma(v, x[net.from+l.w+j*l.out+o], next[o])
				}
				if i < net.head.hidden() {
					next[o] = max(next[o], 0)
				}
			}
			h = next
		}
		if l := net.skip; l != nil {
			for o := range h {
				for j, v := range picture {
					h[o] = fma(v, x[l.w+j*l.out+o], h[o])
				}
			}
		}
		out = append(out, h)
	}
	return out
}

var convShapes = []struct {
	name                    string
	height, width, channels int
	stages                  []Stage
	widths                  []int
	images                  int
	skip                    bool
}{
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

// convProblem draws images for a network, and derivatives by its outputs.
func convProblem(t testing.TB, i int) (net *ConvNet, x []float32, images [][]float32, delta []float32) {
	t.Helper()
	c := convShapes[i]
	net, err := NewConvNet(c.height, c.width, c.channels, c.stages, c.widths...)
	if err != nil {
		t.Fatal(err)
	}
	if c.skip {
		net = net.WithSkip()
	}
	r := stream.Root(11).Child("conv", i)
	x = make([]float32, net.Dim())
	net.Init(x, r.Child("init"))
	if skip, ok := net.Skip(); ok { // it starts at 0
		r.Child("skip").Normals(x[skip.Weights:skip.End])
	}
	for range c.images {
		image := make([]float32, c.height*c.width*c.channels)
		r.Normals(image)
		images = append(images, image)
	}
	delta = make([]float32, c.images*c.widths[len(c.widths)-1])
	r.Normals(delta)
	return net, x, images, delta
}

func rowsOf(images [][]float32) *Rows {
	var rows Rows
	rows.Reset()
	for _, image := range images {
		rows.AppendDense(image)
	}
	return &rows
}

// TestConvForward compares the outputs with those of the plain loops, bit for bit, on every kernel.
func TestConvForward(t *testing.T) {
	onEveryKernel(t, func(t *testing.T) {
		for i, c := range convShapes {
			net, x, images, _ := convProblem(t, i)
			out := net.NewPass(c.images).Forward(x, rowsOf(images), nil)
			if want := slices.Concat(convTwin(net, x, images, kernel.FMA32)...); !slices.Equal(out, want) {
				t.Errorf("%s: %v, want %v", c.name, out, want)
			}
		}
	})
}

// TestConvGradient compares the gradient with central differences of the plain loops in float64.
func TestConvGradient(t *testing.T) {
	fma := func(a, b, c float64) float64 { return a*b + c }
	for i, c := range convShapes {
		net, x32, images32, delta := convProblem(t, i)
		pass, grad := net.NewPass(c.images), make([]float32, net.Dim())
		pass.Forward(x32, rowsOf(images32), nil)
		pass.Backward(grad, x32, delta)

		x := wide(x32)
		var images [][]float64
		for _, image := range images32 {
			images = append(images, wide(image))
		}
		at := func() (sum float64) {
			for k, v := range slices.Concat(convTwin(net, x, images, fma)...) {
				sum += v * float64(delta[k])
			}
			return sum
		}
		largest := 0.0
		for _, g := range grad {
			largest = max(largest, math.Abs(float64(g)))
		}
		const h = 1e-7 // the outputs are piecewise linear in each parameter
		for j := range x {
			was := x[j]
			x[j] = was + h
			up := at()
			x[j] = was - h
			down := at()
			x[j] = was
			if want := (up - down) / (2 * h); !near(float64(grad[j]), want, 1e-6*largest) {
				t.Errorf("%s: derivative by parameter %d is %g, want %g", c.name, j, grad[j], want)
			}
		}
	}
}

// TestConvKernels: a gradient has the same bits on every kernel, and whatever the images beside it.
func TestConvKernels(t *testing.T) {
	var want [][]float32
	onEveryKernel(t, func(t *testing.T) {
		for i, c := range convShapes {
			net, x, images, delta := convProblem(t, i)
			pass, grad := net.NewPass(c.images+3), make([]float32, net.Dim())
			pass.Forward(x, rowsOf(images), nil)
			pass.Backward(grad, x, delta)
			if len(want) <= i {
				want = append(want, grad)
			} else if !slices.Equal(grad, want[i]) {
				t.Errorf("%s: another gradient than on kernel %s", c.name, kernel.Available()[0])
			}
		}
	})
}

// onEveryKernel runs a test on each kernel that the processor has.
func onEveryKernel(t *testing.T, test func(t *testing.T)) {
	active := kernel.Name()
	defer kernel.Use(active)
	for _, name := range kernel.Available() {
		if err := kernel.Use(name); err != nil {
			t.Fatal(err)
		}
		t.Run(name, test)
	}
}

// TestConvByHand is one filter over one image of 4×4. The filter sees differences from left to right; with its bias of 1
// its map is 3 5 / 0 3, where the 0 was −1.
func TestConvByHand(t *testing.T) {
	image := []float32{
		1, 2, 0, 1,
		3, 1, 2, 0,
		0, 2, 1, 1,
		1, 0, 2, 1,
	}
	x := []float32{1, 0, -1, 2, 0, -2, 1, 0, -1, 1, 2, -1}
	for _, c := range []struct {
		name string
		mean bool
		out  float32
		grad []float32
	}{
		{"largest", false, 2*5 - 1, []float32{4, 0, 2, 2, 4, 0, 4, 2, 2, 2, 5, 1}},
		{"mean", true, 2*2.75 - 1, []float32{2, 2, .5, 3, 2, 1.5, 1, 2.5, 1.5, 1.5, 2.75, 1}},
	} {
		net, err := NewConvNet(4, 4, 1, []Stage{{Filters: 1, Size: 3, Stride: 1, Pool: 2, Mean: c.mean}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		pass, grad := net.NewPass(1), make([]float32, net.Dim())
		if out := pass.Forward(x, rowsOf([][]float32{image}), nil); out[0] != c.out {
			t.Errorf("%s: output %g, want %g", c.name, out[0], c.out)
		}
		pass.Backward(grad, x, []float32{1})
		if !slices.Equal(grad, c.grad) {
			t.Errorf("%s: gradient %v, want %v", c.name, grad, c.grad)
		}
	}
}

// TestConvSparse: an image of zeros and ones has the bits of the dense one.
func TestConvSparse(t *testing.T) {
	net, err := NewConvNet(8, 8, 1, []Stage{{Filters: 4, Size: 3, Stride: 1, Pool: 2}}, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	x, r := make([]float32, net.Dim()), stream.Root(3)
	net.Init(x, r)
	var dense, sparse Rows
	dense.Reset()
	sparse.Reset()
	for range 5 {
		image := make([]float32, 64)
		for j := range image {
			image[j] = float32(r.IntN(2))
		}
		ones, _ := Ones(nil, image)
		dense.AppendDense(image)
		sparse.AppendSparse(ones)
	}
	run := func(rows *Rows) []float32 {
		pass, grad := net.NewPass(5), make([]float32, net.Dim())
		out := slices.Clone(pass.Forward(x, rows, nil))
		pass.Backward(grad, x, out)
		return append(out, grad...)
	}
	if !slices.Equal(run(&dense), run(&sparse)) {
		t.Error("a sparse batch has other numbers")
	}
}

// TestConvSkipStartsAtZero: before training a skip changes no output.
func TestConvSkipStartsAtZero(t *testing.T) {
	net, x, images, _ := convProblem(t, 2)
	with := net.WithSkip()
	y := make([]float32, with.Dim())
	y[len(y)-1] = 1
	with.Init(y, stream.Root(1))
	net.Init(x, stream.Root(1))
	out, want := with.NewPass(5).Forward(y, rowsOf(images), nil), net.NewPass(5).Forward(x, rowsOf(images), nil)
	if !slices.Equal(out, want) {
		t.Errorf("outputs %v with a skip, want %v", out, want)
	}
}

// TestConvPassNumbers: the estimate of a pass's memory is within a fifth of what is allocated for large batches.
func TestConvPassNumbers(t *testing.T) {
	net, err := NewConvNet(28, 28, 1, []Stage{{Filters: 8, Size: 5, Stride: 1, Pool: 2}, {Filters: 16, Size: 5, Stride: 1, Pool: 2, Mean: true}}, 50, 10)
	if err != nil {
		t.Fatal(err)
	}
	const batch = 200
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	pass := net.NewPass(batch)
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(pass)
	got, want := net.PassNumbers(batch), float64(after.TotalAlloc-before.TotalAlloc)/4
	if !near(float64(got), want, want/5) {
		t.Errorf("%d numbers of a pass, %g were allocated", got, want)
	}
	if got, want := net.Products(), 576*25*8+64*200*16+256*50+50+500+10; got != want {
		t.Errorf("%d products, want %d", got, want)
	}
}

func TestConvAllocatesNothing(t *testing.T) {
	for i, c := range convShapes {
		net, x, images, delta := convProblem(t, i)
		pass, rows, grad := net.NewPass(c.images), rowsOf(images), make([]float32, net.Dim())
		if n := testing.AllocsPerRun(5, func() {
			pass.Forward(x, rows, nil)
			pass.Backward(grad, x, delta)
		}); n != 0 {
			t.Errorf("%s: %v allocations a step, want none", c.name, n)
		}
	}
}

// TestConvLayers: the layers are those of all stages and of the head, and they fill the vector of parameters.
func TestConvLayers(t *testing.T) {
	for i, c := range convShapes {
		net, _, images, _ := convProblem(t, i)
		end := 0
		for _, l := range net.Layers() {
			if l.Weights != end || l.Bias != end+l.In*l.Out || l.End != l.Bias+l.Out {
				t.Errorf("%s: layer %+v after %d parameters", c.name, l, end)
			}
			end = l.End
		}
		if skip, ok := net.Skip(); ok != c.skip || ok && (skip.Weights != end || skip.In != len(images[0]) || skip.Out != c.widths[len(c.widths)-1]) {
			t.Errorf("%s: skip %+v after %d parameters", c.name, skip, end)
		} else if ok {
			end = skip.End
		}
		if want := len(c.stages) + len(c.widths); len(net.Layers()) != want || end != net.Dim() {
			t.Errorf("%s: %d layers with %d parameters, want %d with %d", c.name, len(net.Layers()), end, want, net.Dim())
		}
	}
}

func TestNewConvNetRefuses(t *testing.T) {
	good := Stage{Filters: 2, Size: 3, Stride: 1, Pool: 1}
	with := func(change func(*Stage)) []Stage {
		s := good
		change(&s)
		return []Stage{s}
	}
	for name, stages := range map[string][]Stage{
		"none":       nil,
		"filters":    with(func(s *Stage) { s.Filters = 0 }),
		"size":       with(func(s *Stage) { s.Size = 0 }),
		"too large":  with(func(s *Stage) { s.Size = 9 }),
		"stride":     with(func(s *Stage) { s.Stride = 0 }),
		"padding":    with(func(s *Stage) { s.Padding = -1 }),
		"pool":       with(func(s *Stage) { s.Pool = 0 }),
		"large pool": with(func(s *Stage) { s.Pool = 7 }),
		"byte":       with(func(s *Stage) { s.Pool = 16 }),
		"second":     {good, {Filters: 1, Size: 7, Stride: 1, Pool: 1}},
	} {
		if _, err := NewConvNet(8, 8, 1, stages, 2); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := NewConvNet(8, 8, 1, []Stage{good}); err == nil {
		t.Error("no outputs: no error")
	}
	if _, err := NewConvNet(8, 0, 1, []Stage{good}, 2); err == nil {
		t.Error("an image without columns: no error")
	}
}

// BenchmarkConvStep is a forward and a backward pass of a batch of 256 digits of 28×28 through the network of the paper's
// landscape (32 and 64 maps of 5×5, two layers of 50), and through two with fewer maps.
func BenchmarkConvStep(b *testing.B) {
	for _, maps := range [][2]int{{8, 16}, {16, 32}, {32, 64}} {
		b.Run(fmt.Sprint(maps[0], "-", maps[1]), func(b *testing.B) {
			net, err := NewConvNet(28, 28, 1, []Stage{{Filters: maps[0], Size: 5, Stride: 1, Pool: 2}, {Filters: maps[1], Size: 5, Stride: 1, Pool: 2}}, 50, 50, 5)
			if err != nil {
				b.Fatal(err)
			}
			r := stream.Root(1)
			x, grad, delta := make([]float32, net.Dim()), make([]float32, net.Dim()), make([]float32, 256*5)
			net.Init(x, r)
			r.Normals(delta)
			rows := Rows{N: 256, Dense: make([]float32, 256*28*28)}
			r.Normals(rows.Dense)
			pass := net.NewPass(256)
			for b.Loop() {
				pass.Forward(x, &rows, nil)
				pass.Backward(grad, x, delta)
			}
		})
	}
}
