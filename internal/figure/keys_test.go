package figure

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestKeys checks that every key sets an option, rejects invalid values, and has a pattern that matches valid values.
func TestKeys(t *testing.T) {
	good := map[string][]string{
		"policies": {"p"}, "baseline": {"p"}, "label": {"a = b"}, "color": {"#0072B2", "#ffffff"}, "metric": {"realised"}, "log": {"x", "y", "xy"}, "from_round": {"3"}, "to_round": {"7"},
		"facet": {"environment"}, "columns": {"2"}, "xlabel": {"t"}, "ylabel": {"t"}, "width": {"84mm", "8.4cm", "3.3in", "240pt"}, "height": {"60mm"}, "font_size": {"8pt", "0.1in"}, "title": {"t"}, "no_title": {"true"}, "no_caption": {"true"},
	}
	bad := map[string][]string{
		"color": {"0072B2", "#0072B", "#0072BG", "#+072B2", ""}, "metric": {"realized"}, "log": {"z", ""}, "from_round": {"0", "-1", "1.5", ""}, "to_round": {"x"}, "facet": {"seed"}, "columns": {"0", "21", "x"},
		"width": {"84", "mm", "-1mm", "0mm", "NaNmm", "1mm", "6000mm", "84 mm"}, "font_size": {"1pt", "100pt"}, "no_title": {"yes"}, "line": {"wavy"}, "view": {"sum"}, "band": {"bca"}, "x": {"hours"}, "legend": {"left"}, "kind": {"regrets"},
	}
	for _, k := range Keys() {
		values := good[k.Name]
		if values == nil && len(k.Values) > 1 {
			values = k.Values[1:]
		}
		for _, v := range values {
			o := DefaultOptions()
			must.Want(t, fmt.Sprintf("%s %q", k.Name, v), k.Set(&o, "p", v), "")
			must.That(t, !reflect.DeepEqual(o, DefaultOptions()), "%s %q sets nothing", k.Name, v)
			must.That(t, k.Pattern == "" || regexp.MustCompile(k.Pattern).MatchString(v),
				"%s: its pattern does not match %q", k.Name, v)
		}
		for _, v := range bad[k.Name] {
			o := DefaultOptions()
			err := k.Set(&o, "p", v)
			must.That(t, err != nil, "%s %q: no error", k.Name, v)
		}
		if want := strings.ReplaceAll(k.Name, "_", "-"); k.Flag() != want && k.Flag() != want+"-axes" || k.Doc == "" {
			t.Errorf("%s: flag %q, description %q", k.Name, k.Flag(), k.Doc)
		}
	}
}

func TestLengths(t *testing.T) {
	for v, want := range map[string]float64{"25.4mm": 72, "2.54cm": 72, "1in": 72, "72pt": 72} {
		var got float64
		err := setLength(&got, v)
		must.That(t, err == nil && math.Abs(got-want) < 1e-9, "%s is %g pt, %v; want %g", v, got, err, want)
	}
}

// TestOptionsAreValues checks that setting a policy's label in a copy of the options does not change the original.
func TestOptionsAreValues(t *testing.T) {
	o := DefaultOptions()
	put(&o.Labels, "a", "A")
	c := o
	put(&c.Labels, "b", "B")
	must.That(t, len(o.Labels) == 1 && len(c.Labels) == 2, "labels %v and %v", o.Labels, c.Labels)
	r := c.Restrict([]string{"b"})
	must.That(t, len(r.Labels) == 1 && r.Labels["b"] == "B" && len(c.Labels) == 2, "restricted to %v, of %v", r.Labels, c.Labels)
}
