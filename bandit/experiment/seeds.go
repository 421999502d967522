package experiment

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/internal/yamltree"
)

// maxSeeds is the greatest length of a list of seeds: a typing error must not exhaust the memory.
const maxSeeds = 100_000

// ParseSeeds parses a list of seeds: numbers from 1 and ranges a..b, separated by commas, such as 1..20 or
// 1,2,10..12. No seed may occur twice. Errors give the place in the list ([place.TextError]).
func ParseSeeds(s string) ([]uint64, error) { return parseSeeds(s, map[uint64]bool{}) }

// parseSeeds is ParseSeeds for a part of a longer list. A seed in seen is an error. Returned seeds are added to seen.
func parseSeeds(s string, seen map[uint64]bool) (seeds []uint64, err error) {
	offset := 0
	for part := range strings.SplitSeq(s, ",") {
		text := strings.TrimSpace(part)
		wrong := func(err error) error {
			return &place.TextError{Text: s, Offset: offset + strings.Index(part, text), Err: fmt.Errorf("seeds %q: %w", words.Clip(s), err)}
		}
		first, last, isRange := strings.Cut(text, "..")
		low, err := parseSeed(first)
		high := low
		if err == nil && isRange {
			high, err = parseSeed(last)
		}
		switch {
		case err != nil:
			return nil, wrong(err)
		case high < low:
			return nil, wrong(fmt.Errorf("the range %s is reversed: write %d..%d", text, high, low))
		case high-low >= maxSeeds || len(seen)+int(high-low) >= maxSeeds:
			return nil, wrong(fmt.Errorf("more than %d seeds", maxSeeds))
		}
		for i := range high - low + 1 {
			if seen[low+i] {
				return nil, wrong(fmt.Errorf("seed %d occurs twice", low+i))
			}
			seen[low+i] = true
			seeds = append(seeds, low+i)
		}
		offset += len(part) + len(",")
	}
	return seeds, nil
}

func parseSeed(s string) (uint64, error) {
	seed, err := strconv.ParseUint(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s does not fit 64 bits", s)
	case err != nil:
		return 0, fmt.Errorf("%q is not a seed: want numbers from 1, such as 1..20 or 1,2,5", s)
	case seed == 0:
		return 0, errors.New("seeds count from 1")
	}
	return seed, nil
}

// readSeeds reads a range such as 1..6, a number, or a list of these.
func readSeeds(n *yamltree.Node) (list []uint64, err error) {
	if err := n.Must("seeds", yamltree.Scalar, yamltree.List); err != nil {
		return nil, err
	}
	items := n.Items
	if n.Kind == yamltree.Scalar {
		items = []*yamltree.Node{n}
	}
	seen := map[uint64]bool{}
	for _, item := range items {
		text, err := item.Scalar("a seed")
		if err != nil {
			return nil, err
		}
		seeds, err := parseSeeds(text, seen)
		if err != nil {
			return nil, item.Wrap(err)
		}
		list = append(list, seeds...)
	}
	if len(list) == 0 {
		return nil, n.Wrap(errors.New("seeds: the list is empty"))
	}
	return list, nil
}
