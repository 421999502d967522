package density

import (
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestBuffered checks that the numbers are those of one long vector, whatever the calls.
func TestBuffered(t *testing.T) {
	const chunk, chunks = 4096, 3
	var want []float32
	r := stream.Root(3).Child("noise")
	for range chunks {
		v := make([]float32, chunk)
		r.Normals(v)
		want = append(want, v...)
	}
	b := NewBuffered(stream.Root(3).Child("noise"))
	var got []float32
	for i := 0; len(got) < len(want); i++ {
		v := make([]float32, min([]int{1, 3, 0, 500, 5000}[i%5], len(want)-len(got)))
		b.Normals(v)
		got = append(got, v...)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("number %d is %g, want %g", i, got[i], want[i])
		}
	}
	v := make([]float32, 3)
	must.Equal(t, "allocations a call", testing.AllocsPerRun(1000, func() { b.Normals(v) }), 0)
}
