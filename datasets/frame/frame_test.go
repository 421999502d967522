package frame

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/datasets"
)

// columns has letters that gota takes for truth values, for numbers and for missing values where it guesses types.
func columns(class, bruises, root, number []string) []datasets.Column {
	return []datasets.Column{
		{Name: "class", Values: class, Legend: []datasets.Value{{Value: "e", Name: "edible"}, {Value: "p", Name: "poisonous"}}},
		{Name: "bruises", Values: bruises, Legend: []datasets.Value{{Value: "t", Name: "bruises"}, {Value: "f", Name: "no"}}},
		{Name: "stalk-root", Values: root, Legend: []datasets.Value{{Value: "b", Name: "bulbous"}, {Value: "c", Name: "club"}, {Value: "?", Name: "missing"}}},
		{Name: "number", Values: number, Legend: []datasets.Value{{Value: "0", Name: "none"}, {Value: "1", Name: "one"}, {Value: "1.0", Name: "1.0"}}},
	}
}

func TestValues(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name    string
		columns []datasets.Column
		want    []Value
	}{
		{"two classes", columns([]string{"e", "e", "p"}, []string{"t", "f", "t"}, []string{"?", "c", "?"}, []string{"1", "1.0", "1"}), []Value{
			{"bruises", "t", "bruises", true, 2, []float64{0.5, 1}},
			{"bruises", "f", "no", false, 1, []float64{0.5, 0}},
			{"stalk-root", "c", "club", true, 1, []float64{0.5, 0}},
			{"stalk-root", "?", "missing", false, 2, []float64{0.5, 1}},
			{"number", "1", "one", true, 2, []float64{0.5, 1}},
			{"number", "1.0", "1.0", false, 1, []float64{0.5, 0}},
		}},
		{"one class", columns([]string{"e"}, []string{"f"}, []string{"b"}, []string{"0"}), []Value{
			{"bruises", "f", "no", true, 1, []float64{1, nan}},
			{"stalk-root", "b", "bulbous", true, 1, []float64{1, nan}},
			{"number", "0", "none", true, 1, []float64{1, nan}},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Values(tt.columns)
			if err != nil {
				t.Fatal(err)
			}
			if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", tt.want); g != w {
				t.Errorf("values\n%s\nwant\n%s", g, w)
			}
		})
	}
}

func TestValuesReturnsErrors(t *testing.T) {
	short := columns([]string{"e", "p"}, []string{"t"}, []string{"?", "c"}, []string{"1", "1"})
	if _, err := Values(short); err == nil {
		t.Error("columns of different lengths: no error")
	}
	unknown := columns([]string{"e", "p"}, []string{"t", "u"}, []string{"?", "c"}, []string{"1", "1"})
	if _, err := Values(unknown); err == nil || !strings.Contains(err.Error(), "bruises: 1 of 2 rows have a value") {
		t.Errorf("a value without a legend: error %v", err)
	}
}
