// Package deep has experiments with samplers on networks that classify images: whether chains get stuck in the basins of the loss
// (Basins), and how uncertain they are about images of unknown classes (Uncertainty). The samplers are those of package sgmcmc; the
// energy is the cross-entropy of a network of package nn. Callers pass the images as slices, and name their source.
package deep

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A study is one method on one seed, with the predictions of its models so far. All methods on a seed have the same images, and
// their chains the same starts and batches.
type study struct {
	trainingSetup
	o           UncertaintyOptions
	rand        *stream.Stream
	parallel    posterior.Parallel
	record      UncertaintyRecord
	images      []*Data     // those to predict: held out, then of each outside set
	sums        [][]float64 // weighted sums of the models' probabilities for these
	total       float64     // sum of the models' weights
	multipliers int         // number of multipliers seen: steps × chains
}

// newStudy returns the study of a seed before any step.
func newStudy(u *Run[UncertaintyOptions], seed uint64, parallel posterior.Parallel) (*study, error) {
	r, data := stream.Root(seed).Child("uncertainty"), u.Images
	n := min(u.Options.Train, data.Len()*4/5)
	train, heldOut, err := data.Split(n, r.Child("images"))
	if err != nil {
		return nil, err
	}
	s := &study{o: u.Options, rand: r, parallel: parallel, images: []*Data{heldOut}}
	s.trainingSetup = trainingSetup{train: train, heldOut: heldOut, batch: u.Options.Batch, decay: u.Options.Decay}
	s.record = UncertaintyRecord{Seed: seed, Train: n, HeldOut: heldOut.Len(), Low: 1, High: 1}
	for i, o := range u.Outside {
		of := o.Images
		if u.Options.Outside < of.Len() {
			if of, _, err = of.Split(u.Options.Outside, r.Child("outside", i)); err != nil {
				return nil, err
			}
		}
		s.images, s.record.Outside = append(s.images, of), append(s.record.Outside, OutsideScores{Set: o.Set})
	}
	s.sums = s.room()
	s.net, err = NewNetwork(u.Options.Shape, data, min(u.Options.Batch, n))
	return s, err
}

// room returns zeros for the probabilities of all images to predict.
func (s *study) room() [][]float64 {
	return lists.Each(s.images, func(d *Data) []float64 { return make([]float64, d.Len()*s.train.Classes) })
}

// run returns the record of a method.
func (s *study) run(ctx context.Context, method string) (UncertaintyRecord, error) {
	if err := uncertaintyMethods[slices.Index(UncertaintyMethods(), method)].predict(s, ctx); err != nil {
		return s.record, err
	}
	s.record.Method = method
	for _, sum := range s.sums {
		floats.Scale(1/s.total, sum)
	}
	s.record.Scores = newScores(s.sums[0], s.heldOut.Labels, s.net.Classes)
	for i, o := range s.record.Outside {
		s.record.Outside[i] = newOutsideScores(o.Set, s.sums[i+1], s.sums[0], s.net.Classes)
	}
	if s.multipliers > 0 {
		s.record.Negative /= float64(s.multipliers)
	}
	return s.record, nil
}

// add adds the predictions of the model with parameters x, multiplied by weight.
func (s *study) add(x []float32, weight float64, dropout *nn.Dropout) {
	if weight == 0 {
		return
	}
	s.total += weight
	s.record.Models++
	for k, p := range s.room() {
		s.net.Probabilities(p, x, s.images[k], dropout)
		for i, v := range p {
			s.sums[k][i] += float64(weight * v)
		}
		if k == 0 && s.record.Models == 1 {
			s.record.Single = newScores(p, s.heldOut.Labels, s.net.Classes).Accuracy
		}
	}
}

// dynamics returns the samplers' options at a temperature; see UncertaintyOptions.LearningRate.
func (s *study) dynamics(temperature float64) sgmcmc.SGHMCOptions {
	eps := math.Sqrt(s.o.LearningRate / float64(s.train.Len()))
	return sgmcmc.SGHMCOptions{LearningRate: eps, Decay: 1, Friction: (1 - s.o.Momentum) / eps, Temperature: temperature}
}

// chains returns chains and the setup of their sampler.
func (s *study) chains(n int) ([]posterior.Chain, sgmcmc.Setup) {
	return s.start(n, s.rand, s.parallel)
}

