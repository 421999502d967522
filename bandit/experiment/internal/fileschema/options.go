package fileschema

import (
	"reflect"
	"regexp"
	"strings"

	"banditsim/internal/optiontree"
)

// numberPattern matches numbers that some readers of YAML take for text, such as 1e-7, which has no dot.
const numberPattern = `^[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$`

// valueOf returns the schema of the value of an option.
func (s *maker) valueOf(f optiontree.Field) map[string]any {
	if values := f.Tag.Get("enum"); values != "" {
		return map[string]any{"enum": strings.Split(values, ",")}
	}
	if own, ok := reflect.Zero(f.Type).Interface().(interface{ JSONSchema() map[string]any }); ok {
		return own.JSONSchema()
	}
	switch t := f.Type; t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": []string{"number", "string"}, "pattern": numberPattern}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Struct: // in a list
		properties := map[string]any{}
		for _, f := range optiontree.Fields(t) {
			properties[f.JSON] = s.describe(f, s.valueOf(f))
		}
		return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	case reflect.Slice, reflect.Array:
		f.Type, f.Tag = t.Elem(), ""
		return map[string]any{"type": "array", "items": s.valueOf(f)}
	}
	return map[string]any{} // it has a decoder of its own
}

// pathsOf returns a pattern of the names of the fields of t, and of those below them with
// dots.
func pathsOf(t reflect.Type) string {
	var names []string
	for _, f := range optiontree.Fields(t) {
		name := regexp.QuoteMeta(f.JSON)
		if optiontree.IsGroup(f.Type) {
			name += `(\.(` + pathsOf(f.Type) + "))?"
		}
		names = append(names, name)
	}
	return strings.Join(names, "|")
}
