// Package deep has experiments of samplers on networks that classify images: what an energy landscape does to a chain,
// and how well chains know what they do not know. The chains are those of package sgmcmc, over the cross-entropy of a
// network of package nn. Data are slices: who calls says where they come from.
package deep

import (
	"slices"

	"banditsim/internal/kernel"
)

// Scores say how good predicted probabilities are on images of the classes.
type Scores struct {
	Accuracy    float64 `json:"accuracy"`    // share of images whose class has the largest probability
	LogLoss     float64 `json:"log_loss"`    // mean of −log p of the class, in nats
	Calibration float64 `json:"calibration"` // expected calibration error
}

// OutsideScores say what networks predict of images of none of the classes, where the right answer is not to know.
type OutsideScores struct {
	Set     string  `json:"set"`
	Brier   float64 `json:"brier"`   // mean over images and classes of (p − 1/K)²
	Entropy float64 `json:"entropy"` // mean of −Σ p log p, in nats
	// AUROC is the probability that an image of the classes has a larger greatest probability than one of none.
	AUROC float64 `json:"auroc"`
}

// calibrationBins is the number of equal parts of [0, 1] in the calibration error.
const calibrationBins = 15

// leastProbability bounds −log p at 690 nats.
const leastProbability = 1e-300

// newScores scores the probabilities p, images × classes, of images with these labels. With the images divided by their
// greatest probability among 15 equal parts of [0, 1], the calibration error (Guo et al., ICML 2017) is the mean over images of
// |accuracy − mean of the greatest probability| of their part.
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

// newOutsideScores scores the probabilities out of images of none of the classes beside those of images in of them. The paper
// calls the Brier score 'the mean squared error between the predictive and actual probabilities' and does not say what the actual
// ones are where no class is right: here they are 1/K for each of the K classes. With 0 the score would be larger by 1/K², for
// all methods.
func newOutsideScores(out, in []float64, classes int) OutsideScores {
	var s OutsideScores
	n := float64(len(out) / classes)
	for _, v := range out {
		d := v - 1/float64(classes)
		s.Brier += float64(d*d) / (n * float64(classes))
		if v > 0 {
			s.Entropy -= float64(v*kernel.Log(v)) / n
		}
	}
	s.AUROC = auroc(greatest(in, classes), greatest(out, classes))
	return s
}

// greatest returns the greatest probability of every image, ascending.
func greatest(p []float64, classes int) []float64 {
	var list []float64
	for row := range slices.Chunk(p, classes) {
		list = append(list, slices.Max(row))
	}
	slices.Sort(list)
	return list
}

// auroc returns the probability that one of a is greater than one of b, where equal ones count half. Both are ascending.
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
