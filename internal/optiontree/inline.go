package optiontree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// inline reports whether a field has the tag json:",inline": its fields then belong to the struct around it, like
// those of an embedded struct. The tag is for fields whose type is a type parameter, which cannot be embedded.
// encoding/json does not know it, so that a type with such a field needs methods MarshalJSON and UnmarshalJSON that
// call MarshalInline and UnmarshalInline.
func inline(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return options == "inline"
}

// MarshalInline encodes structs as one JSON object that has the fields of all.
func MarshalInline(parts ...any) ([]byte, error) {
	var all [][]byte
	for _, p := range parts {
		b, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		if len(b) < 2 || b[0] != '{' {
			return nil, fmt.Errorf("the options of a %T are not a JSON object: %s", p, b)
		}
		if fields := b[1 : len(b)-1]; len(fields) > 0 {
			all = append(all, fields)
		}
	}
	return fmt.Appendf(nil, "{%s}", bytes.Join(all, []byte{','})), nil
}

// UnmarshalInline decodes a JSON object into the structs that parts point to, each of which gets the
// fields that it has. A field that none has is an error.
func UnmarshalInline(b []byte, parts ...any) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for i, p := range parts {
		own := fields
		if last := i == len(parts)-1; !last {
			own = map[string]json.RawMessage{}
			for _, f := range Fields(reflect.TypeOf(p).Elem()) {
				if value, ok := fields[f.JSON]; ok {
					own[f.JSON] = value
					delete(fields, f.JSON)
				}
			}
		}
		object, err := json.Marshal(own)
		if err != nil {
			return err
		}
		if err := Decode(object, p); err != nil {
			return err
		}
	}
	return nil
}
