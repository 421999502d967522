package results

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"banditsim/internal/words"
)

// A Number is a float64 in a trial file. NaN and the infinities, which JSON lacks, are the strings "NaN", "+Inf" and
// "-Inf", so that no value is lost. words.Float is for JSON that is not read back.
type Number float64

// MarshalJSON writes a finite number as encoding/json does a float64.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !words.Finite(v) {
		return fmt.Appendf(nil, `"%g"`, v), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads the output of MarshalJSON.
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
		// ParseFloat accepts more than JSON does: 0x1p3, which the JSON decoder has already rejected, and inf.
		if err != nil || !words.Finite(v) {
			return fmt.Errorf("number: %.40q, want a number, \"NaN\", \"+Inf\" or \"-Inf\"", s)
		}
		*n = Number(v)
	}
	return nil
}
