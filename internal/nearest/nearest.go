// Package nearest finds the known name nearest to a misspelled one, for 'did you mean'.
package nearest

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/lists"
)

// DidYouMean returns a suffix for an error about the unknown name got, such as " (did you mean pSGLD?)", or "" if no
// known name is near enough; see Name.
func DidYouMean(got string, known []string) string {
	if near := Name(got, known); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return ""
}

// maxListed is the largest number of known names that Unknown lists beside a guess.
const maxListed = 12

// Unknown returns the error for an unknown name. It begins with the argument text, such as "there is no policy". It
// suggests the nearest known name. If none is near, or at most maxListed are known, it lists the known names.
func Unknown(text, name string, known []string) error {
	guess := DidYouMean(name, known)
	if guess != "" && len(known) > maxListed {
		return fmt.Errorf("%s %q%s", text, name, guess)
	}
	return fmt.Errorf("%s %q%s: known are %s", text, name, guess, strings.Join(known, ", "))
}

// Parse returns name if it is known. Otherwise it returns an error, which begins with the argument unknown, such as
// "stats: unknown interval", suggests the nearest known name, and lists all known names.
func Parse[S ~string](unknown, name string, known []S) (S, error) {
	if slices.Contains(known, S(name)) {
		return S(name), nil
	}
	names := lists.Each(known, func(k S) string { return string(k) })
	return "", fmt.Errorf("%s %q%s, want one of %s", unknown, name, DidYouMean(name, names), strings.Join(names, ", "))
}

// Distinct returns the error of Parse if a name is unknown, and an error if a name occurs twice. The latter begins with
// the argument kind, such as "method".
func Distinct[S ~string](unknown, kind string, names []string, known []S) error {
	for i, name := range names {
		if _, err := Parse(unknown, name, known); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s %s is named twice", kind, name)
		}
	}
	return nil
}

// Name returns the known name that is nearest to got, the first in a tie, or "" if got is not likely to be a
// misspelling of any. It ignores case.
func Name(got string, known []string) string {
	a := []rune(strings.ToLower(got))
	if len(a) == 0 {
		return ""
	}
	best, bestDistance := "", -1
	for _, name := range known {
		b := []rune(strings.ToLower(name))
		// Up to a third of the letters may be wrong. One letter may always be wrong, and two if the name has five letters
		// or more and its first letter is right.
		limit := max(1, max(len(a), len(b))/3)
		if len(b) >= 5 && a[0] == b[0] {
			limit = max(limit, 2)
		}
		d := 0
		switch {
		case len(a) >= 3 && len(b) > len(a) && string(b[:len(a)]) == string(a):
			// got is a prefix of name: d stays 0, however many letters are missing.
		case max(len(a), len(b))-min(len(a), len(b)) > limit:
			continue
		default:
			d = distance(a, b)
		}
		if d <= limit && d < len(b) && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = name, d
		}
	}
	return best
}

// distance returns the restricted Damerau–Levenshtein distance (optimal string alignment): the least number of letters
// inserted, deleted, replaced, or swapped with their neighbor. It costs O(len(a)·len(b)).
func distance(a, b []rune) int {
	// row is the current row of a table of distances between prefixes of a and b; older and old are the rows before it.
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := old[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
