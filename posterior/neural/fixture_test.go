package neural

import (
	"encoding/json"
	"os"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/nn"
	"banditsim/posterior/neural/internal/replay"
)

// TestFixture compares energy and gradient of a 2–2–2 network on a batch of three rows with those of
// internal/worked/testdata/langevin-mlp.json, which another program computed to 12 digits. The fixture's weights are out × in in a
// layer, those of nn in × out. Steps from there are cases of package worked.
func TestFixture(t *testing.T) {
	data := get(os.ReadFile("../../internal/worked/testdata/langevin-mlp.json"))(t)
	var all []struct {
		Sizes    []int
		X0       []float64
		Contexts [][]float64
		Arms     []int32
		Rewards  []float64
		N        float64 `json:"N"`
		Batch    float64 `json:"n"`
		Lambda   float64
		Energy   float64
		Gradient []float64 `json:"g"`
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all) != 1 {
		t.Fatalf("%d fixtures, %v", len(all), err)
	}
	f := all[0]
	net := get(nn.New(f.Sizes...))(t)
	ours := func(x []float64) []float32 {
		y := checktest.Narrow(x)
		for _, l := range net.Layers() {
			for i := range l.In * l.Out {
				y[l.Weights+i%l.In*l.Out+i/l.In] = float32(x[l.Weights+i])
			}
		}
		return y
	}
	n := len(f.Contexts)
	target := &regression{
		model: net, passes: newPasses(net, n), buffer: replay.New(n, f.Sizes[0], 2),
		batchSize: n, dataSize: f.N, prior: []penalty{{0, net.Dim(), f.Lambda}}, rand: checktest.Stream("fixture"),
	}
	for i, context := range f.Contexts {
		must(t, target.buffer.Add(checktest.Narrow(context), int(f.Arms[i]), f.Rewards[i]))
	}
	grad := make([]float32, net.Dim())
	energy := get(target.EnergyGrad(grad, ours(f.X0)))(t)
	// float32 has 7 digits, of which sums lose one.
	checktest.Near(t, "energy", energy, f.Energy, 2e-6)
	checktest.Vector(t, "gradient", wide(grad), wide(ours(f.Gradient)), 2e-6)
}
