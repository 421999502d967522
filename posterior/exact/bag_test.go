package exact

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// TestBag compares each model with a regression of the rewards as often as they count, which the stream
// says; mean, spread and draws with the models' values.
func TestBag(t *testing.T) {
	const models, rows = 3, 50
	o := BagOptions{Models: models, Lambda: 0.5}
	b := build(t, Bag(), o, 2, 2).(*bag)
	counts, r := stream.Root(1).Child("policy").Child("bootstrap"), stream.Root(5)
	var want [2 * models]*regression
	for i := range want {
		want[i] = newRegression(2, o.Lambda, false)
	}
	c := make([]float32, 2)
	for i := range rows {
		r.Normals(c)
		arm, reward := i%2, r.Float64()
		must.OK(t, b.Observe(c, arm, reward))
		b.x.Set(c, false)
		for m := range models {
			for range counts.Poisson() {
				want[arm*models+m].add(&b.x, reward, 1, 1)
			}
		}
	}
	one := [][]float32{{1, -2}}
	values := func(m int) (v [2]float64) {
		for arm := range v {
			w := want[arm*models+m].fits[0].w
			v[arm] = w[0] - 2*w[1]
		}
		return v
	}
	mean, sd := predict(t, b, 2, one...)
	draw := make([]float64, 2)
	for arm := range 2 {
		var sum, squares float64
		for m := range models {
			v := values(m)[arm]
			sum += v / models
			squares += v * v / models
		}
		must.Near(t, fmt.Sprint("mean of arm ", arm), mean[arm], sum, 1e-10)
		must.Near(t, fmt.Sprint("deviation of arm ", arm), sd[arm], math.Sqrt(squares-sum*sum), 1e-6)
	}
	var seen [models]bool
	for range 60 { // a model is missed with probability 3·(2/3)⁶⁰ < 1e-10
		must.OK(t, b.Predict(draw, one, posterior.Draw))
		found := false
		for m := range models {
			if v := values(m); math.Abs(v[0]-draw[0]) < 1e-10 && math.Abs(v[1]-draw[1]) < 1e-10 {
				seen[m], found = true, true
			}
		}
		if !found {
			t.Fatalf("a draw %v is that of no model", draw)
		}
	}
	if seen != [models]bool{true, true, true} {
		t.Errorf("models drawn: %v", seen)
	}
}
