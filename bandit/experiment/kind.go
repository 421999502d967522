package experiment

import (
	"encoding/json"
	"reflect"

	"banditsim/internal/lists"
	"banditsim/internal/optiontree"
)

// An Entry is a name with a one-line description.
type Entry struct{ Name, Doc string }

// A kind is a registered policy, posterior or environment. T is its constructor.
type kind[T any] struct {
	Entry
	defaults any                 // default options, a struct
	with     func(options any) T // binds options, of the type of defaults, to the constructor
}

// find returns the kind with a name, or nil.
func find[T any](kinds []kind[T], name string) *kind[T] {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}

func entriesOf[T any](kinds []kind[T]) []Entry {
	return lists.Each(kinds, func(k kind[T]) Entry { return k.Entry })
}

// decode decodes the options of a recorded trial. An unknown field is an error.
func (k *kind[T]) decode(b json.RawMessage) (any, error) {
	o := reflect.New(reflect.TypeOf(k.defaults))
	err := optiontree.Decode(b, o.Interface())
	return o.Elem().Interface(), err
}

// resolve applies settings to options. It returns the constructor with the resulting options, and their JSON for the
// identity of trials: in the order of the fields, without those that are zero and tagged omitzero.
func (k *kind[T]) resolve(options any, settings []Setting) (b json.RawMessage, t T, err error) {
	if options, err = set(options, settings); err != nil {
		return nil, t, err
	}
	// Options go through the JSON of all fields, then through that of the identity, so that the constructor depends on
	// the identity alone, and not on whether a list was nil or empty.
	for _, encode := range []func(any) (json.RawMessage, error){optiontree.Encode, marshal} {
		if b, err = encode(options); err == nil {
			options, err = k.decode(b)
		}
		if err != nil {
			return nil, t, err
		}
	}
	return b, k.with(options), nil
}

func marshal(options any) (json.RawMessage, error) { return json.Marshal(options) }
