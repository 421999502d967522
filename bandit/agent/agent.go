// Package agent runs a policy outside a simulation: in a service that chooses arms for its users and learns from their rewards.
//
// An Agent is a policy with the encoding of its contexts, the names of its arms and what it has learned, in one file. 'banditsim
// learn' makes one of a log, 'run --keep' of a trial, and New of nothing. A Journal writes its decisions and rewards to a log that
// survives the process, and that 'banditsim evaluate' reads.
//
// This package links one module outside of the standard library, golang.org/x/sys, and neither data nor plots.
package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kinds"
	"banditsim/internal/nearest"
	"banditsim/internal/optiontree"
	"banditsim/internal/words"
	"banditsim/policy"
)

// A Config is what an agent is made of before it learns.
type Config struct {
	Policy  string          `json:"policy"`            // a name of 'banditsim list policies'
	Options json.RawMessage `json:"options,omitempty"` // options that differ from the defaults, or all
	Arms    []string        `json:"arms"`
	Columns []bandit.Column `json:"columns"`
	// Horizon is the number of decisions that the policy expects, on which schedules of some depend; 0: a million.
	Horizon int `json:"horizon,omitzero"`
	// Round is the number of rewards between two trainings of a posterior that trains; 0: 100.
	Round int    `json:"round,omitzero"`
	Seed  uint64 `json:"seed,omitzero"`
}

// MaxPending is the number of decisions that wait for their reward at a time; then the oldest is given up.
const MaxPending = 1_000_000

// Errors of Learn.
var (
	ErrUnknownID = errors.New("there is no decision with this id")
	ErrLearned   = errors.New("the reward of this decision was learned before, or given up")
)

// An Agent chooses arms and learns. It is safe for concurrent use: calls are carried out one after the other, and what it chooses
// depends on their order alone.
type Agent struct {
	mutex  sync.Mutex
	config Config
	spec   bandit.Spec
	policy bandit.Policy
	knows  bandit.Randomizer // the policy if it knows the probabilities of its choices, else nil
	index  []map[string]int  // by column, the places of its values, from 1
	id     string            // hash of what it was before its first decision

	chosen  uint64 // decisions, which are the ids from 1
	learned uint64 // rewards
	rows    int    // of a log that it learned from
	pending map[uint64]decision
	oldest  uint64 // no decision before it is pending

	context       []float32
	probabilities []float64
}

// A decision waits for its reward.
type decision struct {
	arm     int
	context []float32
}

// A Choice is the answer to a context.
type Choice struct {
	ID  uint64 `json:"id"` // of the decision: 1, 2, …
	Arm string `json:"arm"`
	// Propensity is the probability with which the arm was chosen, in (0, 1]; 0 if the policy does not know it: then its log tells
	// nothing of other policies. See the option explore.
	Propensity float64 `json:"propensity,omitzero"`
	// Unseen are the columns whose category the agent has never seen: it counts as none of those that it knows.
	Unseen []string `json:"unseen,omitempty"`
}

// New returns an agent that has learned nothing. Policies of one's own are found beside those of the project.
func New(c Config, own ...policy.Entry) (*Agent, error) {
	a, err := build(c, own)
	if err != nil {
		return nil, fmt.Errorf("agent: %w", err)
	}
	return a, nil
}

func build(c Config, own []policy.Entry) (*Agent, error) {
	a := &Agent{config: c, pending: map[uint64]decision{}, oldest: 1}
	if c.Horizon == 0 {
		c.Horizon = 1_000_000
	}
	if c.Round == 0 {
		c.Round = 100
	}
	a.config.Horizon, a.config.Round = c.Horizon, c.Round
	entry, err := find(c.Policy, own)
	if err == nil {
		err = a.layOut()
	}
	if err == nil {
		err = cmp.Or(check.Within("horizon", c.Horizon, 1, 1e9), check.Within("round", c.Round, 1, 1e5))
	}
	if err != nil {
		return nil, err
	}
	options, err := optiontree.Override(entry.Defaults, c.Options)
	if err != nil {
		return nil, fmt.Errorf("options of %s: %w", c.Policy, err)
	}
	if a.config.Options, err = optiontree.Encode(options); err != nil {
		return nil, err
	}
	_, root, _ := stream.Trial(c.Seed)
	protocol := bandit.Protocol{Rounds: max(1, c.Horizon/c.Round), Pulls: c.Round}
	if a.policy, err = entry.Build(options, policy.Setup{Spec: a.spec, Protocol: protocol, Stream: root}); err != nil {
		return nil, fmt.Errorf("policy %s: %w", c.Policy, err)
	}
	_, acts := a.policy.(bandit.OutcomeActor)
	if _, learns := a.policy.(bandit.OutcomeLearner); acts || learns {
		return nil, fmt.Errorf("policy %s sees the rewards of all arms, which exist in simulations alone", c.Policy)
	}
	a.knows, _ = a.policy.(bandit.Randomizer)
	return a, nil
}

