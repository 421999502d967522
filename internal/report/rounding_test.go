package report

import (
	"strings"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// TestOneRounding: a mean and a difference have the same digits in every table and sentence.
func TestOneRounding(t *testing.T) {
	a, b := []float64{1900.1, 1950.9, 1890.2, 1960.8, 1925.3, 1926.9}, []float64{1925, 1974, 1913, 1984, 1949, 1950} // means 1,925.7 and 1,949.1667
	set := resultstest.Set(map[string][]float64{"a": a, "b": b})
	s := summaryOf(t, set)
	c, err := compareTo(set, "a", compare.Expected())
	if err != nil {
		t.Fatal(err)
	}
	other := *set
	set.Label, other.Label = "one", "two"
	across, err := compare.CompareAcross([]*results.Set{set, &other}, compare.Expected())
	if err != nil {
		t.Fatal(err)
	}
	mean := Summary(s).Tables[0].Rows[0][2] // "1,926 ± 28"
	if !strings.HasPrefix(mean, "1,926 ± ") || !strings.Contains(s.Sentences[0], mean) || !strings.Contains(SummaryPage(s).Tables[0].Rows[0][2], mean) {
		t.Errorf("table %s, page %s, but %s", mean, SummaryPage(s).Tables[0].Rows[0][2], s.Sentences[0])
	}
	if got := Across(across).Tables[1].Rows[0][1]; got != mean {
		t.Errorf("over environments %s, want %s", got, mean)
	}
	difference := Comparison(c).Tables[0].Rows[1][2]
	if !strings.Contains(s.Sentences[0], " is "+difference+" [") {
		t.Errorf("difference %s, but %s", difference, s.Sentences[0])
	}
}
