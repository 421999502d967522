package mushroom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// The arms and the rewards.
const (
	leave = 0
	eat   = 1

	rewardEdible   = 5.0   // for eating an edible mushroom
	rewardLucky    = 5.0   // for eating a poisonous mushroom, with probability ½
	rewardPoisoned = -35.0 // for eating a poisonous mushroom, with probability ½
	meanPoisonous  = (rewardLucky + rewardPoisoned) / 2
)

// alwaysEatRegret is the expected regret per pull of eating everything: 7.23043 on the UCI file.
func (t *table) alwaysEatRegret() float64 {
	return -meanPoisonous * float64(len(t.rows)-t.edible) / float64(len(t.rows))
}

// neverEatRegret is the expected regret per pull of leaving everything: 2.58986 on the UCI file.
func (t *table) neverEatRegret() float64 {
	return rewardEdible * float64(t.edible) / float64(len(t.rows))
}

// environment is the mushroom bandit. Each pull draws a row uniformly with replacement. The reward is 0 for leaving, 5
// for eating an edible mushroom, and −35 or +5 with probability ½ each for eating a poisonous one.
type environment struct {
	*table
	spec     bandit.Spec
	contexts []float32 // contexts of all rows, one after the other; read-only, as environments share them
	stream   *stream.Stream
	pulls    uint64
}

// newEnvironment returns an environment without a stream.
func newEnvironment(t *table, encoding string) environment {
	arms := []string{"leave", "eat"}
	e := environment{table: t, spec: bandit.Spec{
		Arms:           arms,
		IgnoresActions: true,
		UniformRegret:  (t.alwaysEatRegret() + t.neverEatRegret()) / 2, // 4.91014 on the UCI file
		ConstantArm:    bandit.BestConstantArm(arms, []float64{leave: t.neverEatRegret(), eat: t.alwaysEatRegret()}),
	}}
	if encoding == "onehot" {
		e.contexts, e.spec.Groups = t.oneHot()
		e.spec.Columns = columns(len(e.spec.Groups))
	} else {
		e.contexts = t.ordinal()
	}
	e.spec.Dim = len(e.contexts) / len(t.rows)
	return e
}

// columns returns the columns of one-hot contexts. It returns nil if contexts have more elements than on the UCI file.
func columns(elements int) (list []bandit.Column) {
	for _, a := range schema[1:] {
		list = append(list, bandit.Column{Name: a.name, Values: strings.Split(a.letters[:a.inUCI], "")})
		elements -= a.inUCI
	}
	if elements != 0 {
		return nil
	}
	return list
}

func (e *environment) Spec() bandit.Spec { return e.spec }

// Next draws a row and, even for edible mushrooms, luck, so that pull n uses the same random numbers on any data.
func (e *environment) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Row = e.stream.IntN(len(e.rows))
	lucky := e.stream.Uint64()>>63 == 0
	e.pulls++
	copy(r.Context, e.contexts[r.Row*e.spec.Dim:])
	o.Reward[leave], o.Mean[leave] = 0, 0
	switch {
	case e.rows[r.Row].edible():
		o.Reward[eat], o.Mean[eat] = rewardEdible, rewardEdible
	case lucky:
		o.Reward[eat], o.Mean[eat] = rewardLucky, meanPoisonous
	default:
		o.Reward[eat], o.Mean[eat] = rewardPoisoned, meanPoisonous
	}
	return nil
}

// MarshalBinary saves the hash of the data, the number of pulls and the stream, not the data.
func (e *environment) MarshalBinary() ([]byte, error) {
	return e.stream.AppendBinary(binary.LittleEndian.AppendUint64([]byte(e.sha256), e.pulls))
}

// UnmarshalBinary restores the state that MarshalBinary saved on the same data. An error leaves e unchanged.
func (e *environment) UnmarshalBinary(b []byte) error {
	n := len(e.sha256)
	if len(b) < n+8 {
		return errors.New("mushroom: restore the environment: the saved state is too short")
	}
	if saved := string(b[:n]); saved != e.sha256 {
		return fmt.Errorf("mushroom: restore the environment: saved on data with SHA-256 %q, these have %q", saved, e.sha256)
	}
	s := new(stream.Stream)
	if err := s.UnmarshalBinary(b[n+8:]); err != nil {
		return fmt.Errorf("mushroom: restore the environment: %w", err)
	}
	e.stream, e.pulls = s, binary.LittleEndian.Uint64(b[n:])
	return nil
}