// find returns the policy of a name.
func find(name string, own []policy.Entry) (policy.Entry, error) {
	for _, p := range kinds.All() {
		own = append(slices.Clip(own), p.Policies...)
	}
	var names []string
	for _, e := range own {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return policy.Entry{}, fmt.Errorf("unknown policy %q%s: want one of 'banditsim list policies' or, in Go, of the entries given", name, nearest.DidYouMean(name, names))
}

// layOut checks arms and columns, and sets what a context looks like.
func (a *Agent) layOut() error {
	c := &a.config
	for i, arm := range c.Arms {
		if slices.Contains(c.Arms[:i], arm) {
			return fmt.Errorf("two arms have the name %q", arm)
		}
	}
	groups := []int{}
	for i := range c.Columns {
		col := &c.Columns[i]
		if slices.ContainsFunc(c.Columns[:i], func(o bandit.Column) bool { return o.Name == col.Name }) {
			return fmt.Errorf("two columns have the name %q", col.Name)
		}
		if err := cmp.Or(check.Finite("mean of "+col.Name, col.Mean), check.NotNegative("sd of "+col.Name, col.SD)); err != nil {
			return err
		}
		index := map[string]int{}
		for k, v := range col.Values {
			index[v] = k + 1
		}
		a.index = append(a.index, index)
		for k := range col.Width() {
			group := i + 1
			if col.Values == nil && k == 0 {
				group = 0
			}
			groups = append(groups, group)
		}
	}
	a.spec = bandit.Spec{Dim: len(groups), Arms: c.Arms, Groups: groups, Columns: c.Columns, UniformRegret: math.NaN()}
	a.context, a.probabilities = make([]float32, len(groups)), make([]float64, len(c.Arms))
	return a.spec.Validate()
}

// Config returns what the agent is made of, with all options.
func (a *Agent) Config() Config { return a.config }

// ID returns a hash of the agent before its first decision: what a journal belongs to.
func (a *Agent) ID() (string, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.identify()
}

// Counts returns the numbers of decisions, of rewards learned, and of decisions that wait for their reward.
func (a *Agent) Counts() (chosen, learned, pending uint64) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.chosen, a.learned, uint64(len(a.pending))
}

// Choose chooses an arm for a context. A context that lacks a column, has one that the agent does not know, or a number that is
// not finite is an error, and no decision.
func (a *Agent) Choose(c Context) (Choice, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	choice, _, err := a.choose(c)
	return choice, err
}

// choose returns the probabilities of all arms too, valid until the next call; nil if they are unknown.
func (a *Agent) choose(c Context) (choice Choice, probabilities []float64, err error) {
	if choice.Unseen, err = a.encode(a.context, c); err != nil {
		return Choice{}, nil, fmt.Errorf("agent: %w", err)
	}
	if _, err := a.identify(); err != nil {
		return Choice{}, nil, err
	}
	r := bandit.Round{T: a.rows + int(a.chosen) + 1, Row: -1, Context: a.context}
	if a.knows != nil {
		if err := a.knows.Propensities(a.probabilities, r); err != nil {
			return Choice{}, nil, fmt.Errorf("agent: %w", err)
		}
		probabilities = a.probabilities
	}
	arm, err := a.policy.Act(r)
	if err == nil && (arm < 0 || arm >= len(a.config.Arms)) {
		err = fmt.Errorf("the policy chose arm %d, want 0 to %d", arm, len(a.config.Arms)-1)
	}
	if err != nil {
		return Choice{}, nil, fmt.Errorf("agent: %w", err)
	}
	a.chosen++
	choice.ID, choice.Arm = a.chosen, a.config.Arms[arm]
	if probabilities != nil {
		choice.Propensity = probabilities[arm]
	}
	a.pending[a.chosen] = decision{arm, slices.Clone(a.context)}
	for ; len(a.pending) > MaxPending; a.oldest++ {
		delete(a.pending, a.oldest)
	}
	return choice, probabilities, nil
}

// Learn learns the reward of a decision, at any time after it and in any order. A reward for an unknown id, a second one and one
// that is not finite are errors, and nothing is learned.
func (a *Agent) Learn(id uint64, reward float64) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.learn(id, reward)
}

func (a *Agent) learn(id uint64, reward float64) error {
	d, ok := a.pending[id]
	switch {
	case !words.Finite(reward):
		return fmt.Errorf("agent: id %d: a reward of %g, want a finite number", id, reward)
	case !ok && id >= 1 && id <= a.chosen:
		return fmt.Errorf("agent: id %d: %w", id, ErrLearned)
	case !ok:
		return fmt.Errorf("agent: id %d: %w: the last is %d", id, ErrUnknownID, a.chosen)
	}
	if err := a.policy.Learn(bandit.Round{T: a.rows + int(id), Row: -1, Context: d.context}, d.arm, reward); err != nil {
		return fmt.Errorf("agent: id %d: %w", id, err)
	}
	delete(a.pending, id)
	for ; a.oldest <= a.chosen; a.oldest++ {
		if _, waits := a.pending[a.oldest]; waits {
			break
		}
	}
	a.learned++
	return a.train()
}

// LearnRow learns a row of a log: elements of a context as the agent's columns make them, an arm by its place, and its reward. It is
// for an agent before its first decision.
func (a *Agent) LearnRow(context []float32, arm int, reward float64) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch {
	case a.chosen > 0:
		return errors.New("agent: it learns from logs before its first decision alone")
	case len(context) != a.spec.Dim || arm < 0 || arm >= len(a.config.Arms) || !words.Finite(reward):
		return fmt.Errorf("agent: a row of %d elements, arm %d, reward %g: want %d elements, 0 to %d, and a finite number", len(context), arm, reward, a.spec.Dim, len(a.config.Arms)-1)
	}
	a.rows++
	if err := a.policy.Learn(bandit.Round{T: a.rows, Row: -1, Context: context}, arm, reward); err != nil {
		return fmt.Errorf("agent: row %d: %w", a.rows, err)
	}
	return a.train()
}

// train ends a round of rewards, in which posteriors over networks take their gradient steps.
func (a *Agent) train() error {
	n := a.rows + int(a.learned)
	e, ok := a.policy.(bandit.RoundEnder)
	if !ok || n%a.config.Round != 0 {
		return nil
	}
	if err := e.EndRound(context.Background(), n/a.config.Round); err != nil {
		return fmt.Errorf("agent: %w", err)
	}
	return nil
}
