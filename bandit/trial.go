package bandit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
)

// A Protocol sets the length of a trial and of its burn-in.
type Protocol struct {
	Rounds int `json:"rounds"` // rounds of pulls, each followed by training: 1 to 10⁹
	Pulls  int `json:"pulls"`  // pulls per round: 1 to 100,000, as a round is held in memory
	// Last is the number of pulls of the last round if it is shorter than the others, as at the end of a table; else 0.
	Last   int `json:"last,omitzero"`
	BurnIn int `json:"burn_in"` // number of first pulls whose arms are chosen uniformly at random: 0 to 10⁹
	// Initial is how often each arm is pulled, in turn, at the very start: 0 to 10⁶. These pulls are a part of burn-in.
	Initial int `json:"initial,omitzero"`
	// Sequential makes the policy learn the reward of each pull before the next. Otherwise, if the environment ignores
	// actions, the policy acts on all pulls of a round before it learns. Training ends the round either way.
	Sequential bool `json:"sequential,omitzero"`
	// Delay of the rewards.
	Delay Delay `json:"delay,omitzero"`
	// Arms says when arms can be pulled. If set, it overrides what the environment says.
	Arms Arrivals `json:"arms,omitzero"`
}

// Validate returns an error that names the first number out of range.
func (p Protocol) Validate() error {
	return cmp.Or(
		check.Within("protocol.rounds", p.Rounds, 1, 1e9), check.Within("protocol.pulls", p.Pulls, 1, 1e5),
		check.Within("protocol.burn_in", p.BurnIn, 0, 1e9), check.Within("protocol.initial", p.Initial, 0, 1e6),
		check.Within("protocol.last", p.Last, 0, p.Pulls), p.Delay.validate(), p.Arms.validate())
}

// pullsIn returns the number of pulls of a round; rounds count from 1.
func (p Protocol) pullsIn(round int) int {
	if round == p.Rounds && p.Last > 0 {
		return p.Last
	}
	return p.Pulls
}

// PullsUntil returns the total number of pulls from round 1 up to and including the round with the given number.
func (p Protocol) PullsUntil(round int) int {
	if round == 0 {
		return 0
	}
	return (round-1)*p.Pulls + p.pullsIn(round)
}

// AllPulls returns the number of pulls of a trial.
func (p Protocol) AllPulls() int { return p.PullsUntil(p.Rounds) }

// AfterBurnIn returns the number of the first round after the pulls of BurnIn; 1 if BurnIn is 0. It ignores Initial.
func (p Protocol) AfterBurnIn() int {
	return (p.BurnIn+p.Pulls-1)/p.Pulls + 1
}

// A Mistake is a pull of an arm whose expected reward was not the highest of the arms that could be pulled.
type Mistake struct {
	Row int // data row of the context, or −1
	Arm int // the arm that was pulled
}

// A RoundRecord is the result of a round. Regrets are sums over its pulls, in units of reward; lower is better.
type RoundRecord struct {
	Round int // from 1
	// Realised is the realized regret: the highest expected reward minus the reward received. It can be negative.
	Realised float64
	// Expected is the expected regret, or pseudo-regret: the highest expected reward minus the expected reward of the
	// chosen arm. It is never negative.
	Expected    float64
	Arms        []int // number of pulls of each arm
	Mistakes    []Mistake
	Diagnostics diagnostics.Round
}

// A Recorder receives the record of each round. The record and its slices are valid only during the call.
type Recorder interface {
	Record(*RoundRecord) error
}

// A Trial is one policy in one environment under one protocol.
type Trial struct {
	env      Environment
	spec     Spec
	policy   Policy
	protocol Protocol
	burnIn   *stream.Stream
	recorder Recorder
	record   RoundRecord
	pulls    int         // number of pulls done
	over     bool        // a round failed, or the trial was scored or closed
	closed   bool        // Close was called
	again    int         // number of rounds that catchUp has to play again after a restore from journals
	delayed  *delayQueue // nil without a delay

	rounds   []Round   // memory for the pulls that are drawn together: all pulls of a round, or a single pull
	outcomes []Outcome // outcomes[i] is the outcome of rounds[i]
	arms     []int     // arms[i] is the arm chosen for rounds[i]

	recordPulls   func(*PullRecord) error // nil unless pulls are recorded
	propensity    []float64               // probability of each chosen arm; NaN: unknown
	probabilities []float64               // scratch: probabilities of all arms in one pull
}

