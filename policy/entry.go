package policy

import "banditsim/bandit"

// An Entry is a Kind without the type of its options.
type Entry struct {
	Name, Doc string
	Defaults  any // a struct
	// Build returns the policy for options of the type of Defaults.
	Build func(options any, s Setup) (bandit.Policy, error)
}

// Entry returns k without the type of its options.
func (k Kind[O]) Entry() Entry {
	return Entry{k.Name, k.Doc, k.Defaults(), func(o any, s Setup) (bandit.Policy, error) { return k.Build(o.(O), s) }}
}
