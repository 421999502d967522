package experiment

import (
	"fmt"
	"strings"

	"banditsim/internal/place"
)

// A sweepAxis is an option with its values in a sweep.
type sweepAxis struct {
	place.Place
	key    string
	values []Setting
}

// expand returns the product of the axes as variants of v; the last axis varies fastest. The
// name of a variant is v.Name followed by each option and its value.
func expand(v Variant, axes []sweepAxis) ([]Variant, error) {
	list := []Variant{v}
	for _, axis := range axes {
		if n := len(list) * len(axis.values); n > maxVariants {
			return nil, axis.Wrap(fmt.Errorf("with %s the sweep has %d variants, want at most %d", axis.key, n, maxVariants))
		}
		var longer []Variant
		for _, v := range list {
			for _, s := range axis.values {
				w := v
				w.Settings = append(v.Settings[:len(v.Settings):len(v.Settings)], s)
				w.Name += " " + s.Key + "=" + shortValue(s.Value)
				w.at = s.valueAt
				if err := checkVariantName(w.Name); err != nil {
					return nil, s.valueAt.Wrap(fmt.Errorf("a variant of this sweep: %w", err))
				}
				longer = append(longer, w)
			}
		}
		list = longer
	}
	return list, nil
}

// ofObjects writes a list of objects in names of variants.
var ofObjects = strings.NewReplacer("},{", "+", ",", " ", "[", "", "]", "", "{", "", "}", "", `"`, "", ":", "")

// shortValue returns a value as it is written in names of variants: 100x50 for [100, 50], conv8 pool2+conv16 pool2 for
// [{conv: 8, pool: 2}, {conv: 16, pool: 2}].
func shortValue(value string) string {
	if strings.HasPrefix(value, "[{") {
		return ofObjects.Replace(value)
	}
	inner, isList := strings.CutPrefix(value, "[")
	if !isList || inner == "]" {
		return value
	}
	parts := strings.Split(strings.TrimSuffix(inner, "]"), ",")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return strings.Join(parts, "x")
}
