package experiment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"banditsim/internal/optiontree"
)

// A kind is a registered policy or environment: its options, and the T that they make.
type kind[T any] struct {
	Entry
	options  reflect.Type    // for the schema
	defaults json.RawMessage // all options
	// normalize decodes options strictly and encodes them again, in the order of the type's
	// fields and without those that are zero and tagged omitzero.
	normalize func(json.RawMessage) (json.RawMessage, error)
	with      func(options json.RawMessage) (T, error)
	// unused returns the paths of the options that have no effect beside the others.
	unused func(options json.RawMessage) []string
}

// newKind takes options of any type, those of defaults, which with is called with. It has no parameter for that type, and the
// functions that have one leave to it what does not depend on the type, since they exist once for each.
func newKind[T any](name, doc string, defaults any, with func(options any) T) (kind[T], error) {
	of := reflect.TypeOf(defaults)
	all, err := optiontree.Encode(defaults)
	if err = cmp.Or(err, optiontree.Check(of)); err != nil {
		return kind[T]{Entry: Entry{name, doc}}, fmt.Errorf("experiment: register %s: %w", name, err)
	}
	decode := func(b json.RawMessage) (any, error) {
		o := reflect.New(of)
		err := optiontree.Decode(b, o.Interface())
		return o.Elem().Interface(), err
	}
	return kind[T]{
		Entry:    Entry{name, doc},
		options:  of,
		defaults: all,
		normalize: func(b json.RawMessage) (json.RawMessage, error) {
			return optiontree.Normalize(b, reflect.New(of).Interface())
		},
		with: func(b json.RawMessage) (t T, err error) {
			o, err := decode(b)
			if err != nil {
				return t, err
			}
			return with(o), nil
		},
		unused: func(b json.RawMessage) []string {
			o, err := decode(b)
			if err != nil { // with returns that error
				return nil
			}
			return optiontree.Unused(o)
		},
	}, nil
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

func entries[T any](kinds []kind[T]) []Entry {
	var list []Entry
	for _, k := range kinds {
		list = append(list, k.Entry)
	}
	return list
}

// resolve applies settings to options.
func (k *kind[T]) resolve(options json.RawMessage, settings []Setting) (json.RawMessage, error) {
	var err error
	for _, s := range settings {
		if options, err = k.set(options, s); err != nil {
			return nil, err
		}
	}
	return k.normalize(options)
}

// set applies one setting and checks its type. The elements of a list of texts need no quotes.
func (k *kind[T]) set(options json.RawMessage, s Setting) (json.RawMessage, error) {
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

func (k *kind[T]) setValue(options json.RawMessage, s Setting) (json.RawMessage, error) {
	_, path := s.split()
	changed, err := optiontree.Set(options, path, s.Value)
	if err != nil {
		return nil, s.wrong(err)
	}
	if _, err := k.with(changed); err != nil {
		return nil, s.wrong(illTyped(s, err))
	}
	return changed, nil
}

// illTyped returns an error about the setting whose value the JSON decoder rejects.
func illTyped(s Setting, err error) error {
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
