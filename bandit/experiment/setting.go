package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
)

// A Setting changes one option of an experiment, as --set key=value does. The first part of the key is a scope:
//
//	protocol.rounds=200              the protocol
//	environment.encoding=ordinal     the environment
//	pICSGLD.learning_rate=1e-7       one policy or variant, or every variant of a sweep
//	"p 0.1".learning_rate=1e-7       the variant "p 0.1": names with dots or equals signs need quotes
//	all.act=sample                   every policy that has the option
//
// If the scope is a policy, the rest of the key is looked up first in the policy's own options (act,
// posterior.learning_rate), then in the options of its posterior (learning_rate).
type Setting struct {
	Key, Value     string
	KeyAt, ValueAt place.Place // places of key and value in a file
	Flag           string      // flag and value that errors quote; "" for --set key=value
	// general is set by Configured for a setting that had the scope "all": it need not have an effect on any policy.
	general bool
}

// ParseSetting parses key=value.
func ParseSetting(s string) (Setting, error) {
	parsed, err := parseSetting(s)
	if err != nil {
		err = fmt.Errorf("--set %w", err)
	}
	return parsed, err
}

// Scopes of settings that are not names of policies.
const (
	scopeProtocol    = "protocol"
	scopeEnvironment = "environment"
	scopeAll         = "all"
	scopeModel       = "model" // a posterior outside of a policy: model.lambda=10
)

// reservedNames are names that no policy may have, because they mean something else in --set.
var reservedNames = []string{scopeProtocol, scopeEnvironment, scopeAll, "policy", "seeds", "data"}

