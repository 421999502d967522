package synthetic

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// ClassesOptions are the options of classes.
type ClassesOptions struct {
	// Law is the joint distribution of context and class.
	Law        string  `json:"law" enum:"xor,checkerboard,spirals,plans,imbalance,category,tails,twonorm,threenorm,ringnorm,waveform,led"`
	Irrelevant int     `json:"irrelevant"`     // number of standard normal elements after those of the law, independent of the class: 0 to 1000
	Noise      float64 `json:"noise,omitzero"` // probability with which the class is drawn uniformly: 0 to 1
}

// A law is a joint distribution of context and class. draw sets x, of dim numbers, to a context, and p, which is all 0
// before, to the probabilities of the classes given x.
type law struct {
	classes, dim int
	regret       float64 // E max p − 1/classes: the regret of acting uniformly; NaN if it has no closed form
	excess       float64 // P(first class) − 1/classes; no class is more frequent than the first
	draw         func(c *classes, x, p []float64)
}

// categories is the number of values in the law "category": 16 for each of three classes.
const categories = 48

var laws = map[string]law{
	"xor":          {2, 2, 1.0 / 2, 0, (*classes).xor},
	"checkerboard": {2, 2, 1.0 / 2, 0, (*classes).checkerboard},
	"spirals":      {2, 2, 1.0 / 2, 0, (*classes).spirals},
	"plans":        {3, 8, 2.0 / 3, 0.42 - 1.0/3, (*classes).plans},
	"imbalance":    {2, 2, 1.0 / 2, 0.95 - 1.0/2, (*classes).imbalance},
	"category":     {3, categories, 2.0 / 3, 0, (*classes).category},
	"tails":        {3, 6, 2.0 / 3, 0, (*classes).tails},
	"twonorm":      {2, 20, digits(normalCDF(2) - 0.5), 0, (*classes).twonorm},
	"threenorm":    {2, 20, math.NaN(), 0, (*classes).threenorm},
	"ringnorm":     {2, 20, math.NaN(), 0, (*classes).ringnorm},
	"waveform":     {3, 21, math.NaN(), 0, (*classes).waveform},
	"led":          {10, 7, digits(ledAccuracy() - 0.1), 0, (*classes).led},
}

// Classes declares classification by formula as a bandit: the arm of the context's class pays 1, the others 0. Except
// in plans and imbalance, classes are equally likely, so that all constant arms are equally good.
//
//   - xor: two standard normal numbers, the class is the sign of their product.
//   - checkerboard: two numbers uniform on [0, 4), the class is the color of the unit square that they are in.
//   - spirals: a point uniform on the unit disc, which two spirals of 1.5 turns divide (after Lang and Witbrock, Learning to tell two
//     spirals apart, 1988).
//   - plans: age, income and use, uniform on [0, 1), and one of five regions; steps and interactions of these choose one of three plans.
//   - imbalance: two standard normal numbers; the second class, 5 % of all contexts, is where their sum is above √2·Φ⁻¹(0.95).
//   - category: one of 48 values, one-hot; the seed draws the class of each value.
//   - tails: six numbers exp(2.5·z), z standard normal. Each class has two successive z; the class is the one whose sum is largest.
//   - twonorm, threenorm, ringnorm: Breiman, Bias, variance, and arcing classifiers (1996), with 20 numbers. The best classifier is
//     wrong with probability 0.0228, 0.105 and 0.015.
//   - waveform, led: Breiman, Friedman, Olshen and Stone, Classification and Regression Trees (1984): three mixtures of two triangular
//     waves, with noise, at 21 points; ten digits on a display of seven lights, each of which is wrong with probability 0.1.
func Classes() datasets.Kind[ClassesOptions] {
	return kind("classes", "classification by formula: xor, checkerboard, spirals, steps, imbalance, a category, heavy tails, Breiman's laws", func() ClassesOptions {
		return ClassesOptions{Law: "xor", Irrelevant: 6}
	}, func(o ClassesOptions) (*datasets.World, error) {
		l := laws[o.Law]
		if err := cmp.Or(check.OneOf("law", o.Law, slices.Sorted(maps.Keys(laws))...),
			check.Within("irrelevant", o.Irrelevant, 0, 1000), check.That(o.Noise >= 0 && o.Noise <= 1, "noise: %g, want 0 to 1", o.Noise)); err != nil {
			return nil, err
		}
		return l.world(o), nil
	})
}

