package compare

import (
	"encoding/json"
	"slices"
	"testing"

	"banditsim/results"
)

// TestParameters: the options in which policies of one name differ, a list as one value; what differs between
// sets under one label is left out.
func TestParameters(t *testing.T) {
	set := func(options map[string]string) *results.Set {
		s := &results.Set{}
		for _, label := range []string{"a", "b", "c"} {
			p := results.PolicyRecords{Label: label, Policy: results.Policy{Name: "net", Options: json.RawMessage(options[label])}}
			if label == "c" {
				p.Policy.Name = "other"
			}
			s.Policies = append(s.Policies, p)
		}
		return s
	}
	one := set(map[string]string{"a": `{"act":"mean","posterior":{"hidden":[8],"rate":1e-7}}`, "b": `{"act":"sample","posterior":{"hidden":[8,4],"rate":1e-7}}`, "c": `{"act":"mean"}`})
	two := set(map[string]string{"a": `{"act":"mean","posterior":{"hidden":[9],"rate":1e-7}}`, "b": `{"act":"sample","posterior":{"hidden":[8,4],"rate":1e-7}}`, "c": `{"act":"mean"}`})
	p := NewParameters(one)
	if names := p.Names(); !slices.Equal(names, []string{"act", "hidden"}) || p.Text("a", "hidden") != "[8]" || p.Text("b", "act") != "sample" || p.Text("c", "act") != "" {
		t.Errorf("%q, %v", names, p)
	}
	if p := NewParameters(one, two); p.Text("a", "hidden") != "" || p.Text("b", "hidden") != "[8,4]" || p.Text("a", "act") != "mean" {
		t.Errorf("two sets: %v", p)
	}
	if p := NewParameters(set(map[string]string{"a": `{"act":"mean"}`, "b": `{"act":"mean"}`, "c": `{"act":"x"}`})); len(p) != 0 {
		t.Errorf("nothing differs: %v", p)
	}
}
