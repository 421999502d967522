package results

import (
	"encoding/json"
	"fmt"
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
	s := string(b)
	quoted := s == `"NaN"` || s == `"+Inf"` || s == `"-Inf"`
	if quoted {
		s = s[1 : len(s)-1]
	}
	v, err := strconv.ParseFloat(s, 64)
	// ParseFloat accepts more than JSON does: 0x1p3, which the JSON decoder has already rejected, and inf.
	if err != nil || words.Finite(v) == quoted {
		return fmt.Errorf("number: %.40q, want a number, \"NaN\", \"+Inf\" or \"-Inf\"", s)
	}
	*n = Number(v)
	return nil
}
