package replay

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/state"
)

// filled returns a buffer to which n rows were added, where row i has reward i.
func filled(t testing.TB, capacity, n int, dense bool) *Buffer {
	t.Helper()
	b := New(capacity, 3, 2)
	for i := range n {
		context := []float32{0, 0, 0}
		context[i%3] = 1
		if dense {
			context[i%3] = float32(i) + 0.5
		}
		must.OK(t, b.Add(context, i%2, float64(i)))
	}
	return b
}

// all returns the rewards of all rows held, sorted.
func all(b *Buffer) []float64 {
	var batch Batch
	batch.Draw(b, 1000, stream.Root(1))
	got := slices.Clone(batch.Rewards)
	slices.Sort(got)
	return got
}

func TestReplayIsFirstInFirstOut(t *testing.T) {
	for _, dense := range []bool{false, true} {
		for _, c := range []struct {
			n    int
			want []float64
		}{
			{0, nil},
			{1, []float64{0}},
			{3, []float64{0, 1, 2}},
			{4, []float64{0, 1, 2, 3}},
			{5, []float64{1, 2, 3, 4}},
			{11, []float64{7, 8, 9, 10}},
		} {
			b := filled(t, 4, c.n, dense)
			if got := all(b); !slices.Equal(got, c.want) || b.N != len(c.want) {
				t.Errorf("dense %t, %d rows: %d held, %v, want %v", dense, c.n, b.N, got, c.want)
			}
		}
	}
}

// TestReplayKeepsRowsTogether checks that a drawn row has the arm and the context that were added with its reward, also when the buffer
// becomes dense in between.
func TestReplayKeepsRowsTogether(t *testing.T) {
	for turn := range 12 { // row turn has an element that is neither 0 nor 1; there are 10 rows
		b := New(4, 3, 2)
		want := map[float64][]float32{}
		for i := range 10 {
			context := []float32{0, 0, 0}
			context[i%3], context[(i+1)%3] = 1, float32(i%2)
			if i == turn {
				context[0] = 0.25
			}
			want[float64(i)] = slices.Clone(context)
			must.OK(t, b.Add(context, i%2, float64(i)))
			context[1] = 99 // the buffer has copied it
			var batch Batch
			batch.Draw(b, 4, stream.Root(2))
			for k, reward := range batch.Rewards {
				got := make([]float32, 3)
				if b.IsDense() {
					copy(got, batch.Rows.Dense[3*k:])
				} else {
					for _, j := range batch.Rows.Index[batch.Rows.Offset[k]:batch.Rows.Offset[k+1]] {
						got[j] = 1
					}
				}
				checktest.Bits(t, fmt.Sprintf("turn %d, row %g", turn, reward), got, want[reward])
				must.That(t, int(batch.Arms[k]) == int(reward)%2, "row %g has arm %d", reward, batch.Arms[k])
			}
		}
		must.Equal(t, fmt.Sprintf("turn %d: dense", turn), b.IsDense(), turn < 10)
	}
}

// TestDraw checks that a batch has min(n, N) different rows, and that a draw depends on the stream alone.
func TestDraw(t *testing.T) {
	b := filled(t, 100, 100, false)
	var again, fresh Batch
	r := stream.Root(3)
	for k := range 200 {
		n := 1 + (k*37)%120
		if k == 100 {
			n = 0
		}
		saved := must.Get(r.MarshalBinary())(t)
		again.Draw(b, n, r)
		if want := min(n, 100); len(again.Rewards) != want || len(again.Arms) != want || again.Rows.N != want {
			t.Fatalf("%d rewards, %d arms and %d rows, want %d", len(again.Rewards), len(again.Arms), again.Rows.N, want)
		}
		seen := map[float64]bool{}
		for _, reward := range again.Rewards {
			if seen[reward] {
				t.Fatalf("row %g drawn twice", reward)
			}
			seen[reward] = true
		}
		for i, slot := range again.order {
			if int(slot) != i {
				t.Fatalf("order[%d] is %d after a draw", i, slot)
			}
		}
		restored := stream.Root(0)
		must.OK(t, restored.UnmarshalBinary(saved))
		fresh = Batch{}
		fresh.Draw(b, n, restored)
		must.Hold(t, slices.Equal(fresh.Rewards, again.Rewards), "draw %d depends on the draws before it", k)
	}
}

// TestDrawIsUniform checks that each row is drawn equally often, in each place of the batch. With n draws of k of N rows, the counts c
// have the covariance of sampling without replacement, so that
//
//	Σ (c − nk/N)² / (n·(k/N)(1−k/N)) · (N−1)/N
//
// is chi-square with N−1 degrees of freedom; for one place, k is 1. A row that is drawn 5 % too often adds (.05)²·nk/N/(1−k/N) > 81: 9
// standard errors of its count.
func TestDrawIsUniform(t *testing.T) {
	const rows, k, n = 10, 3, 400_000
	b := filled(t, rows, rows, false)
	r := stream.Root(4)
	var batch Batch
	var counts [k + 1][rows]float64 // for each place, and in total
	for range n {
		batch.Draw(b, k, r)
		for place, reward := range batch.Rewards {
			counts[place][int(reward)]++
			counts[k][int(reward)]++
		}
	}
	for place, c := range counts {
		p := 1. / rows
		if place == k {
			p *= k
		}
		chi := 0.0
		for _, v := range c {
			chi += (v - n*p) * (v - n*p) / (n * p * (1 - p)) * (rows - 1) / rows
		}
		limit := chiSquareLimit(rows - 1)
		t.Logf("place %d: chi-square %.1f, at most %.1f", place, chi, limit)
		must.That(t, chi <= limit,
			"place %d: chi-square is %g with %d degrees of freedom, want at most %g", place, chi, rows-1, limit)
		extra := 0.05 * 0.05 * n * p / (1 - p)
		must.That(t, extra > 81, "place %d: %g is too little to see a fault of 5 %%", place, extra)
	}
}

// chiSquareLimit is the value that chi-square with the given degrees of freedom exceeds with probability 1e-9, by the
// approximation of Wilson and Hilferty (The distribution of chi-square, PNAS 1931).
func chiSquareLimit(df float64) float64 {
	const z = 6
	c := 2 / (9 * df)
	return df * math.Pow(1-c+z*math.Sqrt(c), 3)
}

// TestReplayRefusesDamage checks that State returns an error for a one beyond the end of a context, which a batch would read.
func TestReplayRefusesDamage(t *testing.T) {
	narrow, wide := New(4, 3, 2), New(4, 4, 2)
	for place, good := range []bool{true, true, true, false} {
		context := make([]float32, 4)
		context[place] = 1
		*wide = *New(4, 4, 2)
		must.OK(t, wide.Add(context, 0, 1))
		saved := must.Get(state.Save(wide.State))(t)
		err := state.Restore(saved, narrow.State)
		must.That(t, (err == nil) == good, "a one at place %d of 3: error %v", place, err)
	}
}
