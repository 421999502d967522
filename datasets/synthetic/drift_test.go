package synthetic

import (
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// counted are parameters of which the k-th draw is k.
type counted struct{ draws float64 }

func (c *counted) draw(dst []float64) {
	c.draws++
	dst[0] = c.draws
}

func (c *counted) walk() {}

// Parameters move gradually from one draw to the next, a quarter of the way with each of four pulls, and stay one draw for four pulls
// where they change at once. The first pull has the first draw.
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
