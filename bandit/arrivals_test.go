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
	available := make([]bool, 3)
	for pull := 1; pull <= 6; pull++ {
		a.put(available, pull, nil)
		got = append(got, fmt.Sprint(available))
	}
	if want := "[[true false true] [true false true] [true true true] [true true false] [false true false] [false true false]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	Arrivals{Arrive: []int{9, 9, 9}}.put(available, 1, nil)
	if fmt.Sprint(available) != "[true true true]" {
		t.Errorf("no arm is there: %v, want all", available)
	}

	a = Arrivals{Away: 0.3, Period: 10}
	away, last := 0, ""
	const periods = 4000
	wide := make([]bool, 8) // all away once in 15,000 periods
	for pull := 1; pull <= 10*periods; pull++ {
		a.put(wide, pull, stream.Root(1))
		if now := fmt.Sprint(wide); pull%10 != 1 && now != last {
			t.Fatalf("pull %d: %s within a period of %s", pull, now, last)
		}
		last = fmt.Sprint(wide)
		for _, there := range wide {
			if !there && pull%10 == 1 {
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
