package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"banditsim/internal/words"
)

// A FriedmanTest asks whether the treatments of all blocks are alike: whether policies rank alike over
// environments.
type FriedmanTest struct {
	Ranks     [][]float64 `json:"-"` // by block
	MeanRanks []float64   `json:"-"`
	// ChiSquare has a χ² distribution with k − 1 degrees of freedom for k treatments, in many blocks.
	ChiSquare words.Float `json:"chi_square"`
	P         words.Float `json:"p"`
	// F of Iman and Davenport (1980), which is less conservative, with k − 1 and (k − 1)(n − 1) degrees of
	// freedom for n blocks; +Inf if all blocks agree.
	F  words.Float `json:"f"`
	FP words.Float `json:"f_p"`
}

// String returns χ² and its p-value, the ones that tables and figures show: that of F is 0 as soon as all blocks agree,
// be they two. It is "no test" where these are NaN.
func (t FriedmanTest) String() string {
	if math.IsNaN(float64(t.P)) {
		return "no test"
	}
	p := words.PValue(float64(t.P))
	if p[0] != '<' {
		p = "= " + p
	}
	return fmt.Sprintf("χ² %s (p %s)", words.Amount(float64(t.ChiSquare)), p)
}

// Friedman returns Friedman's test (1937) over blocks, each with a value of every treatment, with the
// correction for ties (Conover 1999, section 5.8) and the form of F that Demšar recommends (2006:
// Statistical comparisons of classifiers over multiple data sets, section 3.2.2). Numbers are NaN for
// fewer than two blocks or treatments, and where all values of each block are equal.
func Friedman(blocks [][]float64) FriedmanTest {
	nan := words.Float(math.NaN())
	t := FriedmanTest{ChiSquare: nan, P: nan, F: nan, FP: nan}
	n, k, squares := float64(len(blocks)), 0.0, 0.0
	for i, values := range blocks {
		if i == 0 {
			t.MeanRanks, k = make([]float64, len(values)), float64(len(values))
		}
		t.Ranks = append(t.Ranks, ranks(values))
		for j, r := range t.Ranks[i] {
			t.MeanRanks[j] += r / n
			squares += r * r
		}
	}
	between := 0.0
	for _, r := range t.MeanRanks {
		between += (r - (k+1)/2) * (r - (k+1)/2)
	}
	within := squares - n*k*(k+1)*(k+1)/4
	if n < 2 || k < 2 || within <= 0 {
		return t
	}
	chi := (k - 1) * n * n * between / within
	t.ChiSquare, t.P = words.Float(chi), words.Float(distuv.ChiSquared{K: k - 1}.Survival(chi))
	rest := n*(k-1) - chi
	if rest <= 1e-9*n*(k-1) {
		t.F, t.FP = words.Float(math.Inf(1)), 0
		return t
	}
	f := (n - 1) * chi / rest
	t.F, t.FP = words.Float(f), words.Float(distuv.F{D1: k - 1, D2: (k - 1) * (n - 1)}.Survival(f))
	return t
}
