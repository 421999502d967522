package cli

import (
	"strings"
	"testing"
)

// TestFindArm: a number stands for the arm of that number, unless two arms are; a name goes first.
func TestFindArm(t *testing.T) {
	for _, c := range []struct {
		arms []string
		name string
		want int
		err  string
	}{
		{[]string{"1", "1.0"}, "1.0", 1, ""},
		{[]string{"a", "1"}, "1.00", 1, ""},
		{[]string{"1", "1.0"}, "1.00", -1, "the arms 1 and 1.0 are both 1.00"},
		{[]string{"a", "1", "1.0"}, "1.00", -1, "the arms 1 and 1.0 are both 1.00"},
		{[]string{"a", "1"}, "2", -1, `no arm "2"`},
	} {
		got, err := findArm(c.arms, c.name)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s of %q: %d, %v, want %d, %q", c.name, c.arms, got, err, c.want, c.err)
		}
	}
}
