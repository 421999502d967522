package results_test

import (
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	. "banditsim/results"
)

// TestUniformRegret checks the uniform regret per pull times the number of pulls, in all rounds and after burn-in.
func TestUniformRegret(t *testing.T) {
	for _, c := range []struct {
		protocol   bandit.Protocol
		all, after float64
	}{
		{bandit.Protocol{Rounds: 10, Pulls: 20}, 500, 500},
		{bandit.Protocol{Rounds: 10, Pulls: 20, BurnIn: 40}, 500, 400}, // two rounds of burn-in
		{bandit.Protocol{Rounds: 10, Pulls: 20, BurnIn: 200}, 500, 0},  // all rounds are burn-in
		{bandit.Protocol{Rounds: 10, Pulls: 20, Last: 5, BurnIn: 180}, 462.5, 12.5},
	} {
		conditions := Conditions{Environment: Environment{UniformRegret: 2.5}, Protocol: c.protocol}
		if all, after := conditions.UniformRegret(); all != c.all || after != c.after {
			t.Errorf("%+v: %v and %v, want %v and %v", c.protocol, all, after, c.all, c.after)
		}
	}
}

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
		must.Equal(t, c.data.Name, Conditions{Environment: Environment{Name: "images", Data: c.data}}.DataName(), c.want)
	}
}

// TestLeftOut checks that LeftOut and DataName list the columns left out of a table and the options that bring them back.
func TestLeftOut(t *testing.T) {
	c := Conditions{Environment: Environment{Name: "table", Options: []byte(`{"left_out":["order_id","row"]}`)}}
	want := "left out, as they name or count rows (environment.categorical or environment.numeric brings one back): order_id, row"
	must.Equal(t, "left out", c.LeftOut(), want)
	must.Equal(t, "name", c.DataName(), "environment table, no data file; "+want)
	c.Environment.Options = []byte(`{"left_out":[]}`)
	must.Equal(t, "left out", c.LeftOut(), "")
}