func (l law) world(o ClassesOptions) *datasets.World {
	n, names := l.dim+o.Irrelevant, armNames(l.classes)
	spec := bandit.Spec{Dim: n, Arms: names, IgnoresActions: true, UniformRegret: digits(l.regret * (1 - o.Noise))}
	if !math.IsNaN(l.regret) {
		spec.ConstantArm = &bandit.ConstantArm{Arm: names[0], Regret: digits((l.regret - l.excess) * (1 - o.Noise))}
	}
	if first, ok := map[string]int{"category": 0, "plans": 3}[o.Law]; ok {
		spec.Groups = make([]int, n)
		for i := first; i < l.dim; i++ {
			spec.Groups[i] = 1
		}
	}
	return simulate(func(s *stream.Stream) simulation {
		c, x := &classes{s, make([]int32, categories)}, make([]float64, n)
		s.Child("parameters").Permutation(c.shuffled)
		fields := func(to *state.Codec) {
			to.Object(s)
			to.Int32s("a value's class", c.shuffled, 0, categories-1)
		}
		return simulation{state.Fields(fields), spec, func(r *bandit.Round, out *bandit.Outcome) {
			clear(out.Mean)
			c.normals(x[l.dim:])
			l.draw(c, x[:l.dim], out.Mean)
			for i, v := range x {
				r.Context[i] = float32(v)
			}
			u, sum := s.Float64(), 0.0
			for a, p := range out.Mean {
				p = float64((1-o.Noise)*p) + o.Noise/float64(len(out.Mean))
				out.Mean[a], out.Reward[a] = p, 0
				if u >= sum && u < sum+p {
					out.Reward[a] = 1
				}
				sum += p
			}
		}}
	})
}

// classes is what laws draw from.
type classes struct {
	stream   *stream.Stream
	shuffled []int32 // with the law "category", value k has the class shuffled[k] mod 3
}

func (c *classes) normals(x []float64) {
	for i := range x {
		x[i] = c.stream.Normal()
	}
}

func (c *classes) xor(x, p []float64) {
	c.normals(x)
	if x[0]*x[1] > 0 {
		p[1] = 1
	} else {
		p[0] = 1
	}
}

func (c *classes) checkerboard(x, p []float64) {
	for i := range x {
		x[i] = 4 * c.stream.Float64()
	}
	p[(int(x[0])+int(x[1]))%2] = 1
}

// spirals draws the angle, in turns, and the square of the radius uniformly.
func (c *classes) spirals(x, p []float64) {
	turn, radius := c.stream.Float64(), math.Sqrt(c.stream.Float64())
	sin, cos := math.Sincos(2 * math.Pi * turn)
	x[0], x[1] = radius*cos, radius*sin
	p[int(2*(turn+float64(1.5*radius)))%2] = 1
}

// plans draws the age, income, use and region of a customer, which determine the customer's plan.
func (c *classes) plans(x, p []float64) {
	age, income, use, region := c.stream.Float64(), c.stream.Float64(), c.stream.Float64(), c.stream.IntN(5)
	clear(x)
	x[0], x[1], x[2], x[3+region] = age, income, use, 1
	switch {
	case age < 0.3 && !(region == 4 && use > 0.5):
		p[1] = 1
	case age < 0.3 || income > 0.5 && use > 0.4 || income <= 0.5 && region == 0:
		p[2] = 1
	default:
		p[0] = 1
	}
}

func (c *classes) imbalance(x, p []float64) {
	c.normals(x)
	if x[0]+x[1] > math.Sqrt2*1.6448536269514722 {
		p[1] = 1
	} else {
		p[0] = 1
	}
}

func (c *classes) category(x, p []float64) {
	k := c.stream.IntN(categories)
	clear(x)
	x[k] = 1
	p[c.shuffled[k]%3] = 1
}

func (c *classes) tails(x, p []float64) {
	c.normals(x)
	best := 0
	for k := range p {
		if x[2*k]+x[2*k+1] > x[2*best]+x[2*best+1] {
			best = k
		}
	}
	p[best] = 1
	for i, z := range x {
		x[i] = kernel.Exp(2.5 * z)
	}
}

