package results

import (
	"fmt"
	"math"
	"strconv"

	"banditsim/internal/words"
)

// A Number is a float64 in a trial file. NaN and the infinities, which JSON lacks, are written as the
// strings "NaN", "+Inf" and "-Inf": a trial is read back, and which of the three it was must not be lost. What is only
// shown has words.Float.
type Number float64

// MarshalJSON writes a finite number as encoding/json does.
func (n Number) MarshalJSON() ([]byte, error) {
	return appendNumber(nil, float64(n)), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(b []byte) error {
	switch s := string(b); s {
	case `"NaN"`:
		*n = Number(math.NaN())
	case `"+Inf"`:
		*n = Number(math.Inf(1))
	case `"-Inf"`:
		*n = Number(math.Inf(-1))
	default:
		v, err := strconv.ParseFloat(s, 64)
		// ParseFloat accepts more than JSON, such as inf and 0x1p3. The decoder lets only bare words of
		// these through, which are not finite.
		if err != nil || !words.Finite(v) {
			return fmt.Errorf("number: %.40q, want a number, \"NaN\", \"+Inf\" or \"-Inf\"", s)
		}
		*n = Number(v)
	}
	return nil
}

// appendNumber appends the shortest decimal that reads back as v, in the form of encoding/json, or a
// string if v is not finite.
func appendNumber(b []byte, v float64) []byte {
	if !words.Finite(v) {
		b = append(b, '"')
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
		return append(b, '"')
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, v, format, -1, 64)
	// JSON's e-9 is Go's e-09.
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}
