package compare

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results/stats"
)

// TestWith: a comparison that takes the pairs from another is the one that Compare computes, in every field.
func TestWith(t *testing.T) {
	nan := math.NaN()
	for name, regret := range map[string]map[string][]float64{
		"three":      {"a": {100, 200, 300, 100, 200, 300}, "b": {110, 211, 309, 110, 211, 309}, "c": {130, 190, 310, 130, 190, 310}},
		"equal":      {"a": {1, 2, 3, 4, 5, 6}, "b": {1, 2, 3, 4, 5, 6}, "c": {6, 5, 4, 3, 2, 1}},
		"failures":   {"a": {1, 2, nan, 4, 5, 6, 7, 9}, "b": {1.5, 2, 3, 4, nan, 6, 7, 8}, "c": {nan, nan, nan, nan, nan, nan, nan, 1}, "d": {1, nan, nan, nan, nan, nan, nan, nan}},
		"few":        {"a": {1, 2}, "b": {2, 3.5}},
		"none to it": {"a": {1, 2, 3, 4, 5, 6}, "b": {nan, nan, nan, nan, nan, nan}},
		"far":        {"a": {1, 2, 3, 4, 5, 6, 7, 8, 9, 1e6}, "b": {2, 1, 3, 4, 5, 7, 7, 8, 8, 9}, "c": {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			set := resultstest.Set(regret)
			for _, interval := range []stats.IntervalMethod{stats.StudentT, stats.Simultaneous} {
				picked, err := compareBy(set, "", Expected(), interval)
				if err != nil {
					t.Fatal(err)
				}
				before := asText(picked)
				for baseline := range regret {
					want, err := compareBy(set, baseline, Expected(), interval)
					if err != nil {
						t.Fatal(err)
					}
					got, err := picked.With(set, baseline)
					if err != nil {
						t.Fatal(err)
					}
					if g, w := asText(got), asText(want); g != w {
						t.Errorf("%s, %s: got\n%s\nwant\n%s", baseline, interval, g, w)
					}
					if g, w := asText(got.Family), asText(want.Family); g != w {
						t.Errorf("%s, %s: family\n%s\nwant\n%s", baseline, interval, g, w)
					}
					if _, err := got.With(set, baseline); err == nil {
						t.Error("from a comparison without the other pairs: no error")
					}
				}
				if asText(picked) != before {
					t.Error("With changes the comparison that it takes the pairs from")
				}
			}
		})
	}
}

// asText writes all fields: values that are not finite are equal as text.
func asText(v any) string { return fmt.Sprintf("%+v", v) }
