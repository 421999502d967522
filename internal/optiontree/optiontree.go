// Package optiontree has the options of components as JSON objects: their fields, the setting of one by its path, and
// the errors of those who mistype.
package optiontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/check"
	"banditsim/internal/nearest"
)

// ErrUnknownKey marks a path without an option.
var ErrUnknownKey = errors.New("unknown key")

// A ValueError is an error of a value, not of its key.
type ValueError struct{ Err error }

func (e ValueError) Error() string { return e.Err.Error() }

func (e ValueError) Unwrap() error { return e.Err }

// apply sets one option of a tree. The new value must have the type of the old one.
func apply(tree map[string]any, path []string, value string) error {
	node := tree
	for i, key := range path {
		old, ok := node[key]
		if !ok {
			return UnknownKey(key, path[:i], Keys(node))
		}
		child, isObject := old.(map[string]any)
		switch last := i == len(path)-1; {
		case last && isObject:
			return fmt.Errorf("%s is a group of options: %s", key, strings.Join(Keys(child), ", "))
		case last:
			v, err := parseLike(old, value)
			if err != nil {
				return ValueError{err}
			}
			node[key] = v
		case !isObject:
			return fmt.Errorf("%s has no options of its own", key)
		default:
			node = child
		}
	}
	return nil
}

// Tree decodes options, with numbers as written.
func Tree(options json.RawMessage) (map[string]any, error) {
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(options))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("the options are not a JSON object: %w", err)
	}
	return tree, nil
}

// UnknownKey returns the error of a key that is not among those known, below the keys before it.
func UnknownKey(key string, before, known []string) error {
	where := ""
	if len(before) > 0 {
		where = " in " + strings.Join(before, ".")
	}
	if len(known) == 0 {
		return fmt.Errorf("%w %q%s: there are no options", ErrUnknownKey, key, where)
	}
	return fmt.Errorf("%w %q%s%s: known are %s", ErrUnknownKey, key, where, nearest.DidYouMean(key, known), strings.Join(known, ", "))
}

// Keys returns the keys of a tree in order.
func Keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// parseLike parses a value of the type of old.
func parseLike(old any, value string) (any, error) {
	wrong := func(want string) error { return fmt.Errorf("%q is not %s", value, want) }
	switch old := old.(type) {
	case string:
		return value, nil
	case bool:
		switch value {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, wrong("true or false")
	case json.Number:
		v, err := parseJSON(value)
		if n, ok := v.(json.Number); err == nil && ok {
			_, err := check.ParseFloat(n.String())
			return n, err
		}
		return nil, wrong("a number")
	case []any:
		for _, text := range []string{value, bareKey.ReplaceAllString(value, `$1"$2":`)} {
			v, err := parseJSON("[" + strings.Trim(text, "[] ") + "]")
			if list, ok := v.([]any); err == nil && ok {
				return list, nil
			}
		}
		if strings.Contains(value, "{") {
			return nil, wrong("a list of objects, such as [{conv: 8, size: 5}]")
		}
		return nil, wrong("a list, such as 100,100")
	default:
		return nil, fmt.Errorf("an option of type %T cannot be set", old)
	}
}

// bareKey matches a key of an object without quotes, which --set takes beside JSON: {conv: 8}.
var bareKey = regexp.MustCompile(`([{,]\s*)([A-Za-z_]\w*)\s*:`)

func parseJSON(s string) (any, error) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

// Posterior is the option of a policy that holds the options of its posterior.
const Posterior = "posterior"

// Set sets an option or, if there is none of that path, one of the posterior.
func Set(options json.RawMessage, path []string, value string) (json.RawMessage, error) {
	tree, err := Tree(options)
	if err != nil {
		return nil, err
	}
	err = apply(tree, path, value)
	if errors.Is(err, ErrUnknownKey) {
		inner, _ := tree[Posterior].(map[string]any)
		if _, ok := inner[path[0]]; ok {
			err = apply(tree, append([]string{Posterior}, path...), value)
		} else if _, ok := tree[path[0]]; !ok { // else the rest of the path is wrong
			err = UnknownKey(path[0], nil, append(Keys(tree), Keys(inner)...))
		}
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// Decode decodes JSON to what to points to, and rejects unknown fields.
func Decode(b json.RawMessage, to any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// DecodeKnown is Decode of an object into a struct, with an error of the first unknown key that names those known.
func DecodeKnown(b json.RawMessage, to any) error {
	tree, err := Tree(b)
	if err != nil {
		return err
	}
	var known []string
	for _, f := range Fields(reflect.TypeOf(to).Elem()) {
		known = append(known, f.JSON)
	}
	for _, key := range Keys(tree) {
		if !slices.Contains(known, key) {
			return UnknownKey(key, nil, known)
		}
	}
	return Decode(b, to)
}

// Normalize decodes JSON to what to points to, and encodes that.
func Normalize(b json.RawMessage, to any) (json.RawMessage, error) {
	if err := Decode(b, to); err != nil {
		return nil, err
	}
	return json.Marshal(to)
}

// Encode returns options as a JSON object of all fields, including those that encoding/json omits
// because they are zero: they can be set too.
func Encode(options any) (json.RawMessage, error) { return encode(reflect.ValueOf(options)) }

func encode(v reflect.Value) (json.RawMessage, error) {
	if !IsGroup(v.Type()) {
		if v.Kind() == reflect.Slice && v.IsNil() {
			return json.RawMessage("[]"), nil
		}
		return json.Marshal(v.Interface())
	}
	object := []byte{'{'}
	for i, f := range Fields(v.Type()) {
		if i > 0 {
			object = append(object, ',')
		}
		value, err := encode(v.FieldByIndex(f.Index))
		if err != nil {
			return nil, err
		}
		object = append(strconv.AppendQuote(object, f.JSON), ':')
		object = append(object, value...)
	}
	return append(object, '}'), nil
}

// IsGroup reports whether options of type t are a group of options rather than a value.
func IsGroup(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if inline(t.Field(i)) {
			return true
		}
	}
	return !t.Implements(reflect.TypeFor[json.Marshaler]())
}
