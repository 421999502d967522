// Package declare reads the declarations of child processes in experiment files and in flags.
package declare

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"banditsim/internal/nearest"
	"banditsim/internal/yamltree"
)

// Rules returns the rules by which a policy can act on a posterior that is a child process.
func Rules() []string {
	return []string{"Thompson", "UCB", "EpsGreedy", "Softmax", "SquareCB", "ExploreThenCommit"}
}

// Policy reads an entry of the list "policies" of an experiment file that has the key "command". Besides the keys of a
// declaration, the entry may have the keys in extra.
func Policy(n *yamltree.Node, extra ...yamltree.Key) (Declaration, error) {
	d := Declaration{Role: RolePolicy}
	err := d.read(n, append([]yamltree.Key{
		{"role", oneOf("role", &d.Role, RolePolicy, RolePosterior)},
		{"rule", oneOf("rule", &d.Rule, Rules()...)},
	}, extra...))
	switch rule := n.Get("rule"); {
	case err != nil:
	case d.Role == RolePosterior && d.Rule == "":
		err = n.Wrap(fmt.Errorf("rule is missing: a posterior acts by one of %s", strings.Join(Rules(), ", ")))
	case d.Role != RolePosterior && rule != nil:
		err = rule.Wrap(errors.New("rule: a policy has its own: want role: posterior as well, or no rule"))
	}
	return d, err
}

// Environment is Policy for an entry of the list "environments".
func Environment(n *yamltree.Node, extra ...yamltree.Key) (Declaration, error) {
	d := Declaration{Role: RoleEnvironment}
	err := d.read(n, extra)
	return d, err
}

// read reads the keys that every child process has, and the keys in extra.
func (d *Declaration) read(n *yamltree.Node, extra []yamltree.Key) error {
	err := n.ReadKeys("a child process", append([]yamltree.Key{
		{"name", &d.Name},
		{"command", d.readCommand},
		{"options", func(n *yamltree.Node) (err error) {
			if err = n.Must("options", yamltree.Mapping); err == nil {
				d.Options, err = n.MarshalJSON()
			}
			return err
		}},
		{"files", func(n *yamltree.Node) (err error) {
			d.Files, err = n.Texts("files")
			return err
		}},
		{"timeout", yamltree.Parsed("timeout", &d.Timeout, parseTimeout)},
	}, extra...))
	switch {
	case err != nil:
		return err
	case d.Name == "":
		return n.Wrap(errors.New("name is missing: want {name: …, command: […]}"))
	case len(d.Command) == 0:
		return n.Get("command").Wrap(errors.New("command is empty: want a program and its arguments, such as [python3, mine.py]"))
	}
	return nil
}

// readCommand reads a list of strings, or a single string, which is split into words as a shell would.
func (d *Declaration) readCommand(n *yamltree.Node) (err error) {
	if n.Kind != yamltree.Scalar {
		d.Command, err = n.Texts("command")
		return err
	}
	if d.Command, err = splitCommand(n.Text); err != nil {
		err = n.Wrap(fmt.Errorf("command: %w", err))
	}
	return err
}

func parseTimeout(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > MaxTimeout {
		err = fmt.Errorf("timeout: %q, want a time for each answer above 0 and up to %v, such as 30s or 2m", text, MaxTimeout)
	}
	return d, err
}

// oneOf returns a function that reads one of the known strings into *to.
func oneOf(what string, to *string, known ...string) func(*yamltree.Node) error {
	return yamltree.Parsed(what, to, func(text string) (string, error) { return nearest.Parse(what+":", text, known) })
}

// Flag parses the value of --plugin, NAME=COMMAND. The value does not name a role, so Flag leaves Role empty.
func Flag(text string) (Declaration, error) {
	name, line, ok := strings.Cut(text, "=")
	if !ok || strings.TrimSpace(name) != name || name == "" {
		return Declaration{}, fmt.Errorf("%q: want NAME=COMMAND, such as 'Mine=python3 mine.py'", text)
	}
	command, err := splitCommand(line)
	if err != nil {
		return Declaration{}, fmt.Errorf("%q: %w", text, err)
	}
	return Declaration{Program: Program{Name: name, Command: command}}, nil
}