// twonorm draws x ~ N(μ, I), where all elements of μ are a = 2/√20 for the first class and −a for the second.
func (c *classes) twonorm(x, p []float64) {
	a := 2 / math.Sqrt(float64(len(x)))
	class := c.stream.IntN(2)
	c.normals(x)
	sum := 0.0
	for i := range x {
		x[i] += float64(a * float64(1-2*class))
		sum += x[i]
	}
	p[0] = logistic(2 * a * sum)
	p[1] = 1 - p[0]
}

// threenorm draws x ~ N(μ, I). For the first class μ is a = 2/√20 or −a in all elements; for the second they alternate.
func (c *classes) threenorm(x, p []float64) {
	a := 2 / math.Sqrt(float64(len(x)))
	part := c.stream.IntN(4) // 0: all a, 1: all −a, 2 and 3: alternating
	c.normals(x)
	sum, turns := 0.0, 0.0
	for i := range x {
		sign := float64(1 - 2*(i%2))
		mean := a * sign
		if part < 2 {
			mean = float64(a * float64(1-2*part))
		}
		x[i] += mean
		sum, turns = sum+x[i], turns+float64(sign*x[i])
	}
	// The density of each part relative to N(0, I) is exp(μᵀx − n·a²/2), where the second term is common to all parts.
	first := float64(0.5*kernel.Exp(a*sum)) + float64(0.5*kernel.Exp(-a*sum))
	p[0] = first / (first + kernel.Exp(a*turns))
	p[1] = 1 - p[0]
}

// ringnorm draws x ~ N(0, 4I) for the first class; for the second, x ~ N(μ, I), where all elements of μ are 1/√20.
func (c *classes) ringnorm(x, p []float64) {
	n := float64(len(x))
	a := 1 / math.Sqrt(n)
	class := c.stream.IntN(2)
	c.normals(x)
	first, second := 0.0, 0.0
	for i := range x {
		if x[i] *= 2; class == 1 {
			x[i] = x[i]/2 + a
		}
		first, second = first+float64(x[i]*x[i])/4, second+float64((x[i]-a)*(x[i]-a))
	}
	p[0] = logistic((second-first)/2 - float64(n*math.Ln2))
	p[1] = 1 - p[0]
}

// wave returns the height of triangular wave k at point i.
func wave(k, i int) float64 { return max(0, 6-math.Abs(float64(i+1-[...]int{7, 15, 11}[k]))) }

// waveform draws, for class k, the sum of wave k times u, wave (k+1) mod 3 times 1 − u, and standard normal noise, with
// u uniform. The probabilities of the classes given x are integrals over u.
func (c *classes) waveform(x, p []float64) {
	class, u := c.stream.IntN(3), c.stream.Float64()
	c.normals(x)
	for i := range x {
		x[i] += float64(u*wave(class, i)) + float64((1-u)*wave((class+1)%3, i))
	}
	const points = 64 // of the midpoint rule for the integral over u
	sum := 0.0
	for k := range p {
		for j := range points {
			w, squares := (float64(j)+0.5)/points, 0.0
			for i, v := range x {
				d := v - float64(w*wave(k, i)) - float64((1-w)*wave((k+1)%3, i))
				squares += float64(d * d)
			}
			p[k] += kernel.Exp(-squares / 2)
		}
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
}

// lights has the seven lights of each digit, 0 to 9, as bits.
var lights = [10]int{0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111, 0b1010010, 0b1111111, 0b1111011}

// led shows a digit by seven lights, each of which is wrong with probability 0.1.
func (c *classes) led(x, p []float64) {
	shown := lights[c.stream.IntN(10)]
	for i := range x {
		if c.stream.Float64() < 0.1 {
			shown ^= 1 << i
		}
		x[i] = float64(shown >> i & 1)
	}
	ledProbabilities(p, shown)
}

// ledProbabilities sets p to the digits' probabilities given the lights shown, and returns the lights' probability.
func ledProbabilities(p []float64, shown int) float64 {
	sum := 0.0
	for k, digit := range lights {
		p[k] = 0.1
		for i := range 7 {
			if (shown^digit)>>i&1 == 1 {
				p[k] *= 0.1
			} else {
				p[k] *= 0.9
			}
		}
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return sum
}

// ledAccuracy returns the probability that the digit that is likeliest given the lights is the one drawn.
func ledAccuracy() float64 {
	var p [10]float64
	right := 0.0
	for shown := range 1 << 7 {
		chance := ledProbabilities(p[:], shown)
		right += float64(chance * slices.Max(p[:]))
	}
	return right
}
