package exact

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

func gpOptions() GPOptions {
	return GPOptions{LengthScale: 1.5, PriorSD: 2, PriorMean: 0.5, Spread: 1, Novelty: 1e-9, Basis: 1000}
}

// covariance returns the prior covariance of f in two contexts.
func (o GPOptions) covariance(a, b []float32) float64 {
	d := 0.0
	for i := range a {
		d += math.Pow(float64(a[i])-float64(b[i]), 2)
	}
	return o.PriorSD * o.PriorSD * math.Exp(-d/2/o.LengthScale/o.LengthScale)
}

func newGP(t testing.TB, o GPOptions, dim, arms int) *gp {
	t.Helper()
	return must.Get(o.build(posterior.Setup{Dim: dim, Arms: arms, Rounds: 1, Stream: stream.Root(1)}))(t).(*gp)
}

// scattered returns n contexts, scattered over the cube from 0 to 2.
func scattered(n, dim int) [][]float32 {
	var list [][]float32
	for i := range n {
		c := make([]float32, dim)
		for k := range c {
			c[k] = float32((i*(2*k+3)+k*k+i*i*i)%37) / 18
		}
		list = append(list, c)
	}
	return list
}

// kalman returns a process and a reference for it with the same rewards: the extended Kalman filter of the values of f at all
// contexts, with their full covariance matrix.
func kalman(t *testing.T) (g *gp, contexts [][]float32, mean *mat.VecDense, cov *mat.SymDense) {
	const dim, n, known = 4, 40, 30
	o := gpOptions()
	contexts = scattered(n, dim)
	mean, cov = mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		mean.SetVec(i, o.PriorMean)
		for j := range i + 1 {
			cov.SetSym(i, j, o.covariance(contexts[i], contexts[j]))
		}
	}
	g = newGP(t, o, dim, 1)
	reward := func(k int) float64 { return []float64{-35, 5, 5, -10, 5}[k%5] }
	for k := range 3 * known {
		i := k % known
		must.OK(t, g.Observe(contexts[i], 0, reward(k)))
	}
	for k := range 3 * known {
		i := k % known
		variance := cov.At(i, i)
		p := 1 / (1 + math.Exp(-mean.AtVec(i)/math.Sqrt(1+math.Pi/8*variance)))
		w := max(p*(1-p), 1e-4)
		if w*variance < negligible {
			continue
		}
		column := mat.NewVecDense(n, nil)
		for j := range n {
			column.SetVec(j, cov.At(j, i))
		}
		mean.AddScaledVec(mean, ((reward(k)+35)/40-p)/(1+w*variance), column)
		cov.SymRankOne(cov, -w/(1+w*variance), column)
	}
	return g, contexts, mean, cov
}

func TestGPIsAKalmanFilter(t *testing.T) {
	g, contexts, mean, cov := kalman(t)
	for i, c := range contexts {
		m, v := g.at(0, c)
		must.Near(t, fmt.Sprint("mean in context ", i), m, mean.AtVec(i), 1e-6)
		must.Near(t, fmt.Sprint("variance in context ", i), v, cov.At(i, i), 1e-6)
	}
}

// TestGPBasis checks that a sparse basis predicts about the same as the full one.
func TestGPBasis(t *testing.T) {
	const dim = 4
	contexts := scattered(300, dim)
	full := newGP(t, gpOptions(), dim, 1)
	o := gpOptions()
	o.Novelty = 0.01
	sparse := newGP(t, o, dim, 1)
	o.Basis = 3
	tiny := newGP(t, o, dim, 1)
	for i, c := range contexts {
		reward := 5 - 40*float64(i%2)*float64(c[0])/2
		for _, g := range []*gp{full, sparse, tiny} {
			must.OK(t, g.Observe(c, 0, reward))
		}
	}
	if f, s, n := len(full.models[0].f[0].(*process).basis), len(sparse.models[0].f[0].(*process).basis), len(tiny.models[0].f[0].(*process).basis); s >= f || n != 3 {
		t.Errorf("%d contexts in the basis of 300, %d of those that are new to 1 %%, %d where 3 are allowed", f, s, n)
	}
	for _, c := range scattered(40, dim) {
		m, v := full.at(0, c)
		got, variance := sparse.at(0, c)
		must.Near(t, "mean of sparse", got, m, 0.3)
		must.Near(t, "variance of sparse", variance, v, 0.3)
	}
}

