package page

import (
	"bytes"
	"math"
	"strconv"
)

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) {
	if n == nil {
		return []byte("null"), nil
	}
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
			continue
		}
		from := len(b)
		b = strconv.AppendFloat(b, v, 'g', 6, 64)
		b = append(b[:from], bytes.Replace(b[from:], []byte("e+"), []byte("e"), 1)...)
	}
	return append(b, ']'), nil
}
