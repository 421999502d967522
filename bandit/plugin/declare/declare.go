// Package declare reads the declarations of child processes in experiment files and in flags.
package declare

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"banditsim/internal/nearest"
	"banditsim/internal/yamltree"
)

// Rules are the rules by which a policy acts on a posterior that is a child process.
func Rules() []string {
	return []string{"Thompson", "UCB", "EpsGreedy", "Softmax", "SquareCB", "ExploreThenCommit"}
}

// Policy reads an entry of policies that has a command. Keys in others are allowed, but left to the caller.
func Policy(n *yamltree.Node, others ...string) (Declaration, error) {
	d := Declaration{Role: RolePolicy}
	err := read(n, &d, append([]string{"name", "command", "options", "files", "timeout", "role", "rule"}, others...))
	switch rule := n.Get("rule"); {
	case err != nil:
	case d.Role == RolePosterior && d.Rule == "":
		err = n.Wrap(fmt.Errorf("rule is missing: a posterior acts by one of %s", strings.Join(Rules(), ", ")))
	case d.Role != RolePosterior && rule != nil:
		err = rule.Wrap(errors.New("rule: a policy has its own: want role: posterior as well, or no rule"))
	}
	return d, err
}

// Environment reads an entry of environments that has a command. Keys in others are allowed, but left to the caller.
func Environment(n *yamltree.Node, others ...string) (Declaration, error) {
	d := Declaration{Role: RoleEnvironment}
	err := read(n, &d, append([]string{"name", "command", "options", "files", "timeout"}, others...))
	return d, err
}

func read(n *yamltree.Node, d *Declaration, known []string) (err error) {
	for _, f := range n.Fields {
		if !slices.Contains(known, f.Name) {
			return f.Wrap(nearest.Unknown("a child process has no", f.Name, known))
		}
		v := f.Value
		switch f.Name {
		case "name":
			d.Name, err = v.Scalar("name")
		case "command":
			d.Command, err = texts(v, "command")
		case "files":
			d.Files, err = texts(v, "files")
		case "options":
			if err = v.Must("options", yamltree.Mapping); err == nil {
				d.Options, err = v.MarshalJSON()
			}
		case "timeout":
			d.Timeout, err = timeout(v)
		case "role":
			d.Role, err = oneOf(v, "role", RolePolicy, RolePosterior)
		case "rule":
			d.Rule, err = oneOf(v, "rule", Rules()...)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case d.Name == "":
		return n.Wrap(errors.New("name is missing: want {name: …, command: […]}"))
	case len(d.Command) == 0:
		return n.Get("command").Wrap(errors.New("command is empty: want a program and its arguments, such as [python3, mine.py]"))
	}
	return nil
}

// texts reads a list of texts. A command may also be a single text, which is split into words as a shell would. The
// result is not nil.
func texts(n *yamltree.Node, what string) ([]string, error) {
	if n.Kind == yamltree.Scalar && what == "command" {
		list, err := splitCommand(n.Text)
		if err != nil {
			err = n.Wrap(fmt.Errorf("command: %w", err))
		}
		return list, err
	}
	return n.Texts(what)
}

func timeout(n *yamltree.Node) (time.Duration, error) {
	text, err := n.Scalar("timeout")
	if err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > MaxTimeout {
		return 0, n.Wrap(fmt.Errorf("timeout: %q, want a time for each answer above 0 and up to %v, such as 30s or 2m", text, MaxTimeout))
	}
	return d, nil
}

func oneOf(n *yamltree.Node, what string, known ...string) (string, error) {
	text, err := n.Scalar(what)
	if err == nil && !slices.Contains(known, text) {
		err = n.Wrap(fmt.Errorf("%s: %q%s: want one of %s", what, text, nearest.DidYouMean(text, known), strings.Join(known, ", ")))
	}
	return text, err
}

// Flag parses the value of --plugin, NAME=COMMAND. It leaves Role empty, as the text does not give it.
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