// NewTrial returns a trial before its first round. The random arms of burn-in are drawn from the stream burnIn, which
// must depend only on the seed, so that every policy with this seed learns from the same actions. Delays of rewards
// and absences of arms are drawn from the children "delay" and "arms" of burnIn. A nil recorder records nothing.
func NewTrial(env Environment, policy Policy, protocol Protocol, burnIn *stream.Stream, recorder Recorder) (*Trial, error) {
	if err := protocol.Validate(); err != nil {
		return nil, fmt.Errorf("bandit: %w", err)
	}
	spec := env.Spec()
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("bandit: the environment has %w", err)
	}
	if pulls := protocol.AllPulls(); spec.Pulls > 0 && pulls > spec.Pulls {
		return nil, fmt.Errorf("bandit: the environment's data end after %d pulls, the protocol has %d: want at most %d rounds of %d pulls", spec.Pulls, pulls, spec.Pulls/protocol.Pulls, protocol.Pulls)
	}
	if err := protocol.Arms.check(len(spec.Arms)); err != nil {
		return nil, fmt.Errorf("bandit: %w", err)
	}
	t := &Trial{env: env, spec: spec, policy: policy, protocol: protocol, burnIn: burnIn, recorder: recorder}
	if !protocol.Delay.IsZero() {
		t.delayed = &delayQueue{delay: protocol.Delay, spec: spec, stream: burnIn.Child("delay")}
	}
	ahead := 1 // how many pulls are drawn before the policy acts
	if spec.IgnoresActions && !protocol.Sequential {
		ahead = protocol.Pulls
	}
	for range ahead {
		r, o := NewPull(spec)
		t.rounds, t.outcomes = append(t.rounds, r), append(t.outcomes, o)
	}
	t.arms, t.propensity, t.probabilities = make([]int, ahead), make([]float64, ahead), make([]float64, len(spec.Arms))
	t.record.Arms = make([]int, len(spec.Arms))
	return t, nil
}

// Spec returns the specification of the environment.
func (t *Trial) Spec() Spec { return t.env.Spec() }

