package mushroom

// The expected regret a pull of three policies that do not look, in closed
// form. They are oracles for tests, and 'percent of uniform' is measured by the
// first. The best policy eats the edible and leaves the poisonous.

// UniformRegret is that of choosing an arm at random: 4.91014 on the UCI file.
func UniformRegret(t *Table) float64 { return (AlwaysEatRegret(t) + NeverEatRegret(t)) / 2 }

// AlwaysEatRegret is that of eating everything: 7.23043 on the UCI file.
func AlwaysEatRegret(t *Table) float64 {
	return -meanPoisonous * float64(len(t.Rows)-t.Edible()) / float64(len(t.Rows))
}

// NeverEatRegret is that of leaving everything: 2.58986 on the UCI file.
func NeverEatRegret(t *Table) float64 {
	return rewardEdible * float64(t.Edible()) / float64(len(t.Rows))
}
