// Package deep has the experiments of the ICSGLD paper (Deng et al., ICLR 2022) on networks that classify images:
// whether chains get stuck in the basins of the loss (Basins), and how uncertain networks are about images of unknown
// classes (Uncertainty). The samplers come from package sgmcmc; the energy is the cross-entropy of a network of package
// nn. Callers pass the images and their source as Data.
package deep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/internal/swag"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A study is a run of one method on one seed, with the predictions of the models so far. On the same seed all methods have the same
// images, and their chains the same initial positions and batches.
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

// walk calls the function walk, and counts the gradients, multipliers and moves of its steps. A chain has moved to another
// rung (temperature and learning rate) if the sampler has swapped its vector X.
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

// newScores returns the scores of the probabilities p, images × classes, for images with the given labels. For the calibration error
// (Guo et al., ICML 2017) the images are divided into 15 bins by their largest probability. The error is the mean of
// |accuracy − mean largest probability| over bins, weighted by their numbers of images.
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

// newOutsideScores returns the scores of outside images, whose probabilities are in the slice out. For the AUROC it compares them with
// held-out images, whose probabilities are in the slice in. The paper calls the Brier score 'the mean squared error between the
// predictive and actual probabilities', and does not define the actual probabilities of images that belong to none of the K classes.
// Here they are 1/K for each class; if they were 0, the score of every method would be larger by 1/K².
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

// auroc returns the share of pairs in which the element of a is greater than the element of b. Ties count half. Both slices are sorted.
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

// An uncertaintyMethod is a method that makes the predictions of a study.
type uncertaintyMethod struct {
	name    string
	chains  string // "P" for parallel chains, "T" for one chain with as many steps as P chains together
	predict func(s *study, ctx context.Context) error
}

// uncertaintyMethods are the five methods of the paper, in the order of the paper's table, and four others.
var uncertaintyMethods = []uncertaintyMethod{
	{"cycSGHMC", "T", (*study).cyclical},
	{"MultiSWAG", "T", (*study).multiSWAG},
	{"M-SGD", "P", func(s *study, ctx context.Context) error { return s.members(ctx, s.o.Chains, s.o.Steps) }},
	{"reSGHMC", "P", (*study).exchange},
	{"ICSGHMC", "P", (*study).contour},
	{"SGHMC", "P", (*study).plain},
	{"Ensemble", "P", func(s *study, ctx context.Context) error {
		return s.members(ctx, s.o.Members, s.o.Chains*s.o.Steps/s.o.Members)
	}},
	{"Dropout", "T", (*study).dropout},
	{"Laplace", "T", (*study).lastLayer},
}

// UncertaintyMethods are the names of the methods.
func UncertaintyMethods() []string {
	return lists.Each(uncertaintyMethods, func(m uncertaintyMethod) string { return m.name })
}

// LabelUncertainty returns the name of a method in the paper's notation: M-SGD×P4 for four parallel chains, cycSGHMC×T4 for one
// chain with as many steps as four chains.
func LabelUncertainty(name string, o UncertaintyOptions) string {
	n := o.Chains
	if name == "Ensemble" {
		n = o.Members
	}
	return fmt.Sprintf("%s×%s%d", name, uncertaintyMethods[slices.Index(UncertaintyMethods(), name)].chains, n)
}

// descend trains n networks by gradient descent with momentum. The learning rate falls to 0 along half a cosine. mask is the dropout
// rate, 0 for none.
func (s *study) descend(ctx context.Context, n, steps int, mask float64) ([]posterior.Chain, error) {
	chains, u := s.start(n, s.rand, s.parallel)
	for i := range chains {
		if mask > 0 {
			chains[i].Target.(*CrossEntropy).Dropout = &nn.Dropout{Rate: mask, Samples: 1, Rand: s.rand.Child("chain", i, "dropout")}
		}
	}
	sampler, err := sgmcmc.CycSGHMC().New(sgmcmc.CycSGHMCOptions{SGHMCOptions: s.dynamics(0), Cycle: steps}, u)
	if err != nil {
		return nil, err
	}
	return chains, s.walk(ctx, sampler, chains, steps, nothing)
}

func (s *study) members(ctx context.Context, n, steps int) error {
	chains, err := s.descend(ctx, n, steps, 0)
	for i := range chains {
		s.add(chains[i].X, 1, nil)
	}
	return err
}

func (s *study) dropout(ctx context.Context) error {
	chains, err := s.descend(ctx, 1, s.o.Chains*s.o.Steps, s.o.Dropout)
	if err != nil {
		return err
	}
	mask := &nn.Dropout{Rate: s.o.Dropout, Samples: 1, Rand: s.rand.Child("masks")}
	for range s.o.Samples {
		s.add(chains[0].X, 1, mask)
	}
	return nil
}

