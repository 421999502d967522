package figure

import (
	"errors"
	"fmt"

	"banditsim/internal/lists"
	"banditsim/internal/yamltree"
)

// ReadFile reads the options of figures from a style file, which has the keys of Keys, or from the figure section of an
// experiment file. Missing options have the values of DefaultOptions. Errors give line and column.
func ReadFile(path string) (Options, error) {
	root, err := yamltree.ReadFile("style file", path)
	if err != nil {
		return Options{}, err
	}
	switch section := root.Get("figure"); {
	case section != nil:
		return Read(section)
	case root.Get("environment") != nil || root.Get("extends") != nil:
		return Options{}, root.Wrap(errors.New("the experiment file has no figure section"))
	}
	return Read(root)
}

// Read reads a figure section.
func Read(n *yamltree.Node) (Options, error) {
	o := DefaultOptions()
	err := n.ReadKeys("figure", lists.Each(Keys(), func(k Key) yamltree.Key {
		return yamltree.Key{k.Name, func(n *yamltree.Node) error { return o.read(k, n) }}
	}))
	return o, err
}

// read sets an option from its value in a file.
func (o *Options) read(k Key, n *yamltree.Node) error {
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
	kind, isOf := map[Kind]yamltree.Kind{List: yamltree.List, Map: yamltree.Mapping}[k.Kind]
	if !isOf {
		return one(n, "")
	}
	err := n.Must(k.Name, kind)
	for _, item := range n.Items {
		if err == nil {
			err = one(item, "")
		}
	}
	for _, f := range n.Fields {
		if err == nil {
			err = one(f.Value, f.Name)
		}
	}
	return err
}

// Schema returns the JSON schema of a figure section.
func Schema() map[string]any {
	properties := map[string]any{}
	for _, k := range Keys() {
		value := map[string]any{"type": "string"}
		switch {
		case k.Kind == Switch:
			value = map[string]any{"type": "boolean"}
		case len(k.Values) > 0:
			value = map[string]any{"enum": k.Values}
		case k.Pattern != "":
			value = map[string]any{"type": []string{"string", "integer"}, "pattern": k.Pattern}
		}
		switch k.Kind {
		case List:
			value = map[string]any{"type": "array", "minItems": 1, "items": value}
		case Map:
			value = map[string]any{"type": "object", "additionalProperties": value}
		}
		value["description"] = k.Doc
		properties[k.Name] = value
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false,
		"description": "What the plot of the run looks like, and that of 'banditsim plot --style FILE'."}
}
