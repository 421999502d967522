package plugin

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
)

// TestShape checks that hello has the shape of images, and that the environment of a child has the shape of its answer.
func TestShape(t *testing.T) {
	setup := policy.Setup{Spec: bandit.Spec{Dim: 6, Arms: []string{"a", "b"}, Shape: []int{2, 3, 1}}, Stream: stream.Root(1)}
	for _, h := range []hello{helloPolicy(setup), helloPosterior(setup.Posterior())} {
		b, err := json.Marshal(h)
		must.That(t, err == nil && strings.Contains(string(b), `"shape":[2,3,1]`), "%s, %v: no shape", b, err)
	}
	setup.Spec.Shape = nil
	if b, err := json.Marshal(helloPolicy(setup)); err != nil || strings.Contains(string(b), "shape") {
		t.Errorf("%s, %v: a shape of contexts that are no images", b, err)
	}
	ready := greeting{Dim: 6, Names: []string{"a", "b"}, Shape: []int{2, 3, 1}}
	got := ready.spec().Shape
	must.That(t, slices.Equal(got, ready.Shape) && ready.wrongSpec() == "", "shape %v, %q", got, ready.wrongSpec())
	ready.Shape = []int{2, 2, 1}
	must.Contain(t, ready.wrongSpec(), "contexts of length 6 with the shape [2 2 1]")
}

// TestConstantArm checks that the constant arm of an environment must be one of its arms, with a regret of at least 0.
func TestConstantArm(t *testing.T) {
	for _, c := range []struct{ name, declared, want string }{
		{"none", `null`, ""},
		{"an arm", `{"arm":"b","regret":0.05}`, ""},
		{"the best in every pull", `{"arm":"b","regret":0}`, ""},
		{"no arm", `{"arm":"yes","regret":0.05}`, `constant_arm is "yes" with the regret 0.05: want the name of one of the arms, and at least 0`},
		{"nearly an arm", `{"arm":"gren","regret":0}`, "did you mean green?"},
		{"below 0", `{"arm":"b","regret":-1}`, `constant_arm is "b" with the regret -1`},
	} {
		var r greeting
		must.OK(t, json.Unmarshal([]byte(`{"dim":2,"names":["a","b","green"],"constant_arm":`+c.declared+`}`), &r))
		got := r.wrongSpec()
		must.That(t, (c.want != "" || got == "") && strings.Contains(got, c.want), "%s: %q, want %q", c.name, got, c.want)
		if arm := r.spec().ConstantArm; c.name == "an arm" && (arm == nil || *arm != bandit.ConstantArm{Arm: "b", Regret: 0.05}) || c.name == "none" && arm != nil {
			t.Errorf("%s: the specification has %v", c.name, arm)
		}
	}
}
