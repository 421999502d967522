package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"banditsim/posterior"
)

// A kind determines the payload of a message. Kinds from binsKind to stateKind belong to exchanges: workers send their
// part to the root, and the root sends an answer back.
type kind byte

const (
	joinKind   kind = iota + 1 // a worker's nonce
	startKind                  // from the root: the nonces of all workers, in the order of ranks
	binsKind                   // the bins of a rank's chains in a gradient step; answer: θ
	roundKind                  // whether a rank was interrupted, and its chains' energies after a round; answer: the root's orders
	valuesKind                 // the predictions of a rank's chains; answer: the combined predictions of all chains
	stateKind                  // a frame of a rank's state; answer: a frame of the root's state
	failedKind                 // a failure, in place of the four kinds above; answer: the first failure of all ranks
	aliveKind                  // empty; Step is the last step whose part the rank has sent
	stopKind                   // the reason why the run ends
)

var kindNames = map[kind]string{
	joinKind: "join", startKind: "start", binsKind: "bins", roundKind: "round", valuesKind: "values", stateKind: "state",
	failedKind: "failure", aliveKind: "alive", stopKind: "stop",
}

func (k kind) String() string { return kindNames[k] }

// A message is encoded as its head, its payload and an authentication code of 16 bytes. The code is the first half of
// the HMAC-SHA-256 of all preceding bytes with the key that the ranks share. Without the key a message can be neither
// changed nor forged. A replayed message is recognized by its old run or step.
type message struct {
	head
	payload []byte
}

// A head has the fields of a message in the order in which they are encoded. Integers are little-endian.
type head struct {
	Magic [3]byte
	Kind  kind
	Rank  uint16
	Step  uint64   // number of the exchange, from 1; 0 for join, start and stop messages
	Run   uint64   // identifies one run of the trial; 0 before the start
	Trial [16]byte // first half of the trial's ID
}

var magic = [3]byte{'b', 'n', '4'}

const (
	headLength = 3 + 1 + 2 + 8 + 8 + 16
	codeLength = 16
)

func (m message) encode(key []byte) []byte {
	b := append(encode(m.head), m.payload...)
	return append(b, code(key, b)...)
}

// code returns the authentication code of a message whose head and payload are encoded as b.
func code(key, b []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(b)
	return mac.Sum(nil)[:codeLength]
}

// decode decodes a message, whose payload shares memory with b. It returns an error if b was not encoded with the key.
func decode(key, b []byte) (message, error) {
	end := len(b) - codeLength
	var m message
	if end < headLength || decodeAll(&m.head, b[:headLength]) != nil || m.Magic != magic {
		return m, fmt.Errorf("%d bytes that are no message of this program", len(b))
	}
	if !hmac.Equal(code(key, b[:end]), b[end:]) {
		return m, errors.New("its code differs: its bytes were changed, or it is of someone with another key")
	}
	m.payload = b[headLength:end]
	return m, nil
}

// A failure is an error of the trial, such as a diverged chain. All ranks return the failure from the same exchange,
// and the root records the trial as failed.
type failure struct {
	Steps    int64 // gradient steps of all chains before the failure
	Diverged bool
	Text     string
}

func (f *failure) Error() string { return f.Text }

// Unwrap returns posterior.ErrDiverged if a chain has diverged, so that policies recognize it, and nil otherwise.
func (f *failure) Unwrap() error {
	if f.Diverged {
		return posterior.ErrDiverged
	}
	return nil
}

func (f *failure) encode() []byte {
	b, err := json.Marshal(f)
	if err != nil {
		panic(err) // cannot happen: the fields are numbers and text
	}
	return b
}

func decodeFailure(b []byte) (f *failure, err error) {
	if err = json.Unmarshal(b, &f); err == nil && f == nil {
		err = errors.New("an empty failure")
	}
	return f, err
}

// encode returns the little-endian encoding of numbers: one number, a slice of numbers or a struct of fixed size.
func encode(numbers any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, numbers)
	if err != nil {
		panic(err) // the type has no fixed size
	}
	return b
}

// decodeAll decodes a payload, of exact length, into numbers: a slice of numbers or a pointer to a struct.
func decodeAll(numbers any, payload []byte) error {
	if want := binary.Size(numbers); len(payload) != want {
		return fmt.Errorf("%d bytes, want %d", len(payload), want)
	}
	_, err := binary.Decode(payload, binary.LittleEndian, numbers)
	return err
}

// ofChains decodes the parts of all ranks, with n numbers per chain, and returns all numbers, chain by chain.
func ofChains[T int32 | float32 | float64](parts [][]byte, chains, n int) ([]T, error) {
	all := make([]T, chains*n)
	for rank, b := range parts {
		first, end := part(rank, len(parts), chains)
		if err := decodeAll(all[first*n:end*n], b); err != nil {
			return nil, fmt.Errorf("of rank %d: %w", rank, err)
		}
	}
	return all, nil
}

// part returns the half-open range [first, end) of a rank's chains.
func part(rank, ranks, chains int) (first, end int) {
	return rank * chains / ranks, (rank + 1) * chains / ranks
}
