package density

import "testing"

// TestNewGaussianRefuses: without a precision above 0 there is no density.
func TestNewGaussianRefuses(t *testing.T) {
	for _, precision := range [][]float64{{0}, {1, -1}, {1, 2, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("precisions %v are taken", precision)
				}
			}()
			NewGaussian(precision, 0, nil)
		}()
	}
	NewGaussian([]float64{5e-324, 1}, 0, nil)
}
