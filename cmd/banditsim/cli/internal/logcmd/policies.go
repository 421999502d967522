package logcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/logged"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/policy"
)

// alwaysPrefix begins the name of a policy that always pulls one arm.
const alwaysPrefix = "always "

// named returns the policies of the names on the command line. Settings belong to those of the catalog.
func (a App) named(names []string, settings []experiment.Setting, l *logged.Log) ([]logged.Policy, error) {
	var list []logged.Policy
	var registered []string
	at := map[string]int{} // places in list
	for _, name := range names {
		name = strings.TrimSpace(name)
		switch ext := filepath.Ext(name); {
		case strings.HasPrefix(name, alwaysPrefix):
			p, err := always(name, l.Spec.Arms)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		case ext == ".yaml" || ext == ".yml":
			e, err := a.Catalog.ReadFile(a.Path(name))
			if err != nil {
				return nil, err
			}
			of, err := e.ResolvePolicies(a.Catalog)
			if err != nil {
				return nil, err
			}
			for _, p := range of {
				list = append(list, logged.Policy{Label: p.Label, New: p.New})
			}
		default:
			at[name] = len(list)
			registered = append(registered, name)
			list = append(list, logged.Policy{Label: name})
		}
	}
	if len(registered) > 0 {
		e := experiment.Experiment{Name: "evaluate", Policies: registered, Seeds: []uint64{1}, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Settings: settings}
		of, err := e.ResolvePolicies(a.Catalog)
		if err != nil {
			return nil, fmt.Errorf("--policies: %w", err)
		}
		for _, p := range of {
			list[at[p.Label]].New = p.New
		}
	} else if len(settings) > 0 {
		return nil, fmt.Errorf("--set %s: no policy of --policies has options", settings[0])
	}
	for i, p := range list {
		if slices.ContainsFunc(list[:i], func(o logged.Policy) bool { return o.Label == p.Label }) {
			return nil, fmt.Errorf("--policies: %s is named twice", p.Label)
		}
	}
	return list, nil
}

// always returns the policy that always pulls the arm of a name such as 'always 3'.
func always(name string, arms []string) (logged.Policy, error) {
	k, err := findArm(arms, strings.TrimSpace(strings.TrimPrefix(name, alwaysPrefix)))
	if err != nil {
		return logged.Policy{}, fmt.Errorf("--policies: %q: the log has %w", name, err)
	}
	return logged.Policy{Label: name, New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(k), nil }}, nil
}

// findArm returns the index of the arm of that name, or of the only one that is the same number.
func findArm(arms []string, name string) (int, error) {
	if k := slices.Index(arms, name); k >= 0 {
		return k, nil
	}
	found := -1
	if v, err := strconv.ParseFloat(name, 64); err == nil {
		for k, arm := range arms {
			if w, err := strconv.ParseFloat(arm, 64); err == nil && v == w {
				if found >= 0 {
					return -1, fmt.Errorf("the arms %s and %s are both %s: want one of their names", arms[found], arm, name)
				}
				found = k
			}
		}
	}
	if found < 0 {
		return -1, fmt.Errorf("no arm %q%s: the arms are %s", name, nearest.DidYouMean(name, arms), words.Clip(strings.Join(arms, ", ")))
	}
	return found, nil
}
