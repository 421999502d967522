package bandit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
)

// Arrivals says when arms can be pulled. Regret is relative to the best arm that can be. An arm is present from its
// arrival until it leaves, and may be away for some periods. If all present arms are away, they can be pulled. If none
// is present, all arms can.
type Arrivals struct {
	// Arrive lists, in the order of the arms, the first pull in which each is available; 0 or left out: from pull 1 on.
	Arrive []int `json:"arrive,omitempty"`
	// Leave lists for each arm the first pull after its arrival in which it is no longer available; 0 or left out: never.
	Leave []int `json:"leave,omitempty"`
	// Away is the probability that an arm is away during a period, drawn independently for each arm and period; 0 to 0.9.
	Away   float64 `json:"away,omitzero"`
	Period int     `json:"period,omitzero"` // length of a period in pulls, at least 1 if away is above 0
}

// IsZero reports whether all arms can always be pulled.
func (a Arrivals) IsZero() bool { return len(a.Arrive)+len(a.Leave) == 0 && a.Away == 0 }

func (a Arrivals) validate() error {
	for i, leave := range a.Leave {
		if arrive := at(a.Arrive, i); leave != 0 && leave <= max(arrive, 1) {
			return fmt.Errorf("protocol.arms.leave: arm %d leaves at pull %d, want after it arrived, at pull %d, or 0 for never", i, leave, max(arrive, 1))
		}
	}
	return cmp.Or(check.That(len(a.Arrive) == 0 || slices.Min(a.Arrive) >= 0, "protocol.arms.arrive: %v, want pulls from 1 on, or 0", a.Arrive),
		check.That(len(a.Leave) == 0 || slices.Min(a.Leave) >= 0, "protocol.arms.leave: %v, want pulls from 1 on, or 0", a.Leave),
		check.That(a.Away >= 0 && a.Away <= 0.9, "protocol.arms.away: %g, want 0 to 0.9", a.Away),
		check.That(a.Away == 0 && a.Period == 0 || a.Away > 0 && a.Period >= 1 && a.Period <= 1e9, "protocol.arms.period: %d, want 1 to 1000000000 if away is above 0, else 0", a.Period))
}

// check returns an error if Arrive or Leave is longer than the number of arms.
func (a Arrivals) check(arms int) error {
	return cmp.Or(check.That(len(a.Arrive) <= arms, "protocol.arms.arrive: %d numbers for %d arms", len(a.Arrive), arms),
		check.That(len(a.Leave) <= arms, "protocol.arms.leave: %d numbers for %d arms", len(a.Leave), arms))
}

// String returns the arrivals in words, such as "arms that come and go (arrive at pulls [0 500])".
func (a Arrivals) String() string {
	var parts []string
	if len(a.Arrive) > 0 {
		parts = append(parts, fmt.Sprintf("arrive at pulls %v", a.Arrive))
	}
	if len(a.Leave) > 0 {
		parts = append(parts, fmt.Sprintf("leave at pulls %v", a.Leave))
	}
	if a.Away > 0 {
		parts = append(parts, fmt.Sprintf("away in %g %% of the periods of %d pulls", 100*a.Away, a.Period))
	}
	return "arms that come and go (" + strings.Join(parts, ", ") + ")"
}

// at returns list[i], or 0 beyond the end of the list.
func at(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// Put sets r.Available for pull r.T; arms is the number of arms. It uses the memory of r.Available if that suffices. If
// all arms can always be pulled, it does nothing. The draws of a period depend only on the period and burnIn's path.
func (a Arrivals) Put(r *Round, arms int, burnIn *stream.Stream) {
	if a.IsZero() {
		return
	}
	r.Available = slices.Grow(r.Available[:0], arms)[:arms]
	clear(r.Available)
	fillIfNone := func(can func(arm int) bool) {
		for i, none := 0, !slices.Contains(r.Available, true); none && i < arms; i++ {
			r.Available[i] = can(i)
		}
	}
	scheduled := func(i int) bool { return r.T >= at(a.Arrive, i) && (at(a.Leave, i) == 0 || r.T < at(a.Leave, i)) }
	if a.Away > 0 {
		draws := burnIn.Child("arms", (r.T-1)/a.Period)
		fillIfNone(func(i int) bool { return draws.Float64() >= a.Away && scheduled(i) })
	}
	fillIfNone(scheduled)
	fillIfNone(func(int) bool { return true })
}
