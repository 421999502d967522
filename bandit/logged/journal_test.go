package logged

import (
	"fmt"
	"testing"

	"banditsim/internal/must"
)

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
}
