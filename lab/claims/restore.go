package claims

import (
	"encoding"
	"fmt"

	"banditsim/internal/verify"
)

// checkRestore saves a sampler before the first step and after some, restores it into a new one
// and compares what follows. The chains' positions are not the sampler's: they are copied.
func checkRestore(j *judge, s Sampler) {
	fresh := func() *run {
		return s.run(j, s.lively(j), own(j))
	}
	for _, steps := range []int{0, 1, 11} {
		a := fresh()
		a.walk(steps)
		m, ok := a.sampler.(encoding.BinaryMarshaler)
		if !ok {
			j.Skip("saved state", fmt.Sprintf("not offered: %T has no MarshalBinary", a.sampler))
			return
		}
		saved, err := m.MarshalBinary()
		if err != nil {
			verify.Failf("after %d steps: save: %w", steps, err)
		}
		b := fresh()
		u, ok := b.sampler.(encoding.BinaryUnmarshaler)
		if !ok {
			verify.Failf("%T has MarshalBinary, but no UnmarshalBinary", b.sampler)
		}
		if err := u.UnmarshalBinary(saved); err != nil {
			verify.Failf("after %d steps: restore: %w", steps, err)
		}
		for p := range b.chains {
			copy(b.chains[p].X, a.chains[p].X)
		}
		ahead := a.walkOn(j, runSteps)
		behind := b.walkOn(j, runSteps)
		j.SameBits(fmt.Sprintf("going on after %d steps", steps), behind, ahead)
	}
}

// walkOn is walk on targets whose noise is the same for all runs: saving it is the targets'
// matter.
func (g *run) walkOn(j *judge, steps int) []float32 {
	for p := range g.chains {
		g.chains[p].Target = gaussian(1, 0.5)(runDim, j.Rand("later gradient", p))
	}
	return g.walk(steps)
}
