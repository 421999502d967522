package mushroom

import "banditsim/bandit"

// Expected regret per pull of policies that ignore the context, in closed form. The best policy
// eats the edible mushrooms and leaves the others.

// UniformRegret returns the regret of random arms: 4.91014 on the UCI file.
func UniformRegret(t *Table) float64 { return (AlwaysEatRegret(t) + NeverEatRegret(t)) / 2 }

// AlwaysEatRegret is that of eating everything: 7.23043 on the UCI file.
func AlwaysEatRegret(t *Table) float64 {
	return -meanPoisonous * float64(len(t.Rows)-t.Edible()) / float64(len(t.Rows))
}

// NeverEatRegret is that of leaving everything: 2.58986 on the UCI file.
func NeverEatRegret(t *Table) float64 {
	return rewardEdible * float64(t.Edible()) / float64(len(t.Rows))
}

// constantArm returns the better of leaving and eating everything.
func constantArm(t *Table) *bandit.ConstantArm {
	return bandit.BestConstantArm(arms(), []float64{Leave: NeverEatRegret(t), Eat: AlwaysEatRegret(t)})
}
