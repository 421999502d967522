package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/datasets/mushroom"
)

// The committed table is what the command makes of the UCI file.
func TestRefitGivesTheCommittedTable(t *testing.T) {
	path := os.Getenv(mushroom.EnvVar)
	if path == "" {
		t.Skipf("$%s is not set", mushroom.EnvVar)
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	want, err := os.ReadFile("../table.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "table.txt")
	if err := run(path, out, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the table differs from the committed one, error %v", err)
	}
}

func TestRunErrors(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.data")
	row := "e,x,s,y,t,a,f,c,b,k,e,c,s,s,w,w,p,w,o,p,n,n,g\n"
	if err := os.WriteFile(other, []byte(row), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, data string
		rest       []string
		want       string
	}{
		{"no data", "", nil, "usage: refit -data PATH"},
		{"argument", other, []string{"x"}, "usage: refit -data PATH"},
		{"no such file", other + "x", nil, "no such file"},
		{"not the UCI file", other, nil, "is not the UCI file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := run(tt.data, "", tt.rest); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// twoProducts draws rows from two products that differ in every attribute.
func twoProducts(n int) (rows [][]uint8, sizes []int) {
	s := stream.Root(1)
	for range n {
		base := uint8(2)
		if s.IntN(4) == 0 { // a quarter
			base = 0
		}
		row := make([]uint8, 6)
		for a := range row {
			row[a] = base + uint8(s.IntN(2))
		}
		rows = append(rows, row)
	}
	return rows, []int{4, 4, 4, 4, 4, 4}
}

func TestFitFindsTwoProducts(t *testing.T) {
	rows, sizes := twoProducts(4000)
	m, _ := fit(rows, sizes, 2, 3, stream.Root(2))
	small := 0
	if m.weight[1] < m.weight[0] {
		small = 1
	}
	// Six standard errors: √(¼·¾/4000), and √(¼/1000) for halves of a thousand.
	if !(math.Abs(m.weight[small]-0.25) <= 6*0.00685) {
		t.Errorf("weights %v, want ¼ and ¾", m.weight)
	}
	for a, p := range m.prob[small] {
		if p[2] != 0 || p[3] != 0 || !(math.Abs(p[0]-0.5) <= 6*0.0158) {
			t.Errorf("attribute %d of the smaller: %v, want ½ ½ 0 0", a, p)
		}
	}
}

func TestStepNeverLowersTheLikelihood(t *testing.T) {
	rows, sizes := twoProducts(500)
	m := start(rows, sizes, 5, stream.Root(3))
	last := math.Inf(-1)
	for i := range 100 {
		m.step(rows, sizes, 0)
		l := m.logLikelihood(rows)
		if !(l >= last-1e-6) { // negligible shares are left out
			t.Fatalf("step %d: log-likelihood %v after %v", i, l, last)
		}
		last = l
	}
}

// With fewer different rows than components the spare ones die out.
func TestFitWithSpareComponents(t *testing.T) {
	rows := [][]uint8{{0}, {0}, {1}}
	m, l := fit(rows, []int{2}, 4, 1, stream.Root(4))
	sum := 0.0
	for _, w := range m.weight {
		sum += w
	}
	if !(math.Abs(sum-1) < 1e-9) || math.IsNaN(l) {
		t.Errorf("weights %v, log-likelihood %v", m.weight, l)
	}
}

func TestApportion(t *testing.T) {
	for _, tt := range []struct {
		name    string
		weights []float64
		n       int
		want    []int
	}{
		{"exact", []float64{.5, .25, .25}, 8, []int{4, 2, 2}},
		{"largest remainder", []float64{.3, .3, .4}, 4, []int{1, 1, 2}},
		{"equal remainders", []float64{.25, .25, .25, .25}, 2, []int{1, 1, 0, 0}},
		{"zero stays zero", []float64{0, .999, .001}, 10, []int{0, 10, 0}},
		{"nothing", []float64{.5, .5}, 0, []int{0, 0}},
		{"rounding below", []float64{.1, .2, .7}, 10, []int{1, 2, 7}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := apportion(tt.weights, tt.n); !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
