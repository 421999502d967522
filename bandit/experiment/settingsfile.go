package experiment

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
)

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
			value, err := settingValue(n, key)
			settings = append(settings, Setting{Key: key, Value: value, key: at, value: n.Place})
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
		s.key, s.value = item.Within(text, 0), item.Within(text, len(text)-len(s.Value))
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
			return s.key.Wrap(fmt.Errorf("%s is set here and, as %s, in %s", s.Key, before.Key, before.key))
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

// settingValue returns a value as it is written in --set.
func settingValue(n *yamltree.Node, what string) (string, error) {
	switch n.Kind {
	case yamltree.Mapping:
		b, err := n.JSON()
		return string(b), err
	case yamltree.List:
	default:
		return n.Scalar(what)
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

// noMapping is for options that have no mapping as their value.
func noMapping(string) bool { return false }

// mappingOption reports whether an option of some environment takes a mapping as its value.
func (c *Catalog) mappingOption(key string) bool {
	for _, k := range c.environments {
		for _, f := range optiontree.Fields(k.options) {
			if f.JSON == key && f.Type.Kind() == reflect.Struct && !optiontree.IsGroup(f.Type) {
				return true
			}
		}
	}
	return false
}

// scopedMapping is mappingOption of a key with a scope.
func (c *Catalog) scopedMapping(key string) bool {
	option, ok := strings.CutPrefix(key, environmentScope+".")
	return ok && c.mappingOption(option)
}
