package policy

import (
	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// A Kind declares a policy with options of type O, which encoding/json must encode and decode. A field added to O later
// needs the tag omitzero (a slice: omitempty) and must have no effect while zero, so that older results keep their ID.
type Kind[O any] struct {
	Name, Doc string
	Family    string // group of policies in lists and figures, such as "linear models"; "" for none
	Defaults  func() O
	// New validates the options and returns a policy. It is called once per trial.
	New func(O, Setup) (bandit.Policy, error)
}

// As returns k under another name and description.
func (k Kind[O]) As(name, doc string) Kind[O] {
	k.Name, k.Doc = name, doc
	return k
}

// A Setup holds what a policy is built from besides its options.
type Setup struct {
	Spec     bandit.Spec
	Protocol bandit.Protocol
	Stream   *stream.Stream     // root of the policy's streams, as stream.Trial returns it
	Parallel posterior.Parallel // runs chains in parallel; nil: they run in turn
}

// Posterior returns the setup of the policy's posterior.
func (s Setup) Posterior() posterior.Setup {
	return posterior.Setup{Dim: s.Spec.Dim, Arms: len(s.Spec.Arms), Rounds: s.Protocol.Rounds, Groups: s.Spec.Groups, Shape: s.Spec.Shape, Stream: s.Stream, Parallel: s.Parallel}
}

// An Entry is a Kind without the type of its options.
type Entry struct {
	Name, Doc, Family string
	Defaults          any // a struct of options
	// Build returns the policy for options, which must be of the type of Defaults.
	Build func(options any, s Setup) (bandit.Policy, error)
}

// Entry returns k without the type of its options.
func (k Kind[O]) Entry() Entry {
	return Entry{k.Name, k.Doc, k.Family, k.Defaults(), func(o any, s Setup) (bandit.Policy, error) { return k.Build(o.(O), s) }}
}
