package density

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/integrate/quad"

	"banditsim/bandit/stream"
)

// Landscape is the density with 25 modes in two dimensions from the ICSGLD paper (Deng et al., ICLR 2022), section
// 'Simulations of multi-modal distributions':
//
//	U(x) = 0.2‖x‖² − 2(cos 2πx₁ + cos 2πx₂),  plus ‖x‖² − 20 where ‖x‖² > 20
//
// restricted to the box [−2.5, 2.5]², where U is between −4 and 6.5. Each of the box's 25 cells of side 1 has one mode.
// EnergyGrad adds independent normal noise to energy and gradient, and also works outside the box.
type Landscape struct {
	Evaluations int // number of calls of EnergyGrad so far

	sd   float64
	rand *Buffered
}

// Constants of the landscape in the ICSGLD paper.
const (
	// LandscapeBox is half of the side of the box.
	LandscapeBox = 2.5
	// LandscapeNoise is the standard deviation of the noise in the energy and in each coordinate of the gradient.
	LandscapeNoise = 0.25
	// LandscapeCells is the number of cells along a side of the box.
	LandscapeCells = 5
)

// NewLandscape returns a landscape whose energy and gradient have noise with standard deviation sd, drawn from r.
// r may be nil if sd is 0.
func NewLandscape(sd float64, r *stream.Stream) *Landscape {
	l := &Landscape{sd: sd}
	if sd > 0 {
		l.rand = NewBuffered(r)
	}
	return l
}

// Dim returns 2.
func (l *Landscape) Dim() int { return 2 }

// EnergyGrad returns a noisy energy at x and sets grad to a noisy gradient.
func (l *Landscape) EnergyGrad(grad, x []float32) (float64, error) {
	l.Evaluations++
	u, dx, dy := l.At(float64(x[0]), float64(x[1]))
	if l.rand != nil {
		var n [3]float32
		l.rand.Normals(n[:])
		u += float64(l.sd * float64(n[0]))
		dx += float64(l.sd * float64(n[1]))
		dy += float64(l.sd * float64(n[2]))
	}
	grad[0], grad[1] = float32(dx), float32(dy)
	return u, nil
}

// At returns U at (x, y) and its gradient, without noise.
func (l *Landscape) At(x, y float64) (u, dx, dy float64) {
	ux, dx := landscapeLine(x)
	uy, dy := landscapeLine(y)
	u = ux + uy
	if r2 := float64(x*x) + float64(y*y); r2 > 20 {
		u += r2 - 20
		dx += 2 * x
		dy += 2 * y
	}
	return u, dx, dy
}

// landscapeLine returns the term of U for one coordinate, and its derivative. U is the sum of the terms of both
// coordinates where ‖x‖² ≤ 20, and thus everywhere in the box.
func landscapeLine(x float64) (u, du float64) {
	sin, cos := math.Sincos(2 * math.Pi * x)
	return float64(0.2*x*x) - 2*cos, float64(0.4*x) + float64(4*math.Pi*sin)
}

// Inside reports whether x lies in the box.
func (l *Landscape) Inside(x []float32) bool {
	return math.Abs(float64(x[0])) <= LandscapeBox && math.Abs(float64(x[1])) <= LandscapeBox
}

// Line divides a side of the box into n equal intervals and returns the marginal probability of each,
// by quadrature. The mass of cell (i, j) of n×n equal cells is Line(n)[i]·Line(n)[j].
func (l *Landscape) Line(n int) []float64 {
	mass := make([]float64, n)
	width := 2 * LandscapeBox / float64(n)
	for i := range mass {
		low := -LandscapeBox + float64(float64(i)*width)
		mass[i] = quad.Fixed(func(x float64) float64 {
			u, _ := landscapeLine(x)
			return math.Exp(-u)
		}, low, low+width, 60, nil, 0)
	}
	normalize(mass)
	return mass
}

// Cells returns the masses of n×n equal cells of the box, which sum to 1, row by row. The second coordinate is constant
// in a row. Both coordinates ascend from −2.5.
func (l *Landscape) Cells(n int) []float64 {
	line := l.Line(n)
	cells := make([]float64, 0, n*n)
	for _, row := range line {
		for _, column := range line {
			cells = append(cells, row*column)
		}
	}
	return cells
}

// Sampler returns a function that sets x to a draw from the density in the box, with randomness from r. Each marginal
// density is approximated as constant within each of 5,000 intervals.
func (l *Landscape) Sampler(r *stream.Stream) func(x []float32) {
	const pieces = 5000
	cumulated := l.Line(pieces)
	for i := 1; i < pieces; i++ {
		cumulated[i] += cumulated[i-1]
	}
	return func(x []float32) {
		for i := range x {
			u := r.Float64() * cumulated[pieces-1]
			k := sort.SearchFloat64s(cumulated, u)
			x[i] = float32(-LandscapeBox + 2*LandscapeBox*(float64(k)+r.Float64())/pieces)
		}
	}
}
