package exact

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

func gpOptions() GPOptions {
	return GPOptions{LengthScale: 1.5, PriorSD: 2, PriorMean: 0.5, Spread: 1, Novelty: 1e-9, Basis: 1000}
}

func newGP(t testing.TB, o GPOptions, dim, arms int) *gp {
	t.Helper()
	g, err := o.build(posterior.Setup{Dim: dim, Arms: arms, Rounds: 1, Stream: stream.Root(1)})
	if err != nil {
		t.Fatal(err)
	}
	return g.(*gp)
}

// scattered are contexts on a grid of one-hot pairs and dense ones between.
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

// kalman returns a process and the extended Kalman filter of the same rewards over the values of f at all contexts at
// once, which has their whole covariance: the plain way, in gonum's matrices.
func kalman(t *testing.T) (g *gp, contexts [][]float32, mean *mat.VecDense, cov *mat.SymDense) {
	const dim, n, known = 4, 40, 30
	o := gpOptions()
	contexts = scattered(n, dim)
	mean, cov = mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		mean.SetVec(i, o.PriorMean)
		for j := range i + 1 {
			d := 0.0
			for k := range dim {
				d += math.Pow(float64(contexts[i][k])-float64(contexts[j][k]), 2)
			}
			cov.SetSym(i, j, o.PriorSD*o.PriorSD*math.Exp(-d/2/o.LengthScale/o.LengthScale))
		}
	}
	g = newGP(t, o, dim, 1)
	reward := func(k int) float64 { return []float64{-35, 5, 5, -10, 5}[k%5] }
	for k := range 3 * known {
		i := k % known
		if err := g.Observe(contexts[i], 0, reward(k)); err != nil {
			t.Fatal(err)
		}
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
		m, v := g.arms[0].f[0].at(c)
		if math.Abs(m-mean.AtVec(i)) > 1e-6 || math.Abs(v-cov.At(i, i)) > 1e-6 {
			t.Errorf("context %d: mean %g and variance %g, want %g and %g", i, m, v, mean.AtVec(i), cov.At(i, i))
		}
	}
}

// A small basis stays near the full one.
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
			if err := g.Observe(c, 0, reward); err != nil {
				t.Fatal(err)
			}
		}
	}
	if f, s, n := len(full.arms[0].f[0].basis), len(sparse.arms[0].f[0].basis), len(tiny.arms[0].f[0].basis); s >= f || n != 3 {
		t.Errorf("%d contexts in the basis of 300, %d of those that are new to 1 %%, %d where 3 are allowed", f, s, n)
	}
	for _, c := range scattered(40, dim) {
		m, v := full.arms[0].f[0].at(c)
		got, variance := sparse.arms[0].f[0].at(c)
		if math.Abs(got-m) > 0.3 || math.Abs(variance-v) > 0.3 {
			t.Errorf("sparse: mean %g and variance %g, want %g and %g", got, variance, m, v)
		}
	}
}

// A mushroom's value is learned: from few rewards where they are all the same, and −15 for a toss
// between −35 and 5.
func TestGPLearnsMeans(t *testing.T) {
	g := newGP(t, gpOptions(), 2, 3)
	good, bad := []float32{1, 0}, []float32{0, 6}
	toss := stream.Root(5)
	for range 400 {
		r := 5.0
		if toss.Float64() < 0.5 {
			r = -35
		}
		for _, err := range []error{g.Observe(bad, 1, r), g.Observe(good, 1, 5), g.Observe(good, 0, 0)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	got := make([]float64, 6)
	if err := g.Predict(got, [][]float32{good, bad}, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	// The standard error of 400 tosses is 1.
	if got[0] != 0 || got[3] != 0 || math.Abs(got[1]-5) > 0.5 || math.Abs(got[4]+15) > 5 || got[2] != 0 {
		t.Errorf("values %v, want 0 5 0, 0 −15 0", got)
	}
}

// An arm whose range grows is as if the range had been known from the start.
func TestGPRange(t *testing.T) {
	const dim = 4
	contexts := scattered(30, dim)
	late, early := newGP(t, gpOptions(), dim, 1), newGP(t, gpOptions(), dim, 1)
	early.arms[0].values = []float64{-4, 9}
	for i, c := range contexts {
		r := float64(i % 3)
		switch i {
		case 11:
			r = 9
		case 23:
			r = -4
		}
		if err := late.Observe(c, 0, r); err != nil {
			t.Fatal(err)
		}
		early.arms[0].add(c, r)
		early.arms[0].learn(i)
	}
	for _, c := range contexts {
		m, v := late.arms[0].f[0].at(c)
		if n, w := early.arms[0].f[0].at(c); m != n || v != w {
			t.Fatalf("mean %g and variance %g, want %g and %g", m, v, n, w)
		}
	}
}

// TestGPBits: the process has the same bits on every machine and in every build.
func TestGPBits(t *testing.T) {
	const dim = 4
	o := gpOptions()
	o.Novelty = 1e-3
	g := newGP(t, o, dim, 2)
	contexts := scattered(200, dim)
	for i, c := range contexts {
		if err := g.Observe(c, i%2, float64((i*7919)%31)-15); err != nil {
			t.Fatal(err)
		}
	}
	hash := sha256.New()
	for _, how := range []posterior.Prediction{posterior.Mean, posterior.Draw} {
		values := make([]float64, 2*len(contexts))
		if err := g.Predict(values, contexts, how); err != nil {
			t.Fatal(err)
		}
		if err := binary.Write(hash, binary.LittleEndian, values); err != nil {
			t.Fatal(err)
		}
	}
	const want = "6b134d2103110db7"
	if got := hex.EncodeToString(hash.Sum(nil))[:16]; got != want {
		t.Errorf("the predictions have the SHA-256 %s…, want %s…", got, want)
	}
}

func TestGPRefuses(t *testing.T) {
	for name, change := range map[string]func(*GPOptions){
		"length_scale": func(o *GPOptions) { o.LengthScale = 0 },
		"prior_sd":     func(o *GPOptions) { o.PriorSD = -1 },
		"prior_mean":   func(o *GPOptions) { o.PriorMean = math.Inf(1) },
		"spread":       func(o *GPOptions) { o.Spread = -1 },
		"novelty":      func(o *GPOptions) { o.Novelty = 0 },
		"basis":        func(o *GPOptions) { o.Basis = 0 },
	} {
		o := gpOptions()
		change(&o)
		if _, err := o.build(posterior.Setup{Dim: 1, Arms: 1, Stream: stream.Root(1)}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	g := newGP(t, gpOptions(), 1, 1)
	if err := g.Observe([]float32{float32(math.NaN())}, 0, 1); err == nil {
		t.Error("a context of NaN is taken")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := g.Update(stopped); err == nil {
		t.Error("Update goes on when it is stopped")
	}
}
