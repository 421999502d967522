package experiment

import (
	"encoding/json"
	"reflect"

	"banditsim/internal/optiontree"
)

// An Entry is a name with a one-line description.
type Entry struct{ Name, Doc string }

// A kind is a registered policy, posterior or environment: its options, and the T that they make.
type kind[T any] struct {
	Entry
	defaults any                 // a struct, from which settings make others of its type
	with     func(options any) T // takes options of the type of the defaults
}

// find returns the kind of that name, or nil.
func find[T any](kinds []kind[T], name string) *kind[T] {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}

func entriesOf[T any](kinds []kind[T]) []Entry {
	return each(kinds, func(k kind[T]) Entry { return k.Entry })
}

// each returns what of returns for each element of a list, nil for none.
func each[T, U any](list []T, of func(T) U) (all []U) {
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

// decode decodes the options of a recorded trial strictly.
func (k *kind[T]) decode(b json.RawMessage) (any, error) {
	o := reflect.New(reflect.TypeOf(k.defaults))
	err := optiontree.Decode(b, o.Interface())
	return o.Elem().Interface(), err
}

// resolve applies settings to options, and returns what they make. The JSON is that of the identity of trials: in the order of the
// fields, without those that are zero and tagged omitzero.
func (k *kind[T]) resolve(options any, settings []Setting) (b json.RawMessage, t T, err error) {
	if options, err = set(options, settings); err != nil {
		return nil, t, err
	}
	// By way of the JSON of all fields and then that of the identity, so that the same JSON makes the same T, whether its lists
	// were nil or empty here.
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
