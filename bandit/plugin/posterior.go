package plugin

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/words"
	"banditsim/posterior"
)

// childPosterior is a posterior that a child process implements.
type childPosterior struct {
	learner
	outputs  int // number of outputs, one per arm
	observed int // number of calls of Observe
	updates  int // number of calls of Update
}

// spreader is a childPosterior that predicts standard deviations.
type spreader struct{ *childPosterior }

var _ posterior.Spreader = spreader{}

// NewPosterior returns a posterior that a program implements; it is a posterior.Spreader if the program predicts
// standard deviations. NewPosterior starts the program once to learn its abilities. The first call of a method of the
// posterior starts the program again. The posterior is an io.Closer.
func NewPosterior(program Program, s posterior.Setup) (posterior.Posterior, error) {
	return newPosterior(program, &probes{}, s)
}

// newPosterior is NewPosterior with a cache of probes. If the probe fails, it returns the error and a Spreader whose
// methods return that error.
func newPosterior(program Program, p *probes, s posterior.Setup) (posterior.Posterior, error) {
	h := helloPosterior(s)
	ready, err := p.ready(program, h)
	q := &childPosterior{outputs: s.Arms}
	q.learner = learner{link: link{program: program, hello: h, ready: ready, broken: err}, lesson: "observe", spec: bandit.Spec{Dim: s.Dim}}
	if ready.Spread || err != nil {
		return spreader{q}, err
	}
	return q, err
}

func (p *childPosterior) Observe(context []float32, arm int, reward float64) error {
	if err := check.Row(context, p.spec.Dim, arm, p.outputs, reward); err != nil {
		return fmt.Errorf("plugin: observe: %w", err)
	}
	p.observed++
	return p.keep(bandit.Round{Context: context}, arm, reward)
}

func (p *childPosterior) Update(context.Context) error {
	c, err := p.begin()
	if err == nil {
		p.updates++
		_, _, err = c.request(fmt.Sprintf("update %d", p.updates), message{Type: "update"}, 0)
	}
	return err
}

func (p *childPosterior) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	switch {
	case how == posterior.Mean:
		return p.predict(dst, contexts, "mean")
	case p.ready.Draw || p.broken != nil:
		return p.predict(dst, contexts, "draw")
	}
	return fmt.Errorf("plugin %s: the child has no draws (ready says draw: false): act by the mean, or implement them: %w", p.program, errors.ErrUnsupported)
}

func (s spreader) Spread(dst []float64, contexts [][]float32) error {
	if err := s.predict(dst, contexts, "spread"); err != nil {
		return err
	}
	for _, v := range dst {
		if v < 0 {
			return s.child.fail("predict spread", fmt.Sprintf("a standard deviation is %g, want at least 0", v))
		}
	}
	return nil
}

// predict writes a prediction for each context and output to dst. The argument how is "mean", "draw" or "spread".
func (p *childPosterior) predict(dst []float64, contexts [][]float32, how string) error {
	if len(dst) != len(contexts)*p.outputs {
		panic(fmt.Sprintf("plugin: predict: dst has length %d, want %d", len(dst), len(contexts)*p.outputs))
	}
	for _, x := range contexts { // before any is added, so that a panic does not leave half of a message
		if len(x) != p.spec.Dim {
			panic(fmt.Sprintf("plugin: predict: a context of length %d, want %d", len(x), p.spec.Dim))
		}
	}
	if len(dst) == 0 {
		return nil
	}
	c, err := p.begin()
	if err != nil {
		return err
	}
	for _, x := range contexts {
		p.add(bandit.Round{Context: x})
	}
	if err := p.write(c, message{Type: "predict", How: how, N: len(contexts)}); err != nil {
		return err
	}
	kind := fmt.Sprintf("predict %s after %s", how, words.Count(p.observed, "row"))
	a, frame, err := c.ask(kind, len(dst))
	if err != nil {
		return err
	}
	if a.Frame == 0 {
		if cause := wrongRows("values", a.Values, len(contexts), p.outputs); cause != "" {
			return c.fail(kind, cause)
		}
		frame = flatten(nil, a.Values)
	}
	if len(frame) != len(dst) {
		return c.fail(kind, fmt.Sprintf("its frame has %d numbers, want %d for %d contexts", len(frame), len(dst), len(contexts)))
	}
	copy(dst, frame)
	for i, v := range dst {
		if !words.Finite(v) {
			return c.fail(kind, fmt.Sprintf("the value of output %d in context %d is %g, want a finite number", i%p.outputs, i/p.outputs, v))
		}
	}
	return p.note(c, kind, digest(dst), "on replay the child predicted other values")
}

// flatten appends the numbers of all rows to a list.
func flatten(to []float64, rows [][]number) []float64 {
	for _, row := range rows {
		for _, v := range row {
			to = append(to, float64(v))
		}
	}
	return to
}

// digest returns the CRC-32 of numbers.
func digest(list []float64) uint32 {
	b, _ := binary.Append(nil, binary.LittleEndian, list) // appending numbers cannot fail
	return crc32.ChecksumIEEE(b)
}
