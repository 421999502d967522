// Package setting has the settings of options: their texts in --set, and their sections in experiment files.
package setting

import (
	"errors"
	"fmt"
	"strings"

	"banditsim/internal/optiontree"
	"banditsim/internal/place"
)

// A Setting changes one option: experiment.Setting describes its keys.
type Setting struct {
	Key, Value string

	// Places in a file.
	KeyAt, ValueAt place.Place
	// General is true of what an `all.` setting was made into: it need not have an effect on every policy.
	General bool
}

// Scopes of settings that are not names of policies.
const (
	Protocol    = "protocol"
	Environment = "environment"
	All         = "all"
	Model       = "model" // names a posterior by itself: model.lambda=10
)

// Reserved returns the names that no policy may have: they mean something else in --set.
func Reserved() []string { return []string{Protocol, Environment, All, "policy", "seeds", "data"} }

// Parse parses key=value.
func Parse(s string) (Setting, error) {
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

// Split returns the scope and the path within it.
func (s Setting) Split() (scope string, path []string) {
	scope, rest, _ := strings.Cut(s.Key, ".")
	if strings.HasPrefix(s.Key, `"`) {
		scope, rest, _ = strings.Cut(s.Key[1:], `".`)
	}
	return scope, strings.Split(rest, ".")
}

// Scope returns the scope.
func (s Setting) Scope() string {
	scope, _ := s.Split()
	return scope
}

// IsModel reports whether a setting is one of a posterior by itself.
func (s Setting) IsModel() bool { return s.Scope() == Model }

// Unscoped returns a setting as those of variants are.
func (s Setting) Unscoped() Setting {
	_, path := s.Split()
	s.Key = strings.Join(path, ".")
	return s
}

// IsNamedIn reports whether an error of options begins with this one, such as drift.period: 0, want 1 to 9.
func (s Setting) IsNamedIn(err error) bool {
	_, path := s.Split()
	option := strings.TrimPrefix(strings.Join(path, "."), optiontree.Posterior+".")
	return strings.Contains(" "+err.Error(), " "+option+": ")
}

// Quote returns a name as the scope of a key.
func Quote(name string) string {
	if strings.ContainsAny(name, ".=") {
		return `"` + name + `"`
	}
	return name
}

// An Error names its setting.
type Error struct{ error }

// Unwrap returns the error of the setting.
func (e Error) Unwrap() error { return e.error }

// Wrong adds the setting to an error that does not name one yet.
func (s Setting) Wrong(err error) error {
	var named Error
	if errors.As(err, &named) {
		return err
	}
	at := s.KeyAt
	var value optiontree.ValueError
	if errors.As(err, &value) {
		at = s.ValueAt
	}
	if at.Known() {
		return at.Wrap(err)
	}
	return Error{fmt.Errorf("--set %s: %w", s, err)}
}
