package optiontree

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestUnknownKey checks that the message names the group of the key if there is one.
func TestUnknownKey(t *testing.T) {
	for _, c := range []struct {
		before, known []string
		want          string
	}{
		{nil, []string{"rate", "steps"}, `"stesp" (did you mean steps?): known are rate, steps`},
		{[]string{"posterior", "contour"}, []string{"bins"}, `"stesp" in posterior.contour: known are bins`},
		{nil, nil, `"stesp": there are no options`},
	} {
		got := UnknownKey("stesp", c.before, c.known).Error()
		must.That(t, got == ErrUnknownKey.Error()+" "+c.want, "%q, want %q %q", got, ErrUnknownKey, c.want)
	}
}

// An item is a number or an object.
type item json.RawMessage

func (i item) MarshalJSON() ([]byte, error) { return i, nil }

func (i *item) UnmarshalJSON(b []byte) error {
	*i = item(b)
	if b[0] == '"' {
		return errors.New("a text")
	}
	return nil
}

// TestSetList checks that lists may lack their brackets, and keys of objects in them their quotes.
func TestSetList(t *testing.T) {
	lists := struct {
		List []item `json:"list"`
	}{[]item{item("1")}}
	for _, c := range []struct{ value, want string }{
		{"3,4", `[3,4]`},
		{"[3, 4]", `[3,4]`},
		{"", `[]`},
		{"[]", `[]`},
		{`[{"conv":8,"mean":true}]`, `[{"conv":8,"mean":true}]`},
		{"[{conv: 8, mean: true}, {conv:16}]", `[{"conv":8,"mean":true},{"conv":16}]`},
		{"{conv: 8}", `[{"conv":8}]`},
		{`[{"a": "b, c: d"}]`, `[{"a":"b, c: d"}]`},
		{"3,,4", `"3,,4" is not a list, such as 100,100`},
		{".5,1", `".5,1" is not a list, such as 100,100 or 0.5,1e-3`},
		{"[{conv: 8]", `"[{conv: 8]" is not a list of objects, such as [{conv: 8, size: 5}]`},
		{"[{conv: x}]", `is not a list of objects`},
	} {
		set, err := Set(lists, []string{"list"}, c.value)
		got, _ := json.Marshal(set)
		if err != nil {
			got = json.RawMessage(`{"list":` + err.Error())
		}
		must.That(t, strings.Contains(string(got), c.want), "%s: %s, want %s", c.value, got, c.want)
	}
}
