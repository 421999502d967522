package logged

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
)

// TestSameLog checks that CSV, JSON lines with nested objects, and Vowpal Wabbit's text give the same log.
func TestSameLog(t *testing.T) {
	csv := "arm,reward,propensity,x_age,x_os,available\n1,1,0.5,30,a,1|2\n2,-0.5,0.25,40,b,\n1,0,0.5,50,a,1\n"
	lines := `{"chosen": 1, "outcome": {"reward": 1}, "p": 0.5, "user": {"age": 30, "os": "a"}, "note": null, "shown": ["1", "2"]}
{"chosen": 2, "outcome": {"reward": -0.5}, "p": 0.25, "user": {"age": 40, "os": "b"}}

{"chosen": 1, "outcome": {"reward": 0}, "p": 0.5, "user": {"os": "a", "age": 50}, "shown": [1]}
`
	vw := "1:-1:0.5 'tag| age:30 |os a\n2:0.5:0.25 | age:40 |os b\n1:0:0.5 | age:50 |os a\n"
	var logs [][]Row
	for _, f := range []struct {
		name, text string
		o          ReadOptions
	}{
		{"log.csv", csv, ReadOptions{}},
		{"log.jsonl", lines, ReadOptions{Arm: "chosen", Reward: "outcome.reward", Propensity: "p", Available: "shown", Context: []string{"user.age", "user.os"}}},
		{"log.vw", vw, ReadOptions{}},
	} {
		l, err := Open(must.File(t, f.name, f.text), f.o)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		if len(l.Spec.Arms) != 2 || l.Spec.Dim != 3 || f.name == "log.jsonl" && !slices.Equal(l.Ignored, []string{"note"}) {
			t.Errorf("%s: %s, arms %v, context %v, not used %v", f.name, l.Format, l.Spec.Arms, l.Columns, l.Ignored)
		}
		logs = append(logs, all(t, l))
	}
	must.Equal(t, "available", fmt.Sprint(logs[0][0].Available, logs[0][1].Available, logs[0][2].Available), "[true true] [] [true false]")
	for k, rows := range logs[1:] {
		for i, r := range rows {
			if want := logs[0][i]; r.Arm != want.Arm || r.Reward != want.Reward || r.Propensity != want.Propensity || !slices.Equal(r.Context, want.Context) {
				t.Errorf("log %d, row %d: %+v, want %+v", k+1, i+1, r, want)
			} else if k == 0 && !slices.Equal(r.Available, want.Available) {
				t.Errorf("row %d: available %t, want %t", i+1, r.Available, want.Available)
			}
		}
	}
}

// TestContexts checks the contexts that formats make of features.
func TestContexts(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		options    ReadOptions
		want       string // columns, contexts and ignored columns
	}{
		"a field that is missing is an empty cell": {"log.jsonl", "\ufeff" + `{"arm": 9007199254740992, "reward": 1, "propensity": 0.5, "x_os": "a"}
{"arm": 9007199254740993, "reward": 1, "propensity": 0.5}`, ReadOptions{}, "[x_os=a x_os=] [[1 0] [0 1]] []"},
		"the weight of a namespace is no part of names": {"log.vw", "1:0:0.5 |user:0.5 age:30\n2:0:0.5 |user age:40 |os a\n", ReadOptions{}, "[user.age os.a] [[30 0] [40 1]] []"},
		"semicolons, and no positions":                  {"log.csv", "\ufeff\"arm\";reward;propensity;x_1;position\n0;1;0.5;7;top\n1;0;0.5;8;top\n", ReadOptions{Position: "none"}, "[x_1] [[7] [8]] [position]"},
		"the usual names":                               {"log.csv", "arm,reward,propensity,x_1\n0,1,0.5,7\n1,0,0.5,8\n", ReadOptions{}, "[x_1] [[7] [8]] []"},
		"no context":                                    {"log.csv", "arm,reward,propensity,x_1\n0,1,0.5,7\n1,0,0.5,8\n", ReadOptions{Context: []string{}}, "[1] [[1] [1]] [x_1]"},
	} {
		l, err := Open(must.File(t, c.file, c.text), c.options)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		contexts := lists.Each(all(t, l), func(r Row) []float32 { return r.Context })
		must.Equal(t, name, fmt.Sprint(l.Columns, contexts, l.Ignored), c.want)
	}
	l := must.Get(Open(must.File(t, "e.csv", exportedHeader+"propensity\nt,e,p,p,1,1,1,0,0,'-a,1,0.5\nt,e,p,p,1,1,2,0,1,''b,0,0.5\n"), ReadOptions{}))(t)
	must.Equal(t, "arms of an export, without the apostrophe against formulas", l.Spec.Arms, []string{"'b", "-a"})
	pulls := make([]float64, 2)
	must.OK(t, (&Columns{Names: []string{"arm_name"}}).parse(pulls, []string{"'-a"}, []int{0}, 1, l.Spec.Arms))
	must.Equal(t, "the arm of a policy in a column of an export", pulls, []float64{0, 1})
}

