package deep

// reference is the control variate of the paper's variance-reduced energy, as in package neural: an earlier position x̃,
// where the energy U_i of every image is known. With a batch B of n of the N images,
//
//	Ũ(x) = (N/n) Σ_{i∈B} (U_i(x) − U_i(x̃)) + Σ_i U_i(x̃)
//
// x̃ is renewed every q steps, which costs a forward pass over all images. The gradient is the batch's.
type reference struct {
	every    int       // q
	age      int       // steps since x̃ was set
	energies []float64 // U_i(x̃), image by image; nil before the first
	sum      float64   // Σ_i U_i(x̃)
}

// ReduceEnergy makes the energies of the coming steps variance-reduced, with a reference that is renewed every so many
// steps, at least 1. It is a sgmcmc.Setup's for a single target.
func (t *CrossEntropy) ReduceEnergy(every int) { t.reference = &reference{every: every} }

// correction returns Ũ(x) less the energy of the target's present batch.
func (f *reference) correction(t *CrossEntropy, x []float32) float64 {
	if f.energies == nil || f.age >= f.every {
		f.renew(t, x)
	}
	f.age++
	batch := 0.0
	for _, image := range t.order[t.next-t.rows.N : t.next] {
		batch += f.energies[image]
	}
	return f.sum - float64(float64(t.data.Len())/float64(t.rows.N)*batch)
}

// renew sets x̃ to x.
func (f *reference) renew(t *CrossEntropy, x []float32) {
	f.age, f.sum = 0, 0
	f.energies = f.energies[:0]
	t.net.each(x, t.data, nil, func(first int, out []float32) {
		for i := 0; i < len(out); i += t.net.Classes {
			image := first + i/t.net.Classes
			f.energies = append(f.energies, crossEntropy(nil, out[i:i+t.net.Classes], t.data.Labels[image:image+1], 1, t.exps))
		}
	})
	for _, u := range f.energies {
		f.sum += u
	}
}
