// Package agent runs a policy outside of a simulation, in a service that chooses arms and learns from real rewards.
//
// An Agent is a policy together with the encoding of its contexts, the names of its arms and what it has learned. It
// can be saved as one file. 'banditsim learn' makes an agent from a log, 'run --keep' from a trial; New makes one
// that has learned nothing. A Journal writes the agent's decisions and rewards to a file that survives the process
// and that 'banditsim evaluate' can read.
//
// The package links no data sets and no plotting. Outside the standard library it depends only on golang.org/x/sys.
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
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/optiontree"
	"banditsim/internal/words"
	"banditsim/policy"
)

// A Config describes an agent that has learned nothing.
type Config struct {
	Policy  string          `json:"policy"`            // a name from 'banditsim list policies'
	Options json.RawMessage `json:"options,omitempty"` // options of the policy as a JSON object; those left out have their defaults
	Arms    []string        `json:"arms"`
	Columns []bandit.Column `json:"columns"`
	Shape   []int           `json:"shape,omitempty"` // shape of contexts that are images, as in bandit.Spec
	// Horizon is the expected number of decisions, on which the schedules of some policies depend; 0 for a million.
	Horizon int `json:"horizon,omitzero"`
	// Round is the number of rewards between two trainings of the policy, if it trains; 0 for 100.
	Round int    `json:"round,omitzero"`
	Seed  uint64 `json:"seed,omitzero"`
}

// maxPending limits the decisions waiting for a reward. One more drops the oldest; its reward can no longer be learned.
const maxPending = 1_000_000

// Errors of Learn.
var (
	ErrUnknownID = errors.New("there is no decision with this id")
	ErrLearned   = errors.New("the reward of this decision was learned before, or given up")
)

// An Agent chooses arms and learns from rewards. It is safe for concurrent use: calls are executed one after the
// other, and its choices depend only on their order and arguments.
type Agent struct {
	mutex  sync.Mutex
	config Config
	spec   bandit.Spec
	build  func(policy.Setup) (bandit.Policy, error) // builds the policy with its options
	policy bandit.Policy
	knows  bandit.Randomizer // the policy, if it can state the probabilities of its choices, else nil
	index  []map[string]int  // for each column, the positions of its values in Column.Values, counted from 1
	id     string            // hash of the agent before its first decision; "" until identify is called

	chosen  uint64              // number of decisions, whose IDs are 1 to chosen
	learned uint64              // number of rewards learned
	rows    int                 // number of rows of a log, or of pulls of a trial, that the agent learned from
	pending map[uint64]decision // decisions without a reward, by ID
	oldest  uint64              // no decision with a smaller ID is pending

	context       []float32 // the context of the latest choice, encoded
	probabilities []float64 // the probabilities of all arms in that choice, if knows is not nil
}

// A decision is a choice whose reward is not known yet.
type decision struct {
	arm     int
	context []float32
}

// A Choice is the decision of an agent for one context.
type Choice struct {
	ID  uint64 `json:"id"` // number of the decision: 1, 2, …
	Arm string `json:"arm"`
	// Propensity is the probability with which the arm was chosen, in (0, 1]. It is 0 if the policy cannot state it; a
	// log of such choices cannot be used to evaluate other policies. See the option explore of the policy.
	Propensity float64 `json:"propensity,omitzero"`
	// Unseen are the columns whose value is a category that the agent does not know. Such a value is encoded as zeros.
	Unseen []string `json:"unseen,omitempty"`
}

// New returns an agent that has learned nothing. Its policy is one of the project's or one of the entries in own. The
// policy must be an encoding.BinaryMarshaler, because Choose computes the agent's ID from the policy's state.
func New(c Config, own ...policy.Entry) (a *Agent, err error) {
	defer prefix(&err, "agent")
	return build(c, own)
}

// prefix puts a string in front of an error that is not nil.
func prefix(err *error, text string) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", text, *err)
	}
}

