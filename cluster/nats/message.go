package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"banditsim/posterior"
)

// A kind says what the payload of a message is. Kinds from bins to state are of steps: workers send their part to the root, and the root
// sends an answer back.
type kind byte

const (
	joinKind   kind = iota + 1 // a worker's nonce
	startKind                  // the nonces of all workers, in the order of ranks; from the root
	binsKind                   // the bins of a rank's chains after a gradient step; back: θ
	roundKind                  // whether a rank is interrupted, and its chains' energies after a round; back: what to do next
	valuesKind                 // the predictions of a rank's chains; back: those of all chains combined
	stateKind                  // a part of a longer state; back: a part of the root's
	failedKind                 // in place of the four above if the trial has failed: a failure; back: the first one of all
	aliveKind                  // nothing; its step is the last of which the rank has sent its part
	stopKind                   // the reason why the run ends
)

var kindNames = map[kind]string{
	joinKind: "join", startKind: "start", binsKind: "bins", roundKind: "round", valuesKind: "values", stateKind: "state",
	failedKind: "failure", aliveKind: "alive", stopKind: "stop",
}

func (k kind) String() string { return kindNames[k] }

// A message is encoded as these fields, with the number of bytes of integers, which are little-endian, in parentheses:
//
//	"bn4"  kind  rank (2)  step (8)  run (8)  trial (16)  payload  code (16)
//
// The trial is the first half of its ID. The code is the first half of the HMAC-SHA-256 of all bytes before it, with the key that the
// ranks share: whoever does not have the key can neither change nor forge a message. A replayed message has an old run or step.
type message struct {
	tag
	kind    kind
	rank    int
	step    uint64 // number of the exchange, from 1; 0 for messages outside of exchanges
	payload []byte
}

// A tag identifies a trial and one run of it.
type tag struct {
	run   uint64 // a random number from the root; 0 before the start
	trial [16]byte
}

const (
	magic      = "bn4"
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

// code returns the code of a message whose other bytes are b.
func code(key, b []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(b)
	return mac.Sum(nil)[:codeLength]
}

// decode returns the message with the bytes b, of which its payload is a part. It returns an error for bytes that were not encoded with
// the key.
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

// A failure is an error of the trial, such as chains that diverge. All ranks return it from the same exchange, and the root records the
// trial as failed.
type failure struct {
	steps    int64 // gradient steps of all chains before it
	diverged bool
	text     string
}

func (f *failure) Error() string { return f.text }

// Unwrap returns posterior.ErrDiverged, by which policies recognize chains that have diverged, else nil.
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

// appendFloats appends values to a payload.
func appendFloats[F float32 | float64](b []byte, values []F) []byte {
	b, err := binary.Append(b, binary.LittleEndian, values)
	if err != nil {
		panic(err) // floats can be encoded
	}
	return b
}

// takeFloats sets all values from the beginning of a payload, and returns the rest of it.
func takeFloats[F float32 | float64](values []F, payload []byte) (rest []byte, err error) {
	n, err := binary.Decode(payload, binary.LittleEndian, values)
	if err != nil {
		return nil, fmt.Errorf("%d bytes, want %d", len(payload), binary.Size(values))
	}
	return payload[n:], nil
}

// floats sets all values from a payload, which must have nothing else.
func floats(values []float64, payload []byte) error {
	rest, err := takeFloats(values, payload)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes, want %d", len(payload), binary.Size(values))
	}
	return err
}
