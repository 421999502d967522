// Package deep has the experiments of the ICSGLD paper (Deng et al., ICLR 2022) on networks that classify images:
// whether chains get stuck in the basins of the loss (Basins), and how uncertain networks are about images of unknown
// classes (Uncertainty). The samplers come from package sgmcmc; the energy is the cross-entropy of a network of package
// nn. Callers pass the images and their source as Data.
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

// A study is a run of one method on one seed, with the predictions of the models so far. On the same seed all methods
// have the same images, and their chains the same initial positions and batches.
type study struct {
	trainingSetup
	o           UncertaintyOptions
	rand        *stream.Stream
	parallel    posterior.Parallel
	record      UncertaintyRecord
	images      []*Data     // images to predict: the held-out images, then each outside set
	sums        [][]float64 // weighted sums of the models' probabilities, for each set of images
	total       float64     // sum of the models' weights
	multipliers int         // number of multipliers so far: steps × chains
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
		outside := o.Images
		if u.Options.Outside < outside.Len() {
			if outside, _, err = outside.Split(u.Options.Outside, r.Child("outside", i)); err != nil {
				return nil, err
			}
		}
		s.images, s.record.Outside = append(s.images, outside), append(s.record.Outside, OutsideScores{Set: o.Set})
	}
	s.sums = s.room()
	s.net, err = NewNetwork(u.Options.Shape, data, min(u.Options.Batch, n))
	return s, err
}

// room returns new slices for the class probabilities of all images to predict, one per set.
func (s *study) room() [][]float64 {
	return lists.Each(s.images, func(d *Data) []float64 { return make([]float64, d.Len()*s.train.Classes) })
}

// run runs a method and returns its record.
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

// add adds the predictions of the model with parameters x to the weighted sums. It ignores models with weight 0.
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

// dynamics returns the samplers' options for a temperature; see UncertaintyOptions.LearningRate.
func (s *study) dynamics(temperature float64) sgmcmc.SGHMCOptions {
	eps := math.Sqrt(s.o.LearningRate / float64(s.train.Len()))
	return sgmcmc.SGHMCOptions{LearningRate: eps, Decay: 1, Friction: (1 - s.o.Momentum) / eps, Temperature: temperature}
}

// walk calls the function walk, and counts the gradients, multipliers and moves of its steps. A chain has moved to
// another rung (temperature and learning rate) if the sampler has swapped its vector X.
func (s *study) walk(ctx context.Context, sampler posterior.Sampler, chains []posterior.Chain, steps int, after func(step int)) error {
	places := lists.Each(chains, func(c posterior.Chain) *float32 { return &c.X[0] })
	return walk(ctx, sampler, chains, steps, func(step int) {
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

// Scores measure the quality of predicted probabilities on images of the known classes.
type Scores struct {
	Accuracy    float64 `json:"accuracy"`    // share of images whose class has the largest probability
	LogLoss     float64 `json:"log_loss"`    // mean of −log p of the class, in nats
	Calibration float64 `json:"calibration"` // expected calibration error
}

// OutsideScores measure the predictions for images that belong to none of the classes, which should be uncertain.
type OutsideScores struct {
	Set     string  `json:"set"`
	Brier   float64 `json:"brier"`   // mean over images and classes of (p − 1/K)²
	Entropy float64 `json:"entropy"` // mean of −Σ p log p, in nats
	// AUROC is the share of pairs of a held-out and an outside image in which the held-out image has the greater
	// largest probability. Ties count half.
	AUROC float64 `json:"auroc"`
}

// calibrationBins is the number of bins of the calibration error, which divide [0, 1] into equal parts.
const calibrationBins = 15

// leastProbability limits −log p to 690 nats.
const leastProbability = 1e-300

// newScores returns the scores of the probabilities p, images × classes, for images with the given labels. For the
// calibration error (Guo et al., ICML 2017) the images are divided into 15 bins by their largest probability. The error
// is the mean of |accuracy − mean largest probability| over bins, weighted by their numbers of images.
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

// newOutsideScores returns the scores of outside images, whose probabilities are in the slice out. For the AUROC it
// compares them with held-out images, whose probabilities are in the slice in. The paper calls the Brier score 'the
// mean squared error between the predictive and actual probabilities', and does not define the actual probabilities of
// images that belong to none of the K classes. Here they are 1/K for each class; if they were 0, the score of every
// method would be larger by 1/K².
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

// greatest returns the largest probability of each image, sorted in ascending order.
func greatest(p []float64, classes int) []float64 {
	var list []float64
	for row := range slices.Chunk(p, classes) {
		list = append(list, slices.Max(row))
	}
	slices.Sort(list)
	return list
}

// auroc returns the share of pairs whose element of a is greater than that of b. Ties count half. a and b are sorted.
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
