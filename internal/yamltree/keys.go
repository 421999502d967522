package yamltree

import (
	"fmt"
	"slices"

	"banditsim/internal/nearest"
)

// Key is the name of a key that a mapping may have, and the function that reads its value. It is an alias, so that
// lists of keys need no names of fields.
type Key = struct {
	Name string
	Read func(*Node) error
}

// ReadKeys reads a mapping, described by what, in the order of keys. Any other key in it is an error.
func (n *Node) ReadKeys(what string, keys []Key) error {
	if err := n.Must(what, Mapping); err != nil {
		return err
	}
	var known []string
	for _, k := range keys {
		known = append(known, k.Name)
	}
	for _, f := range n.Fields {
		if !slices.Contains(known, f.Name) {
			return f.Wrap(nearest.Unknown(what+" has no", f.Name, known))
		}
	}
	return n.ReadSomeKeys(keys)
}

// ReadSomeKeys reads these keys of a mapping, which may have others.
func (n *Node) ReadSomeKeys(keys []Key) error {
	for _, k := range keys {
		if v := n.Get(k.Name); v != nil {
			if err := k.Read(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadAllKeys is ReadKeys of a mapping that must have all keys.
func (n *Node) ReadAllKeys(what string, keys []Key) error {
	if err := n.ReadKeys(what, keys); err != nil {
		return err
	}
	for _, k := range keys {
		if n.Get(k.Name) == nil {
			return n.Wrap(fmt.Errorf("%s: %s is missing", what, k.Name))
		}
	}
	return nil
}
