package experiment

import (
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/figure"
	"banditsim/internal/yamltree"
	"banditsim/results/compare"
)

// ReadFigure reads the options of figures from a style file, whose keys are those of figure.Keys, or from the
// figure section of an experiment file. Options that it lacks are those of figure.DefaultOptions. Errors
// give line and column.
func ReadFigure(path string) (figure.Options, error) {
	root, err := yamltree.ReadFile("style file", path)
	if err != nil {
		return figure.Options{}, err
	}
	switch section := root.Get("figure"); {
	case section != nil:
		return readFigure(section)
	case root.Get("environment") != nil || root.Get("extends") != nil:
		return figure.Options{}, root.Wrap(errors.New("the experiment file has no figure section"))
	}
	return readFigure(root)
}

func (r *fileReader) figure(n *yamltree.Node) error {
	o, err := readFigure(n)
	r.e.Figure, r.e.figureAt = &o, n.Place
	return err
}

// checkFigure returns an error if the figure names a policy that there is not, or rounds that the protocol does
// not have. The policies may be others than those of this run.
func (e Experiment) checkFigure(c *Catalog, policies []resolvedPolicy, protocol bandit.Protocol) error {
	if e.Figure == nil {
		return nil
	}
	known := variantNames(e.Variants)
	for _, p := range policies {
		known = append(known, p.Name)
	}
	for _, p := range c.Policies() {
		known = append(known, p.Name)
	}
	err := e.Figure.CheckLabels(known)
	for _, name := range e.Figure.Policies {
		if err == nil && !slices.Contains(known, name) {
			err = fmt.Errorf("figure: %w", unknown("policy", name, known))
		}
	}
	if f := e.Figure; err == nil && (f.From > protocol.Rounds || f.To != compare.LastRound && (f.To < f.From || f.To > protocol.Rounds)) {
		err = fmt.Errorf("figure: from round %d to round %d: want rounds of 1 to %d", f.From, min(f.To, protocol.Rounds), protocol.Rounds)
	}
	return e.figureAt.Wrap(err)
}

// readFigure reads a figure section or a style file. Options that it lacks are those of figure.DefaultOptions.
func readFigure(n *yamltree.Node) (figure.Options, error) {
	o := figure.DefaultOptions()
	var keys []yamltree.Key
	for _, k := range figure.Keys() {
		keys = append(keys, yamltree.Key{k.Name, func(n *yamltree.Node) error { return setFigure(&o, k, n) }})
	}
	return o, n.ReadKeys("figure", keys)
}

// setFigure sets an option from its value in a file.
func setFigure(o *figure.Options, k figure.Key, n *yamltree.Node) error {
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

// figureSchema returns the JSON schema of a figure section.
func figureSchema() map[string]any {
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