// TestGPRange checks that after its range has grown, an arm predicts as if that range had been known from the start.
func TestGPRange(t *testing.T) {
	const dim = 4
	contexts := scattered(30, dim)
	late, early := newGP(t, gpOptions(), dim, 1), newGP(t, gpOptions(), dim, 1)
	early.models[0].values = []float64{-4, 9}
	for i, c := range contexts {
		r := float64(i % 3)
		switch i {
		case 11:
			r = 9
		case 23:
			r = -4
		}
		must.OK(t, late.Observe(c, 0, r))
		early.models[0].add(c, r)
		early.models[0].learn(i)
	}
	for _, c := range contexts {
		m, v := late.at(0, c)
		n, w := early.at(0, c)
		must.That(t, m == n && v == w, "mean %g and variance %g, want %g and %g", m, v, n, w)
	}
}

// TestGPBits checks that predictions are bit for bit the same on every machine and in every build.
func TestGPBits(t *testing.T) {
	const dim = 4
	o := gpOptions()
	o.Novelty = 1e-3
	g := newGP(t, o, dim, 2)
	contexts := scattered(200, dim)
	for i, c := range contexts {
		must.OK(t, g.Observe(c, i%2, float64((i*7919)%31)-15))
	}
	hash := sha256.New()
	for _, how := range []posterior.Prediction{posterior.Mean, posterior.Draw} {
		values := make([]float64, 2*len(contexts))
		must.OK(t, g.Predict(values, contexts, how))
		must.OK(t, binary.Write(hash, binary.LittleEndian, values))
	}
	const want = "6b134d2103110db7"
	must.Equal(t, "SHA-256 of the predictions", hex.EncodeToString(hash.Sum(nil))[:16], want)
}

// TestGPSurprise checks that a surprising reward counts however certain the process is: at least like a coin with
// σ(1−σ) = 10⁻⁴. Without that bound its information would be negligible here, and the process could not change.
func TestGPSurprise(t *testing.T) {
	o := gpOptions()
	o.PriorMean, o.PriorSD = 50, 4
	g := newGP(t, o, 1, 1)
	p := g.models[0].f[0].(*process)
	c := []float32{0}
	p.add(c, 0)
	p.learn(0, 0)
	// One step of the extended Kalman filter: information w = 10⁻⁴, prior variance 16, prediction 1.
	const w, variance = 1e-4, 16
	mean, left := g.at(0, c)
	must.Near(t, "mean", mean, 50-variance/(1+w*variance), 1e-6)
	must.Near(t, "variance", left, variance/(1+w*variance), 1e-9)
}

// TestGPSpreadOfFewRewards checks that the spread is 1 for an arm without rewards, 0 for one whose rewards are equal, and otherwise
// the standard deviation of draws.
func TestGPSpreadOfFewRewards(t *testing.T) {
	g := newGP(t, gpOptions(), 2, 3)
	contexts := [][]float32{{0, 1}, {1, 0}}
	for _, r := range []struct {
		arm    int
		reward float64
	}{{1, 7}, {1, 7}, {2, 0}, {2, 4}, {2, 1}} {
		must.OK(t, g.Observe(contexts[0], r.arm, r.reward))
	}
	checkDraws(t, g, 3, contexts, draws(g, contexts))
	_, got := predict(t, g, 3, contexts...)
	must.That(t, got[0] == 1 && got[1] == 0, "spreads %g and %g, want 1 and 0", got[0], got[1])
}
