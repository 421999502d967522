package experiment_test

import (
	"fmt"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/internal/must"
)

func TestParseSeeds(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1", "[1]"},
		{"1..3", "[1 2 3]"},
		{"7, 1..2,9", "[7 1 2 9]"},
		{"18446744073709551615", "[18446744073709551615]"},
		{"18446744073709551614..18446744073709551615", "[18446744073709551614 18446744073709551615]"},
	} {
		got, err := experiment.ParseSeeds(c.in)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%q: %v, %v, want %s", c.in, got, err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"0", "count from 1"}, {"5..1", "write 1..5"}, {"a", "is not a seed"}, {"", "is not a seed"}, {"1,,2", "is not a seed"},
		{"-1", "is not a seed"}, {"1.5", "is not a seed"}, {"1..", "is not a seed"}, {"..3", "is not a seed"}, {"1...3", "is not a seed"},
		{"1,2,1", "occurs twice"}, {"1..3,2", "occurs twice"}, {"18446744073709551616", "64 bits"},
		{"1..99999999999", "more than"}, {"1..18446744073709551615", "more than"}, {"0..3", "count from 1"},
	} {
		must.Refuse(experiment.ParseSeeds(c.in))(t, c.want)
	}
}
