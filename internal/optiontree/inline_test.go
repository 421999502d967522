package optiontree_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/optiontree"
)

type (
	network struct {
		Hidden []int   `json:"hidden"`
		Scale  float64 `json:"scale,omitzero"`
	}
	part struct {
		Kind string `json:"kind"`
	}
	sampler struct {
		Rate float64 `json:"rate"`
		Part part    `json:"part"`
	}
	inlined[S any] struct {
		network
		Sampler S `json:",inline"`
	}
	none  struct{}
	twice struct {
		Hidden int `json:"hidden"`
	}
	wrapped struct {
		inlined[sampler]
		More int `json:"more"`
	}
)

func (o inlined[S]) MarshalJSON() ([]byte, error) {
	return optiontree.MarshalInline(o.network, o.Sampler)
}

func (o *inlined[S]) UnmarshalJSON(b []byte) error {
	return optiontree.UnmarshalInline(b, &o.network, &o.Sampler)
}

// TestInline checks that a struct with an inline field is encoded and decoded like one that embeds it.
func TestInline(t *testing.T) {
	o := inlined[sampler]{network{[]int{3}, 0}, sampler{0.5, part{"off"}}}
	plain := struct {
		network
		sampler
	}{o.network, o.Sampler}
	for _, scale := range []float64{0, 2} {
		o.Scale, plain.Scale = scale, scale
		got, err := json.Marshal(o)
		want, _ := json.Marshal(plain)
		must.That(t, err == nil && string(got) == string(want), "JSON %s, error %v, want %s", got, err, want)
		var back inlined[sampler]
		if err := optiontree.Decode(got, &back); err != nil || !reflect.DeepEqual(back, o) {
			t.Errorf("decoded %+v, error %v, want %+v", back, err, o)
		}
	}
	all, err := optiontree.Encode(inlined[sampler]{})
	want, _ := optiontree.Encode(struct {
		network
		sampler
	}{})
	must.That(t, err == nil && string(all) == string(want), "all fields %s, error %v, want %s", all, err, want)
	if b, err := json.Marshal(inlined[none]{}); err != nil || string(b) != `{"hidden":null}` {
		t.Errorf("without options of its own: %s, error %v", b, err)
	}
	for text, want := range map[string]string{
		`{"hidden":[1],"rat":1}`:          `unknown field "rat"`,
		`{"hidden":1}`:                    "cannot unmarshal",
		`{"rate":"x"}`:                    "cannot unmarshal",
		`{"part":{"kind":"a","width":1}}`: `unknown field "width"`,
	} {
		must.Fail(t, json.Unmarshal([]byte(text), new(inlined[sampler])), want)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		t    reflect.Type
		want string // part of the error; empty for none
	}{
		{reflect.TypeFor[inlined[sampler]](), ""},
		{reflect.TypeFor[int](), ""},
		{reflect.TypeFor[inlined[twice]](), "two options hidden"},
		{reflect.TypeFor[struct{ A inlined[twice] }](), "two options hidden"},
		{reflect.TypeFor[wrapped](), "hides the other fields"},
	} {
		err := optiontree.Check(c.t)
		must.Want(t, c.t.String(), err, c.want)
	}
}
