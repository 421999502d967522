// Package figuresection reads the options of figures from experiment files and style files.
package figuresection

import (
	"fmt"

	"banditsim/internal/yamltree"
	"banditsim/results/figure"
)

// Read reads a figure section or a style file. Options that it lacks are those of figure.DefaultOptions.
func Read(n *yamltree.Node) (figure.Options, error) {
	o := figure.DefaultOptions()
	var keys []yamltree.Key
	for _, k := range figure.Keys() {
		keys = append(keys, yamltree.Key{k.Name, func(n *yamltree.Node) error { return set(&o, k, n) }})
	}
	return o, n.ReadKeys("figure", keys)
}

// set sets an option from its value in a file.
func set(o *figure.Options, k figure.Key, n *yamltree.Node) error {
	one := func(n *yamltree.Node, policy string) error {
		v, err := n.Scalar(k.Name)
		if err == nil {
			err = k.Set(o, policy, v)
		}
		if err != nil {
			return n.Wrap(fmt.Errorf("figure.%s: %w", k.Name, err))
		}
		return nil
	}
	switch k.Kind {
	case figure.List:
		if err := n.Must(k.Name, yamltree.List); err != nil {
			return err
		}
		for _, item := range n.Items {
			if err := one(item, ""); err != nil {
				return err
			}
		}
		return nil
	case figure.Map:
		if err := n.Must(k.Name, yamltree.Mapping); err != nil {
			return err
		}
		for _, f := range n.Fields {
			if err := one(f.Value, f.Name); err != nil {
				return err
			}
		}
		return nil
	}
	return one(n, "")
}

// Schema returns the JSON schema of a figure section.
func Schema() map[string]any {
	properties := map[string]any{}
	for _, k := range figure.Keys() {
		value := map[string]any{"type": "string"}
		switch {
		case k.Kind == figure.Switch:
			value = map[string]any{"type": "boolean"}
		case len(k.Values) > 0:
			value = map[string]any{"enum": k.Values}
		case k.Pattern != "":
			value = map[string]any{"type": []string{"string", "integer"}, "pattern": k.Pattern}
		}
		switch k.Kind {
		case figure.List:
			value = map[string]any{"type": "array", "minItems": 1, "items": value}
		case figure.Map:
			value = map[string]any{"type": "object", "additionalProperties": value}
		}
		value["description"] = k.Doc
		properties[k.Name] = value
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false,
		"description": "What the plot of the run looks like, and that of 'banditsim plot --style FILE'."}
}
