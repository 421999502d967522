package mushroom

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

func newPull(e *environment) (*bandit.Round, *bandit.Outcome) {
	return &bandit.Round{Context: make([]float32, e.Spec().Dim)},
		&bandit.Outcome{Reward: make([]float64, 2), Mean: make([]float64, 2)}
}

func newEnvironment(t testing.TB, table *Table, seed uint64) *environment {
	return NewEnvironment(encode(t, table, OneHot), stream.Root(seed).Child("environment")).(*environment)
}

func TestEnvironmentSpec(t *testing.T) {
	spec := newEnvironment(t, uciTable(t), 1).Spec()
	if spec.Dim != 117 || !slices.Equal(spec.Arms, []string{"leave", "eat"}) || !spec.IgnoresActions {
		t.Errorf("spec %+v", spec)
	}
}

func TestEnvironmentPulls(t *testing.T) {
	table := uciTable(t)
	e := newEnvironment(t, table, 1)
	r, o := newPull(e)
	const pulls = 40000
	var edible, poisoned int
	sum := 0.0 // sum over the rows drawn
	for i := range pulls {
		if err := e.Next(r, o); err != nil {
			t.Fatal(err)
		}
		if r.T != 0 || !slices.Equal(r.Context, e.contexts.Row(r.Row)) {
			t.Fatalf("pull %d: T %d, row %d, context %v", i+1, r.T, r.Row, r.Context)
		}
		if o.Reward[Leave] != 0 || o.Mean[Leave] != 0 {
			t.Fatalf("leaving brings %v, mean %v", o.Reward[Leave], o.Mean[Leave])
		}
		sum += float64(r.Row)
		if table.Rows[r.Row].Edible() {
			edible++
			if o.Reward[Eat] != 5 || o.Mean[Eat] != 5 {
				t.Fatalf("eating an edible one brings %v, mean %v", o.Reward[Eat], o.Mean[Eat])
			}
			continue
		}
		if o.Mean[Eat] != -15 || o.Reward[Eat] != 5 && o.Reward[Eat] != -35 {
			t.Fatalf("eating a poisonous one brings %v, mean %v", o.Reward[Eat], o.Mean[Eat])
		}
		if o.Reward[Eat] == -35 {
			poisoned++
		}
	}
	// Six standard errors each: a false alarm has probability 2e-9.
	n := float64(len(table.Rows))
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

func TestEnvironmentAlignment(t *testing.T) {
	// The same seed meets the same rows and luck whatever the encoding, and the
	// same random words are used whatever the class.
	table := table(t, edibleRow, poisonousRow)
	a := newEnvironment(t, table, 7)
	b := NewEnvironment(encode(t, table, Ordinal), stream.Root(7).Child("environment")).(*environment)
	ra, oa := newPull(a)
	rb, ob := newPull(b)
	words := stream.Root(7).Child("environment")
	for range 1000 {
		a.Next(ra, oa)
		b.Next(rb, ob)
		if ra.Row != rb.Row || !slices.Equal(oa.Reward, ob.Reward) {
			t.Fatalf("pull %d: rows %d and %d, rewards %v and %v", ra.T, ra.Row, rb.Row, oa.Reward, ob.Reward)
		}
		if row := words.IntN(2); row != ra.Row {
			t.Fatalf("pull %d: row %d, want %d", ra.T, ra.Row, row)
		}
		words.Uint64() // the coin
	}
	other := newEnvironment(t, table, 8)
	ro, oo := newPull(other)
	same := 0
	for range 1000 {
		a.Next(ra, oa)
		other.Next(ro, oo)
		if ra.Row == ro.Row {
			same++
		}
	}
	within(t, "rows in common with another seed", float64(same), 500, math.Sqrt(250))
}

func TestEnvironmentSaveAndRestore(t *testing.T) {
	table := uciTable(t)
	a := newEnvironment(t, table, 3)
	r, o := newPull(a)
	for range 101 {
		a.Next(r, o)
	}
	state, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b := newEnvironment(t, table, 99)
	if err := b.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	rb, ob := newPull(b)
	for range 101 {
		a.Next(r, o)
		b.Next(rb, ob)
		if r.T != rb.T || r.Row != rb.Row || !slices.Equal(o.Reward, ob.Reward) {
			t.Fatalf("pull %d, row %d went on as pull %d, row %d", r.T, r.Row, rb.T, rb.Row)
		}
	}
}

func TestEnvironmentRestoreBadState(t *testing.T) {
	e := newEnvironment(t, table(t, edibleRow, poisonousRow), 3)
	good, _ := e.MarshalBinary()
	foreign, _ := newEnvironment(t, table(t, poisonousRow), 3).MarshalBinary()
	for _, tt := range []struct {
		name  string
		state []byte
		want  string
	}{
		{"nothing", nil, "too short"},
		{"cut", good[:len(good)-1], "wrong length"},
		{"other data", foreign, "saved on data with SHA-256"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantError(t, e.UnmarshalBinary(tt.state), "mushroom: restore the environment: ", tt.want)
			if now, _ := e.MarshalBinary(); !slices.Equal(now, good) {
				t.Error("the environment has changed")
			}
		})
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	e := newEnvironment(t, uciTable(t), 1)
	r, o := newPull(e)
	if n := testing.AllocsPerRun(1000, func() { e.Next(r, o) }); n != 0 {
		t.Errorf("%v allocations a pull, want 0", n)
	}
}

func TestNextPanicsOnShapes(t *testing.T) {
	e := newEnvironment(t, table(t, edibleRow), 1)
	r, o := newPull(e)
	r.Context = r.Context[:22]
	defer func() {
		if got, want := recover(), "mushroom: Next with slices of 22, 2 and 2, want 117, 2 and 2"; got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	e.Next(r, o)
}

func BenchmarkNext(b *testing.B) {
	e := newEnvironment(b, uciTable(b), 1)
	r, o := newPull(e)
	for b.Loop() {
		e.Next(r, o)
	}
}
