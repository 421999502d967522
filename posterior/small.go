package posterior

// Small returns the options with a network, batches and a buffer that are small, and a
// learning rate that fits them, so that the posterior learns within some hundred
// steps. Samplers, parts and chains stay. Tests of the contract use it.
func (o LangevinOptions) Small() LangevinOptions {
	o.small()
	o.LearningRate = 2e-4
	if o.Preconditioner.Kind != "off" {
		o.LearningRate, o.Preconditioner.Scale = 4e-4, float64(o.Batch)
	}
	return o
}

// Small is as that of LangevinOptions, with cycles of four rounds.
func (o CyclicalOptions) Small() CyclicalOptions {
	o.LangevinOptions = o.LangevinOptions.Small()
	o.LearningRate *= 2
	o.Cycle = 4 * o.Steps
	return o
}

// Small is as that of LangevinOptions.
func (o ExchangeOptions) Small() ExchangeOptions {
	o.LangevinOptions = o.LangevinOptions.Small()
	return o
}

// Small is as that of LangevinOptions.
func (o SGHMCOptions) Small() SGHMCOptions {
	o.small()
	o.LearningRate, o.Friction = 1e-2, 50
	return o
}

// Small is as that of LangevinOptions.
func (o SVGDOptions) Small() SVGDOptions {
	o.small()
	o.LearningRate = 1e-2
	return o
}

func (o *NetworkOptions) small() {
	o.Hidden = []int{16, 32}
	o.Steps, o.Batch, o.Buffer, o.TrainAfter, o.DataSize = 8, 32, 128, 64, 128
}
