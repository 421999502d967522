package mushroom

import (
	"encoding/binary"
	"errors"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// The arms and the rewards.
const (
	Leave = 0
	Eat   = 1

	rewardEdible   = 5.0   // for eating an edible mushroom
	rewardLucky    = 5.0   // for eating a poisonous one, with probability ½
	rewardPoisoned = -35.0 // the other half
	meanPoisonous  = (rewardLucky + rewardPoisoned) / 2
)

// arms returns the names of Leave and Eat.
func arms() []string { return []string{"leave", "eat"} }

// environment is the mushroom bandit. Each pull draws a row uniformly with replacement; the arms
// are Leave and Eat. The reward is 0 for leaving, 5 for eating an edible mushroom, and −35 or +5
// with probability ½ each for eating a poisonous one.
//
// It is not safe for concurrent use.
type environment struct {
	contexts *Contexts
	stream   *stream.Stream
	pulls    uint64
}

var _ bandit.Environment = (*environment)(nil)

// NewEnvironment returns an environment over contexts, which it may share with others. It owns the
// stream.
func NewEnvironment(c *Contexts, s *stream.Stream) bandit.Environment {
	if c == nil || s == nil {
		panic("mushroom: NewEnvironment without contexts or stream")
	}
	return &environment{contexts: c, stream: s}
}

// Spec describes the environment, which ignores the arms chosen.
func (e *environment) Spec() bandit.Spec {
	return bandit.Spec{
		Dim:            e.contexts.Dim,
		Groups:         e.contexts.Groups,
		Arms:           arms(),
		IgnoresActions: true,
		UniformRegret:  UniformRegret(e.contexts.Table),
		ConstantArm:    constantArm(e.contexts.Table),
	}
}

// Next draws a row and the outcomes of both arms. It never fails and does not allocate. The coin
// for poisonous mushrooms is drawn for edible ones too, so that the n-th pull uses the same random
// words on any data.
func (e *environment) Next(r *bandit.Round, o *bandit.Outcome) error {
	if len(r.Context) != e.contexts.Dim || len(o.Reward) != 2 || len(o.Mean) != 2 {
		panic(fmt.Sprintf("mushroom: Next with slices of %d, %d and %d, want %d, 2 and 2",
			len(r.Context), len(o.Reward), len(o.Mean), e.contexts.Dim))
	}
	row := e.stream.IntN(len(e.contexts.Table.Rows))
	lucky := e.stream.Uint64()>>63 == 0
	e.pulls++

	r.Row = row
	copy(r.Context, e.contexts.Row(row))
	o.Reward[Leave], o.Mean[Leave] = 0, 0
	switch {
	case e.contexts.Table.Rows[row].Edible():
		o.Reward[Eat], o.Mean[Eat] = rewardEdible, rewardEdible
	case lucky:
		o.Reward[Eat], o.Mean[Eat] = rewardLucky, meanPoisonous
	default:
		o.Reward[Eat], o.Mean[Eat] = rewardPoisoned, meanPoisonous
	}
	return nil
}

// MarshalBinary saves the hash of the data, the number of pulls and the stream, not the data.
func (e *environment) MarshalBinary() ([]byte, error) {
	b := append([]byte(nil), e.contexts.Table.SHA256...)
	b = binary.LittleEndian.AppendUint64(b, e.pulls)
	return e.stream.AppendBinary(b)
}

// UnmarshalBinary restores the state that MarshalBinary saved on the same data. After an error the
// environment is unchanged.
func (e *environment) UnmarshalBinary(b []byte) error {
	data := e.contexts.Table.SHA256
	if len(b) < len(data)+8 {
		return errors.New("mushroom: restore the environment: the saved state is too short")
	}
	if saved := string(b[:len(data)]); saved != data {
		return fmt.Errorf("mushroom: restore the environment: saved on data with SHA-256 %q, these have %q", saved, data)
	}
	b = b[len(data):]
	s := new(stream.Stream)
	if err := s.UnmarshalBinary(b[8:]); err != nil {
		return fmt.Errorf("mushroom: restore the environment: %w", err)
	}
	e.stream, e.pulls = s, binary.LittleEndian.Uint64(b)
	return nil
}
