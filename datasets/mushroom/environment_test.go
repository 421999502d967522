package mushroom

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/must"
)

func over(table *table, encoding string, seed uint64) *environment {
	e := newEnvironment(table, encoding)
	e.stream = stream.Root(seed).Child("environment")
	return &e
}

func newPull(e *environment) (*bandit.Round, *bandit.Outcome) {
	return &bandit.Round{Context: make([]float32, e.spec.Dim)}, &bandit.Outcome{Reward: make([]float64, 2), Mean: make([]float64, 2)}
}

// TestConformance runs the suite of package bandittest.
func TestConformance(t *testing.T) {
	for _, encoding := range []string{"onehot", "ordinal"} {
		w := must.Get(Kind().Open(t.Context(), Options{encoding}, ""))(t)
		must.Want(t, encoding, bandittest.Environment(4000, w.New), "")
	}
}

func TestOneHot(t *testing.T) {
	for _, table := range []*table{read(t), read(t, edibleRow)} {
		e := over(table, "onehot", 1)
		must.That(t, e.spec.Dim == 117 && len(e.spec.Groups) == 117,
			"%d wide with %d groups, want 117", e.spec.Dim, len(e.spec.Groups))
		for i, row := range table.rows {
			first := 0
			for a := 1; a < numFields; a++ { // the elements of an attribute are in the order of its values
				last := first + schema[a].inUCI
				context, groups := e.contexts[i*117+first:i*117+last], e.spec.Groups[first:last]
				if k := schema[a].find(row[a]); context[k] != 1 || slices.Index(context, 1) != k || slices.Min(groups) != a || slices.Max(groups) != a {
					t.Fatalf("row %d: %s is %v of the groups %v, want a 1 at %d", i, schema[a].name, context, groups, k)
				}
				first = last
			}
		}
	}
	// Letters that are legal but do not occur in the UCI file have elements after the others.
	e := over(read(t, edibleRow, with(edibleRow, "veil-type", "u"), with(edibleRow, "stalk-root", "z")), "onehot", 1)
	must.That(t, slices.Equal(e.contexts[:117], over(read(t, edibleRow), "onehot", 1).contexts),
		"the first 117 elements have changed")
	if !slices.Equal(e.spec.Groups[117:], []int{11, 16}) { // stalk-root, veil-type
		t.Errorf("groups past 117 are %v", e.spec.Groups[117:])
	}
	for row, want := range [][]float32{{0, 0}, {0, 1}, {1, 0}} {
		must.Equal(t, fmt.Sprintf("row %d ends in", row), e.contexts[row*119+117:row*119+119], want)
	}
}

func TestOrdinal(t *testing.T) {
	// Elements are index/largest index in the schema: 3/5 for cap-shape f, 2/5 for population n, 0 for veil-type p, the only value.
	contexts := over(read(t, with(edibleRow, "cap-shape", "f")), "ordinal", 1).contexts
	for at, want := range map[int]float32{0: 3. / 5, 1: 1, 2: 1, 3: 0, 4: 0, 5: 1, 10: 1. / 4, 15: 0, 20: 2. / 5, 21: 0} {
		got := contexts[at]
		must.That(t, len(contexts) == 22 && got == want, "%s is %v, want %v", schema[at+1].name, got, want)
	}
	// A letter that is not in the UCI file follows those that are.
	if contexts := over(read(t, edibleRow, with(edibleRow, "veil-type", "u")), "ordinal", 1).contexts; contexts[15] != 0 || contexts[22+15] != 1 {
		t.Errorf("veil-type p and u are %v and %v, want 0 and 1", contexts[15], contexts[22+15])
	}
}

func TestClosedForms(t *testing.T) {
	for _, c := range []struct {
		name                  string
		table                 *table
		uniform, always, none float64
		constant              string
	}{
		{"UCI", read(t), 4.91014, 7.23043, 2.58986, "leave, regret 2.58986 a pull"}, // docs/algorithms.md
		{"all edible", read(t, edibleRow), 2.5, 0, 5, "eat, regret 0 a pull"},
		{"all poisonous", read(t, poisonousRow), 7.5, 15, 0, "leave, regret 0 a pull"},
	} {
		spec := over(c.table, "onehot", 1).Spec()
		for i, got := range []float64{spec.UniformRegret, c.table.alwaysEatRegret(), c.table.neverEatRegret()} {
			want := []float64{c.uniform, c.always, c.none}[i]
			must.That(t, math.Abs(got-want) <= 5e-6, "%s: regret %d is %.5f a pull, want %.5f", c.name, i, got, want)
		}
		must.Equal(t, c.name+": best constant arm", spec.ConstantArm.String(), c.constant)
	}
}

