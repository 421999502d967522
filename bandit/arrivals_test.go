package bandit

import (
	"fmt"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestArrivals: arms can be pulled from their arrival until they leave, by a stream that depends on the period alone are away in
// their share of periods (5 standard errors), and if none could be pulled all can.
func TestArrivals(t *testing.T) {
	a := Arrivals{Arrive: []int{0, 3}, Leave: []int{5, 0, 4}}
	var got []string
	var r Round
	for r.T = 1; r.T <= 6; r.T++ {
		a.Put(&r, 3, nil)
		got = append(got, fmt.Sprint(r.Available))
	}
	if want := "[[true false true] [true false true] [true true true] [true true false] [false true false] [false true false]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	r.T = 1
	if (Arrivals{Arrive: []int{9, 9, 9}}).Put(&r, 3, nil); fmt.Sprint(r.Available) != "[true true true]" {
		t.Errorf("no arm is there: %v, want all", r.Available)
	}

	a = Arrivals{Away: 0.3, Period: 10}
	away, last := 0, ""
	const periods = 4000
	for r.T = 1; r.T <= 10*periods; r.T++ {
		a.Put(&r, 8, stream.Root(1)) // all are away once in 15,000 periods
		now := fmt.Sprint(r.Available)
		if r.T%10 != 1 && now != last {
			t.Fatalf("pull %d: %s within a period of %s", r.T, now, last)
		}
		last = now
		for _, there := range r.Available {
			if !there && r.T%10 == 1 {
				away++
			}
		}
	}
	if share := float64(away) / (8 * periods); share < 0.3-0.013 || share > 0.3+0.013 {
		t.Errorf("arms are away in %.3f of the periods, want 0.3", share)
	}

	for want, wrong := range map[string]Arrivals{
		"arm 1 leaves at pull 3, want after it arrived, at pull 3": {Arrive: []int{0, 3}, Leave: []int{0, 3}},
		"protocol.arms.arrive: [-1]":                               {Arrive: []int{-1}},
		"protocol.arms.away: 1, want 0 to 0.9":                     {Away: 1, Period: 1},
		"protocol.arms.period: 0, want 1 to":                       {Away: 0.5},
	} {
		must.Fail(t, wrong.validate(), want)
	}
	must.Fail(t, Arrivals{Leave: []int{0, 0, 9}}.check(2), "protocol.arms.leave: 3 numbers for 2 arms")
}
