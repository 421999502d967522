package experiment

import (
	"encoding/json"
	"fmt"
	"reflect"

	"banditsim/internal/optiontree"
)

// An Entry is a name with a one-line description.
type Entry struct{ Name, Doc string }

// A kind is a registered policy, posterior or environment: its options, and the T that they make.
type kind[T any] struct {
	Entry
	defaults any // a struct, from which settings make others of its type
	// with makes a T of options of the type of the defaults.
	with func(options any) T
}

// newKind takes options of any type, those of defaults, which with is called with. It has no parameter for that type, and the
// functions that have one leave to it what does not depend on the type, since they exist once for each.
func newKind[T any](name, doc string, defaults any, with func(options any) T) (kind[T], error) {
	k := kind[T]{Entry{name, doc}, defaults, with}
	if err := optiontree.Check(reflect.TypeOf(defaults)); err != nil {
		return k, fmt.Errorf("experiment: register %s: %w", name, err)
	}
	return k, nil
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
	var list []Entry
	for _, k := range kinds {
		list = append(list, k.Entry)
	}
	return list
}

// decode decodes the options of a recorded trial strictly.
func (k *kind[T]) decode(b json.RawMessage) (any, error) {
	o := reflect.New(reflect.TypeOf(k.defaults))
	err := optiontree.Decode(b, o.Interface())
	return o.Elem().Interface(), err
}

// set returns the options with settings applied in order.
func (k *kind[T]) set(options any, settings ...Setting) (any, error) {
	for _, s := range settings {
		_, path := s.split()
		changed, err := optiontree.Set(options, path, s.Value)
		if err != nil {
			return nil, s.wrong(err)
		}
		options = changed
	}
	return options, nil
}

// resolve applies settings to options, and returns what they make. The JSON is that of the identity of trials: in the order of the
// fields, without those that are zero and tagged omitzero.
func (k *kind[T]) resolve(options any, settings []Setting) (b json.RawMessage, t T, err error) {
	if options, err = k.set(options, settings...); err != nil {
		return nil, t, err
	}
	// By way of the JSON of all fields and then that of the identity, so that the same JSON makes the same T, whether its lists
	// were nil or empty here.
	if b, err = optiontree.Encode(options); err == nil {
		options, err = k.decode(b)
	}
	if err == nil {
		b, err = json.Marshal(options)
	}
	if err == nil {
		options, err = k.decode(b)
	}
	if err != nil {
		return nil, t, err
	}
	return b, k.with(options), nil
}
