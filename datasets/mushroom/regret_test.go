package mushroom

import (
	"math"
	"testing"
)

func TestClosedForms(t *testing.T) {
	tests := []struct {
		name                  string
		table                 func(testing.TB) *Table
		uniform, always, none float64
		constant              string
	}{
		// docs/algorithms.md
		{"UCI", uciTable, 4.91014, 7.23043, 2.58986, "leave, regret 2.58986 a pull"},
		{"all edible", func(t testing.TB) *Table { return table(t, edibleRow) }, 2.5, 0, 5, "eat, regret 0 a pull"},
		{"all poisonous", func(t testing.TB) *Table { return table(t, poisonousRow) }, 7.5, 15, 0, "leave, regret 0 a pull"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := tt.table(t)
			for _, x := range []struct {
				policy    string
				got, want float64
			}{
				{"uniform", UniformRegret(table), tt.uniform},
				{"always eat", AlwaysEatRegret(table), tt.always},
				{"never eat", NeverEatRegret(table), tt.none},
			} {
				if !(math.Abs(x.got-x.want) <= 5e-6) {
					t.Errorf("%s: %.5f a pull, want %.5f", x.policy, x.got, x.want)
				}
			}
			if got := newEnvironment(t, table, 1).Spec().ConstantArm.String(); got != tt.constant {
				t.Errorf("best constant arm %s, want %s", got, tt.constant)
			}
		})
	}
}

// The closed forms agree with the environment's means.
func TestClosedFormsByPulls(t *testing.T) {
	table := uciTable(t)
	e := newEnvironment(t, table, 11)
	r, o := newPull(e)
	const pulls = 40000
	var always, never float64
	for range pulls {
		e.Next(r, o)
		best := max(o.Mean[Leave], o.Mean[Eat])
		always += best - o.Mean[Eat]
		never += best - o.Mean[Leave]
	}
	p := float64(table.Edible()) / float64(len(table.Rows))
	sd := math.Sqrt(p * (1 - p) / pulls)
	within(t, "always eat", always/pulls, AlwaysEatRegret(table), 15*sd)
	within(t, "never eat", never/pulls, NeverEatRegret(table), 5*sd)
}
