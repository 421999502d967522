package builtin_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/results"
	"banditsim/results/compare"
)

// customers returns a table of six numbers and a class: the one with the highest of three noisy linear scores.
func customers() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var w [3][6]float64
	for k := range w {
		for j := range w[k] {
			w[k][j] = r.NormFloat64()
		}
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, "a,b,c,d,e,f,class")
	for range 800 {
		var x [6]float64
		for j := range x {
			x[j] = r.NormFloat64()
		}
		best, most := 0, -1e9
		for k := range w {
			score := 1.6 * r.NormFloat64()
			for j := range x {
				score += w[k][j] * x[j]
			}
			if score > most {
				best, most = k, score
			}
		}
		for _, v := range x {
			fmt.Fprintf(&b, "%.4f,", v)
		}
		fmt.Fprintln(&b, best)
	}
	return b.Bytes()
}

// TestEachRowOnce checks, on a table that is linear except for noise, that kNN wins if each row comes ten times, because it
// remembers rows, with a warning in the verdict, and that LinUCB wins if each row comes once, the default.
func TestEachRowOnce(t *testing.T) {
	t.Parallel()
	file := must.File(t, "customers.csv", customers())
	for passes, best := range map[string]string{"": "LinUCB", "10": "kNN"} {
		c := builtin.Default()
		e := must.Get(c.Preset("general"))(t)
		must.Get(e.SelectEnvironments([]string{"table"}))(t)
		e.Data, e.Policies, e.Seeds = file, []string{"LinUCB", "kNN"}, []uint64{1, 2, 3, 4, 5, 6}
		if passes != "" {
			set("environment.passes=" + passes)(&e)
		}
		dir := t.TempDir()
		mustRun(t, dir, 2, resolve(t, e, c))
		loaded := must.Get(results.Load(dir))(t)
		concluded := must.Get(compare.Conclude(loaded))(t)
		verdict := strings.Join(concluded.Sentences, " ")
		must.That(t, strings.HasPrefix(verdict, best+" has the lowest") &&
			strings.Contains(verdict, "significant (p < 0.001, Holm)"), "passes %q: %s", passes, verdict)
		warned := strings.Contains(verdict, "each row came 10 times: this favors policies that remember rows")
		must.Equal(t, fmt.Sprintf("passes %q: %s", passes, verdict), warned, passes == "10")
	}
}
