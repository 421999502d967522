package mushroom

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	var b bytes.Buffer
	if err := Describe(&b, table(t, edibleRow, with(edibleRow, "odor", "l"), poisonousRow)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"data       own file, not UCI's (SHA-256 4475ec2462a2), 3 rows",
		"edible     2 (66.7 %)",
		"poisonous  1 (33.3 %)",
		"one-hot    117 wide",
		"attribute                 value  name       rows  of edible  of poisonous",
		"odor                      a      almond     1     50.0 %     0 %",
		"                          l      anise      1     50.0 %     0 %",
		"                          p      pungent    1     0 %        100.0 %",
	} {
		if !slices.Contains(strings.Split(b.String(), "\n"), line) {
			t.Errorf("no line %q in\n%s", line, &b)
		}
	}
	if strings.Contains(b.String(), "creosote") {
		t.Error("a value that does not occur is listed")
	}
}

func TestDescribeOneClass(t *testing.T) {
	var b bytes.Buffer
	if err := Describe(&b, table(t, edibleRow)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "NaN") || !strings.Contains(b.String(), "100.0 %    -\n") {
		t.Errorf("described as\n%s", &b)
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
