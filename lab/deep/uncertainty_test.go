package deep

import (
	"math"
	"reflect"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
)

// TestScores compares scores with values computed by hand. Three images of two classes have probabilities 0.9, 0.6 and 0.2 of the first
// class and labels 0, 1 and 0. Their largest probabilities 0.9, 0.6, 0.8 are in separate bins; the predictions are right, wrong, wrong.
func TestScores(t *testing.T) {
	p := []float64{0.9, 0.1, 0.6, 0.4, 0.2, 0.8}
	s := newScores(p, []int32{0, 1, 0}, 2)
	checktest.Near(t, "accuracy", s.Accuracy, 1./3, 1e-15)
	checktest.Near(t, "log loss", s.LogLoss, -(math.Log(0.9)+math.Log(0.4)+math.Log(0.2))/3, 1e-14)
	checktest.Near(t, "calibration", s.Calibration, (0.1+0.6+0.8)/3, 1e-14)
	// Two images in one bin, one of them right: |1 − (0.9 + 0.91)|/2.
	s = newScores([]float64{0.9, 0.1, 0.91, 0.09}, []int32{0, 1}, 2)
	checktest.Near(t, "calibration within a part", s.Calibration, 0.81/2, 1e-14)
	s = newScores([]float64{1, 0}, []int32{1}, 2)
	must.That(t, !math.IsInf(s.LogLoss, 0) && s.LogLoss >= 600, "log loss of a class without probability %g, want a large finite number", s.LogLoss)
	o := newOutsideScores("", []float64{0.5, 0.5, 1, 0}, p, 2)
	checktest.Near(t, "Brier score", o.Brier, (0.25+0.25)/4, 1e-15)
	checktest.Near(t, "entropy", o.Entropy, math.Log(2)/2, 1e-15)
	checktest.Near(t, "AUROC", o.AUROC, 3./6, 1e-15) // 0.6, 0.8 and 0.9 are above 0.5, none is above 1
}

// TestAUROC compares auroc with a loop over all pairs, for numbers with many ties.
func TestAUROC(t *testing.T) {
	r := stream.Root(1)
	for range 50 {
		in, out := make([]float64, 2*(1+r.IntN(20))), make([]float64, 2*(1+r.IntN(20)))
		for _, p := range [][]float64{in, out} {
			for i := 0; i < len(p); i += 2 {
				p[i] = float64(r.IntN(5)) / 8
				p[i+1] = 1 - p[i]
			}
		}
		want, a, b := 0.0, greatest(in, 2), greatest(out, 2)
		for _, v := range a {
			for _, w := range b {
				switch {
				case v > w:
					want++
				case v == w:
					want += 0.5
				}
			}
		}
		checktest.Near(t, "AUROC", auroc(a, b), want/float64(len(a)*len(b)), 1e-14)
	}
}

// TestLaplaceHessian compares LLᵀ with the Hessian H of energy and prior with respect to the last layer's weights, by
// central differences. It checks the mean of wᵀHw over draws w, and the predictions for w = 0.
func TestLaplaceHessian(t *testing.T) {
	net, data, x := problem(t, 40, 16)
	const decay = 0.75
	l := must.Get(newLaplace(net, x, data, decay))(t)
	h := l.last.In + 1
	at := func(i int) int { // index of the parameter that is element i of w
		k, j := i/h, i%h
		if j == l.last.In {
			return l.last.Bias + k
		}
		return l.last.Weights + j*l.last.Out + k
	}
	const step = 1.0 / 64
	hessian := func(i, j int) float64 {
		sum := 0.0
		for _, s := range [][2]float32{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			y := append([]float32(nil), x...)
			y[at(i)] += s[0] * step
			y[at(j)] += s[1] * step
			sum += float64(s[0]*s[1]) * net.Energy(y, data)
		}
		sum /= 4 * step * step
		if i == j {
			sum += decay
		}
		return sum
	}
	for i := range l.dim {
		for j := range i + 1 {
			got := 0.0
			for k := range j + 1 {
				got += l.factor[i*l.dim+k] * l.factor[j*l.dim+k]
			}
			checktest.Near(t, "second derivative", got, hessian(i, j), 2e-2)
		}
	}
	const n = 4000
	w, noise, mean := make([]float64, l.dim), checktest.Stream("laplace"), 0.0
	for range n {
		l.draw(w, noise)
		sum := 0.0
		for k := range l.dim {
			u := 0.0
			for i := k; i < l.dim; i++ {
				u += l.factor[i*l.dim+k] * w[i]
			}
			sum += u * u
		}
		mean += sum / n // the sum is wᵀHw, which is χ² with dim degrees of freedom
	}
	checktest.SE(t, "wᵀHw", mean, float64(l.dim), math.Sqrt(2*float64(l.dim)/n))
	zero := make([]float64, l.dim)
	got, want := make([]float64, 40*3), make([]float64, 40*3)
	l.predict(got, x, data, [][]float64{zero})
	net.Probabilities(want, x, data, nil)
	checktest.Vector(t, "probabilities without noise", got, want, 1e-5)
}

