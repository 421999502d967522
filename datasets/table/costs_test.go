package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"banditsim/datasets"
	"banditsim/internal/must"
)

// risks is a table whose classes, which are sorted by name (high, low, mid), are not in the order of risk.
const risks = "x,risk\n1,low\n2,mid\n3,high\n4,low\n"

// costRows are the costs of the arms low, mid and high.
var costRows = map[string][3]float64{"low": {0, 1, 2.5}, "mid": {3, 0, 1}, "high": {9, 4, 0}}

// TestCostForms checks that every form of one matrix gives the same rewards, the same identity and the same description.
func TestCostForms(t *testing.T) {
	arms := []string{"low", "mid", "high"}
	const named = `{"mid":{"high":1,"low":3,"mid":0},"low":{"low":0,"mid":1,"high":2.5},"high":{"low":9,"mid":4,"high":0}}`
	const identity = `"standardize":"file","costs":[0,9,4,2.5,0,1,1,3,0],"replacement":false}`
	data := must.File(t, "risks.csv", []byte(risks))
	description := ""
	for _, c := range []struct{ name, costs string }{
		{"numbers in the order of classes", "[0,9,4,2.5,0,1,1,3,0]"},
		{"by name", named},
		{"by name, in a list as --set has it", "[" + named + "]"},
		{"a file", fmt.Sprintf("%q", must.File(t, "c.csv", []byte("class,low,mid,high\nlow,0,1,2.5\nmid,3,0,1\nhigh,9,4,0\n")))},
		{"a file in another order", fmt.Sprintf("[%q]", must.File(t, "c.csv", []byte(";high;low;mid\r\nhigh;0;9;4\r\nlow;2.5;0;1\r\n\"mid\";1;3;0\r\n")))},
	} {
		o := options(t, `"costs":`+c.costs)
		b := must.Get(json.Marshal(o))(t)
		var again Options // experiments encode options and decode them before they open the file
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatalf("%s: %v in %s", c.name, err, b)
		}
		w, err := Kind().Open(t.Context(), again, data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		must.That(t, strings.HasSuffix(string(w.Options), identity),
			"%s: options %s, want %s", c.name, w.Options, identity)
		table := must.Get(load(t.Context(), again, data))(t)
		for class, name := range table.arms {
			for arm, other := range table.arms {
				got, want := table.rewards[class*3+arm], 0-costRows[name][slices.Index(arms, other)]
				must.That(t, got == want, "%s: class %s, arm %s: reward %g, want %g", c.name, name, other, got, want)
			}
		}
		var text strings.Builder
		must.OK(t, w.Describe(&text))
		if description == "" {
			description = text.String()
		}
		must.That(t, text.String() == description && strings.Contains(description, w.Detail),
			"%s: the description differs:\n%s", c.name, text.String())
	}
	const want = `
costs        of each class (row) by arm (column); the arm of the class costs least for 3 of 3 classes
  class  high  low  mid
  high   0     9    4
  low    2.5   0    1
  mid    1     3    0

`
	must.That(t, strings.Contains(description, want), "the description lacks %s:\n%s", want, description)
}

// TestOwnCosts checks that the description counts the classes whose own arm costs no more than the other arms. It compares costs in a
// row of the matrix: in its column, the arm a costs less for class b.
func TestOwnCosts(t *testing.T) {
	e := encoded(t, "f.csv", "x,y\n1,a\n2,b\n", `"costs":{"a":{"a":1,"b":2},"b":{"a":0.5,"b":0}}`)
	text := e.table.costText()
	must.That(t, strings.Contains(text, "costs least for 2 of 2 classes"), "%v", text)
}

// TestWrongCosts checks that errors name the class, the arm or the place, the value found and the cure.
func TestWrongCosts(t *testing.T) {
	file := func(text string) string { return fmt.Sprintf("%q", must.File(t, "c.csv", []byte(text))) }
	for _, c := range []struct{ name, costs, want string }{
		{"another class", `{"lwo":{"low":1}}`, `costs: there is no class "lwo" (did you mean low?): the classes, and so the arms, are "high", "low", "mid"`},
		{"another arm", `{"low":{"hihg":1}}`, `costs: there is no arm "hihg" (did you mean high?)`},
		{"a class is missing", `{"low":{"low":0,"mid":1,"high":2},"mid":{"low":0,"mid":1,"high":2}}`, `costs: class "high" has no cost of the arm "high": want the costs of all 3 arms for each class`},
		{"an arm is missing", `{"low":{"low":0,"high":2},"mid":{"low":0,"mid":1,"high":2},"high":{"low":0,"mid":1,"high":2}}`, `class "low" has no cost of the arm "mid"`},
		{"nothing", `{}`, `class "high" has no cost`},
		{"a class twice", `{"low":{"low":0},"low":{"low":1}}`, `costs: "low" occurs twice`},
		{"an arm twice", `{"low":{"low":0,"low":1}}`, `costs: "low" occurs twice`},
		{"a text", `{"low":{"low":"x"}}`, `costs: class "low", arm "low": "x" is not a number`},
		{"a class with a number", `{"low":1}`, `costs: class "low" has 1, want the cost of each arm`},
		{"too large", `{"low":{"low":1e13}}`, `costs: class "low", arm "low": 1e+13, want −1e12 to 1e12`},
		{"numbers that are too few", `[1,2]`, "costs: 2 numbers, want 9: 3 classes"},
		{"texts", `["a","b"]`, "costs are numbers, {class: {arm: cost}}, or the name of a CSV file"},
		{"no file", `"none.csv"`, "costs: open none.csv: no such file or directory: want the path of a CSV file"},
		{"a file of another class", file("class,low,mid,high\nlow,0,1,2\nmdi,1,1,1\n"), `c.csv:3:5: there is no class "mdi" (did you mean mid?)`},
		{"a file of another arm", file("class,low,mid,hi\nlow,0,1,2\n"), `c.csv:2:9: there is no arm "hi"`},
		{"a file with a word", file("class,low,mid,high\nlow,0,one,2\n"), `c.csv:2:7: class "low", arm "mid": "one" is not a number`},
		{"a file with a class twice", file("class,low,mid,high\nlow,0,1,2\nlow,0,1,2\n"), `c.csv:3:5: class "low", arm "low": there is a cost already`},
		{"a file with an arm twice", file("class,low,low,high\nlow,0,1,2\n"), `c.csv:2:7: class "low", arm "low": there is a cost already`},
		{"a file that is ragged", file("class,low,mid,high\nlow,0,1\n"), `c.csv:2:7: 3 cells, want 4`},
		{"a file without costs", file("class,low,mid,high\n"), "has no costs: want a line with the names of the arms"},
		{"a file with an infinite cost", file("class,low,mid,high\nlow,0,inf,2\n"), `c.csv:2:7: class "low", arm "mid": +Inf, want −1e12`},
		{"an empty file", file(""), "c.csv:1:1: the file is empty"},
	} {
		o := Kind().Defaults()
		err := json.Unmarshal([]byte(`{"costs":`+c.costs+`}`), &o)
		if err == nil {
			_, err = Kind().Open(t.Context(), o, must.File(t, "risks.csv", []byte(risks)))
		}
		if text := (*datasets.DataError)(nil); err == nil || errors.As(err, &text) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
