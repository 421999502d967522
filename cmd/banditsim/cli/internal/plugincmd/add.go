// Package plugincmd has what the command line does with child processes: --plugin, 'plugin init' and 'plugin verify'.
package plugincmd

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/declare"
)

// Add adds the child processes of --plugin to an experiment. One whose name is in environments is an environment;
// others are asked what they are. Without chosen policies they are run beside those of the experiment.
func (a App) Add(e *experiment.Experiment, flags, environments []string, chosen bool) error {
	for _, text := range flags {
		d, err := declare.Flag(text)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(environments, func(name string) bool { return strings.TrimSpace(name) == d.Name }) {
			d.Role = plugin.RoleEnvironment
		} else {
			program := d.Program
			program.Dir = a.Dir
			ready, err := plugin.Probe(program, "")
			if err != nil {
				return err
			}
			d.Role = ready.Role
		}
		switch d.Role {
		case plugin.RoleEnvironment:
			if !slices.Contains(environments, d.Name) {
				return fmt.Errorf("%s is an environment: name it in --environment as well", d.Name)
			}
		case plugin.RolePosterior:
			d.Rule = declare.Rules()[0]
		}
		if err := e.AddPlugin(d); err != nil {
			return err
		}
		if d.Role != plugin.RoleEnvironment && !chosen {
			e.Policies = append(e.Policies, d.Name)
		}
	}
	return nil
}
