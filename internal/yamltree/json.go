package yamltree

import (
	"encoding/json"

	"banditsim/internal/check"
)

// JSON returns the value as JSON, with the keys of mappings in order. A text that is a number, true or false is one in
// JSON, in quotes or not.
func (n *Node) JSON() (json.RawMessage, error) {
	switch n.Kind {
	case Nothing:
		return json.RawMessage("null"), nil
	case Scalar:
		return scalarJSON(n.Text)
	case List:
		list := []json.RawMessage{}
		for _, item := range n.Items {
			v, err := item.JSON()
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return json.Marshal(list)
	}
	m := map[string]json.RawMessage{}
	for _, f := range n.Fields {
		v, err := f.Value.JSON()
		if err != nil {
			return nil, err
		}
		m[f.Name] = v
	}
	return json.Marshal(m)
}

func scalarJSON(text string) (json.RawMessage, error) {
	if text == "true" || text == "false" {
		return json.RawMessage(text), nil
	}
	number, err := check.ParseFloat(text)
	switch {
	case err != nil:
		return json.Marshal(text)
	case json.Valid([]byte(text)):
		return json.RawMessage(text), nil // all digits of a whole number
	}
	return json.Marshal(number)
}
