package verify

import (
	"context"

	"banditsim/internal/pool"
)

// A Part is a subject in a report, with the name and the line that it goes under.
type Part struct {
	Name, Doc string
	Kind      string // "sampler" (exactness) or "posterior" (contract)
	Subject   Subject
}

// A Card is what was found of a part.
type Card struct {
	Part
	Results []Result
}

// Report runs the checks of all parts, a number of them at a time, and returns a card
// for each, in their order. The numbers do not depend on the workers. done, if not nil, is
// told after each check how many of all there are; never by two workers at a time.
// When ctx ends no further check begins, and the error is its.
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
