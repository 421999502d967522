package verify

import (
	"context"

	"banditsim/internal/pool"
)

// A Part is a subject in a report, with its name and a line about it.
type Part struct {
	Name, Doc string
	Kind      string // "sampler" (exactness) or "posterior" (contract)
	Subject   Subject
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
	type job struct {
		check   Check
		results []Result
	}
	var jobs []*job
	byPart := make([][]*job, len(parts))
	for i, p := range parts {
		for _, c := range p.Subject.Checks() {
			k := &job{check: c}
			jobs = append(jobs, k)
			byPart[i] = append(byPart[i], k)
		}
	}
	p := pool.Pool{Workers: workers, Done: done}
	err := p.Run(ctx, len(jobs), func(i int) error {
		jobs[i].results = jobs[i].check.Run(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var cards []Card
	for i, p := range parts {
		card := Card{Part: p}
		for _, k := range byPart[i] {
			card.Results = append(card.Results, k.results...)
		}
		cards = append(cards, card)
	}
	return cards, nil
}
