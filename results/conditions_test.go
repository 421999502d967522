package results

import "testing"

func TestDataName(t *testing.T) {
	const sum = "18489308deedfe2f7bd3"
	for _, c := range []struct {
		data Data
		want string
	}{
		{Data{Name: "uci", SHA256: sum}, "UCI images data"},
		{Data{Name: "file", SHA256: sum}, "images of a file (SHA-256 18489308deed…)"},
		{Data{Name: "MNIST, test", SHA256: sum}, "images data: MNIST, test"},
		{Data{Name: "other", SHA256: sum}, "images data of another file (SHA-256 18489308deed…)"},
		{Data{}, "environment images, no data file"},
	} {
		if got := (Conditions{Environment: Environment{Name: "images", Data: c.data}}).DataName(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.data, got, c.want)
		}
	}
}
