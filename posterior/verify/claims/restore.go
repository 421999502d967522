package claims

import (
	"encoding"
	"fmt"
)

// checkRestore saves a sampler before the first step and after some, restores it into a new one
// and compares what follows. The chains' positions are not the sampler's: they are copied.
func checkRestore(j *judge, s Sampler) error {
	fresh := func() (*run, error) {
		return s.run(j, s.lively(j), own(j))
	}
	for _, steps := range []int{0, 1, 11} {
		a, err := fresh()
		if err != nil {
			return err
		}
		if _, err := a.walk(steps); err != nil {
			return err
		}
		m, ok := a.sampler.(encoding.BinaryMarshaler)
		if !ok {
			j.Skip("saved state", fmt.Sprintf("not offered: %T has no MarshalBinary", a.sampler))
			return nil
		}
		saved, err := m.MarshalBinary()
		if err != nil {
			return fmt.Errorf("after %d steps: save: %w", steps, err)
		}
		b, err := fresh()
		if err != nil {
			return err
		}
		u, ok := b.sampler.(encoding.BinaryUnmarshaler)
		if !ok {
			return fmt.Errorf("%T has MarshalBinary, but no UnmarshalBinary", b.sampler)
		}
		if err := u.UnmarshalBinary(saved); err != nil {
			return fmt.Errorf("after %d steps: restore: %w", steps, err)
		}
		for p := range b.chains {
			copy(b.chains[p].X, a.chains[p].X)
		}
		ahead, err := a.walkOn(j, runSteps)
		if err != nil {
			return err
		}
		behind, err := b.walkOn(j, runSteps)
		if err != nil {
			return err
		}
		j.SameBits(fmt.Sprintf("going on after %d steps", steps), behind, ahead)
	}
	return nil
}

// walkOn is walk on targets whose noise is the same for all runs: saving it is the targets'
// matter.
func (g *run) walkOn(j *judge, steps int) ([]float32, error) {
	for p := range g.chains {
		g.chains[p].Target = gaussian(1, 0.5)(runDim, j.Rand("later gradient", p))
	}
	return g.walk(steps)
}
