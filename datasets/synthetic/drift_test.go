package synthetic

import (
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// counted is a parameter whose k-th draw is k.
type counted struct{ draws float64 }

func (c *counted) draw(dst []float64) {
	c.draws++
	dst[0] = c.draws
}

func (c *counted) walk() {}

// TestDriftByHand checks drift with a period of four pulls: gradual drift moves a quarter of the way to the next draw with each pull,
// abrupt drift keeps each draw for four pulls. The first pull has the first draw.
func TestDriftByHand(t *testing.T) {
	for kind, want := range map[string][]float64{
		"gradual": {1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3},
		"abrupt":  {1, 1, 1, 1, 2, 2, 2, 2, 3},
	} {
		p := &counted{}
		m := newDrifting(1, Drift{Kind: kind, Period: 4}, stream.Root(1))
		m.start(p)
		var got []float64
		for range want {
			m.advance(p)
			got = append(got, m.now[0])
		}
		must.Equal(t, kind, got, want)
	}
}
