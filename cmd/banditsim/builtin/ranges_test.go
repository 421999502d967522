package builtin_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// TestRanges checks that every numeric option of the policies, posteriors and the protocol has a range, or has no effect on
// the policy: setting it to a value far out of range is an error that names it.
func TestRanges(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	base := experiment.Experiment{Name: "ranges", Environment: "linear", Profile: "paper", Protocol: bandit.Protocol{Rounds: 3, Pulls: 4}, Seeds: []uint64{1}}
	for _, p := range c.Policies() {
		base.Policies = append(base.Policies, p.Name)
	}
	protocol := must.Get(json.Marshal(base.Protocol))(t)
	options := map[string]string{} // a policy with the option, by key
	for _, key := range numbers(t, protocol) {
		options["protocol."+key] = "Uniform"
	}
	for _, p := range resolve(t, base, c).Policies {
		for _, path := range numbers(t, p.Policy.Options) {
			options[p.Label+"."+path] = p.Label
		}
	}
	for key, policy := range options {
		short := key[strings.LastIndex(key, ".")+1:]
		for _, value := range []string{"1000000000000000000", "-1e300", "NaN"} {
			e := base
			e.Policies, e.Settings = []string{policy}, nil
			set(key + "=" + value)(&e)
			must.Refuse(e.Resolve(t.Context(), c))(t, short)
		}
	}
	must.That(t, len(options) >= 500, "only %d options", len(options))
}

// numbers returns the paths of all numbers and lists in options.
func numbers(t *testing.T, options json.RawMessage) []string {
	var tree map[string]any
	must.OK(t, json.Unmarshal(options, &tree))
	var list []string
	var walk func(prefix string, tree map[string]any)
	walk = func(prefix string, tree map[string]any) {
		for key, v := range tree {
			switch v := v.(type) {
			case map[string]any:
				walk(prefix+key+".", v)
			case float64, []any:
				list = append(list, prefix+key)
			}
		}
	}
	walk("", tree)
	slices.Sort(list)
	return list
}
