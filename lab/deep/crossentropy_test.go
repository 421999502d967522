package deep

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/kernel"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// plainLoss computes −log softmax(z)[label] in float64.
func plainLoss(z []float64, label int32) float64 {
	top, sum := slices.Max(z), 0.0
	for _, v := range z {
		sum += math.Exp(v - top)
	}
	return math.Log(sum) + top - z[label]
}

// TestCrossEntropyOfOutputs compares crossEntropy with known values, and its derivatives with central differences in float64.
func TestCrossEntropyOfOutputs(t *testing.T) {
	for _, c := range []struct {
		name  string
		out   []float32
		label int32
		loss  float64
	}{
		{"equal", []float32{2, 2, 2, 2}, 1, math.Log(4)},
		{"odds of three", []float32{0, float32(math.Log(3))}, 0, math.Log(4)},
		{"several", []float32{.5, -1, 2, .25, -3}, 4, 0},
		{"large outputs", []float32{1000, 999, -1000}, 1, 0},
		{"far from the label", []float32{-200, 300, 100}, 0, 500},
	} {
		if c.loss == 0 {
			c.loss = plainLoss(checktest.Wide(c.out), c.label)
		}
		delta, exps := make([]float32, len(c.out)), make([]float64, len(c.out))
		const scale = 2.5
		must.Near(t, c.name+": energy", crossEntropy(delta, c.out, []int32{c.label}, scale, exps), scale*c.loss, 1e-6*scale*c.loss)
		const h = 1e-5
		for k := range c.out {
			up, down := checktest.Wide(c.out), checktest.Wide(c.out)
			up[k] += h
			down[k] -= h
			want := scale * (plainLoss(up, c.label) - plainLoss(down, c.label)) / (2 * h)
			must.That(t, math.Abs(float64(delta[k])-want) < 1e-6,
				"%s: derivative by output %d is %v, want %v", c.name, k, delta[k], want)
		}
	}
}

// TestCrossEntropyNearZero checks the relative precision of loss and derivative for probabilities p so close to 1 that 1−p is rounded to 0.
func TestCrossEntropyNearZero(t *testing.T) {
	delta, exps := make([]float32, 2), make([]float64, 2)
	for _, gap := range []float64{5, 9, 9.5, 30, 60, 90} {
		loss := crossEntropy(delta, []float32{float32(gap), 0}, []int32{0}, 1, exps)
		want := math.Log1p(math.Exp(-gap))
		if !(math.Abs(loss/want-1) < 1e-11) { // rounding 1+s has an error of 2⁻⁵³: 1e-12 relative to s ≥ 1e-4
			t.Errorf("gap %g: loss %g, want %g", gap, loss, want)
		}
		p := math.Exp(-gap) / (1 + math.Exp(-gap))
		must.That(t, math.Abs(float64(delta[0])/-p-1) < 1e-6 && math.Abs(float64(delta[1])/p-1) < 1e-6,
			"gap %g: derivatives %g, want ±%g", gap, delta, p)
	}
}

// TestCrossEntropyOfDivergedNetworks checks that outputs that are not finite give an energy of NaN, for which samplers return an error.
func TestCrossEntropyOfDivergedNetworks(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for name, out := range map[string][]float32{"infinite": {1, inf, 2}, "all −∞": {-inf, -inf, -inf}, "NaN": {1, 2, nan}, "NaN first": {nan, 1, 2}} {
		energy := crossEntropy(nil, out, []int32{0}, 1, make([]float64, 3))
		must.That(t, math.IsNaN(energy), "%s: energy %v, want NaN", name, energy)
	}
}

// problem returns a small network over n random images of three classes.
func problem(t testing.TB, n, batch int) (*Network, *Data, []float32) {
	t.Helper()
	r := stream.Root(5)
	data := &Data{Height: 6, Width: 6, Classes: 3, Pixels: make([]float32, n*36), Labels: make([]int32, n)}
	r.Normals(data.Pixels)
	for i := range data.Labels {
		data.Labels[i] = int32(r.IntN(3))
	}
	net := must.Get(NewNetwork(Shape{Maps: []int{4}, Size: 3, Pool: 2, Hidden: []int{5}}, data, batch))(t)
	x := make([]float32, net.Dim())
	net.Init(x, r.Child("init"))
	return net, data, x
}