// walk calls the function walk, and counts the gradients, multipliers and moves of its steps.
func (s *study) walk(ctx context.Context, sampler posterior.Sampler, chains []posterior.Chain, steps int, before, after func(step int)) error {
	places := lists.Each(chains, func(c posterior.Chain) *float32 { return &c.X[0] })
	return walk(ctx, sampler, chains, steps, before, func(step int) {
		s.record.Gradients += len(chains)
		for i := range chains {
			m := chains[i].Multiplier
			s.record.Low, s.record.High = min(s.record.Low, m), max(s.record.High, m)
			if m < 0 {
				s.record.Negative++
			}
			s.multipliers++
			if place := &chains[i].X[0]; place != places[i] {
				places[i] = place
				s.record.Moves++
			}
		}
		after(step)
	})
}

// Scores say how good predicted probabilities are on images of the classes.
type Scores struct {
	Accuracy    float64 `json:"accuracy"`    // share of images whose class has the largest probability
	LogLoss     float64 `json:"log_loss"`    // mean of −log p of the class, in nats
	Calibration float64 `json:"calibration"` // expected calibration error
}

// OutsideScores describe the predictions for images that belong to no class, for which the right answer is high uncertainty.
type OutsideScores struct {
	Set     string  `json:"set"`
	Brier   float64 `json:"brier"`   // mean over images and classes of (p − 1/K)²
	Entropy float64 `json:"entropy"` // mean of −Σ p log p, in nats
	// AUROC is the share of pairs of an image held out and an outside image in which the former's largest probability is greater.
	AUROC float64 `json:"auroc"`
}

// calibrationBins is the number of equal parts of [0, 1] in the calibration error.
const calibrationBins = 15

// leastProbability bounds −log p at 690 nats.
const leastProbability = 1e-300

// newScores scores the probabilities p, images × classes, of images with these labels. For the calibration error (Guo et al., ICML
// 2017) the images are divided into 15 bins by their largest probability. The error is the mean over images of
// |accuracy − mean largest probability| in the image's bin.
func newScores(p []float64, labels []int32, classes int) Scores {
	var s Scores
	var right, sure [calibrationBins]float64
	n := float64(len(labels))
	for i, label := range labels {
		row := p[i*classes : (i+1)*classes]
		top := slices.Max(row)
		bin := min(int(top*calibrationBins), calibrationBins-1)
		sure[bin] += top
		if slices.Index(row, top) == int(label) {
			right[bin]++
			s.Accuracy += 1 / n
		}
		s.LogLoss -= kernel.Log(max(row[label], leastProbability)) / n
	}
	for bin := range right {
		s.Calibration += max(right[bin]-sure[bin], sure[bin]-right[bin]) / n
	}
	return s
}

// newOutsideScores scores the probabilities out of outside images, for the AUROC beside the probabilities in of images held out. The
// paper calls the Brier score 'the mean squared error between the predictive and actual probabilities' and does not say what the
// actual ones are where no class is right. Here they are 1/K for each of the K classes; with 0 the score of every method would be
// larger by 1/K².
func newOutsideScores(set string, out, in []float64, classes int) OutsideScores {
	s := OutsideScores{Set: set, AUROC: auroc(greatest(in, classes), greatest(out, classes))}
	n := float64(len(out) / classes)
	for _, v := range out {
		d := v - 1/float64(classes)
		s.Brier += float64(d*d) / (n * float64(classes))
		if v > 0 {
			s.Entropy -= float64(v*kernel.Log(v)) / n
		}
	}
	return s
}

// greatest returns the largest probability of every image, in ascending order.
func greatest(p []float64, classes int) []float64 {
	var list []float64
	for row := range slices.Chunk(p, classes) {
		list = append(list, slices.Max(row))
	}
	slices.Sort(list)
	return list
}

// auroc returns the share of pairs in which the element of a is greater than that of b; equal ones count half. Both are ascending.
func auroc(a, b []float64) float64 {
	below, upTo, sum := 0, 0, 0
	for _, v := range a {
		for below < len(b) && b[below] < v {
			below++
		}
		for upTo < len(b) && b[upTo] <= v {
			upTo++
		}
		sum += below + upTo
	}
	return float64(sum) / (2 * float64(len(a)) * float64(len(b)))
}