func build(c Config, own []policy.Entry) (*Agent, error) {
	c.Horizon, c.Round = cmp.Or(c.Horizon, 1_000_000), cmp.Or(c.Round, 100)
	c.Arms, c.Columns, c.Shape = slices.Clone(c.Arms), slices.Clone(c.Columns), slices.Clone(c.Shape) // the caller may change its slices
	for i := range c.Columns {
		c.Columns[i].Values = slices.Clone(c.Columns[i].Values)
	}
	a := &Agent{config: c, pending: map[uint64]decision{}, oldest: 1}
	entry, err := find(c.Policy, own)
	if err = cmp.Or(err, a.layOut(), check.Within("horizon", c.Horizon, 1, 1e9), check.Within("round", c.Round, 1, 1e5)); err != nil {
		return nil, err
	}
	options, err := optiontree.Override(entry.Defaults, c.Options)
	if err != nil {
		return nil, fmt.Errorf("options of %s: %w", c.Policy, err)
	}
	if a.config.Options, err = optiontree.Encode(options); err != nil {
		return nil, err
	}
	a.build = func(s policy.Setup) (bandit.Policy, error) { return entry.Build(options, s) }
	if a.policy, err = a.build(a.setup()); err != nil {
		return nil, fmt.Errorf("policy %s: %w", c.Policy, err)
	}
	_, acts := a.policy.(bandit.OutcomeActor)
	if _, learns := a.policy.(bandit.OutcomeLearner); acts || learns {
		return nil, fmt.Errorf("policy %s sees the rewards of all arms, which exist in simulations alone", c.Policy)
	}
	a.knows, _ = a.policy.(bandit.Randomizer)
	return a, nil
}

// setup returns what the agent's policy is built from.
func (a *Agent) setup() policy.Setup {
	_, root, _ := stream.Trial(a.config.Seed)
	protocol := bandit.Protocol{Rounds: max(1, a.config.Horizon/a.config.Round), Pulls: a.config.Round}
	return policy.Setup{Spec: a.spec, Protocol: protocol, Stream: root}
}

// find returns the policy with the given name: an entry in own or a policy of the project.
func find(name string, own []policy.Entry) (policy.Entry, error) {
	for _, p := range kinds.All() {
		own = append(slices.Clip(own), p.Policies...)
	}
	if k := slices.IndexFunc(own, func(e policy.Entry) bool { return e.Name == name }); k >= 0 {
		return own[k], nil
	}
	names := lists.Each(own, func(e policy.Entry) string { return e.Name })
	return policy.Entry{}, fmt.Errorf("unknown policy %q%s: want one of 'banditsim list policies' or, in Go, of the entries given", name, nearest.DidYouMean(name, names))
}

// layOut checks the names of arms and columns, sets spec and index, and allocates context and probabilities.
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
		err := cmp.Or(check.Finite("mean of "+col.Name, col.Mean), check.NotNegative("sd of "+col.Name, col.SD),
			check.UTF8("column", col.Name), check.UTF8("column "+col.Name+" with the values", col.Values...),
			check.That(col.Values == nil || len(col.Values) > 0, "column %s has no values, want at least one, or nil for a number", col.Name))
		if err != nil {
			return err
		}
		index := map[string]int{}
		for k, v := range col.Values {
			index[v] = k + 1
		}
		a.index = append(a.index, index)
		groups = append(groups, slices.Repeat([]int{i + 1}, col.Width())...)
		if col.Values == nil { // the first element is the number
			groups[len(groups)-col.Width()] = 0
		}
	}
	a.spec = bandit.Spec{Dim: len(groups), Arms: c.Arms, Groups: groups, Columns: c.Columns, Shape: c.Shape, UniformRegret: math.NaN()}
	a.context, a.probabilities = make([]float32, len(groups)), make([]float64, len(c.Arms))
	return a.spec.Validate()
}

// Config returns the configuration of the agent, with all options of the policy.
func (a *Agent) Config() Config { return a.config }

// ID returns a hash of the agent before its first decision. The first line of a journal has the ID of its agent.
func (a *Agent) ID() (id string, err error) {
	defer prefix(&err, "agent")
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.identify()
}

// Counts returns three numbers: of all decisions, of rewards learned, and of decisions that wait for their reward.
func (a *Agent) Counts() (chosen, learned, pending uint64) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.chosen, a.learned, uint64(len(a.pending))
}

// Choose chooses an arm for the context c. The argument among has the names of the arms that can be chosen; if it is
// empty, all can. Choose returns an error, and makes no decision, if the context lacks a column, has an unknown column
// or has a number that is not finite, or if no arm has one of the names in among.
func (a *Agent) Choose(c Context, among ...string) (Choice, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.choose(c, among)
}

