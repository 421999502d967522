package neural

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// twoStages are convolutions for images of 6×7 with two channels.
var (
	imageShape = []int{6, 7, 2}
	twoStages  = []ConvOptions{{Conv: 3, Size: 3, Stride: 1, Pool: 2}, {Conv: 4, Size: 3, Stride: 1, Padding: 1, Pool: 1, Mean: true}}
)

func imageSetup() posterior.Setup {
	return posterior.Setup{Dim: 84, Shape: imageShape, Arms: 2, Rounds: 30, Stream: stream.Root(5).Child("policy")}
}

// convOptions are the options of a small network over images, with own_scale.
func convOptions() LangevinOptions {
	o := ownScale()
	o.Layers, o.Hidden, o.Sampler.LearningRate = slices.Clone(twoStages), []int{5}, 0.03
	return o
}

func newConv(t *testing.T, o LangevinOptions) *Network {
	t.Helper()
	return must.Get(PICSGLD().New(o, imageSetup()))(t).(*Network)
}

func TestConvOptions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"conv":8,"size":5,"pool":2}`, `{"conv":8,"size":5,"stride":1,"pool":2}`},
		{`{"conv":1,"size":3,"stride":2,"padding":1,"mean":true}`, `{"conv":1,"size":3,"stride":2,"padding":1,"pool":1,"mean":true}`},
		{`{"conv":8,"sise":5}`, `layers: unknown key "sise" (did you mean size?): known are conv, mean, padding, pool, size, stride`},
		{`8`, "layers: 8, want an object such as {conv: 8, size: 5, pool: 2}"},
		{`{"conv":"x"}`, "cannot unmarshal string"},
	} {
		var o ConvOptions
		err := json.Unmarshal([]byte(c.text), &o)
		b, _ := json.Marshal(o)
		if err != nil {
			b = []byte(err.Error())
		}
		must.That(t, strings.Contains(string(b), c.want), "%s: %s, want %s", c.text, b, c.want)
	}
	b, err := json.Marshal(PICSGLD().Defaults())
	must.That(t, err == nil && !strings.Contains(string(b), "layers"), "the defaults are %s, %v, want no layers", b, err)
}

func TestWrongLayers(t *testing.T) {
	good := ConvOptions{Conv: 2, Size: 3, Stride: 1, Pool: 1}
	layers := func(change func(*ConvOptions)) func(*LangevinOptions, *posterior.Setup) {
		return func(o *LangevinOptions, _ *posterior.Setup) {
			l := good
			change(&l)
			o.Layers = []ConvOptions{good, l}
		}
	}
	for _, c := range []struct {
		name   string
		change func(*LangevinOptions, *posterior.Setup)
		want   string
	}{
		{"no shape", func(_ *LangevinOptions, s *posterior.Setup) { s.Shape = nil }, "layers: a convolution sees images, and contexts of 84 numbers have no shape here"},
		{"no filters", layers(func(l *ConvOptions) { l.Conv = 0 }), "layers: layer 2: conv: 0, want 1 to 10000"},
		{"no size", layers(func(l *ConvOptions) { l.Size = 0 }), "layers: layer 2: size: 0, want 1 to 100"},
		{"no stride", layers(func(l *ConvOptions) { l.Stride = 0 }), "layers: layer 2: stride: 0"},
		{"negative padding", layers(func(l *ConvOptions) { l.Padding = -1 }), "layers: layer 2: padding: -1, want 0 to 100"},
		{"large pool", layers(func(l *ConvOptions) { l.Pool = 16 }), "layers: layer 2: pool: 16, want 1 to 15"},
		{"beyond the maps", layers(func(l *ConvOptions) { l.Size = 6 }), "stage 2: size 6 over 4×5 with padding 0, want at most 4"},
		{"many parameters", layers(func(l *ConvOptions) { *l = ConvOptions{10_000, 3, 1, 0, 1, false}; l.Padding = 50 }), "want at most 100000000"},
		{"large batch", func(o *LangevinOptions, _ *posterior.Setup) { o.Batch, o.Buffer = 5_000_000, 5_000_000 }, "batch: 5000000 rows need"},
		{"dropout without hidden", func(o *LangevinOptions, _ *posterior.Setup) { o.Hidden, o.Dropout.Rate = nil, 0.5 }, "dropout.rate"},
	} {
		o, setup := convOptions(), imageSetup()
		c.change(&o, &setup)
		must.Refuse(PICSGLD().New(o, setup))(t, c.want)
	}
	o := convOptions()
	o.Hidden = nil
	_, err := PICSGLD().New(o, imageSetup())
	must.That(t, err == nil, "a skip beside convolutions alone: %v", err)
}

// TestGoldenConvStep checks that the first training steps of networks with convolutions give the committed bits on every kernel. .ci/run
// repeats it without assembly and under GOAMD64=v1 and v3. A change of these bits is a change of results.
func TestGoldenConvStep(t *testing.T) {
	before := kernel.Name()
	defer kernel.Use(before)
	wide := convOptions()
	wide.Layers = []ConvOptions{{Conv: 17, Size: 5, Stride: 1, Padding: 2, Pool: 2}}
	raw := convOptions()
	raw.OwnScale, raw.Skip, raw.Coverage, raw.Hidden, raw.Sampler.LearningRate = false, false, 0, nil, 1e-6
	raw.Sampler.Contour.Range, raw.Sampler.Contour.Gain, raw.Sampler.Contour.Limit = "", 0, 0
	for _, c := range []struct {
		name string
		o    LangevinOptions
		want string
	}{
		{"two stages, own scale, skip", convOptions(), "4a2988d7731f7ec8"},
		{"one stage of many filters", wide, "aa787af1553c23b6"},
		{"linear head, raw", raw, "aab320411ca06a88"},
	} {
		for _, name := range kernel.Available() {
			must.OK(t, kernel.Use(name))
			n := newConv(t, c.o)
			teach(t, n, 6, false, 1, 0)
			if n.steps == 0 {
				t.Fatalf("%s: no step, which tests nothing", c.name)
			}
			b := must.Get(n.MarshalBinary())(t)
			if sum := sha256.Sum256(b); hex.EncodeToString(sum[:8]) != c.want {
				t.Errorf("%s, kernel %s: the state has SHA-256 %x…, want %s…", c.name, name, sum[:8], c.want)
			}
		}
	}
}

// TestConvRenewKeepsPredictions checks that, without padding, new moments of rewards and channels change predictions only by rounding.
func TestConvRenewKeepsPredictions(t *testing.T) {
	o := convOptions()
	o.Layers[1].Padding, o.Layers[1].Size = 0, 2
	n := newConv(t, o)
	teach(t, n, 8, false, 1, 0)
	draw := func(r *stream.Stream, first, second float64) []float32 {
		c := make([]float32, n.dim)
		for j := range c {
			c[j] = float32(r.Float64() * []float64{first, second}[j%2])
		}
		return c
	}
	r := stream.Root(8)
	some := [][]float32{draw(r, 3, 5), draw(r, 4, 4), draw(r, 1, 1)}
	checkRenewal(t, n, some, 80, func(r *stream.Stream) []float32 { return draw(r, 10, -7) })
}

// TestConvWork checks that Work counts the products at all positions of a filter, not the parameters.
func TestConvWork(t *testing.T) {
	o := convOptions()
	n := newConv(t, o)
	products := 4*5*18*3 + 2*2*27*4 + 16*5 + 5 + 5*2 + 2 + 84*2
	got, want := n.Work(), 6*float64(products)*float64(o.Batch)*float64(o.Steps)*float64(o.Chains)
	must.That(t, got == want, "%g operations in a round, want %g", got, want)
}
