package frame

import (
	"errors"
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

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		name    string
		columns []datasets.Column
		want    string
	}{
		{"two classes", columns([]string{"e", "e", "p"}, []string{"t", "f", "t"}, []string{"?", "c", "?"}, []string{"1", "1.0", "1"}), `
attribute   value  name     rows  of edible  of poisonous
bruises     t      bruises  2     50.0 %     100.0 %
            f      no       1     50.0 %     0 %
stalk-root  c      club     1     50.0 %     0 %
            ?      missing  2     50.0 %     100.0 %
number      1      one      2     50.0 %     100.0 %
            1.0    1.0      1     50.0 %     0 %
`},
		{"one class", columns([]string{"e"}, []string{"f"}, []string{"b"}, []string{"0"}), `
attribute   value  name     rows  of edible  of poisonous
bruises     f      no       1     100.0 %    -
stalk-root  b      bulbous  1     100.0 %    -
number      0      none     1     100.0 %    -
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := Describe(&b, tt.columns); err != nil {
				t.Fatal(err)
			}
			if got := "\n" + b.String(); got != tt.want {
				t.Errorf("described as%s\nwant%s", got, tt.want)
			}
		})
	}
}

func TestDescribeReturnsErrors(t *testing.T) {
	short := columns([]string{"e", "p"}, []string{"t"}, []string{"?", "c"}, []string{"1", "1"})
	if err := Describe(new(strings.Builder), short); err == nil {
		t.Error("columns of different lengths: no error")
	}
	unknown := columns([]string{"e", "p"}, []string{"t", "u"}, []string{"?", "c"}, []string{"1", "1"})
	if err := Describe(new(strings.Builder), unknown); err == nil || !strings.Contains(err.Error(), "bruises: 1 of 2 rows have a value") {
		t.Errorf("a value without a legend: error %v", err)
	}
	broken := errors.New("broken pipe")
	if err := Describe(writerFunc(func([]byte) (int, error) { return 0, broken }), columns([]string{"e"}, []string{"f"}, []string{"b"}, []string{"0"})); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