// clusters returns n noisy images of each class. Images of a class have a bright row and column, number class + first.
func clusters(n, classes, first int) *Data {
	d := &Data{Height: 8, Width: 8, Classes: classes}
	r := stream.Root(9).Child("clusters", first)
	for i := range n * classes {
		class := i % classes
		image := make([]float32, 64)
		r.Normals(image)
		for j := range image {
			image[j] *= 0.3
			if place := class + first; j/8 == place%8 || j%8 == place%8 {
				image[j] += 0.7
			}
		}
		d.Pixels, d.Labels = append(d.Pixels, image...), append(d.Labels, int32(class))
	}
	return d
}

// tiny returns a run of all methods on made-up images.
func tiny(t *testing.T, dir string, workers int) *Run[UncertaintyOptions] {
	t.Helper()
	o := must.Get(UncertaintyPreset("tiny"))(t)
	return &Run[UncertaintyOptions]{
		Options: o, Images: clusters(60, 4, 0), Outside: []Outside{{"others", clusters(40, 4, 4)}},
		Methods: UncertaintyMethods(), Seeds: []uint64{3}, Dir: dir, Workers: workers,
	}
}

// TestUncertainty checks that every method learns, the numbers of gradients and models, and that results do not depend on the number
// of workers.
func TestUncertainty(t *testing.T) {
	u := tiny(t, t.TempDir(), 1)
	records := must.Get(Uncertainty(t.Context(), u))(t).Records
	o := u.Options
	for i, r := range records {
		must.That(t, r.Method == UncertaintyMethods()[i] && r.Seed == 3 && r.Train == 160 && r.HeldOut == 80,
			"record %d: %s, seed %d, %d images and %d held out", i, r.Method, r.Seed, r.Train, r.HeldOut)
		extra := 0
		if r.Method == "reSGHMC" {
			extra = o.Steps / 100 * 8
		}
		must.Equal(t, r.Method+": gradients", r.Gradients, o.Chains*o.Steps+extra)
		must.That(t, r.LogLoss < math.Log(4) && r.Accuracy > 0.25,
			"%s: log loss %g and accuracy %g, want better than chance", r.Method, r.LogLoss, r.Accuracy)
		s := r.Outside[0]
		must.That(t, s.Set == "others" && s.Entropy > 0 && s.Entropy <= math.Log(4)+1e-12 && s.Brier >= 0 && s.Brier < 0.75/4,
			"%s: outside %+v", r.Method, s)
		models := map[string]int{"cycSGHMC": 8, "MultiSWAG": 8, "M-SGD": 4, "reSGHMC": 3, "ICSGHMC": 12, "SGHMC": 12, "Ensemble": 5, "Dropout": 5, "Laplace": 5}
		must.Equal(t, r.Method+": models", r.Models, models[r.Method])
	}
	again := must.Get(Uncertainty(t.Context(), tiny(t, t.TempDir(), 3)))(t).Records
	must.That(t, reflect.DeepEqual(again, records), "three workers: other numbers than one")
}

// TestUncertaintySchedules checks ε and the friction for SGHMC, and that cycles calls held in each step of the held part of a cycle.
func TestUncertaintySchedules(t *testing.T) {
	s := must.Get(newStudy(tiny(t, "", 1), 3, nil))(t)
	eps := s.dynamics(0).LearningRate
	checktest.Near(t, "ε²N", eps*eps*160, 0.03, 1e-12)
	checktest.Near(t, "εc", eps*s.dynamics(0).Friction, 0.1, 1e-12)
	steps := 0
	must.OK(t, s.cycles(t.Context(), func(step int, _ []float32) {
		must.Equal(t, "step of a held part", step, steps%s.o.held())
		steps++
	}))
	must.That(t, steps == 4*s.o.held() && s.o.held() == 7,
		"%d steps at a constant rate in cycles of %d, want 7 in each of 4", steps, s.o.cycle())
}

// TestUncertaintyRefuses checks that invalid options cause an error that names the option, and that the presets are valid.
func TestUncertaintyRefuses(t *testing.T) {
	for want, change := range map[string]func(u *Run[UncertaintyOptions]){
		"momentum":      func(u *Run[UncertaintyOptions]) { u.Options.Momentum = 1 },
		"temperature":   func(u *Run[UncertaintyOptions]) { u.Options.Temperature = 0 },
		"snapshots":     func(u *Run[UncertaintyOptions]) { u.Options.Snapshots = 1000 },
		"fit_snapshots": func(u *Run[UncertaintyOptions]) { u.Options.FitSnapshots = 1 },
		"shape.hidden":  func(u *Run[UncertaintyOptions]) { u.Options.Shape.Hidden = nil },
		"did you mean":  func(u *Run[UncertaintyOptions]) { u.Methods = []string{"MSGD"} },
		"named twice":   func(u *Run[UncertaintyOptions]) { u.Methods = []string{"M-SGD", "M-SGD"} },
		"others: images of 4": func(u *Run[UncertaintyOptions]) {
			u.Outside[0].Images = &Data{Height: 4, Width: 4, Classes: 2, Pixels: make([]float32, 16), Labels: []int32{0}}
		},
	} {
		u := tiny(t, t.TempDir(), 1)
		change(u)
		must.Refuse(Uncertainty(t.Context(), u))(t, want)
	}
	for _, name := range UncertaintyPresets() {
		o, err := UncertaintyPreset(name)
		if err == nil {
			err = o.Validate()
		}
		must.Want(t, "preset "+name, err, "")
	}
	must.Refuse(UncertaintyPreset("smal"))(t, "small")
}
