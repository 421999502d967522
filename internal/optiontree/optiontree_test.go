package optiontree

import "testing"

// TestUnknownKey: the message says where the key is unknown only where that is within something.
func TestUnknownKey(t *testing.T) {
	for _, c := range []struct {
		before, known []string
		want          string
	}{
		{nil, []string{"rate", "steps"}, `"stesp" (did you mean steps?): known are rate, steps`},
		{[]string{"posterior", "contour"}, []string{"bins"}, `"stesp" in posterior.contour: known are bins`},
		{nil, nil, `"stesp": there are no options`},
	} {
		if got := UnknownKey("stesp", c.before, c.known).Error(); got != ErrUnknownKey.Error()+" "+c.want {
			t.Errorf("%q, want %q %q", got, ErrUnknownKey, c.want)
		}
	}
}
