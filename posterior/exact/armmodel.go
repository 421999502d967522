package exact

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// A latent is the posterior of a latent function f of contexts.
type latent interface {
	// learn updates f by an observation y in the context of a row of the arm's history. If f is a mean reward, y is a
	// reward. If f is log-odds, y is 1 for a success, 0 for a failure, or a number in between.
	learn(row int, y float64)
	// at returns the mean and the variance of f in the current context.
	at() (mean, variance float64)
	// joint returns the means of f in several contexts, and sets the covariances in draws to those of f in these contexts.
	joint(draws *ridge.Joint, contexts [][]float32) (means []float64)
	// state saves or restores what cannot be computed from the rewards.
	state(c *state.Codec)
}

// armModels is the common part of GP and Logistic, which have one armModel per arm.
type armModels struct {
	base
	models     []*armModel
	own        bool                    // own_scale: all arms share one range of rewards
	setCurrent func(context []float32) // sets the current context
}

func newArmModels(setup posterior.Setup, own bool, setCurrent func([]float32), template armModel) armModels {
	p := armModels{own: own, setCurrent: setCurrent}
	for range setup.Arms {
		m := template
		m.history, m.values = history{dim: setup.Dim}, slices.Clone(m.likelihood.Values)
		m.clear()
		p.models = append(p.models, &m)
	}
	return p
}

func (p *armModels) learn(context []float32, arm int, reward float64) error {
	m := p.models[arm]
	if err := m.likelihood.admit(m.values, arm, reward); err != nil {
		return err
	}
	m.add(context, reward)
	if !p.widen(arm, reward) {
		m.learn(len(m.rewards) - 1)
		return nil
	}
	for _, m := range p.sharing(arm) {
		m.relearn()
	}
	return nil
}

// sharing returns the models whose values depend on the rewards of an arm.
func (p *armModels) sharing(arm int) []*armModel {
	if p.own {
		return p.models
	}
	return p.models[arm : arm+1]
}

// widen updates the values by a reward of an arm and reports whether they changed.
func (p *armModels) widen(arm int, reward float64) (changed bool) {
	for _, m := range p.sharing(arm) {
		changed = m.widen(reward) || changed
	}
	return changed
}

func (p *armModels) setContext(context []float32, _ posterior.Prediction) error {
	p.setCurrent(context)
	return nil
}

func (p *armModels) moments(arm int) (mean, sd float64) { return p.models[arm].moments() }

func (p *armModels) draw(arm int) float64 { return p.models[arm].draw(p.rand) }

// DrawSamples writes samples of the arms' values. A sample draws each function of an armModel once, jointly for all
// contexts. If rewards are not gaussian, an arm without known values of rewards gets one number per sample.
func (p *armModels) DrawSamples(dst []float64, contexts [][]float32) error {
	size := len(contexts) * p.arms
	if size == 0 || len(dst)%size != 0 {
		panic(fmt.Sprintf("exact: samples: room for %d values, samples have %d contexts with %d arms", len(dst),
			len(contexts), p.arms))
	}
	if err := p.checkContexts(dst[:size], contexts); err != nil {
		return err
	}
	for a, m := range p.models {
		m.samples(dst[a:], p.arms, contexts, p.rand)
	}
	return p.checkValues(dst)
}

func (p *armModels) state(c *state.Codec) {
	if c.Reading() {
		for _, m := range p.models {
			m.values = slices.Clone(m.likelihood.Values)
		}
	}
	for arm, m := range p.models {
		if m.history.state(c); c.Reading() {
			for _, reward := range m.rewards {
				p.widen(arm, reward)
			}
			m.clear()
		}
		for _, f := range m.f {
			f.state(c)
		}
	}
}

// An armModel is one arm's posterior by functions of the context. With gaussian rewards the only one is the mean
// reward. Otherwise rewards have values v₁ < … < v_n, and f_k, for k < n, is the log-odds that a reward ≥ v_k is > v_k:
//
//	P(reward > v_k | reward ≥ v_k, c) = σ(f_k(c))
//
// f_k learns only from rewards of at least v_k. Without a likelihood the values are the lowest and highest reward, and
// a reward in between counts as a fraction of a success. When the values change, all functions learn all rewards again.
type armModel struct {
	history
	likelihood Likelihood
	spread     float64               // factor on the standard deviations of functions in draws
	unit       float64               // the same factor in Spread; the arm's standard deviation while no value of its rewards is known
	fresh      func(*history) latent // returns a function before any reward
	values     []float64             // v₁ … v_n
	f          []latent              // f₁ … f_{n−1} if the likelihood is discrete, otherwise one function
}