func TestBadFormats(t *testing.T) {
	for _, c := range map[string]struct{ file, text, want string }{
		"list":               {"a.jsonl", `{"arm": 1, "reward": 1, "propensity": 0.5, "tags": ["a"]}`, "the field tags is a list"},
		"no object":          {"a.jsonl", "{\"arm\": 1, \"reward\": 1, \"propensity\": 0.5}\n3\n", "line 2: json: cannot unmarshal number"},
		"missing propensity": {"a.jsonl", `{"arm": 1, "reward": 1}`, "the log has no propensities"},
		"two labels":         {"a.vw", "1:0:0.5 2:1:0.5 | a\n", "which column has the arm?"},
		"no label":           {"a.vw", "1:0:0.5 | a\n| a\n", "line 2: "},
		"bad value":          {"a.vw", "1:0:0.5 | a:x\n2:0:0.5 | a\n", `row 1, column a: "x": want the value of a feature`},
		"slate":              {"a.dsjson", `{"_outcomes": [{"_label_cost": -1, "_a": [0, 1], "_p": [0.5, 0.5]}]}`, "_outcomes: the event has several decisions"},
		"propensity of 2":    {"a.vw", "1:0:2 | a\n", "want a propensity above 0 and at most 1"},
	} {
		must.Refuse(Open(must.File(t, c.file, c.text), ReadOptions{}))(t, c.want)
	}
	for _, o := range []ReadOptions{{Reward: "r"}, {Context: []string{}}, {Probabilities: []string{"p"}}} {
		must.Refuse(Open(must.File(t, "a.vw", "1:0:0.5 'tag|a\n2:0:0.5 | a\n"), o))(t, "text of Vowpal Wabbit has no columns")
	}
}

// TestChangedFile checks that a row that is missing, and a category, feature or action that was not in the file when the log was opened, is
// an error, and that rows that were appended since are not read.
func TestChangedFile(t *testing.T) {
	const event = `{"_label_cost":0,"_label_probability":0.5,"_labelIndex":0,"a":[1,2],"c":{"_multi":[{"x":1},{"x":2}]}}` + "\n"
	for file, texts := range map[string][2]string{
		"a.csv":    {"arm,reward,propensity,x_os\n1,0,0.5,a\n2,1,0.5,b\n", "arm,reward,propensity,x_os\n1,0,0.5,a\n2,1,0.5,c\n"},
		"a.vw":     {"1:0:0.5 | a:2\n2:0:0.5 | b\n", "1:0:0.5 | a:2\n2:0:0.5 | c\n"},
		"b.vw":     {"1:0:0.5 | a:2\n2:0:0.5 | b\n", "1:0:0.5 | a:2\n"},
		"a.dsjson": {event, strings.ReplaceAll(event, `{"x":2}`, `{"x":2},{"x":3}`)},
	} {
		path := must.File(t, file, texts[0])
		l := must.Get(Open(path, ReadOptions{}))(t)
		must.OK(t, os.WriteFile(path, []byte(texts[1]), 0o666))
		var last error
		for _, err := range l.Rows() {
			last = err
		}
		must.Fail(t, last, "was the file changed?")
		rows := 0
		must.OK(t, os.WriteFile(path, []byte(texts[0]+texts[1]), 0o666))
		for _, err := range l.Rows() {
			must.OK(t, err)
			rows++
		}
		must.That(t, rows == l.Description.Rows, "%s: %d rows, want %d", file, rows, l.Description.Rows)
	}
}

