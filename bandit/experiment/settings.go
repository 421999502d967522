package experiment

import (
	"errors"
	"fmt"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/internal/optiontree"
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
	general    bool        // from an `all.` setting, which need not have an effect on every policy
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
	var value optiontree.ValueError
	if errors.As(err, &value) {
		at = s.value
	}
	if at.Known() {
		return at.Wrap(err)
	}
	return settingError{fmt.Errorf("--set %s: %w", s, err)}
}

// unknown returns the error for a name that is not in a list.
func unknown(kind, name string, known []string) error {
	return noSuch("there is no "+kind, name, known)
}

// notHere returns the error for a name that is not in a list of the experiment.
func notHere(kind, name string, known []string) error {
	return noSuch("this experiment has no "+kind, name, known)
}

func noSuch(thing, name string, known []string) error {
	return fmt.Errorf("%s %q%s: known are %s", thing, name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
}
