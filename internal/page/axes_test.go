package page

import (
	"encoding/json"
	"math"
	"testing"

	"banditsim/internal/must"
)

func TestWindows(t *testing.T) {
	for _, test := range []struct {
		rounds, burnIn int
		width, n       int
		first, last    int // lengths
	}{
		{1, 0, 1, 1, 1, 1},
		{100, 52, 1, 100, 1, 1},
		{120, 52, 2, 60, 2, 2},
		{300, 52, 5, 61, 2, 3},     // 52 = 10×5 + 2
		{2000, 52, 20, 101, 12, 8}, // 52 = 2×20 + 12; 1,948 = 97×20 + 8
		{2000, 0, 20, 100, 20, 20},
		{3001, 3001, 50, 61, 1, 50},
		{1e9, 52, 1e7, 101, 52, 1e7 - 52},
	} {
		w := newWindows(test.rounds, test.burnIn, maxWindows)
		if w.Width != test.width || w.N != test.n || w.length(0) != test.first || w.length(w.N-1) != test.last {
			t.Errorf("%d rounds, %d of burn-in: %d windows of %d, the first %d and the last %d long; want %+v", test.rounds, test.burnIn, w.N, w.Width, w.length(0), w.length(w.N-1), test)
		}
		if test.burnIn > 0 && test.burnIn < test.rounds && w.index(test.burnIn) == w.index(test.burnIn+1) {
			t.Errorf("%d rounds: burn-in ends within a window", test.rounds)
		}
		sum := 0
		for i := range w.N {
			sum += w.length(i)
		}
		must.Equal(t, "rounds of the windows", sum, test.rounds)
	}
}

func TestNumbers(t *testing.T) {
	got, err := json.Marshal(numbers{0, -1.5, 1234567.8, 1e-17, 1.0 / 3, math.NaN(), math.Inf(1)})
	if want := `[0,-1.5,1.23457e06,1e-17,0.333333,null,null]`; err != nil || string(got) != want {
		t.Errorf("%s (error %v), want %s", got, err, want)
	}
}