// choose is Choose for a caller that holds the mutex.
func (a *Agent) choose(c Context, among []string) (choice Choice, err error) {
	defer prefix(&err, "agent")
	r := bandit.Round{T: a.rows + int(a.chosen) + 1, Row: -1, Context: a.context}
	if choice.Unseen, err = a.encode(a.context, c); err == nil {
		r.Available, err = a.available(among)
	}
	if err == nil {
		_, err = a.identify()
	}
	if err == nil && a.knows != nil {
		err = a.knows.Propensities(a.probabilities, r)
	}
	if err != nil {
		return Choice{}, err
	}
	arm, err := a.policy.Act(r)
	if err == nil && (arm < 0 || arm >= len(a.config.Arms) || !r.CanPull(arm)) {
		err = fmt.Errorf("the policy chose arm %d of %d, which there is not or which cannot be pulled", arm, len(a.config.Arms))
	}
	if err != nil {
		return Choice{}, err
	}
	a.chosen++
	choice.ID, choice.Arm = a.chosen, a.config.Arms[arm]
	if a.knows != nil {
		choice.Propensity = a.probabilities[arm]
	}
	a.pending[a.chosen] = decision{arm, slices.Clone(a.context)}
	for ; len(a.pending) > maxPending; a.oldest++ {
		delete(a.pending, a.oldest)
	}
	return choice, nil
}

// available returns Round.Available for the arms named in among or, if among is empty, nil, which means all arms.
func (a *Agent) available(among []string) ([]bool, error) {
	if len(among) == 0 {
		return nil, nil
	}
	list := make([]bool, len(a.config.Arms))
	for _, name := range among {
		k := slices.Index(a.config.Arms, name)
		if k < 0 {
			return nil, fmt.Errorf("there is no arm %q%s", name, nearest.DidYouMean(name, a.config.Arms))
		}
		list[k] = true
	}
	return list, nil
}

// Learn learns the reward of a decision. Rewards may come at any time after their decision and in any order. If the ID
// is unknown or has had its reward, or the reward is not finite, Learn returns an error and learns nothing. Learn also
// trains the policy after every Config.Round rewards. If only the training fails, the reward has been learned.
func (a *Agent) Learn(id uint64, reward float64) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.learn(id, reward)
}

// learn is Learn for a caller that holds the mutex.
func (a *Agent) learn(id uint64, reward float64) (err error) {
	defer prefix(&err, "agent")
	d, ok := a.pending[id]
	switch {
	case !words.Finite(reward):
		return fmt.Errorf("id %d: a reward of %g, want a finite number", id, reward)
	case !ok && id >= 1 && id <= a.chosen:
		return fmt.Errorf("id %d: %w", id, ErrLearned)
	case !ok:
		return fmt.Errorf("id %d: %w: the last is %d", id, ErrUnknownID, a.chosen)
	}
	if err := a.policy.Learn(bandit.Round{T: a.rows + int(id), Row: -1, Context: d.context}, d.arm, reward); err != nil {
		return fmt.Errorf("id %d: %w", id, err)
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

// LearnRow learns from a row of a log: a context, encoded according to the agent's columns, the index of an arm, and
// the reward. It returns an error after the first decision of the agent.
func (a *Agent) LearnRow(context []float32, arm int, reward float64) (err error) {
	defer prefix(&err, "agent")
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch {
	case a.chosen > 0:
		return errors.New("it learns from logs before its first decision alone")
	case len(context) != a.spec.Dim || arm < 0 || arm >= len(a.config.Arms) || !words.Finite(reward):
		return fmt.Errorf("a row of %d elements, arm %d, reward %g: want %d elements, 0 to %d, and a finite number", len(context), arm, reward, a.spec.Dim, len(a.config.Arms)-1)
	}
	a.id = "" // the ID depends on the row
	if err := a.policy.Learn(bandit.Round{T: a.rows + 1, Row: -1, Context: context}, arm, reward); err != nil {
		return fmt.Errorf("row %d: %w", a.rows+1, err)
	}
	a.rows++
	return a.train()
}

// train ends a round of the policy after every Config.Round rows and rewards. Networks then take their gradient steps.
func (a *Agent) train() error {
	n := a.rows + int(a.learned)
	if n%a.config.Round != 0 {
		return nil
	}
	return bandit.EndRound(context.Background(), a.policy, n/a.config.Round)
}
