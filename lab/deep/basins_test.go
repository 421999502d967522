package deep

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// toy returns a small experiment on 60 images of two classes. The results of its units are kept in dir.
func toy(t *testing.T, dir string) *Run[BasinsOptions] {
	t.Helper()
	d := clusters(30, 2, 0)
	o := must.Get(BasinsPreset("small", d.Len()))(t)
	o.Shape = Shape{Maps: []int{3}, Size: 3, Pool: 2, Hidden: []int{4}}
	o.Steps, o.Batch, o.Snapshots, o.DescentSteps, o.Points, o.Grid = 120, 24, 3, 40, 12, 3
	return &Run[BasinsOptions]{Options: o, Images: d, Methods: BasinsMethods(), Seeds: []uint64{1, 2}, Dir: dir, Workers: 1}
}

// TestBasins checks the order and the content of records, and that they do not depend on the number of workers.
func TestBasins(t *testing.T) {
	b := toy(t, t.TempDir())
	want := must.Get(Basins(t.Context(), b))(t).Records
	if len(want) != 6 || want[1].Method != "SGLD" || want[1].Seed != 1 || want[5].Method != "ICSGLD" || want[5].Seed != 2 {
		t.Fatalf("%d records, want those of three methods on two seeds in turn", len(want))
	}
	for _, r := range want {
		must.That(t, (r.Method != "ICSGLD") == (r.Negative == 0 && r.One == 1),
			"%s: %g of the multipliers are below 0 and %g are 1", r.Method, r.Negative, r.One)
		must.That(t, len(r.Chains) == 2 && len(r.Chains[0].Descents) == 3 && len(r.Series.Step) == 12 && len(r.Plane.Path) == 12 && len(r.Plane.Loss) == 9,
			"%s: lengths of %+v", r.Method, r)
		must.That(t, slices.Equal(r.Series.Step, []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}),
			"%s: steps %v of the series", r.Method, r.Series.Step)
	}
	must.That(t, want[3].Series.Energy[0] != want[0].Series.Energy[0], "both seeds have the same energy")

	b = toy(t, t.TempDir())
	b.Workers = 2
	got := must.Get(Basins(t.Context(), b))(t).Records
	must.That(t, reflect.DeepEqual(got, want), "a run with two workers has other records")
}

// TestBasinsStarts checks that all methods start at the same points with the same batches.
func TestBasinsStarts(t *testing.T) {
	b := toy(t, t.TempDir())
	b.Options.Points, b.Seeds = b.Options.Steps, []uint64{1}
	records := must.Get(Basins(t.Context(), b))(t).Records
	for _, r := range records[1:] {
		must.Equal(t, "the first energies of "+r.Method+" and SGD", r.Series.Energy[0], records[0].Series.Energy[0])
		must.That(t, r.Series.Energy[5] != records[0].Series.Energy[5], "%s has the sixth energy of SGD", r.Method)
	}
}

func TestBasinsRefuses(t *testing.T) {
	for _, c := range map[string]struct {
		change func(b *Run[BasinsOptions])
		want   string
	}{
		"method":      {func(b *Run[BasinsOptions]) { b.Methods = []string{"SGLDD"} }, `unknown method "SGLDD" (did you mean SGLD?)`},
		"twice":       {func(b *Run[BasinsOptions]) { b.Methods = []string{"SGD", "SGD"} }, "SGD is named twice"},
		"levels":      {func(b *Run[BasinsOptions]) { b.Options.High = b.Options.Low }, "high − low"},
		"temperature": {func(b *Run[BasinsOptions]) { b.Options.Temperature = 0 }, "temperature"},
		"snapshots":   {func(b *Run[BasinsOptions]) { b.Options.Snapshots = b.Options.Steps + 1 }, "snapshots"},
		"shape":       {func(b *Run[BasinsOptions]) { b.Options.Shape.Size = 0 }, "size 0"},
		"bins":        {func(b *Run[BasinsOptions]) { b.Options.Bins = 1 }, "contour.bins"},
		"diverged": {func(b *Run[BasinsOptions]) {
			b.Options.LearningRate, b.Methods, b.Seeds = 10, []string{"SGD"}, []uint64{0}
		}, "SGD-0: a chain has diverged: json: unsupported value: NaN: a lower learning_rate is needed"},
		"held out": {func(b *Run[BasinsOptions]) { b.Options.HeldOut = 1 }, "held_out: 1, want above 0 and below 1"},
	} {
		b := toy(t, t.TempDir())
		c.change(b)
		must.Refuse(Basins(t.Context(), b))(t, c.want)
	}
}

