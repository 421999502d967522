package sgmcmc

import (
	"fmt"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

func saveNoise(w *state.Writer, noise []posterior.Normals) {
	for _, n := range noise {
		w.Any("noise", n)
	}
}

func restoreNoise(r *state.Reader, noise []posterior.Normals) {
	for _, n := range noise {
		r.Any("noise", n)
	}
}

// saveVectors writes a vector for each chain; none before the first step.
func saveVectors(w *state.Writer, vectors [][]float32) {
	w.Int(len(vectors))
	for _, v := range vectors {
		w.Int(len(v))
		w.Float32s(v)
	}
}

// restoreVectors reads what saveVectors wrote, out of size bytes.
func restoreVectors(r *state.Reader, what string, size int) [][]float32 {
	var vectors [][]float32
	for range r.Int("vectors of "+what, 0, check.MaxChains) {
		n := r.Int("length of a vector of "+what, 0, check.MaxNumbers)
		if r.Err() == nil && 4*n > size {
			r.Fail(fmt.Errorf("sgmcmc: %s: %d numbers in %d bytes", what, n, size))
		}
		if r.Err() != nil {
			return nil
		}
		v := make([]float32, n)
		r.Float32s(v)
		vectors = append(vectors, v)
	}
	return vectors
}