// widen updates the values by a reward and reports whether they changed.
func (m *armModel) widen(reward float64) bool {
	i, known := slices.BinarySearch(m.values, reward)
	switch {
	case known || m.likelihood.Kind == gaussian:
		return false
	case m.likelihood.discrete() || len(m.values) < 2:
		m.values = slices.Insert(m.values, i, reward)
	case i == 0:
		m.values[0] = reward
	case i == 2:
		m.values[1] = reward
	default:
		return false
	}
	return true
}

// clear resets the functions to their state before any reward.
func (m *armModel) clear() {
	n := 1
	if m.likelihood.discrete() {
		n = max(0, len(m.values)-1)
	}
	m.f = nil
	for range n {
		m.f = append(m.f, m.fresh(&m.history))
	}
}

// relearn learns all rewards again from the beginning.
func (m *armModel) relearn() {
	m.clear()
	for i := range m.rewards {
		m.learn(i)
	}
}

// learn updates the functions by the reward of a row of the history.
func (m *armModel) learn(row int) {
	reward := m.rewards[row]
	if m.likelihood.Kind == gaussian {
		m.f[0].learn(row, reward)
		return
	}
	for k := 0; k+1 < len(m.values) && reward >= m.values[k]; k++ {
		m.f[k].learn(row, min(1, (reward-m.values[k])/(m.values[k+1]-m.values[k])))
	}
}

// draw returns the mean reward for functions drawn from the posterior. It always draws at least one normal number.
func (m *armModel) draw(r *stream.Stream) float64 {
	z := r.Normal()
	sample := func(k int) float64 {
		mean, variance := m.f[k].at()
		return mean + float64(m.spread*math.Sqrt(variance)*z)
	}
	switch {
	case m.likelihood.Kind == gaussian:
		return sample(0)
	case len(m.values) == 0:
		return float64(m.unit * z)
	}
	last := len(m.values) - 1
	value := m.values[last]
	for k := last - 1; k >= 0; k-- {
		if k < last-1 {
			z = r.Normal()
		}
		value = m.values[k] + float64((value-m.values[k])*sigmoid(sample(k)))
	}
	return value
}

// samples writes samples of the arm's value to dst[0], dst[stride], …: sample by sample, one number per context.
func (m *armModel) samples(dst []float64, stride int, contexts [][]float32, r *stream.Stream) {
	n := len(contexts)
	f, means := make([]float64, n), make([]float64, n)
	var draws ridge.Joint
	// each draws a function f per sample, as means and draws describe it, and sets every value to set(value, f(context)).
	each := func(spread float64, set func(value, f float64) float64) {
		for i := 0; i < len(dst); i += n * stride {
			copy(f, means)
			draws.Add(f, 1, spread, r)
			for at, v := range f {
				value := &dst[i+at*stride]
				*value = set(*value, v)
			}
		}
	}
	switch last := len(m.values) - 1; {
	case m.likelihood.Kind == gaussian:
		means = m.f[0].joint(&draws, contexts)
		each(m.spread, func(_, f float64) float64 { return f })
	case last < 0:
		draws.Begin(n)
		for i := range n {
			for j := range i + 1 {
				draws.Set(i, j, 1)
			}
		}
		each(m.unit, func(_, f float64) float64 { return f })
	default:
		for i := 0; i < len(dst); i += stride {
			dst[i] = m.values[last]
		}
		for k := last - 1; k >= 0; k-- {
			means = m.f[k].joint(&draws, contexts)
			low := m.values[k]
			each(m.spread, func(value, f float64) float64 { return low + float64((value-low)*sigmoid(f)) })
		}
	}
}

// moments returns the mean and the standard deviation of the mean reward.
func (m *armModel) moments() (mean, sd float64) {
	switch {
	case m.likelihood.Kind == gaussian:
		mean, variance := m.f[0].at()
		return mean, m.unit * math.Sqrt(variance)
	case len(m.values) == 0:
		return 0, m.unit
	}
	// Recursion from the highest value down. With S = σ(f_k), the mean reward given reward ≥ v_k is v_k + S·D, where D is
	// the mean reward given reward > v_k, minus v_k. S and D are independent, so Var(S·D) = E[S²]Var(D) + Var(S)E[D]².
	last := len(m.values) - 1
	mean = m.values[last]
	value := mean // the mean if the standard deviations of f are multiplied by unit
	for k := last - 1; k >= 0; k-- {
		f, variance := m.f[k].at()
		odds := moderated(f, variance)
		if m.likelihood.discrete() {
			odds, _ = sigmoidMoments(f, math.Sqrt(variance))
		}
		mean = m.values[k] + float64((mean-m.values[k])*odds)
		odds, spread := sigmoidMoments(f, m.unit*math.Sqrt(variance))
		d := value - m.values[k]
		if own := d * spread; sd == 0 {
			sd = own
		} else {
			sd = math.Sqrt(float64(own*own) + float64((float64(spread*spread)+float64(odds*odds))*float64(sd*sd)))
		}
		value = m.values[k] + float64(d*odds)
	}
	return mean, sd
}
