package posterior

import (
	"fmt"
	"math"
	"testing"
	"time"
	"os"
	"strconv"

	"banditsim/bandit/stream"
)

func TestExploreSolver(t *testing.T) {
	for _, z := range []float64{.9, .45} {
		t0 := time.Now()
		l, m := fixedPoint(z)
		for i := range l {
			mult := 0.
			if i > 0 { mult = 1 + z*(l[i]-l[i-1]) }
			fmt.Printf("%d θ %.5g logθ %.4f mult %.4f mass %.5g\n", i+1, math.Exp(l[i]), l[i], mult, m[i])
		}
		fmt.Println(time.Since(t0))
	}
}

func env(k string, d float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(k), 64); err == nil { return v }
	return d
}

func TestExplore(t *testing.T) {
	eps, zeta := env("EPS", .01), env("ZETA", .9)
	P, K := int(env("P", 64)), int(env("K", 200000))
	R := int(env("R", 4))
	want, _ := fixedPoint(zeta)
	W := func(k int) float64 { return env("A",15)/(env("B",1)*float64(k)*eps+env("C",150)) }
	L := make([][]float64, 10)
	O := make([][]float64, 10)
	t0 := time.Now()
	for r := range R {
		h := NewHistogram(ContourOptions{Kind: "paper", Bins: 10, Width: 1, Start: 1.15, Zeta: zeta, Omega: 1, Overflow: "lastbin", Field: "theta", Weights: "psi"}, 1, P)
		s := &Langevin{LearningRate: eps, Temperature: 1, Contour: h}
		noise := &buffered{rand: stream.Root(1).Child(r)}
		var chains []Chain
		tgt := function{1, func(g, x []float32) float64 { u, d := mixtureEnergy(float64(x[0])); g[0] = float32(d); return u }}
		for p := range P {
			chains = append(chains, NewChain(tgt, []float32{-10 + 20*float32(p)/float32(P)}))
			s.Noise = append(s.Noise, noise)
		}
		for k := range K / 4 {
			h.o.Omega = W(k)
			advance(t, s, chains, 1)
		}
		sum := make([]float64, 10); occ := make([]float64, 10)
		for k := range K*3 / 4 {
			h.o.Omega = W(k+K/4)
			advance(t, s, chains, 1)
			for i, th := range h.theta { sum[i] += math.Log(th) }
			for _, j := range h.bins { occ[j-1]++ }
		}
		for i := range sum {
			L[i] = append(L[i], sum[i]/float64(K*3/4))
			O[i] = append(O[i], occ[i]/float64(K*3/4*P))
		}
	}
	fmt.Println(time.Since(t0), eps, zeta, P, K, R)
	for i := range L {
		rel := make([]float64, R); mult := make([]float64, R); wm := 0.
		for r := range rel { rel[r] = L[i][r] - L[0][r]; if i > 0 { mult[r] = 1 + zeta*(L[i][r]-L[i-1][r]) } }
		if i > 0 { wm = 1 + zeta*(want[i]-want[i-1]) }
		a, b := meanSE(rel); c, d := meanSE(mult); e, f := meanSE(O[i])
		fmt.Printf("%2d logθ-logθ1 %.4f±%.4f want %.4f  mult %.4f±%.4f want %.4f  occ %.4f±%.4f\n", i+1, a, b, want[i]-want[0], c, d, wm, e, f)
	}
}
