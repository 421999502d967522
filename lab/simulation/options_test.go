package simulation

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestRangeErrorsNameTheField: the error names an option as in JSON.
func TestRangeErrorsNameTheField(t *testing.T) {
	var landscape LandscapeOptions // zero values are out of range
	var variance VarianceOptions
	landscape.Methods = DefaultLandscape().Methods
	landscape.Noise, variance.LearningRate = -1, -1
	for name, o := range map[string]interface{ Validate() error }{"landscape": &landscape, "variance": &variance} {
		fields := map[string]any{}
		b, err := json.Marshal(o)
		if err != nil || json.Unmarshal(b, &fields) != nil {
			t.Fatal(err)
		}
		named := 0
		for range fields {
			err := o.Validate()
			if err == nil {
				break
			}
			var out *RangeError
			if !errors.As(err, &out) {
				t.Fatalf("%s: %v is no RangeError", name, err)
			}
			if _, ok := fields[out.Option]; !ok || !strings.HasPrefix(err.Error(), out.Option+": ") {
				t.Errorf("%s: %v: %q is no name in JSON, or not that of the error", name, err, out.Option)
			}
			named++
			// Correct it, and go on to the next.
			if err := json.Unmarshal([]byte(`{"`+out.Option+`": `+map[bool]string{true: "0.1", false: "100"}[out.Option == "learning_rate" || out.Option == "noise"]+`}`), o); err != nil {
				t.Fatal(err)
			}
		}
		if named < 5 || o.Validate() != nil {
			t.Errorf("%s: %d options were named, and in the end %v", name, named, o.Validate())
		}
	}
}

func TestMethods(t *testing.T) {
	for want, methods := range map[string][]string{"did you mean ICSGLD": {"ICSGDL"}, "SGLD is named twice": {"SGLD", "SGLD"}, "cycSGLD": nil} {
		o := small()
		o.Methods = methods
		if _, err := Landscape(t.Context(), o, &Crew{Workers: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", methods, err, want)
		}
	}
}
