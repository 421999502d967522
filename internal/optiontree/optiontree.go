// Package optiontree works on the options of components, which are structs that encoding/json can encode: it lists
// their fields, sets an option by its path, and explains mistyped names.
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
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
)

// ErrUnknownKey is wrapped by errors about a path at which there is no option.
var ErrUnknownKey = errors.New("unknown key")

// A ValueError is an error in a value rather than in its key.
type ValueError struct{ Err error }

func (e ValueError) Error() string { return e.Err.Error() }

func (e ValueError) Unwrap() error { return e.Err }

// Posterior is the name of the group of options of a policy's posterior.
const Posterior = "posterior"

// Set returns a copy of options, a struct, with the option at path changed to the value text, which is written as in
// --set: strings in lists need no quotes. The path, not empty, begins in options or, if options has no field path[0],
// in the group Posterior of options.
func Set(options any, path []string, text string) (any, error) {
	path, err := resolvePath(options, path)
	if err != nil {
		return nil, err
	}
	b, err := Encode(options)
	if err != nil {
		return nil, err
	}
	old, err := parseJSON(string(b))
	if err != nil {
		return nil, err
	}
	changed, err := setIn(options, old, path, text)
	if err == nil {
		return changed, nil
	}
	words := lists.Each(strings.Split(strings.Trim(text, "[] "), ","), strings.TrimSpace)
	quoted, _ := json.Marshal(words) // cannot fail for strings
	if changed, failed := setIn(options, old, path, string(quoted)); failed == nil {
		return changed, nil
	}
	return nil, err
}

// setIn returns a copy of options with the value at path changed to text. old is the JSON of options from parseJSON.
func setIn(options, old any, path []string, text string) (any, error) {
	changed, err := parseInto(old, path, 0, text)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(changed)
	if err != nil {
		return nil, err
	}
	fresh := reflect.New(reflect.TypeOf(options))
	if err := Decode(b, fresh.Interface()); err != nil {
		return nil, illTyped(text, err)
	}
	return fresh.Elem().Interface(), nil
}

// Known returns the names with which a path can begin in Set: those in options, then those in its group Posterior.
func Known(options any) []string {
	t := reflect.TypeOf(options)
	list := Names(t)
	for _, f := range Fields(t) {
		if f.JSON == Posterior {
			list = append(list, Names(f.Type)...)
		}
	}
	return list
}

// resolvePath returns path, with Posterior in front if it begins in that group.
func resolvePath(options any, path []string) ([]string, error) {
	t := reflect.TypeOf(options)
	known := Known(options)
	switch at := slices.Index(known, path[0]); {
	case !IsGroup(t), at >= 0 && at < len(Fields(t)):
		return path, nil
	case at >= 0:
		return append([]string{Posterior}, path...), nil
	}
	return nil, UnknownKey(path[0], nil, known)
}

// parseInto returns a copy of old with one value changed. old is the value at path[:i]. The value at path[i:] below old
// becomes text, parsed as the type of the value that it replaces.
func parseInto(old any, path []string, i int, text string) (any, error) {
	object, isObject := old.(map[string]any)
	switch last := i == len(path); {
	case last && isObject:
		return nil, fmt.Errorf("%s is a group of options: %s", path[i-1], strings.Join(slices.Sorted(maps.Keys(object)), ", "))
	case last:
		v, err := parseLike(old, text)
		if err != nil {
			err = ValueError{err}
		}
		return v, err
	case !isObject:
		return nil, fmt.Errorf("%s has no options of its own", path[i-1])
	}
	inner, ok := object[path[i]]
	if !ok {
		return nil, UnknownKey(path[i], path[:i], slices.Sorted(maps.Keys(object)))
	}
	v, err := parseInto(inner, path, i+1, text)
	if err != nil {
		return nil, err
	}
	changed := maps.Clone(object)
	changed[path[i]] = v
	return changed, nil
}

// illTyped returns the error for a value text that the JSON decoder rejected with err.
func illTyped(text string, err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		want := wrong.Type.String()
		switch {
		case strings.HasPrefix(want, "int"):
			want = "a whole number that fits 64 bits"
		case strings.HasPrefix(want, "uint"):
			want = "a whole number of at least 0 that fits 64 bits"
		}
		err = fmt.Errorf("%q is not %s", text, want)
	}
	return ValueError{err}
}

// UnknownKey returns the error for a key that is not among the known keys of the group at path.
func UnknownKey(key string, path, known []string) error {
	where := ""
	if len(path) > 0 {
		where = " in " + strings.Join(path, ".")
	}
	if len(known) == 0 {
		return fmt.Errorf("%w %q%s: there are no options", ErrUnknownKey, key, where)
	}
	return fmt.Errorf("%w %q%s%s: known are %s", ErrUnknownKey, key, where, nearest.DidYouMean(key, known), strings.Join(known, ", "))
}

// parseLike parses a value as the JSON type of old.
func parseLike(old any, value string) (any, error) {
	wrong := func(want string) error { return fmt.Errorf("%q is not %s", value, want) }
	switch old := old.(type) {
	case string:
		return value, nil
	case bool:
		if value != "true" && value != "false" {
			return nil, wrong("true or false")
		}
		return value == "true", nil
	case json.Number:
		v, err := parseJSON(value)
		if n, ok := v.(json.Number); err == nil && ok {
			_, err := check.ParseFloat(n.String())
			return n, err
		}
		return nil, wrong("a number such as 0.5 or 1e-3")
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
		return nil, wrong("a list, such as 100,100 or 0.5,1e-3")
	default:
		return nil, fmt.Errorf("an option of type %T cannot be set", old)
	}
}

// bareKey matches an object's key without quotes, as in {conv: 8}, which --set accepts besides JSON.
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

// Decode decodes the first JSON value in b into the value that v points to, and rejects unknown fields.
func Decode(b json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// DecodeKnown is Decode for an object and a struct; its error for an unknown key lists the known keys.
func DecodeKnown(b json.RawMessage, v any) error {
	var object map[string]any
	if err := json.Unmarshal(b, &object); err != nil {
		return fmt.Errorf("the options are not a JSON object: %w", err)
	}
	known := Names(reflect.TypeOf(v).Elem())
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(known, key) {
			return UnknownKey(key, nil, known)
		}
	}
	return Decode(b, v)
}

// Encode returns options as a JSON object of all fields, even zero ones that encoding/json omits; nil slices are [].
func Encode(options any) ([]byte, error) { return encode(reflect.ValueOf(options)) }

func encode(v reflect.Value) ([]byte, error) {
	if !IsGroup(v.Type()) {
		if v.Kind() == reflect.Slice && v.IsNil() {
			return []byte("[]"), nil
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

// Override returns a copy of options, a struct, with the field values in the JSON object b. A nil b changes nothing.
func Override(options any, b json.RawMessage) (any, error) {
	all, err := Encode(options)
	if err != nil {
		return nil, err
	}
	o := reflect.New(reflect.TypeOf(options))
	if err = Decode(all, o.Interface()); err == nil && b != nil {
		err = DecodeKnown(b, o.Interface())
	}
	return o.Elem().Interface(), err
}
