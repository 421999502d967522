package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
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

	// Places in a file.
	keyAt, valueAt place.Place
	// general is true of what an `all.` setting was made into: it need not have an effect on every policy.
	general bool
}

// ParseSetting parses key=value.
func ParseSetting(s string) (Setting, error) {
	parsed, err := parseSetting(s)
	if err != nil {
		return Setting{}, fmt.Errorf("--set %w", err)
	}
	return parsed, nil
}

// Scopes of settings that are not names of policies.
const (
	scopeProtocol    = "protocol"
	scopeEnvironment = "environment"
	scopeAll         = "all"
	scopeModel       = "model" // names a posterior by itself: model.lambda=10
)

// reservedNames returns the names that no policy may have: they mean something else in --set.
func reservedNames() []string {
	return []string{scopeProtocol, scopeEnvironment, scopeAll, "policy", "seeds", "data"}
}

// parseSetting parses key=value.
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
	case quoted == 0 && !strings.ContainsAny(key, ". "):
		return Setting{}, fmt.Errorf("%s: whose option is that? Want POLICY.%s for one policy, all.%s for all that have it, environment.%s or protocol.%s: scope.option", s, s, s, s, s)
	case quoted > 0 && !strings.HasPrefix(key, "."), !strings.Contains(key, "."):
		return Setting{}, fmt.Errorf(`%s: want a key of the form scope.option: protocol.rounds, environment.encoding, pICSGLD.learning_rate, "a name with signs".learning_rate or all.act`, s)
	}
	return Setting{Key: s[:quoted] + key, Value: value}, nil
}

// String returns key=value.
func (s Setting) String() string { return s.Key + "=" + s.Value }

// split returns the scope and the path within it.
func (s Setting) split() (scope string, path []string) {
	scope, rest, _ := strings.Cut(s.Key, ".")
	if strings.HasPrefix(s.Key, `"`) {
		scope, rest, _ = strings.Cut(s.Key[1:], `".`)
	}
	return scope, strings.Split(rest, ".")
}

// scope returns the scope.
func (s Setting) scope() string {
	scope, _ := s.split()
	return scope
}

// IsModel reports whether a setting is one of a posterior by itself.
func (s Setting) IsModel() bool { return s.scope() == scopeModel }

// unscoped returns a setting as those of variants are.
func (s Setting) unscoped() Setting {
	_, path := s.split()
	s.Key = strings.Join(path, ".")
	return s
}

// isNamedIn reports whether an error of options begins with this one, such as drift.period: 0, want 1 to 9.
func (s Setting) isNamedIn(err error) bool {
	_, path := s.split()
	option := strings.TrimPrefix(strings.Join(path, "."), optiontree.Posterior+".")
	return strings.Contains(" "+err.Error(), " "+option+": ")
}

// quoteScope returns a name as the scope of a key.
func quoteScope(name string) string {
	if strings.ContainsAny(name, ".=") {
		return `"` + name + `"`
	}
	return name
}

// A settingError names its setting.
type settingError struct{ error }

// Unwrap returns the error of the setting.
func (e settingError) Unwrap() error { return e.error }

// wrong adds the setting to an error that does not name one yet.
func (s Setting) wrong(err error) error {
	var named settingError
	if errors.As(err, &named) {
		return err
	}
	at := s.keyAt
	var value optiontree.ValueError
	if errors.As(err, &value) {
		at = s.valueAt
	}
	if at.Known() {
		return at.Wrap(err)
	}
	return settingError{fmt.Errorf("--set %s: %w", s, err)}
}

// readSettings reads settings: a mapping of keys to values, or a list of key=value. A nested
// mapping stands for keys with dots, unless whole reports that it is the value of the key. If scoped, the first part of
// a key is a scope.
func readSettings(n *yamltree.Node, what string, scoped bool, whole func(key string) bool) ([]Setting, error) {
	if err := n.Must(what, yamltree.Mapping, yamltree.List); err != nil {
		return nil, err
	}
	var settings []Setting
	if n.Kind == yamltree.Mapping {
		err := eachKey(n, "", scoped, whole, func(at place.Place, key string, n *yamltree.Node) error {
			value, err := valueText(n, key)
			settings = append(settings, Setting{Key: key, Value: value, keyAt: at, valueAt: n.Place})
			return err
		})
		if err == nil {
			err = checkTwice(settings)
		}
		return settings, err
	}
	for _, item := range n.Items {
		text, err := item.Scalar("a setting")
		if err != nil {
			return nil, err
		}
		var s Setting
		if scoped {
			s, err = parseSetting(text)
		} else if key, value, ok := strings.Cut(text, "="); ok && key != "" {
			s.Key, s.Value = key, value
		} else {
			err = fmt.Errorf("%q: want option=value, such as temperature=0.3", words.Clip(text))
		}
		if err != nil {
			return nil, item.Wrap(err)
		}
		s.keyAt, s.valueAt = item.Within(text, 0), item.Within(text, len(text)-len(s.Value))
		settings = append(settings, s)
	}
	return settings, nil
}

// checkTwice returns an error if an option of a mapping is set twice: flat and nested, or with and
// without posterior. The order of a mapping has no meaning, so neither value would be right.
func checkTwice(settings []Setting) error {
	first := map[string]Setting{}
	for _, s := range settings {
		option := strings.NewReplacer(`"`, "", "."+optiontree.Posterior+".", ".").Replace("." + s.Key)
		if before, ok := first[option]; ok {
			return s.keyAt.Wrap(fmt.Errorf("%s is set here and, as %s, in %s", s.Key, before.Key, before.keyAt))
		}
		first[option] = s
	}
	return nil
}

// eachKey calls f for every key whose value is not a mapping, or for which whole is true, with its path joined by dots.
func eachKey(n *yamltree.Node, prefix string, scoped bool, whole func(key string) bool, f func(at place.Place, key string, n *yamltree.Node) error) error {
	for _, field := range n.Fields {
		key := prefix + field.Name
		var err error
		switch {
		case field.Value.Kind == yamltree.Mapping && !whole(key):
			err = eachKey(field.Value, key+".", scoped, whole, f)
		case scoped && prefix == "":
			if _, err = parseSetting(key + "="); err != nil {
				return field.Wrap(errors.New("want a key of the form scope.option, or a scope with a mapping: protocol, environment, a policy's name or all"))
			}
			fallthrough
		default:
			err = f(field.Place, key, field.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// valueText returns a value as it is written in --set.
func valueText(n *yamltree.Node, what string) (string, error) {
	switch n.Kind {
	case yamltree.Mapping:
		b, err := n.JSON()
		return string(b), err
	case yamltree.List:
	default:
		return n.Scalar(what)
	}
	if slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool { return item.Kind == yamltree.Mapping }) {
		b, err := n.JSON()
		return string(b), err
	}
	var parts []string
	for _, item := range n.Items {
		part, err := item.Scalar("an element of " + what)
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	return "[" + strings.Join(parts, ",") + "]", nil
}

// noMapping is the whole of readSettings for options that have no mapping as their value.
func noMapping(string) bool { return false }
