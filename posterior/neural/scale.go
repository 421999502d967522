package neural

import (
	"math"

	"banditsim/internal/moments"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior/neural/internal/replay"
)

// scale has the units of a network with the option own_scale, which learns in units of the rewards, contexts and noise
// so far. In each training round, with m and s the mean and standard deviation of the rewards r of the n rows held,
//
//	z = (r − m)/s
//	U(x) = n/(2σ̂²)·mean_B (f_x(c)[a] − z)² + Σ_l λ_l‖x_l‖²/2
//
// with the output f_x(c)[a] for context c and arm a, a batch B and layers l. λ_l is weight_decay·fan_in for weights,
// skip_decay·fan_in for those of the skip, and weight_decay for biases. A predicted reward is m + s·f. When m and s
// change, the last layer is rescaled, so that predictions stay the same (van Hasselt et al., NeurIPS 2016). When the
// moments of the inputs change, the first layer is rescaled.
//
// σ̂² estimates the noise's variance in units of s², from k residuals e. A residual is the error of the prediction of a
// new reward before the network is trained on it, so that a network that fits the noise does not lower the estimate:
//
//	σ̂² = (a + Σ e²/s²)/(a + k)
//
// The prior σ² = s² counts like a = 5 residuals of size s, and older residuals count less: see moments.Noise. A
// prediction more than ten times as far from m as s and as any reward held counts as ten times as far, because a
// context far outside those seen says nothing about the noise. Steps are made relative to n/σ̂², the size of the data.
// Without own_scale, m, s and σ̂ remain 0, 1 and 1: the units of the environment.
type scale struct {
	mean, sd  float64       // m, s
	square    float64       // with moment_decay, the mean of E[x²] over the columns x of the inputs; else 1
	differ    bool          // whether the rewards differ; s is 1 otherwise
	trained   bool          // training has begun, so that residuals count
	fresh     int           // rows since the last Update
	residuals moments.Noise // in units of reward
	input     []float32     // a standardized context

	batch replay.Batch // rows of addResiduals
	means [predictBatch]float64
}

// A sizer is a sampler whose steps can be made relative to the size of the data.
type sizer interface{ SetSize(n float64) }

// newScale returns the units of the environment, for contexts of length dim.
func newScale(dim int) *scale { return &scale{sd: 1, square: 1, input: make([]float32, dim)} }

// noise returns σ̂.
func (s *scale) noise() float64 { return math.Sqrt(s.residuals.Variance(s.sd)) }

// noiseUnit returns s·σ̂, the noise's standard deviation in units of reward. Options such as noise are multiples of it.
func (s *scale) noiseUnit() float64 { return s.sd * s.noise() }

// standard returns the standardized reward z.
func (s *scale) standard(reward float64) float64 { return (reward - s.mean) / s.sd }

// reward returns the reward whose standardized value is f: m + s·f. It is the inverse of standard.
func (s *scale) reward(f float64) float64 { return s.mean + float64(s.sd*f) }

// begin renews the units from the n rows held and makes steps and energies relative to n/σ̂².
func (s *scale) begin(n *Network) {
	s.renew(n)
	n.priors.begin(n)
	if n.o.MomentDecay {
		s.square = n.inputs.square(n.buffer.IsDense())
	}
	n.learnDecay()
	s.trained = true
	size := float64(n.buffer.N) / s.residuals.Variance(s.sd)
	wide := 1.0
	if n.o.RateWidth > 0 {
		wide = max(1, float64(n.dim)/n.o.RateWidth)
	}
	n.sampler.(sizer).SetSize(size * wide)
	for _, r := range n.data {
		r.dataSize = size / 2
	}
}

// renew recomputes m and s from the rewards held, and renews the inputs if due. It converts the parameters accordingly.
func (s *scale) renew(n *Network) {
	mean, squares := 0.0, 0.0
	rows := n.buffer.N
	for i := range rows {
		mean += n.buffer.Reward(i)
	}
	mean /= float64(rows)
	for i := range rows {
		d := n.buffer.Reward(i) - mean
		squares += float64(d * d)
	}
	sd := math.Sqrt(squares / float64(rows))
	differ := sd > 0
	if !differ {
		sd = 1
	}
	last, skip := n.last(), n.model.Skip()
	if s.trained {
		ratio, shift := s.sd/sd, (s.mean-mean)/sd
		for i := range n.chains {
			x := n.chains[i].X
			multiply(x[last.Weights:last.End], ratio)
			for j := range x[last.Bias:last.End] {
				x[last.Bias+j] += float32(shift)
			}
			multiply(x[skip.Weights:skip.End], ratio)
			if s.differ && differ { // else one of the two is no unit
				n.targets[i].rescale(x, ratio)
			}
		}
	}
	s.mean, s.sd, s.differ = mean, sd, differ
	if !n.buffer.IsDense() || !n.inputs.due() {
		return
	}
	ratio, shift := n.inputs.renew()
	n.inputs.ranks.renew(n.inputs, n.buffer, ratio, shift)
	first := n.model.Layers()[0]
	shifted := func(x []float32) {
		shiftInputs(x, first, first, ratio, shift)
		shiftInputs(x, skip, last, ratio, shift)
	}
	if s.trained || !n.o.MomentDecay {
		for i, r := range n.data {
			shifted(n.chains[i].X)
			if r.anchor != nil {
				shiftInputs(r.anchor, first, first, ratio, shift)
			}
			if n.priors != nil {
				shifted(n.priors.x[i])
			}
		}
	}
	n.buffer.Standardize(n.inputs.standardize)
	n.priors.observe(n.buffer, 0, n.buffer.N)
}