// Run calls Round until all rounds are played.
func (t *Trial) Run(ctx context.Context) error {
	for {
		if err := t.Round(ctx); err == io.EOF { // not errors.Is: an error of a policy may wrap it
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Round plays one round: its pulls, then training, then the record. After the last round it returns io.EOF, not
// wrapped. An error in a round names the round and ends the trial; Score and Close end it too. If the trial has ended,
// Round returns an error and records nothing. If ctx is done before the round, Round returns ctx.Err and plays nothing.
func (t *Trial) Round(ctx context.Context) error {
	if t.over {
		return fmt.Errorf("bandit: the trial is over: it failed, was scored or was closed in round %d", t.record.Round)
	}
	if err := t.catchUp(ctx); err != nil {
		return err
	}
	if t.record.Round == t.protocol.Rounds {
		return io.EOF
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &t.record
	r.Round++
	r.Realised, r.Expected, r.Mistakes = 0, 0, r.Mistakes[:0]
	clear(r.Arms)
	if err := t.round(ctx); err != nil {
		t.over = true
		return fmt.Errorf("bandit: round %d: %w", r.Round, err)
	}
	return nil
}

func (t *Trial) round(ctx context.Context) error {
	for left := t.protocol.pullsIn(t.record.Round); left > 0; left -= len(t.arms) {
		t.arms = t.arms[:min(len(t.rounds), left)]
		if err := t.pull(t.rounds[:len(t.arms)]); err != nil {
			return err
		}
	}
	if err := EndRound(ctx, t.policy, t.record.Round); err != nil {
		return err
	}
	if p, ok := As[diagnostics.Reporter](t.policy); ok {
		t.record.Diagnostics = p.Diagnostics()
	}
	if t.recorder == nil {
		return nil
	}
	return t.recorder.Record(&t.record)
}

// pull draws a pull into each element of rounds, acts on them and learns from them.
func (t *Trial) pull(rounds []Round) error {
	for i := range rounds {
		r := &rounds[i]
		r.T = t.pulls + i + 1
		switch err := t.draw(r, &t.outcomes[i]); {
		case errors.Is(err, io.EOF):
			return fmt.Errorf("the environment's data end after %d pulls", r.T-1)
		case err != nil:
			return err
		}
	}
	if err := t.act(rounds); err != nil {
		return err
	}
	for i, r := range rounds {
		o, arm := t.outcomes[i], t.arms[i]
		best := t.addRegret(r, o, arm)
		if t.recordPulls != nil {
			p := &PullRecord{Round: t.record.Round, T: r.T, Row: r.Row, Arm: arm,
				Reward: o.Reward[arm], Expected: o.Mean[arm], Best: best, Propensity: t.propensity[i]}
			if err := t.recordPulls(p); err != nil {
				return err
			}
		}
		if err := t.learn(r, arm, o); err != nil {
			return err
		}
	}
	t.pulls += len(rounds)
	return nil
}

// draw draws pull r.T, and sets which arms can be pulled.
func (t *Trial) draw(r *Round, o *Outcome) error {
	if err := t.env.Next(r, o); err != nil {
		return err
	}
	t.protocol.Arms.Put(r, len(t.spec.Arms), t.burnIn)
	return t.spec.CheckPull(r, o)
}

// learn passes the reward of a pull to the policy. With a delay, it keeps the reward and passes the rewards now due.
func (t *Trial) learn(r Round, arm int, o Outcome) error {
	if p, ok := t.policy.(OutcomeLearner); ok {
		return p.LearnOutcome(r, arm, o)
	}
	if t.delayed == nil {
		return t.policy.Learn(r, arm, o.Reward[arm])
	}
	t.delayed.hold(r, arm, o.Reward[arm])
	return t.delayed.release(r.T, t.policy.Learn)
}

// act sets t.arms. Initial pulls take each arm in turn or, if it cannot be pulled, the next arm that can. The other
// pulls of burn-in take random arms. Later, the policy chooses. act also sets t.propensity to the probability of each
// arm taken; for an arm that the policy chose, it is NaN if the policy is no Randomizer or no pulls are recorded.
func (t *Trial) act(rounds []Round) error {
	initial := t.protocol.Initial * len(t.spec.Arms)
	random := min(max(max(t.protocol.BurnIn, initial)-t.pulls, 0), len(rounds))
	for i := range rounds {
		t.propensity[i] = math.NaN()
	}
	for i := range random {
		list, at := rounds[i].Pullable(nil, len(t.spec.Arms)), 0
		if pull := t.pulls + i; pull < initial {
			at, _ = slices.BinarySearch(list, pull%len(t.spec.Arms))
			t.propensity[i] = 1
		} else {
			at = t.burnIn.IntN(len(list))
			t.propensity[i] = 1 / float64(len(list))
		}
		t.arms[i] = list[at%len(list)]
	}
	rest, arms := rounds[random:], t.arms[random:]
	knowing, isKnowing := t.policy.(OutcomeActor)
	randomizer, isRandomizer := t.policy.(Randomizer)
	asked := isRandomizer && !isKnowing && t.recordPulls != nil
	if p, ok := t.policy.(BatchActor); ok && len(rest) > 0 && !asked {
		if err := p.ActBatch(arms, rest); err != nil {
			return err
		}
		return t.checkArms(rest, arms)
	}
	for i, r := range rest {
		var err error
		if asked {
			err = randomizer.Propensities(t.probabilities, r)
		}
		switch {
		case err != nil:
		case isKnowing:
			arms[i], err = knowing.ActOnOutcome(r, t.outcomes[random+i])
		default:
			arms[i], err = t.policy.Act(r)
		}
		if err == nil {
			err = t.checkArms(rest[i:i+1], arms[i:i+1])
		}
		if err != nil {
			return err
		}
		if asked {
			t.propensity[random+i] = t.probabilities[arms[i]]
		}
	}
	return nil
}

// checkArms returns an error if the policy chose an arm that does not exist or cannot be pulled.
func (t *Trial) checkArms(rounds []Round, arms []int) error {
	for i, arm := range arms {
		if arm < 0 || arm >= len(t.spec.Arms) {
			return fmt.Errorf("the policy chose arm %d, want 0 to %d", arm, len(t.spec.Arms)-1)
		}
		if !rounds[i].CanPull(arm) {
			return fmt.Errorf("the policy chose arm %d, %s, which cannot be pulled in pull %d: want one of Round.Available, "+
				"which a program is told if it says available in ready", arm, t.spec.Arms[arm], rounds[i].T)
		}
	}
	return nil
}

// addRegret adds a pull to the record and returns the highest expected reward of the arms that can be pulled.
func (t *Trial) addRegret(r Round, o Outcome, arm int) (best float64) {
	best = o.Mean[arm]
	for a, mean := range o.Mean {
		if r.CanPull(a) {
			best = max(best, mean)
		}
	}
	t.record.Realised += best - o.Reward[arm]
	t.record.Expected += best - o.Mean[arm]
	t.record.Arms[arm]++
	if o.Mean[arm] < best {
		t.record.Mistakes = append(t.record.Mistakes, Mistake{Row: r.Row, Arm: arm})
	}
	return best
}

// A PullRecord is the result of one pull.
type PullRecord struct {
	Round, T int // numbers of the round and of the pull, from 1
	Row      int // data row of the context, or −1
	Arm      int
	Reward   float64 // reward received
	Expected float64 // expected reward of the arm
	Best     float64 // highest expected reward of the arms that could be pulled
	// Propensity is the probability with which the arm was chosen: by the protocol in burn-in, by the policy later.
	// It is NaN if the policy chose the arm and is not a Randomizer.
	Propensity float64
}

// RecordPulls makes the trial call the function record with each pull from the next round on, in order and before the
// Recorder gets the round. The PullRecord is valid only during the call. The trial then asks a Randomizer for its
// propensities, and lets it act on one pull at a time instead of all pulls of a round. The results do not change.
func (t *Trial) RecordPulls(record func(*PullRecord) error) { t.recordPulls = record }
