package neural

import (
	"bytes"
	"fmt"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/optiontree"
	"banditsim/nn"
	"banditsim/posterior"
)

// ConvOptions are the options of a convolution with ReLU and pooling. In JSON stride and pool may be missing: 1.
type ConvOptions struct {
	Conv    int  `json:"conv"`             // filters: feature maps
	Size    int  `json:"size"`             // side of the square of pixels that a filter sees
	Stride  int  `json:"stride"`           // distance of neighboring squares; 1 if missing
	Padding int  `json:"padding,omitzero"` // rows and columns of zeros on each side
	Pool    int  `json:"pool"`             // side of the squares of a map that become one number; 1, which pools nothing, if missing
	Mean    bool `json:"mean,omitzero"`    // a pooled number is the mean, not the largest
}

// UnmarshalJSON decodes an object.
func (o *ConvOptions) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("{")) {
		return fmt.Errorf("layers: %s, want an object such as {conv: 8, size: 5, pool: 2}", b)
	}
	type plain ConvOptions
	p := plain{Stride: 1, Pool: 1}
	if err := optiontree.DecodeKnown(b, &p); err != nil {
		return fmt.Errorf("layers: %w", err)
	}
	*o = ConvOptions(p)
	return nil
}

// The largest values of a convolution, far above all use.
const (
	maxFilters = 10_000
	maxSquare  = 100
)

func (o ConvOptions) validate(i int) error {
	name := func(option string) string { return fmt.Sprintf("layers: layer %d: %s", i+1, option) }
	return check.First(
		check.Within(name("conv"), o.Conv, 1, maxFilters),
		check.Within(name("size"), o.Size, 1, maxSquare),
		check.Within(name("stride"), o.Stride, 1, maxSquare),
		check.Within(name("padding"), o.Padding, 0, maxSquare),
		check.Within(name("pool"), o.Pool, 1, nn.MaxPool),
	)
}

// newModel returns the network of the options, which are valid.
func (o *NetworkOptions) newModel(setup posterior.Setup) (*nn.Network, error) {
	shape := []int{1, 1, setup.Dim}
	if len(o.Layers) > 0 {
		if shape = setup.Shape; len(shape) == 0 {
			return nil, fmt.Errorf("layers: a convolution sees images, and contexts of %d numbers have no shape here: "+
				"--environment images, an environment whose Spec has a Shape with model=disjoint, or no layers", setup.Dim)
		}
	}
	var stages []nn.Stage
	for _, l := range o.Layers {
		stages = append(stages, nn.Stage{Filters: l.Conv, Size: l.Size, Stride: l.Stride, Padding: l.Padding, Pool: l.Pool, Mean: l.Mean})
	}
	model, err := nn.NewConv(shape[0], shape[1], shape[2], stages, append(slices.Clone(o.Hidden), setup.Arms)...)
	if err != nil {
		return nil, fmt.Errorf("layers: %w", err)
	}
	if o.Skip {
		model = model.WithSkip()
	}
	numbers := float64(model.PassNumbers(o.Batch))
	return model, check.First(
		check.That(float64(model.Dim())*float64(o.Chains) <= check.MaxNumbers,
			"hidden, layers: %d chains of a network with %d parameters, want at most %.0f in all", o.Chains, model.Dim(), check.MaxNumbers),
		check.That(numbers <= 2*check.MaxNumbers, "batch: %d rows need %.0f numbers of memory in this network, want at most %.0f", o.Batch, numbers, 2*check.MaxNumbers),
	)
}