// multiply multiplies x by f.
func multiply(x []float32, f float64) {
	for i := range x {
		x[i] = float32(f * float64(x[i]))
	}
}

// shiftInputs changes the weights of layer l, and the biases added to its outputs, so that the outputs stay the same
// when input j becomes (input j − shift[j])/ratio[j]. The inputs of a convolution are the elements of a patch, whose
// channels repeat pixel by pixel, so ratio and shift repeat too. Where a patch reaches into padding, outputs do change.
func shiftInputs(x []float32, l, biases nn.Layer, ratio, shift []float64) {
	bias := x[biases.Bias:biases.End]
	for j := range l.In {
		w := x[l.Weights+j*l.Out:][:l.Out]
		for k := range w {
			bias[k] += float32(float64(w[k]) * shift[j%len(shift)])
		}
		multiply(w, ratio[j%len(ratio)])
	}
}

// last returns the last layer of the network.
func (n *Network) last() nn.Layer {
	layers := n.model.Layers()
	return layers[len(layers)-1]
}

// A penalty is the prior precision λ of the parameters first to end−1.
type penalty struct {
	first, end int
	lambda     float64
	inputs     bool // the parameters are weights of the inputs: their λ is multiplied by scale.square
}

// penalties returns the prior: λ is skip_decay in the skip and weight_decay elsewhere. With own_scale, the λ of
// weights, but not of biases, is multiplied by the fan-in.
func (n *Network) penalties() []penalty {
	skip := n.model.Skip()
	if !n.o.OwnScale {
		return []penalty{{0, n.last().End, n.o.WeightDecay, false}, {skip.Weights, skip.End, n.o.SkipDecay, false}}
	}
	var list []penalty
	for i, l := range n.model.Layers() {
		list = append(list, penalty{l.Weights, l.Bias, n.o.WeightDecay * float64(l.In), i == 0}, penalty{l.Bias, l.End, n.o.WeightDecay, false})
	}
	return append(list, penalty{skip.Weights, skip.End, n.o.SkipDecay * float64(skip.In), true})
}

// lambda returns the prior precision of the parameters of p.
func (s *scale) lambda(p penalty) float64 {
	if p.inputs {
		return p.lambda * s.square
	}
	return p.lambda
}

// addResiduals adds the residuals of the rows observed since the last Update. It must run before training on them.
func (s *scale) addResiduals(n *Network) error {
	b := n.buffer
	fresh := min(s.fresh, n.o.Buffer)
	s.fresh = 0
	if !s.trained {
		return nil
	}
	n.setWeights()
	limit := 10.0
	for i := range b.N {
		limit = max(limit, 10*math.Abs(s.standard(b.Reward(i))))
	}
	for done := 0; done < fresh; done += predictBatch {
		s.batch.Reset()
		for i := done; i < min(done+predictBatch, fresh); i++ {
			s.batch.Add(b, (b.Next-fresh+i+n.o.Buffer)%n.o.Buffer)
		}
		clear(s.means[:])
		for c := range n.chains {
			out := n.outputs(c, n.chains[c].X, &s.batch.Rows, nil)
			for i, arm := range s.batch.Arms {
				s.means[i] += float64(n.weights[c] * float64(out[i*n.arms+int(arm)]))
			}
		}
		for i, reward := range s.batch.Rewards {
			if err := finite("prediction", int(s.batch.Arms[i]), s.reward(s.means[i])-reward); err != nil {
				return err
			}
			e := s.reward(max(-limit, min(s.means[i], limit))) - reward
			s.residuals.Add(float64(e*e), float64(b.N))
		}
	}
	return nil
}

