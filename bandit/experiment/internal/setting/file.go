package setting

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

// Read reads settings: a mapping of keys to values, or a list of key=value. A nested
// mapping stands for keys with dots, unless whole reports that it is the value of the key. If scoped, the first part of
// a key is a scope.
func Read(n *yamltree.Node, what string, scoped bool, whole func(key string) bool) ([]Setting, error) {
	if err := n.Must(what, yamltree.Mapping, yamltree.List); err != nil {
		return nil, err
	}
	var settings []Setting
	if n.Kind == yamltree.Mapping {
		err := EachKey(n, "", scoped, whole, func(at place.Place, key string, n *yamltree.Node) error {
			value, err := Value(n, key)
			settings = append(settings, Setting{Key: key, Value: value, KeyAt: at, ValueAt: n.Place})
			return err
		})
		if err == nil {
			err = CheckTwice(settings)
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
			s, err = Parse(text)
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

// CheckTwice returns an error if an option of a mapping is set twice: flat and nested, or with and
// without posterior. The order of a mapping has no meaning, so neither value would be right.
func CheckTwice(settings []Setting) error {
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

// EachKey calls f for every key whose value is not a mapping, or for which whole is true, with its path joined by dots.
func EachKey(n *yamltree.Node, prefix string, scoped bool, whole func(key string) bool, f func(at place.Place, key string, n *yamltree.Node) error) error {
	for _, field := range n.Fields {
		key := prefix + field.Name
		var err error
		switch {
		case field.Value.Kind == yamltree.Mapping && !whole(key):
			err = EachKey(field.Value, key+".", scoped, whole, f)
		case scoped && prefix == "":
			if _, err = Parse(key + "="); err != nil {
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

// Value returns a value as it is written in --set.
func Value(n *yamltree.Node, what string) (string, error) {
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

// NoMapping is the whole of Read for options that have no mapping as their value.
func NoMapping(string) bool { return false }
