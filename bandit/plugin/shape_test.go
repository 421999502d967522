package plugin

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/policy"
)

// TestShape: hello has the shape of images, and the environment of a child has the one that it answered.
func TestShape(t *testing.T) {
	setup := policy.Setup{Spec: bandit.Spec{Dim: 6, Arms: []string{"a", "b"}, Shape: []int{2, 3, 1}}, Stream: stream.Root(1)}
	for _, h := range []hello{helloPolicy(setup), helloPosterior(setup.Posterior())} {
		if b, err := json.Marshal(h); err != nil || !strings.Contains(string(b), `"shape":[2,3,1]`) {
			t.Errorf("%s, %v: no shape", b, err)
		}
	}
	setup.Spec.Shape = nil
	if b, err := json.Marshal(helloPolicy(setup)); err != nil || strings.Contains(string(b), "shape") {
		t.Errorf("%s, %v: a shape of contexts that are no images", b, err)
	}
	ready := Ready{Dim: 6, Names: []string{"a", "b"}, Shape: []int{2, 3, 1}}
	if got := ready.spec().Shape; !slices.Equal(got, ready.Shape) || ready.wrongSpec() != "" {
		t.Errorf("shape %v, %q", got, ready.wrongSpec())
	}
	ready.Shape = []int{2, 2, 1}
	if got := ready.wrongSpec(); !strings.Contains(got, "contexts of length 6 with the shape [2 2 1]") {
		t.Errorf("a shape of four pixels: %q", got)
	}
}
