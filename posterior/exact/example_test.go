package exact_test

import (
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// A posterior learns the rewards of two arms in contexts of one number. It is less certain far from the contexts it has seen.
func Example() {
	kind := exact.Linear()
	p, err := kind.New(kind.Defaults(), posterior.Setup{Dim: 1, Arms: 2, Rounds: 1, Stream: stream.Root(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 10 {
		x := float32(i) / 10
		if err := p.Observe([]float32{x}, i%2, 3*float64(x)*float64(i%2)); err != nil {
			fmt.Println(err)
			return
		}
	}
	mean, sd := make([]float64, 2), make([]float64, 2)
	for _, x := range []float32{0.5, 5} {
		err := p.Predict(mean, [][]float32{{x}}, posterior.Mean)
		if err == nil {
			err = p.(posterior.Spreader).Spread(sd, [][]float32{{x}})
		}
		fmt.Printf("at %g: %.1f ± %.1f and %.1f ± %.1f %v\n", x, mean[0], sd[0], mean[1], sd[1], err)
	}
	// Output:
	// at 0.5: 0.0 ± 0.4 and 1.3 ± 0.4 <nil>
	// at 5: 0.0 ± 3.8 and 6.5 ± 3.6 <nil>
}
