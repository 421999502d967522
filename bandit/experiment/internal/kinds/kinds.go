// Package kinds has the options of registered policies, posteriors and environments.
package kinds

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"banditsim/bandit/experiment/internal/setting"
	"banditsim/internal/optiontree"
)

// An Entry is a name with a one-line description.
type Entry struct{ Name, Doc string }

// A Kind is a registered policy or environment: its options, and the T that they make.
type Kind[T any] struct {
	Entry
	Options  reflect.Type    // type of the options, for the schema
	Defaults json.RawMessage // all options
	// Normalize decodes options strictly and encodes them again, in the order of the type's
	// fields and without those that are zero and tagged omitzero.
	Normalize func(json.RawMessage) (json.RawMessage, error)
	// With makes a T of options.
	With func(options json.RawMessage) (T, error)
	// Unused returns the paths of the options that have no effect beside the others.
	Unused func(options json.RawMessage) []string
}

// New takes options of any type, those of defaults, which with is called with. It has no parameter for that type, and the
// functions that have one leave to it what does not depend on the type, since they exist once for each.
func New[T any](name, doc string, defaults any, with func(options any) T) (Kind[T], error) {
	of := reflect.TypeOf(defaults)
	all, err := optiontree.Encode(defaults)
	if err = cmp.Or(err, optiontree.Check(of)); err != nil {
		return Kind[T]{Entry: Entry{name, doc}}, fmt.Errorf("experiment: register %s: %w", name, err)
	}
	decode := func(b json.RawMessage) (any, error) {
		o := reflect.New(of)
		err := optiontree.Decode(b, o.Interface())
		return o.Elem().Interface(), err
	}
	return Kind[T]{
		Entry:    Entry{name, doc},
		Options:  of,
		Defaults: all,
		Normalize: func(b json.RawMessage) (json.RawMessage, error) {
			return optiontree.Normalize(b, reflect.New(of).Interface())
		},
		With: func(b json.RawMessage) (t T, err error) {
			o, err := decode(b)
			if err != nil {
				return t, err
			}
			return with(o), nil
		},
		Unused: func(b json.RawMessage) []string {
			o, err := decode(b)
			if err != nil { // with returns that error
				return nil
			}
			return optiontree.Unused(o)
		},
	}, nil
}

// Find returns the kind of that name, or nil.
func Find[T any](kinds []Kind[T], name string) *Kind[T] {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}

// Entries returns the names.
func Entries[T any](kinds []Kind[T]) []Entry {
	var list []Entry
	for _, k := range kinds {
		list = append(list, k.Entry)
	}
	return list
}

// Resolve applies settings to options.
func (k *Kind[T]) Resolve(options json.RawMessage, list []setting.Setting) (json.RawMessage, error) {
	var err error
	for _, s := range list {
		if options, err = k.Set(options, s); err != nil {
			return nil, err
		}
	}
	return k.Normalize(options)
}

// Set applies one setting and checks its type. The elements of a list of texts need no quotes.
func (k *Kind[T]) Set(options json.RawMessage, s setting.Setting) (json.RawMessage, error) {
	changed, err := k.setValue(options, s)
	if err == nil {
		return changed, nil
	}
	words := strings.Split(strings.Trim(s.Value, "[] "), ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	quoted := s
	if b, failed := json.Marshal(words); failed == nil {
		quoted.Value = string(b)
	}
	if changed, failed := k.setValue(options, quoted); failed == nil {
		return changed, nil
	}
	return nil, err
}

func (k *Kind[T]) setValue(options json.RawMessage, s setting.Setting) (json.RawMessage, error) {
	_, path := s.Split()
	changed, err := optiontree.Set(options, path, s.Value)
	if err != nil {
		return nil, s.Wrong(err)
	}
	if _, err := k.With(changed); err != nil {
		return nil, s.Wrong(illTyped(s, err))
	}
	return changed, nil
}

// illTyped returns an error about the setting whose value the JSON decoder rejects.
func illTyped(s setting.Setting, err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		want := wrong.Type.String()
		switch {
		case strings.HasPrefix(want, "int"):
			want = "a whole number that fits 64 bits"
		case strings.HasPrefix(want, "uint"):
			want = "a whole number of at least 0 that fits 64 bits"
		}
		return optiontree.ValueError{Err: fmt.Errorf("%q is not %s", s.Value, want)}
	}
	return optiontree.ValueError{Err: err}
}
