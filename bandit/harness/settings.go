package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"banditsim/internal/nearest"
)

// A Setting changes one option of an experiment: --set key=value. The key is a
// path whose first part is a scope:
//
//	protocol.rounds=200              the protocol
//	environment.encoding=ordinal     the environment
//	pICSGLD.learning_rate=1e-7       one policy
//	all.act=sample                   every policy that has the option
//
// Within a policy a path is looked up among its own options first (act,
// posterior.learning_rate), then among its posterior's (learning_rate).
type Setting struct{ Key, Value string }

// Scopes of settings that are no policy's name.
const (
	protocolScope    = "protocol"
	environmentScope = "environment"
	allScope         = "all"
)

var reservedScopes = []string{protocolScope, environmentScope, allScope, "policy", "seeds", "data"}

// ParseSetting reads key=value.
func ParseSetting(s string) (Setting, error) {
	key, value, ok := strings.Cut(s, "=")
	if !ok || key == "" {
		return Setting{}, fmt.Errorf("--set %q: want key=value, such as protocol.rounds=200", s)
	}
	if !strings.Contains(key, ".") {
		return Setting{}, fmt.Errorf("--set %s: want a key of the form scope.option: protocol.rounds, environment.encoding, pICSGLD.learning_rate or all.act", s)
	}
	return Setting{key, value}, nil
}

func (s Setting) String() string { return s.Key + "=" + s.Value }

// split returns the scope and the path within it.
func (s Setting) split() (scope string, path []string) {
	parts := strings.Split(s.Key, ".")
	return parts[0], parts[1:]
}

// errUnknownKey marks a path that leads nowhere.
var errUnknownKey = errors.New("unknown key")

// apply sets one option in a JSON object of options. The new value must be of
// the type of the old.
func apply(options json.RawMessage, s Setting, path []string) (json.RawMessage, error) {
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(options))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("--set %s: the options are no JSON object: %w", s, err)
	}
	node := tree
	for i, key := range path {
		old, ok := node[key]
		if !ok {
			return nil, unknownKey(s, path[:i], key, node)
		}
		child, isObject := old.(map[string]any)
		switch last := i == len(path)-1; {
		case last && isObject:
			return nil, fmt.Errorf("--set %s: %s is a group of options: %s", s, key, strings.Join(sortedKeys(child), ", "))
		case last:
			value, err := parseLike(old, s.Value)
			if err != nil {
				return nil, fmt.Errorf("--set %s: %w", s, err)
			}
			node[key] = value
		case !isObject:
			return nil, fmt.Errorf("--set %s: %s has no options of its own", s, key)
		default:
			node = child
		}
	}
	return json.Marshal(tree)
}

func unknownKey(s Setting, before []string, key string, node map[string]any) error {
	known := sortedKeys(node)
	where := ""
	if len(before) > 0 {
		where = " in " + strings.Join(before, ".")
	}
	return fmt.Errorf("--set %s: %w %q%s%s: known are %s", s, errUnknownKey, key, where, nearest.DidYouMean(key, known), strings.Join(known, ", "))
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// parseLike reads a value of the type that old has.
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
			if _, err := n.Float64(); err != nil {
				return nil, wrong("a number that fits 64 bits")
			}
			return n, nil
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

// applyPolicy sets an option of a policy, or failing that of its posterior.
func applyPolicy(options json.RawMessage, s Setting, path []string) (json.RawMessage, error) {
	changed, err := apply(options, s, path)
	if !errors.Is(err, errUnknownKey) {
		return changed, err
	}
	changed, inner := apply(options, s, append([]string{"posterior"}, path...))
	if inner == nil || !errors.Is(inner, errUnknownKey) {
		return changed, inner
	}
	if _, hasPosterior := rawObject(options)["posterior"]; hasPosterior {
		return nil, inner
	}
	return nil, err
}

func rawObject(b json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(b, &m) != nil {
		return nil
	}
	return m
}

// unknown is the error of a name that is not in a list.
func unknown(kind, name string, known []string) error {
	return fmt.Errorf("there is no %s %q%s: known are %s", kind, name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
}
