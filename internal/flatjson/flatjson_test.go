package flatjson

import (
	"slices"
	"testing"

	"banditsim/internal/must"
)

func TestChanged(t *testing.T) {
	type part struct {
		A int   `json:"a"`
		B []int `json:"b"`
	}
	type whole struct {
		Part part    `json:"part"`
		C    float64 `json:"c,omitzero"`
	}
	for _, c := range []struct {
		name     string
		was, now whole
		want     []string
	}{
		{"nothing", whole{}, whole{}, nil},
		{"dotted keys, sorted", whole{Part: part{A: 1}}, whole{Part: part{A: 2}, C: 0.1}, []string{"c=0.1", "part.a=2"}},
		{"an element", whole{Part: part{B: []int{1, 2}}}, whole{Part: part{B: []int{1, 3}}}, []string{"part.b.1=3"}},
		{"a field that has gone", whole{C: 1}, whole{}, []string{"c=absent"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Changed(c.was, c.now)
			must.That(t, slices.Equal(got, c.want), "%v, want %v", got, c.want)
		})
	}
}

func TestFirstDifference(t *testing.T) {
	type options struct {
		A int    `json:"a,omitzero"`
		B string `json:"b"`
	}
	for _, c := range []struct {
		name string
		a, b options
		want [3]string
	}{
		{"nothing", options{A: 1}, options{A: 1}, [3]string{"nothing", "", ""}},
		{"the first by name", options{1, "x"}, options{2, "y"}, [3]string{"a", "1", "2"}},
		{"a field that one lacks", options{0, "x"}, options{2, "x"}, [3]string{"a", "absent", "2"}},
	} {
		field, inA, inB := FirstDifference(c.a, c.b)
		must.That(t, [3]string{field, inA, inB} == c.want, "%s: %s, %s and %s, want %q", c.name, field, inA, inB, c.want)
	}
}