func (s *study) lastLayer(ctx context.Context) error {
	chains, err := s.descend(ctx, 1, s.o.Chains*s.o.Steps, 0)
	if err != nil {
		return err
	}
	x := chains[0].X
	l, err := newLaplace(s.net, x, s.train, s.o.Decay)
	if err != nil {
		return err
	}
	p := s.room()[0]
	s.net.Probabilities(p, x, s.heldOut, nil)
	s.record.Single = newScores(p, s.heldOut.Labels, s.net.Classes).Accuracy
	noise := s.rand.Child("laplace")
	var draws [][]float64
	for range s.o.Samples {
		w := make([]float64, l.dim)
		l.draw(w, noise)
		draws = append(draws, w)
	}
	for i, d := range s.images {
		l.predict(s.sums[i], x, d, draws)
	}
	s.total, s.record.Models = 1, len(draws)
	return nil
}

// cycles moves one chain through all cycles. It calls held after each step in the held part of a cycle, with the step's index in that
// part. The part, and with it the cycle, ends with the step s.o.held()−1.
func (s *study) cycles(ctx context.Context, held func(step int, x []float32)) error {
	chains, u := s.start(1, s.rand, s.parallel)
	cycle := s.o.cycle()
	sampler, err := sgmcmc.CycSGHMC().New(sgmcmc.CycSGHMCOptions{SGHMCOptions: s.dynamics(s.o.Temperature), Cycle: cycle, Hold: s.o.Hold}, u)
	if err != nil {
		return err
	}
	return s.walk(ctx, sampler, chains, cycle*s.o.Cycles, func(step int) {
		if at := step%cycle - (cycle - s.o.held()); at >= 0 {
			held(at, chains[0].X)
		}
	})
}

func (s *study) cyclical(ctx context.Context) error {
	return s.cycles(ctx, func(step int, x []float32) {
		if due(step, s.o.held(), s.o.CycleSnapshots) {
			s.add(x, 1, nil)
		}
	})
}

func (s *study) multiSWAG(ctx context.Context) error {
	g, err := swag.New(s.net.Dim(), s.o.Rank, math.MaxInt)
	if err != nil {
		return err
	}
	drawn, noise := make([]float32, s.net.Dim()), s.rand.Child("swag")
	return s.cycles(ctx, func(step int, x []float32) {
		if due(step, s.o.held(), s.o.FitSnapshots) {
			g.Add(x)
		}
		if step < s.o.held()-1 {
			return // the held part goes on
		}
		for range s.o.Draws {
			g.Draw(drawn, noise)
			s.add(drawn, 1, nil)
		}
		g.Reset()
	})
}

// anneal moves P chains of s by method m with options o. The learning rate falls twice. Predictions of snapshots from the tail are
// added with the chains' weights. If reduce is set, the energies in the tail have less variance (see ReduceEnergy).
func anneal[O any](ctx context.Context, s *study, m sgmcmc.Method[O], o O, reduce bool) error {
	chains, u := s.start(s.o.Chains, s.rand, s.parallel)
	built, err := m.New(o, u)
	if err != nil {
		return err
	}
	sampler, weights, tail := built.(*sgmcmc.Underdamped), make([]float64, len(chains)), s.o.tail()
	return s.walk(ctx, sampler, chains, s.o.Steps, func(step int) {
		if at := step - (s.o.Steps - tail); at >= 0 && due(at, tail, s.o.Snapshots) {
			sampler.Weights(weights)
			for i := range chains {
				s.add(chains[i].X, weights[i], nil)
			}
		}
		next := step + 1
		if next == s.o.Steps/2 || next == s.o.Steps*3/4 {
			sampler.LearningRate *= s.o.Anneal
		}
		for i := range chains {
			if reduce && next == s.o.Steps-tail {
				chains[i].Target.(*CrossEntropy).ReduceEnergy(s.o.Refresh)
			}
		}
	})
}

func (s *study) plain(ctx context.Context) error {
	return anneal(ctx, s, sgmcmc.SGHMC(), s.dynamics(s.o.Temperature), false)
}

func (s *study) contour(ctx context.Context) error {
	o := sgmcmc.ICSGHMCOptions{SGHMCOptions: s.dynamics(s.o.Temperature), Contour: s.o.Contour.options()}
	return anneal(ctx, s, sgmcmc.ICSGHMC(), o, true)
}

func (s *study) exchange(ctx context.Context) error {
	o := sgmcmc.ReSGHMC().Defaults()
	o.SGHMCOptions = s.dynamics(s.o.Temperature)
	o.LearningRateFactor, o.TemperatureFactor, o.Correction = s.o.RateFactor, s.o.TemperatureFactor, s.o.Correction
	s.record.Gradients += s.o.Steps / o.EstimateEvery * o.EstimateSamples
	return anneal(ctx, s, sgmcmc.ReSGHMC(), o, true)
}
