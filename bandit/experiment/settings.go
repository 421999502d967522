package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"banditsim/internal/check"
	"banditsim/internal/nearest"
	"banditsim/internal/place"
)

// A Setting changes one option of an experiment: --set key=value. The key is a
// path whose first part is a scope:
//
//	protocol.rounds=200              the protocol
//	environment.encoding=ordinal     the environment
//	pICSGLD.learning_rate=1e-7       one policy or variant, or all that a sweep made of the name
//	"p 0.1".learning_rate=1e-7       the same: names with dots or equals signs need quotes
//	all.act=sample                   every policy that has the option
//
// The path of a policy's option is looked up in its own options first (act,
// posterior.learning_rate), then in those of its posterior (learning_rate).
type Setting struct {
	Key, Value string

	key, value place.Place // in a file
}

// Scopes of settings that are not names of policies.
const (
	protocolScope    = "protocol"
	environmentScope = "environment"
	allScope         = "all"
)

var reservedScopes = []string{protocolScope, environmentScope, allScope, "policy", "seeds", "data"}

// ParseSetting parses key=value.
func ParseSetting(s string) (Setting, error) {
	setting, err := parseSetting(s)
	if err != nil {
		return Setting{}, fmt.Errorf("--set %w", err)
	}
	return setting, nil
}

func parseSetting(s string) (Setting, error) {
	quoted := 0 // length of a quoted scope with its quotes
	if strings.HasPrefix(s, `"`) {
		name, _, closed := strings.Cut(s[1:], `"`)
		if !closed {
			return Setting{}, fmt.Errorf("%s: the closing quote is missing", s)
		}
		quoted = len(name) + 2
	}
	key, value, ok := strings.Cut(s[quoted:], "=")
	switch {
	case !ok || quoted+len(key) == 0:
		return Setting{}, fmt.Errorf("%q: want key=value, such as protocol.rounds=200", s)
	case quoted > 0 && !strings.HasPrefix(key, "."), !strings.Contains(key, "."):
		return Setting{}, fmt.Errorf(`%s: want a key of the form scope.option: protocol.rounds, environment.encoding, pICSGLD.learning_rate, "a name with signs".learning_rate or all.act`, s)
	}
	return Setting{Key: s[:quoted] + key, Value: value}, nil
}

func (s Setting) String() string { return s.Key + "=" + s.Value }

// split returns the scope and the path within it.
func (s Setting) split() (scope string, path []string) {
	scope, rest, _ := strings.Cut(s.Key, ".")
	if strings.HasPrefix(s.Key, `"`) {
		scope, rest, _ = strings.Cut(s.Key[1:], `".`)
	}
	return scope, strings.Split(rest, ".")
}

// quoteScope returns a name as the scope of a key.
func quoteScope(name string) string {
	if strings.ContainsAny(name, ".=") {
		return `"` + name + `"`
	}
	return name
}

// errUnknownKey marks a path without an option.
var errUnknownKey = errors.New("unknown key")

// A valueError is an error of a setting's value, not of its key.
type valueError struct{ error }

func (e valueError) Unwrap() error { return e.error }

// A settingError is an error that names the setting.
type settingError struct{ error }

func (e settingError) Unwrap() error { return e.error }

// wrong adds the setting to an error that does not name one yet.
func (s Setting) wrong(err error) error {
	var named settingError
	if errors.As(err, &named) {
		return err
	}
	at := s.key
	var value valueError
	if errors.As(err, &value) {
		at = s.value
	}
	if at.Known() {
		return at.Wrap(err)
	}
	return settingError{fmt.Errorf("--set %s: %w", s, err)}
}

// applyPath sets one option in a JSON object. The new value must have the type of the old one.
func applyPath(options json.RawMessage, path []string, value string) (json.RawMessage, error) {
	tree, err := object(options)
	if err != nil {
		return nil, err
	}
	node := tree
	for i, key := range path {
		old, ok := node[key]
		if !ok {
			return nil, unknownKey(key, path[:i], sortedKeys(node))
		}
		child, isObject := old.(map[string]any)
		switch last := i == len(path)-1; {
		case last && isObject:
			return nil, fmt.Errorf("%s is a group of options: %s", key, strings.Join(sortedKeys(child), ", "))
		case last:
			if node[key], err = parseLike(old, value); err != nil {
				return nil, valueError{err}
			}
		case !isObject:
			return nil, fmt.Errorf("%s has no options of its own", key)
		default:
			node = child
		}
	}
	return json.Marshal(tree)
}

// object decodes options, with numbers as written.
func object(options json.RawMessage) (map[string]any, error) {
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(options))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("the options are not a JSON object: %w", err)
	}
	return tree, nil
}

func unknownKey(key string, before, known []string) error {
	where := ""
	if len(before) > 0 {
		where = " in " + strings.Join(before, ".")
	}
	if len(known) == 0 {
		return fmt.Errorf("%w %q%s: there are no options", errUnknownKey, key, where)
	}
	return fmt.Errorf("%w %q%s%s: known are %s", errUnknownKey, key, where, nearest.DidYouMean(key, known), strings.Join(known, ", "))
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

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
		v, err := parseJSON("[" + strings.Trim(value, "[] ") + "]")
		if list, ok := v.([]any); err == nil && ok {
			return list, nil
		}
		return nil, wrong("a list, such as 100,100")
	default:
		return nil, fmt.Errorf("an option of type %T cannot be set", old)
	}
}

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

// posteriorKey is the option of a policy that holds the options of its posterior.
const posteriorKey = "posterior"

// apply sets an option or, if there is none of that path, one of the posterior.
func apply(options json.RawMessage, path []string, value string) (json.RawMessage, error) {
	changed, err := applyPath(options, path, value)
	if !errors.Is(err, errUnknownKey) {
		return changed, err
	}
	tree, _ := object(options) // decoded by applyPath before
	inner, _ := tree[posteriorKey].(map[string]any)
	if _, ok := inner[path[0]]; ok {
		return applyPath(options, append([]string{posteriorKey}, path...), value)
	}
	if _, ok := tree[path[0]]; ok {
		return nil, err // the rest of the path is wrong
	}
	return nil, unknownKey(path[0], nil, append(sortedKeys(tree), sortedKeys(inner)...))
}

// unknown returns the error for a name that is not in a list.
func unknown(kind, name string, known []string) error {
	return fmt.Errorf("there is no %s %q%s: known are %s", kind, name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
}