func parseSetting(s string) (Setting, error) {
	quoted := 0 // length of a quoted scope, including the quotes
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

// split returns the scope and the rest of the key, split at its dots.
func (s Setting) split() (scope string, path []string) {
	scope, rest, _ := strings.Cut(s.Key, ".")
	if strings.HasPrefix(s.Key, `"`) {
		scope, rest, _ = strings.Cut(s.Key[1:], `".`)
	}
	return scope, strings.Split(rest, ".")
}

func (s Setting) scope() string {
	scope, _ := s.split()
	return scope
}

// IsModel reports whether a setting has the scope "model": it is for a posterior outside of a policy.
func (s Setting) IsModel() bool { return s.scope() == scopeModel }

// unscoped returns the setting without the scope in its key.
func (s Setting) unscoped() Setting {
	_, path := s.split()
	s.Key = strings.Join(path, ".")
	return s
}

// scoped returns settings with a scope added to their keys.
func scoped(scope string, settings []Setting) []Setting {
	list := slices.Clone(settings)
	for i := range list {
		list[i].Key = quoteScope(scope) + "." + list[i].Key
	}
	return list
}

// quoteScope returns a name in the form of a scope in a key: in quotes if it contains a dot or an equals sign.
func quoteScope(name string) string {
	if strings.ContainsAny(name, ".=") {
		return `"` + name + `"`
	}
	return name
}

// isNamedIn reports whether an error is about the option that s sets, as in "drift.period: 0, want 1 to 9".
func (s Setting) isNamedIn(err error) bool {
	option := strings.TrimPrefix(s.unscoped().Key, optiontree.Posterior+".")
	return strings.Contains(" "+err.Error(), " "+option+": ") || strings.HasPrefix(err.Error(), s.Key+": ")
}

// A settingError is an error whose text names the setting at fault.
type settingError struct{ error }

func (e settingError) Unwrap() error { return e.error }

// wrong adds the setting, or its place in a file, to an error that does not name a setting yet.
func (s Setting) wrong(err error) error {
	if errors.As(err, new(settingError)) {
		return err
	}
	at := s.KeyAt
	if errors.As(err, new(optiontree.ValueError)) {
		at = s.ValueAt
	}
	if at.Known() {
		return at.Wrap(err)
	}
	return settingError{fmt.Errorf("%s: %w", cmp.Or(s.Flag, "--set "+s.String()), err)}
}

// set returns options with settings applied in order.
func set(options any, settings []Setting) (any, error) {
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

// claim returns, for each struct in options, the settings that set one of its fields. The first n structs belong to
// policies or environments that run, the others to those that a flag leaves out. A setting must fit one of the first n;
// one from a file may fit one of the others instead. The argument kind, for the error, is "policy" or "environment".
func claim(settings []Setting, kind string, options []any, n int) ([][]Setting, error) {
	lists := make([][]Setting, len(options))
	for _, s := range settings {
		_, path := s.split()
		claimed := false
		var known []string
		var unknown error // error for options that have the first part of the path but not the rest
		for i, o := range options {
			_, err := optiontree.Set(o, path, s.Value)
			if !errors.Is(err, optiontree.ErrUnknownKey) {
				lists[i] = append(lists[i], s)
				claimed = claimed || i < n || s.KeyAt.Known()
			} else if i < n {
				if known = append(known, optiontree.Known(o)...); slices.Contains(optiontree.Known(o), path[0]) {
					unknown = err
				}
			}
		}
		if claimed {
			continue
		}
		if unknown == nil {
			slices.Sort(known)
			unknown = optiontree.UnknownKey(path[0], nil, slices.Compact(known))
		}
		return nil, s.wrong(fmt.Errorf("no %s of this experiment has this option: %w", kind, unknown))
	}
	return lists, nil
}

// into returns a function that stores the result of read for a node in *dst, and its place in *p for each p in places.
func into[T any](dst *T, read func(*yamltree.Node) (T, error), places ...*place.Place) func(*yamltree.Node) error {
	return func(n *yamltree.Node) (err error) {
		for _, at := range places {
			*at = n.Place
		}
		*dst, err = read(n)
		return err
	}
}

// settingsOf returns a function that calls readSettings for settings without scopes.
func settingsOf(what string, whole func(yamltree.Field) bool) func(*yamltree.Node) ([]Setting, error) {
	return func(n *yamltree.Node) ([]Setting, error) { return readSettings(n, what, false, whole) }
}

// readSettings reads settings: a mapping of keys to values, or a list of strings key=value. A nested mapping stands for
// keys with dots, unless whole reports that the mapping is the value of its key. If isScoped, keys begin with a scope.
func readSettings(n *yamltree.Node, what string, isScoped bool, whole func(yamltree.Field) bool) (settings []Setting, err error) {
	if err := n.Must(what, yamltree.Mapping, yamltree.List); err != nil {
		return nil, err
	}
	for _, f := range leaves(n, "", whole) {
		if isScoped && !strings.Contains(f.Name, ".") {
			return nil, f.Wrap(errors.New("want a key of the form scope.option, or a scope with a mapping: protocol, environment, a policy's name or all"))
		}
		value, err := valueText(f.Value, f.Name)
		if err != nil {
			return nil, err
		}
		settings = append(settings, Setting{Key: f.Name, Value: value, KeyAt: f.Place, ValueAt: f.Value.Place})
	}
	if err := checkTwice(settings); err != nil {
		return nil, err
	}
	for _, item := range n.Items {
		text, err := item.Scalar("a setting")
		if err != nil {
			return nil, err
		}
		var s Setting
		if isScoped {
			s, err = parseSetting(text)
		} else if key, value, ok := strings.Cut(text, "="); ok && key != "" {
			s.Key, s.Value = key, value
		} else {
			err = fmt.Errorf("%q: want option=value, such as temperature=0.3", words.Clip(text))
		}
		if err != nil {
			return nil, item.Wrap(err)
		}
		s.KeyAt, s.ValueAt = item.Within(text, 0), item.Within(text, len(text)-len(s.Value))
		settings = append(settings, s)
	}
	return settings, nil
}

// checkTwice returns an error if a mapping sets an option twice: once with dots and once nested, or once with
// "posterior" in its path and once without. A mapping has no order by which the later value could replace the earlier.
func checkTwice(settings []Setting) error {
	first := map[string]Setting{}
	for _, s := range settings {
		option := strings.NewReplacer(`"`, "", "."+optiontree.Posterior+".", ".").Replace("." + s.Key)
		if before, ok := first[option]; ok {
			return s.KeyAt.Wrap(fmt.Errorf("%s is set here and, as %s, in %s", s.Key, before.Key, before.KeyAt))
		}
		first[option] = s
	}
	return nil
}

// leaves returns the fields of a mapping and of the mappings in it, with dots in the names of nested fields. A mapping
// for which whole returns true is not entered, but returned as a value.
func leaves(n *yamltree.Node, prefix string, whole func(yamltree.Field) bool) (list []yamltree.Field) {
	for _, f := range n.Fields {
		f.Name = prefix + f.Name
		if f.Value.Kind == yamltree.Mapping && !whole(f) {
			list = append(list, leaves(f.Value, f.Name+".", whole)...)
		} else {
			list = append(list, f)
		}
	}
	return list
}

// valueText returns a value in the syntax of --set.
func valueText(n *yamltree.Node, what string) (string, error) {
	isMapping := func(n *yamltree.Node) bool { return n.Kind == yamltree.Mapping }
	switch {
	case isMapping(n), slices.ContainsFunc(n.Items, isMapping):
		b, err := n.MarshalJSON()
		return string(b), err
	case n.Kind != yamltree.List:
		return n.Scalar(what)
	}
	texts, err := n.Texts(what)
	return "[" + strings.Join(texts, ",") + "]", err
}

// noMapping is passed to readSettings as the function whole if no option has a mapping as its value.
func noMapping(yamltree.Field) bool { return false }