// plainEnergy computes the energy of problem's network at x in float64 with plain loops: 4 maps with 3×3 filters over 6×6 pixels, 2×2
// max pooling, and fully connected layers 16 → 5 → 3.
func plainEnergy(x []float64, d *Data) float64 {
	energy := 0.0
	for n, label := range d.Labels {
		image := d.image(int32(n))
		var pooled []float64
		for y := 0; y < 4; y += 2 {
			for c := 0; c < 4; c += 2 {
				for f := range 4 {
					largest := 0.0 // the lower bound of ReLU
					for p := range 4 {
						sum := x[36+f]
						for q := range 9 {
							sum += float64(image[(y+p/2+q/3)*6+c+p%2+q%3]) * x[q*4+f]
						}
						largest = max(largest, sum)
					}
					pooled = append(pooled, largest)
				}
			}
		}
		layer := func(from int, in []float64, out int) []float64 {
			h := slices.Clone(x[from+len(in)*out:][:out])
			for j, v := range in {
				for k := range h {
					h[k] += v * x[from+j*out+k]
				}
			}
			return h
		}
		h := layer(40, pooled, 5)
		for k := range h {
			h[k] = max(h[k], 0)
		}
		energy += plainLoss(layer(40+16*5+5, h, 3), label)
	}
	return energy
}

// TestCrossEntropyGradient compares energy and gradient of a network with plainEnergy and its central differences.
func TestCrossEntropyGradient(t *testing.T) {
	const decay = 0.75
	net, data, x32 := problem(t, 12, 12)
	target := NewCrossEntropy(net, data, 12, decay, stream.Root(1))
	grad := make([]float32, net.Dim())
	energy := must.Get(target.EnergyGrad(grad, x32))(t)
	x := checktest.Wide(x32)
	must.Near(t, "energy", energy, plainEnergy(x, data), 1e-6*energy)
	must.Equal(t, "energies of all images and of one batch of them", net.Energy(x32, data), energy)
	largest := 0.0
	for _, g := range grad {
		largest = max(largest, math.Abs(float64(g)))
	}
	const h = 1e-6
	for j, was := range x {
		x[j] = was + h
		up := plainEnergy(x, data)
		x[j] = was - h
		down := plainEnergy(x, data)
		x[j] = was
		must.Near(t, fmt.Sprint("derivative by parameter ", j), float64(grad[j]), (up-down)/(2*h)+decay*was, 1e-6*largest)
	}
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	must.Near(t, "penalty", target.Penalty(x32), decay*sum/2, 1e-12)
}

// TestCrossEntropyBatches checks that the means of energy and gradient over the batches of one permutation are those of all images,
// and that every image is in exactly one batch.
func TestCrossEntropyBatches(t *testing.T) {
	net, data, x := problem(t, 12, 12)
	all := NewCrossEntropy(net, data, 100, 0, stream.Root(1))
	target := NewCrossEntropy(net, data, 4, 0, stream.Root(1))
	want, grad, sum := make([]float32, net.Dim()), make([]float32, net.Dim()), make([]float64, net.Dim())
	energy, _ := all.EnergyGrad(want, x)
	mean := 0.0
	for range 3 {
		e := must.Get(target.EnergyGrad(grad, x))(t)
		mean += e / 3
		for i, g := range grad {
			sum[i] += float64(g) / 3
		}
	}
	must.That(t, math.Abs(mean/energy-1) <= 1e-6, "mean energy of three batches %v, of all images %v", mean, energy)
	for i := range sum {
		must.That(t, math.Abs(sum[i]-float64(want[i])) <= 1e-4,
			"mean derivative %d of three batches %v, of all images %v", i, sum[i], want[i])
	}
	first := slices.Clone(target.order)
	must.Get(target.EnergyGrad(grad, x))(t)
	must.That(t, !slices.Equal(first, target.order),
		"the fourth batch of four of twelve images has the order of the first three")
	slices.Sort(first)
	for i, v := range first {
		must.Hold(t, int(v) == i, "order %v is none of 12 images", first)
	}
}

