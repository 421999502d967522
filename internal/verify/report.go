package verify

import (
	"context"

	"banditsim/internal/pool"
)

// A Part is what is checked in a report, with its name and a line about it.
type Part struct {
	Name, Doc string
	Kind      string // "sampler" (exactness) or "posterior" (contract)
	Checks    []Check
}

// A Card has the results of a part.
type Card struct {
	Part
	Results []Result
}

// Report runs the checks of all parts, several at a time, and returns a card for each, in their
// order. The results do not depend on the number of workers. done, if not nil, is called after
// each check with the number of checks done and of all; its calls do not overlap. When ctx ends
// no further check begins, and its error is returned.
func Report(ctx context.Context, parts []Part, o Options, workers int, done func(done, total int)) ([]Card, error) {
	var checks []Check
	var of []int // index of the part of each check
	cards := make([]Card, len(parts))
	for i, p := range parts {
		cards[i].Part = p
		for _, c := range p.Checks {
			checks, of = append(checks, c), append(of, i)
		}
	}
	results := make([][]Result, len(checks))
	p := pool.Pool{Workers: workers, Done: done}
	err := p.Run(ctx, len(checks), func(i int) error {
		results[i] = checks[i].Run(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		c := &cards[of[i]]
		c.Results = append(c.Results, r...)
	}
	return cards, nil
}

// A T is what Test needs of *testing.T, so that programs that link this package do not link package testing.
type T[Self any] interface {
	Helper()
	Parallel()
	Run(name string, f func(Self)) bool
	Log(args ...any)
	Error(args ...any)
}

// Test runs checks as subtests, side by side, in the quick grade at seed 1.
func Test[Self T[Self]](t Self, checks []Check) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.Name, func(t Self) {
			t.Parallel()
			for _, r := range c.Run(Options{Grade: Quick, Seed: 1}) {
				if r.Verdict == Fail {
					t.Error(r)
				} else {
					t.Log(r)
				}
			}
		})
	}
}
