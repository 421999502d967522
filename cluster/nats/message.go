package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"banditsim/posterior"
)

// A kind says what the payload of a message is.
type kind byte

const (
	joinKind   kind = iota + 1 // a worker's nonce
	startKind                  // the nonces of all workers, from the root
	binsKind                   // the bins of a rank's chains after a step; back: θ
	roundKind                  // whether a rank is interrupted, and energies of its chains after a round; back: what to do next
	valuesKind                 // a rank's predictions; back: their mean by weight, or draws
	stateKind                  // a frame of state, up or down
	failedKind                 // in place of the four above: the trial has failed; back: the first failure of all
	aliveKind                  // no content; its step is the last whose part the rank has sent
	stopKind                   // why the run ends
)

var kindNames = map[kind]string{
	joinKind: "join", startKind: "start", binsKind: "bins", roundKind: "round", valuesKind: "values", stateKind: "state",
	failedKind: "failure", aliveKind: "alive", stopKind: "stop",
}

func (k kind) String() string { return kindNames[k] }

// A message is what a rank says in an exchange. Its bytes, integers little-endian:
//
//	"bn3"  kind  rank (2)  step (8)  run (8)  trial (16)  payload  code (16)
//
// The trial is the first half of its ID, the code the first half of the HMAC-SHA-256 of all before, by the key that the ranks share.
// Whoever does not have the key can neither change a message nor make one up. A message that is sent again has an old run or step.
type message struct {
	tag
	kind    kind
	rank    int
	step    uint64 // number of the exchange, from 1
	payload []byte
}

// A tag tells trials, and runs of a trial, apart.
type tag struct {
	run   uint64 // drawn by the root; 0 before the start
	trial [16]byte
}

const (
	magic      = "bn3"
	headLength = len(magic) + 1 + 2 + 8 + 8 + 16
	codeLength = 16
)

func (m message) encode(key []byte) []byte {
	b := make([]byte, 0, headLength+len(m.payload)+codeLength)
	b = append(append(b, magic...), byte(m.kind))
	b = binary.LittleEndian.AppendUint16(b, uint16(m.rank))
	b = binary.LittleEndian.AppendUint64(b, m.step)
	b = binary.LittleEndian.AppendUint64(b, m.run)
	b = append(append(b, m.trial[:]...), m.payload...)
	return append(b, code(key, b)...)
}

func code(key, b []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(b)
	return mac.Sum(nil)[:codeLength]
}

// decode returns a message whose payload is part of b. It returns an error for bytes that no rank with the key sent.
func decode(key, b []byte) (message, error) {
	end := len(b) - codeLength
	if end < headLength || string(b[:len(magic)]) != magic {
		return message{}, fmt.Errorf("%d bytes that are no message of this program", len(b))
	}
	if !hmac.Equal(code(key, b[:end]), b[end:]) {
		return message{}, errors.New("its code differs: its bytes were changed, or it is of someone with another key")
	}
	at := b[len(magic):]
	m := message{kind: kind(at[0]), rank: int(binary.LittleEndian.Uint16(at[1:])), step: binary.LittleEndian.Uint64(at[3:]), payload: b[headLength:end]}
	m.run = binary.LittleEndian.Uint64(at[11:])
	copy(m.trial[:], at[19:])
	return m, nil
}

// A failure is an error of the trial, which all ranks return in the same exchange: it is recorded, not the end of the run.
type failure struct {
	steps    int64 // gradient steps before it
	diverged bool
	text     string
}

func (f *failure) Error() string { return f.text }

// Unwrap returns the error for which the policy names options as the cause.
func (f *failure) Unwrap() error {
	if f.diverged {
		return posterior.ErrDiverged
	}
	return nil
}

func (f *failure) encode() []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(f.steps))
	if f.diverged {
		return append(append(b, 1), f.text...)
	}
	return append(append(b, 0), f.text...)
}

func decodeFailure(b []byte) (*failure, error) {
	if len(b) < 9 {
		return nil, fmt.Errorf("a failure of %d bytes, want at least 9", len(b))
	}
	return &failure{steps: int64(binary.LittleEndian.Uint64(b)), diverged: b[8] != 0, text: string(b[9:])}, nil
}

func appendFloats[F float32 | float64](b []byte, values []F) []byte {
	b, err := binary.Append(b, binary.LittleEndian, values)
	if err != nil {
		panic(err) // not of floats
	}
	return b
}

// takeFloats sets values from the beginning of a payload and returns the rest.
func takeFloats[F float32 | float64](values []F, payload []byte) (rest []byte, err error) {
	n, err := binary.Decode(payload, binary.LittleEndian, values)
	if err != nil {
		return nil, fmt.Errorf("%d bytes, want %d", len(payload), binary.Size(values))
	}
	return payload[n:], nil
}

// floats sets values from a payload, which must have no more.
func floats(values []float64, payload []byte) error {
	rest, err := takeFloats(values, payload)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes, want %d", len(payload), binary.Size(values))
	}
	return err
}
