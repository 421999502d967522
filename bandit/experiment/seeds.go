package experiment

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"banditsim/internal/place"
	"banditsim/internal/words"
)

// maxSeeds bounds a list of seeds, so that a typing error does not fill the memory.
const maxSeeds = 100_000

// ParseSeeds parses a list of seeds: numbers from 1 and ranges a..b, separated by commas, such as 1..20 or
// 1,2,10..12. No seed may occur twice. Errors give the place in the list ([place.TextError]).
func ParseSeeds(s string) ([]uint64, error) { return parseSeeds(s, map[uint64]bool{}) }

// parseSeeds parses a list of seeds: numbers from 1 and ranges a..b, separated by commas, such as 1..20 or 1,2,10..12. No
// seed may occur twice or be among those seen, to which it adds its own. Errors give the place in the list
// ([place.TextError]).
func parseSeeds(s string, seen map[uint64]bool) (seeds []uint64, err error) {
	offset := 0
	for part := range strings.SplitSeq(s, ",") {
		text := strings.TrimSpace(part)
		wrong := func(err error) error {
			return &place.TextError{Text: s, Offset: offset + strings.Index(part, text), Err: fmt.Errorf("seeds %q: %w", words.Clip(s), err)}
		}
		low, high, err := parseSeedRange(text)
		if err != nil {
			return nil, wrong(err)
		}
		if high-low >= maxSeeds || len(seen)+int(high-low) >= maxSeeds {
			return nil, wrong(fmt.Errorf("more than %d seeds", maxSeeds))
		}
		for seed := low; ; seed++ {
			if seen[seed] {
				return nil, wrong(fmt.Errorf("seed %d occurs twice", seed))
			}
			seen[seed] = true
			seeds = append(seeds, seed)
			if seed == high {
				break
			}
		}
		offset += len(part) + len(",")
	}
	return seeds, nil
}

func parseSeedRange(s string) (low, high uint64, err error) {
	first, last, isRange := strings.Cut(s, "..")
	if low, err = parseSeed(first); err != nil {
		return 0, 0, err
	}
	if !isRange {
		return low, low, nil
	}
	if high, err = parseSeed(last); err != nil {
		return 0, 0, err
	}
	if high < low {
		return 0, 0, fmt.Errorf("the range %s is reversed: write %d..%d", s, high, low)
	}
	return low, high, nil
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