// TestJournal checks that decisions with a reward become rows, in the order of the rewards, that a torn last line is ignored, and that
// errors name the line.
func TestJournal(t *testing.T) {
	const head = `{"journal":1,"agent":"x","policy":"LinTS","arms":["a","b","c"],"columns":["age","country"]}` + "\n"
	decision := func(id int, arm, more string) string {
		return fmt.Sprintf(`{"id":%d,"context":{"age":%d,"country":"us"},"arm":%q,"propensity":0.5%s}`+"\n", id, 20+id, arm, more)
	}
	reward := func(id int) string { return fmt.Sprintf(`{"id":%d,"reward":%d}`+"\n", id, id) }
	path := must.File(t, "log.jsonl", head+decision(1, "a", `,"arms":["a","c"]`)+decision(2, "b", "")+reward(2)+decision(3, "a", "")+reward(1)+`{"id":3,"rew`)
	l := must.Get(Open(path, ReadOptions{Duplicates: true}))(t)
	var got []string
	for row, err := range l.Rows() {
		must.OK(t, err)
		got = append(got, fmt.Sprint(row.Arm, row.Reward, row.Propensity, row.Context, row.Available))
	}
	if want := "[1 2 0.5 [22 1] [] 0 1 0.5 [21 1] [true false true]]"; fmt.Sprint(got) != want || fmt.Sprint(l.Spec.Arms, l.Context, l.Ignored) != "[a b c] [age country] []" {
		t.Errorf("rows %v, want %s; arms, context and what is not used %v %v %v", got, want, l.Spec.Arms, l.Context, l.Ignored)
	}
	for text, want := range map[string]string{
		decision(1, "a", "") + reward(1) + reward(1):                 "line 4: a reward of decision 1, which no line before has, or which has one",
		decision(2, "a", "") + head + reward(2):                      "line 4: a reward of decision 2, which no line before has",
		strings.Replace(head, "country", "town", 1):                  "line 2: another journal begins, whose arms or columns are not those of the first",
		decision(1, "a", "") + "nonsense\n":                          "line 3: neither a decision nor a reward",
		decision(1, "a", "") + decision(2, "b", ""):                  "no rows: none of its 2 decisions has a reward yet",
		decision(1, "d", "") + reward(1):                             "one of the arms a, b, c",
		decision(1, "a", `,"arms":["b","c"]`) + reward(1):            `column arms: "[\"b\",\"c\"]": want the arm a, which was pulled, among`,
		decision(1, "a", `,"arms":["a","e"]`) + reward(1):            "one of the arms a, b, c",
		decision(1, "a", `,"arms":["a",5]`) + reward(1):              "want a list of the names of arms",
		`{"id":1,"context":{"agee":1},"arm":"a"}` + "\n" + reward(1): "line 2: the context has a agee (did you mean age?)",
	} {
		_, err := Open(must.File(t, "log.jsonl", head+text), ReadOptions{})
		must.Fail(t, err, want)
	}
	_, err := Open(os.DevNull, ReadOptions{}) // as a pipe, it cannot be read again
	must.Fail(t, err, "write what a pipe has to a file first")
}
