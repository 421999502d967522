// Package mushroom implements the UCI Mushroom data set as a contextual bandit: it
// encodes the rows of the file as contexts, and rewards eating or leaving a mushroom.
//
// # Data
//
// The file agaricus-lepiota.data has 8,124 rows, all different, without a
// header: the class (e edible, 4,208 rows; p poisonous, 3,916 rows), then 22
// categorical attributes, one letter each, separated by commas. A missing value
// ('?', in stalk-root only) counts as a value of its own. [Schema] lists the
// attributes and the meaning of their letters.
//
// Source: Mushroom, UCI Machine Learning Repository, data set 73, 1981,
// https://doi.org/10.24432/C5959T, license CC BY 4.0. The rows describe
// hypothetical samples of 23 species after The Audubon Society Field Guide to
// North American Mushrooms (G. H. Lincoff, 1981). They do not say which mushrooms can be eaten.
//
// The file is a part of the program ([UCI]); [ReadFile] reads another of its form.
//
// # Game
//
// Contexts are float32 vectors of 117 elements ([OneHot]) or 22 ([Ordinal]),
// both in [0, 1] and without a unit. Rewards and regret are in the points of
// the game: 0 for leaving, 5 for an edible mushroom, −35 or +5 with even odds
// for a poisonous one.
package mushroom
