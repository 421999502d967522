package mushroom

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"banditsim/datasets"
)

func TestDescribe(t *testing.T) {
	var b bytes.Buffer
	if err := Describe(&b, table(t, edibleRow, with(edibleRow, "odor", "l"), poisonousRow)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"data               own file, not UCI's (SHA-256 4475ec2462a2), 3 rows",
		"edible             2 (66.7 %)",
		"poisonous          1 (33.3 %)",
		"one-hot            117 wide",
		"uniform            regret 4.16667 a pull", // (2·5 + 15)/6
		"best constant arm  leave, regret 3.33333 a pull",
	} {
		if !slices.Contains(strings.Split(b.String(), "\n"), line) {
			t.Errorf("no line %q in\n%s", line, &b)
		}
	}
}

// TestColumns: letters stay as they are, the class is first.
func TestColumns(t *testing.T) {
	columns := table(t, with(edibleRow, "stalk-root", "?"), with(edibleRow, "bruises", "f"), poisonousRow).columns()
	if len(columns) != 23 {
		t.Fatalf("%d columns, want 23", len(columns))
	}
	for _, c := range columns {
		want, ok := map[string]string{"class": "eep", "bruises": "tft", "stalk-root": "?ce"}[c.Name]
		if got := strings.Join(c.Values, ""); ok && got != want {
			t.Errorf("%s is %q, want %q", c.Name, got, want)
		}
	}
	if columns[0].Name != "class" || !slices.Equal(columns[0].Legend, []datasets.Value{{Value: "e", Name: "edible"}, {Value: "p", Name: "poisonous"}}) {
		t.Errorf("the first column is %s: %v", columns[0].Name, columns[0].Legend)
	}
}

func TestDescribeReportsWriteErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	w := writerFunc(func([]byte) (int, error) { return 0, broken })
	if err := Describe(w, table(t, edibleRow)); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