func (s *scale) state(c *state.Codec) {
	c.Float64In("mean reward", &s.mean, -math.MaxFloat64, math.MaxFloat64)
	c.Float64In("deviation of the rewards", &s.sd, 0, math.MaxFloat64)
	c.Bool(&s.differ)
	s.residuals.State(c)
	c.Bool(&s.trained)
	c.Int("rows since the last training", &s.fresh, 0, math.MaxInt)
}

// inputs standardizes contexts by the moments of those observed. A value v becomes (v − mean)/deviation in columns that
// have had a value other than 0 and 1. Other columns stay as they are, so that rare categories are no outliers. The
// moments in use are renewed when the number of contexts has grown by a tenth. A convolution treats all pixels alike:
// the columns of a channel then share their moments.
type inputs struct {
	moments.Vectors           // moments of the contexts observed
	used            float64   // number of contexts observed when the moments in use were taken
	shift, factor   []float64 // moments in use: v becomes (v − shift)·factor
	channels        int       // channels of images, each with common moments; 0: each column has its own
	limit           float64   // inputs are clipped to ±limit; 0: they are not
	ranks           *ranks    // ranks of columns with heavy tails; nil: none
}

// newInputs returns the inputs for contexts of length dim, before any is observed.
func newInputs(dim int) *inputs {
	in := &inputs{Vectors: moments.NewVectors(dim), shift: make([]float64, dim), factor: make([]float64, dim)}
	for j := range in.factor {
		in.factor[j] = 1
	}
	return in
}

// observe adds a context. It does nothing on nil.
func (in *inputs) observe(context []float32) {
	if in != nil {
		in.Add(context)
	}
}

// due reports whether it is time to renew the moments in use.
func (in *inputs) due() bool { return in.N >= 1.1*in.used && in.N > in.used }

// renew adopts the observed contexts' moments. An input v standardized by the old moments becomes (v − shift)/ratio.
func (in *inputs) renew() (ratio, shift []float64) {
	in.used = in.N
	ratio, shift = make([]float64, len(in.Mean)), make([]float64, len(in.Mean))
	means, squares, number := in.Mean, in.Squares, in.Number
	if in.channels > 0 {
		means, squares, number = in.byChannel()
	}
	for j, mean := range means {
		ratio[j] = 1
		if !number[j] {
			continue
		}
		sd := math.Sqrt(squares[j] / in.N)
		if !(sd > 1e-9*math.Abs(mean)) { // all values are equal, up to rounding
			sd = 1
		}
		ratio[j], shift[j] = sd*in.factor[j], (mean-in.shift[j])*in.factor[j]
		in.shift[j], in.factor[j] = mean, 1/sd
	}
	return ratio, shift
}

// square returns the mean of E[x²] over the columns x of the contexts, after standardization if standardized is true.
func (in *inputs) square(standardized bool) float64 {
	sum := 0.0
	for j, mean := range in.Mean {
		variance := in.Squares[j] / in.N
		switch {
		case standardized && in.Number[j] && variance > 0:
			sum++
		case !standardized || !in.Number[j]:
			sum += variance + float64(mean*mean)
		}
	}
	return sum / float64(len(in.Mean))
}

// byChannel returns Mean, Squares and Number with each channel's columns pooled: each column gets its channel's values.
func (in *inputs) byChannel() (means, squares []float64, number []bool) {
	dim := len(in.Mean)
	means, squares, number = make([]float64, dim), make([]float64, dim), make([]bool, dim)
	pixels := float64(dim / in.channels)
	for c := range in.channels {
		mean, sum, isNumber := 0.0, 0.0, false
		for j := c; j < dim; j += in.channels {
			mean += in.Mean[j]
			isNumber = isNumber || in.Number[j]
		}
		mean /= pixels
		for j := c; j < dim; j += in.channels {
			d := in.Mean[j] - mean
			sum += in.Squares[j] + float64(in.N*float64(d*d))
		}
		for j := c; j < dim; j += in.channels {
			means[j], squares[j], number[j] = mean, sum/pixels, isNumber
		}
	}
	return means, squares, number
}

// standardize writes the standardized context to dst.
func (in *inputs) standardize(dst, context []float32) {
	for j, v := range context {
		z := (float64(v) - in.shift[j]) * in.factor[j]
		if in.ranks.has(j) {
			z = in.ranks.score(j, float64(v))
		}
		if in.limit > 0 {
			z = max(-in.limit, min(z, in.limit))
		}
		dst[j] = float32(z)
	}
}

func (in *inputs) state(c *state.Codec) {
	c.Float64In("contexts", &in.N, 0, math.MaxFloat64)
	c.Float64In("contexts in use", &in.used, 0, in.N)
	for _, v := range [][]float64{in.Mean, in.Squares, in.shift, in.factor} {
		c.Float64s(v)
	}
	c.Bools(in.Number)
	in.ranks.state(c)
}