// TestBasinsPresets checks that the presets are valid, and that "paper" has the paper's numbers.
func TestBasinsPresets(t *testing.T) {
	for _, name := range BasinsPresets() {
		o := must.Get(BasinsPreset(name, 30_596))(t)
		must.Want(t, name, o.Validate(), "")
	}
	o, _ := BasinsPreset("paper", 30_596)
	if o.Batch != 2500 || o.LearningRate != 1e-6 || o.Temperature != .1 || o.Zeta != 3e4 || o.Bins != 100_000 || o.Width != 10 || o.Decay != 25 ||
		!slices.Equal(o.Shape.Maps, []int{32, 64}) || !slices.Equal(o.Shape.Hidden, []int{50, 50}) {
		t.Errorf("paper: %+v", o)
	}
	must.Refuse(BasinsPreset("papre", 10))(t, "did you mean paper")
	held, train := o.images(100)
	must.Equal(t, "of 100 images, held out and trained", []int{held, train}, []int{20, 80})
}

// TestLevel checks the counts of falls and escapes: at energies between the levels a chain keeps its last level.
func TestLevel(t *testing.T) {
	for _, c := range []struct {
		name           string
		energies       []float64
		falls, escapes int
	}{
		{"a fall", []float64{2, 1.5, .5, .05}, 1, 0},
		{"a start between", []float64{.5, .05, .5, .05}, 0, 0},
		{"noise about a level", []float64{2, .09, .11, .09, .11, .79, .09}, 1, 0},
		{"escapes and returns", []float64{2, .05, .9, .3, .7, .01, 5, .02}, 3, 2},
		{"on the levels", []float64{.8, .1, .8}, 1, 1},
	} {
		var got BasinsChain
		level := neither
		for _, e := range c.energies {
			got.visit(&level, e, .1, .8)
		}
		must.Equal(t, c.name, got, BasinsChain{Falls: c.falls, Escapes: c.escapes})
	}
}

// TestDistinct checks the number of distinct minima among four, of which the second is near the first and the fourth near the third,
// and among the last two.
func TestDistinct(t *testing.T) {
	rows := [][]float64{{}, {.01}, {.3, .3}, {.3, .3, .02}}
	for _, c := range []struct {
		apart       float64
		first, want int
	}{{.1, 0, 2}, {.015, 0, 3}, {.005, 0, 4}, {1, 0, 1}, {.1, 2, 1}, {.015, 2, 2}} {
		must.Equal(t, fmt.Sprintf("from %d on, %g apart", c.first, c.apart), distinct(rows[c.first:], c.first, c.apart), c.want)
	}
	must.Equal(t, "median between chains", between(rows, []int{0, 0, 1, 1}), .3)
	must.Equal(t, "median of one chain", between(rows, []int{0, 0, 0, 0}), 0)
	must.Equal(t, "distance", distance([]float64{1, 0, .5, .5}, []float64{0, 1, .5, .5}, 2), .5)
	d := &Data{Classes: 2, Labels: []int32{0, 1}}
	must.Equal(t, "accuracy", accuracy([]float64{.9, .1, .6, .4}, d), .5)
}

// TestPlane checks that the projection of a path that lies in a plane preserves distances and the whole variance.
func TestPlane(t *testing.T) {
	net, data, x := problem(t, 12, 12)
	g := &basinsSetup{trainingSetup{net: net, train: data}, BasinsOptions{Grid: 3, Images: 12}}
	r := stream.Root(9)
	u, v := make([]float32, len(x)), make([]float32, len(x))
	r.Normals(u)
	r.Normals(v)
	var path [][]float32
	for i := range 8 {
		p := slices.Clone(x)
		a, b := float32(i)/8, float32(i%3)/20
		for d := range p {
			p[d] += a*u[d] + b*v[d]
		}
		path = append(path, p)
	}
	plane := g.plane(path)
	must.Near(t, "shares of the variance", plane.Share[0]+plane.Share[1], 1, 1e-6)
	must.That(t, plane.Share[0] > plane.Share[1], "shares %v of the variance, want the larger first", plane.Share)
	for i := range path {
		square := 0.0
		for d := range x {
			square += math.Pow(float64(path[i][d]-path[0][d]), 2)
		}
		got := math.Hypot(plane.Path[i][0]-plane.Path[0][0], plane.Path[i][1]-plane.Path[0][1])
		must.That(t, math.Abs(got-math.Sqrt(square)) <= 1e-4*math.Sqrt(square),
			"points 1 and %d are %g apart in the plane, %g outside", i+1, got, math.Sqrt(square))
		must.That(t, max(math.Abs(plane.Path[i][0]), math.Abs(plane.Path[i][1])) <= plane.Side,
			"point %v outside of ±%g", plane.Path[i], plane.Side)
	}
	mean, _ := centered(path)
	at := make([]float32, len(x))
	for d, v := range mean {
		at[d] = float32(v)
	}
	must.Near(t, "loss in the middle, compared with that of the mean", plane.Loss[4], net.Energy(at, data)/12, 1e-6)
	still := g.plane([][]float32{x, x, x})
	must.That(t, still.Side == 1 && still.Path[2] == [2]float64{} && !math.IsNaN(still.Share[0]),
		"a path that does not move: %+v", still)
}
