package deep

import (
	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/nn"
	"banditsim/posterior"
)

// CrossEntropy is the posterior.Target of a network that classifies images. With parameters x, the network has the
// outputs f_x(cᵢ) for image cᵢ, whose class is yᵢ. For a batch B of n of the N images, energy and gradient are
//
//	Û(x) = (N/n) Σ_{i∈B} −log softmax(f_x(cᵢ))[yᵢ],  g = ∇Û(x) + λx
//
// Batches are consecutive parts of a random permutation of the images; a new permutation is drawn when less than a
// batch is left. A batch of all images is not random. EnergyGrad allocates nothing. Chains that move concurrently need
// separate targets, which may share the Network and the Data.
type CrossEntropy struct {
	// Dropout, if not nil, draws a mask for each batch.
	Dropout *nn.Dropout

	net    *Network
	data   *Data
	decay  float64 // λ
	rand   *stream.Stream
	order  []int32
	next   int // the next batch begins with the image order[next]
	rows   nn.Rows
	labels []int32
	exps   []float64

	reference *reference // reduces the variance of the energy; nil before ReduceEnergy
}

var _ posterior.Target = (*CrossEntropy)(nil)

// NewCrossEntropy returns the target for data with batches of min(batch, data.Len()) images, which must not exceed the
// batch size of net. decay is λ, and r draws the batches.
func NewCrossEntropy(net *Network, data *Data, batch int, decay float64, r *stream.Stream) *CrossEntropy {
	batch = min(batch, data.Len())
	t := &CrossEntropy{net: net, data: data, decay: decay, rand: r, order: make([]int32, data.Len()), labels: make([]int32, batch), exps: make([]float64, net.Classes)}
	t.rows = nn.Rows{N: batch, Dense: make([]float32, batch*data.size())}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.next = len(t.order) // so that the first batch draws a permutation
	return t
}

// Dim returns the number of parameters.
func (t *CrossEntropy) Dim() int { return t.net.Dim() }

// EnergyGrad draws the next batch, returns its energy at x, and sets grad to its gradient.
func (t *CrossEntropy) EnergyGrad(grad, x []float32) (float64, error) {
	t.draw()
	pass := t.net.passes.Take()
	out := pass.Forward(x, &t.rows, t.Dropout)
	energy := crossEntropy(out, out, t.labels, float64(t.data.Len())/float64(t.rows.N), t.exps)
	pass.Backward(grad, x, out)
	t.net.passes.Give(pass)
	kernel.Axpy(grad, float32(t.decay), x)
	if t.reference != nil {
		energy += t.reference.correction(t, x)
	}
	return energy, nil
}

// Penalty returns λ‖x‖²/2.
func (t *CrossEntropy) Penalty(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v) // exact in float64, so FMA gives the same result
	}
	return t.decay / 2 * sum
}

// draw sets t.rows and t.labels to the next batch.
func (t *CrossEntropy) draw() {
	n := t.rows.N
	if t.next+n > len(t.order) {
		if n < len(t.order) {
			t.rand.Permutation(t.order)
		}
		t.next = 0
	}
	for i, image := range t.order[t.next : t.next+n] {
		copy(t.rows.Dense[i*t.data.size():], t.data.image(image))
		t.labels[i] = t.data.Labels[image]
	}
	t.next += n
}

// crossEntropy returns scale·Σᵢ −log softmax(outᵢ)[labelᵢ]. delta, if not nil, is set to the derivative with respect to
// out; delta and out may be the same slice. exps is scratch memory of one number per class. Terms and derivatives near
// 0 keep their relative precision.
func crossEntropy(delta, out []float32, labels []int32, scale float64, exps []float64) float64 {
	energy, width := 0.0, len(exps)
	for i, label := range labels {
		row := out[i*width : (i+1)*width]
		top, sum, others := softmax(exps, row)
		energy += log1p(others) + (float64(row[top]) - float64(row[label]))
		if delta == nil {
			continue
		}
		rest := others // sum of exps without the label's
		if int(label) != top {
			rest = sum - exps[label]
		}
		for k := range row {
			delta[i*width+k] = float32(scale * exps[k] / sum)
		}
		delta[i*width+int(label)] = float32(-scale * rest / sum)
	}
	return float64(scale * energy) // the conversion keeps the product from being fused with a sum
}

// log1p returns log(1+s) for s ≥ 0. The result has the same bits on every machine.
func log1p(s float64) float64 {
	if s < 1e-4 {
		return float64(s * (1 - float64(s*(0.5-float64(s*(1.0/3-float64(s/4)))))))
	}
	return kernel.Log(1 + s)
}

// reference is the control variate of the paper's variance-reduced energy, as in package neural: an earlier position x̃
// at which the energy U_i of every image is known. For a batch B of n of the N images, the energy is
//
//	Ũ(x) = (N/n) Σ_{i∈B} (U_i(x) − U_i(x̃)) + Σ_i U_i(x̃)
//
// x̃ is renewed every q calls of EnergyGrad, by a forward pass over all images. The batch's gradient is not corrected.
type reference struct {
	every    int       // q
	age      int       // calls since x̃ was set
	energies []float64 // U_i(x̃) for each image; nil before the first call
	sum      float64   // Σ_i U_i(x̃)
}

// ReduceEnergy reduces the variance of the energies that later calls of EnergyGrad return, by a control variate (see
// reference): the energies of all images at an earlier position, which is renewed after every steps calls, at least 1.
func (t *CrossEntropy) ReduceEnergy(steps int) { t.reference = &reference{every: steps} }

// correction returns Ũ(x) − Û(x), which is added to the energy Û(x) of the current batch of t.
func (f *reference) correction(t *CrossEntropy, x []float32) float64 {
	if f.energies == nil || f.age >= f.every {
		f.renew(t, x)
	}
	f.age++
	batch := 0.0
	for _, image := range t.order[t.next-t.rows.N : t.next] {
		batch += f.energies[image]
	}
	return f.sum - float64(float64(t.data.Len())/float64(t.rows.N)*batch)
}

// renew sets x̃ to x, and computes the energies at x̃.
func (f *reference) renew(t *CrossEntropy, x []float32) {
	f.age, f.sum = 0, 0
	f.energies = f.energies[:0]
	t.net.each(x, t.data, nil, func(first int, _ *nn.Pass, out []float32) {
		for i := 0; i < len(out); i += t.net.Classes {
			image := first + i/t.net.Classes
			u := crossEntropy(nil, out[i:i+t.net.Classes], t.data.Labels[image:image+1], 1, t.exps)
			f.energies = append(f.energies, u)
			f.sum += u
		}
	})
}