func TestCrossEntropyAllocatesNothing(t *testing.T) {
	net, data, x := problem(t, 12, 5)
	target := NewCrossEntropy(net, data, 5, 1, stream.Root(1))
	grad := make([]float32, net.Dim())
	must.Equal(t, "allocations a step", testing.AllocsPerRun(20, func() { target.EnergyGrad(grad, x) }), 0)
}

// TestCrossEntropySteps compares the bits of steps of SGLD, on every kernel, with a recorded checksum.
func TestCrossEntropySteps(t *testing.T) {
	const want = "599370142b65872e"
	defer kernel.Use(kernel.Name())
	for _, name := range kernel.Available() {
		must.OK(t, kernel.Use(name))
		net, data, x := problem(t, 40, 16)
		target := NewCrossEntropy(net, data, 16, 1, stream.Root(2))
		s := must.Get(sgmcmc.NewLangevin(sgmcmc.Plain(1e-3, 0.1), sgmcmc.Setup{Chains: 1, Noise: []posterior.Normals{stream.Root(3)}}))(t)
		chains := []posterior.Chain{posterior.NewChain(target, x)}
		h := sha256.New()
		for range 20 {
			must.OK(t, s.Step(chains))
			binary.Write(h, binary.LittleEndian, chains[0].X)
			binary.Write(h, binary.LittleEndian, chains[0].Energy)
		}
		must.Equal(t, name+": 20 steps have the sum", hex.EncodeToString(h.Sum(nil)[:8]), want)
	}
}

func TestSplit(t *testing.T) {
	_, d, _ := problem(t, 4, 4)
	for _, n := range []int{0, 4} {
		_, _, err := d.Split(n, stream.Root(1))
		must.Fail(t, err, "want 1 to 3")
	}
	drawn, others, err := d.Split(3, stream.Root(1))
	must.OK(t, err)
	must.Equal(t, "drawn", []int{drawn.Len(), len(drawn.Pixels)}, []int{3, 3 * 36})
	must.Equal(t, "others", []int{others.Len(), len(others.Pixels)}, []int{1, 36})
}

// TestReducedEnergy compares the variance-reduced energy of batches with the energy of all images: both are equal at x̃
// and, on average over a permutation, elsewhere, with less variance than without reduction. Gradients must not change.
func TestReducedEnergy(t *testing.T) {
	net, data, x := problem(t, 40, 5)
	moved := slices.Clone(x)
	for i := range moved {
		moved[i] += 1e-3 * float32(i%5)
	}
	grad, want := make([]float32, net.Dim()), make([]float32, net.Dim())
	variance := func(t2 *CrossEntropy) (mean, variance float64) {
		var all []float64
		for range 8 {
			e, _ := t2.EnergyGrad(grad, moved)
			all, mean = append(all, e), mean+e/8
		}
		for _, e := range all {
			variance += (e - mean) * (e - mean) / 8
		}
		return mean, variance
	}
	plain := NewCrossEntropy(net, data, 5, 0, stream.Root(1))
	reduced := NewCrossEntropy(net, data, 5, 0, stream.Root(1))
	reduced.ReduceEnergy(100)
	for range 8 { // the batches of a permutation, at x̃
		got, _ := reduced.EnergyGrad(grad, x)
		plain.EnergyGrad(want, x)
		must.Near(t, "energy at the reference", got, net.Energy(x, data), 1e-12*got)
		must.That(t, slices.Equal(grad, want), "another gradient than that of the batch")
	}
	_, loud := variance(plain)
	mean, quiet := variance(reduced)
	must.Near(t, "mean energy of an order", mean, net.Energy(moved, data), 1e-12*mean)
	must.That(t, quiet < loud/100, "variance %v with a reference near by, %v without", quiet, loud)
	reduced.ReduceEnergy(1)
	got, _ := reduced.EnergyGrad(grad, moved)
	must.Near(t, "energy after a renewal in every step", got, net.Energy(moved, data), 1e-12*got)
}