func TestEnvironmentPulls(t *testing.T) {
	table := read(t)
	e := over(table, "onehot", 1)
	r, o := newPull(e)
	const pulls = 40000
	var edible, poisoned int
	sum := 0.0 // sum over the rows drawn
	for i := range pulls {
		must.OK(t, e.Next(r, o))
		must.That(t, r.T == 0 && slices.Equal(r.Context, e.contexts[r.Row*117:r.Row*117+117]),
			"pull %d: T %d, row %d, context %v", i+1, r.T, r.Row, r.Context)
		must.That(t, o.Reward[leave] == 0 && o.Mean[leave] == 0,
			"leaving brings %v, mean %v", o.Reward[leave], o.Mean[leave])
		sum += float64(r.Row)
		if table.rows[r.Row].edible() {
			edible++
			must.That(t, o.Reward[eat] == 5 && o.Mean[eat] == 5,
				"eating an edible one brings %v, mean %v", o.Reward[eat], o.Mean[eat])
			continue
		}
		must.That(t, o.Mean[eat] == -15 && (o.Reward[eat] == 5 || o.Reward[eat] == -35),
			"eating a poisonous one brings %v, mean %v", o.Reward[eat], o.Mean[eat])
		if o.Reward[eat] == -35 {
			poisoned++
		}
	}
	// Six standard errors each: a false alarm has probability 2e-9.
	n := float64(len(table.rows))
	within(t, "edible rows", float64(edible), pulls*4208/n, math.Sqrt(pulls*4208*3916)/n)
	within(t, "poisoned of the poisonous", float64(poisoned), float64(pulls-edible)/2, math.Sqrt(float64(pulls-edible))/2)
	within(t, "mean row", sum/pulls, (n-1)/2, n/math.Sqrt(12*pulls))
}

func within(t *testing.T, what string, got, want, standardError float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 6*standardError) { // so that NaN fails
		t.Errorf("%s: %v, want %v ± 6·%v", what, got, want, standardError)
	}
}

func TestEnvironmentRestoreBadState(t *testing.T) {
	e := over(read(t, edibleRow, poisonousRow), "onehot", 3)
	good, _ := e.MarshalBinary()
	foreign, _ := over(read(t, poisonousRow), "onehot", 3).MarshalBinary()
	for _, tt := range []struct {
		name  string
		state []byte
		want  string
	}{
		{"nothing", nil, "too short"},
		{"cut", good[:len(good)-1], "wrong length"},
		{"other data", foreign, "saved on data with SHA-256"},
	} {
		must.Fail(t, e.UnmarshalBinary(tt.state), tt.want)
		now, _ := e.MarshalBinary()
		must.That(t, slices.Equal(now, good), "%s: the environment has changed", tt.name)
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	e := over(read(t), "onehot", 1)
	r, o := newPull(e)
	must.Equal(t, "allocations a pull", testing.AllocsPerRun(1000, func() { e.Next(r, o) }), 0)
}

// TestDescribe describes three rows, one of them poisonous.
func TestDescribe(t *testing.T) {
	table := read(t, with(edibleRow, "stalk-root", "?"), with(edibleRow, "bruises", "f"), poisonousRow)
	var b strings.Builder
	must.OK(t, table.describe(&b))
	for _, line := range []string{
		"edible             2 (66.7 %)",
		"poisonous          1 (33.3 %)",
		"one-hot            117 wide",
		"uniform            regret 4.16667 a pull", // (2·5 + 15)/6
		"best constant arm  leave, regret 3.33333 a pull",
	} {
		must.That(t, strings.Contains(b.String(), line+"\n"), "no line %q in\n%s", line, &b)
	}
	classes, values := table.values()
	must.Equal(t, "classes", classes, []string{"edible", "poisonous"})
	i := slices.IndexFunc(values, func(v datasets.Value) bool { return v.Column == "bruises" })
	must.That(t, i >= 0 && fmt.Sprint(values[i:i+2]) == "[{bruises t bruises 2 [0.5 1]} { f no 1 [0.5 0]}]", "values %v", values)
}
