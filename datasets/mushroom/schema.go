package mushroom

import "strings"

// An attribute is a column of the file.
type attribute struct {
	name string
	// letters are the legal letters: those that occur in the UCI file, in the order of its description, then the
	// others. Encodings have room for all letters of the UCI file, even if another file is read.
	letters string
	names   []string // what the letters stand for
	inUCI   int      // number of the letters that occur in the UCI file
}

// find returns the index of a letter in letters, or −1.
func (a *attribute) find(letter byte) int { return strings.IndexByte(a.letters, letter) }

// numFields is the number of letters in a line: the class and 22 attributes.
const numFields = 23

// schema follows agaricus-lepiota.names, the description of the UCI file, where 117 of the 126 legal attribute values
// occur. The first field is the class.
var schema = [numFields]attribute{
	describe("class", "e edible, p poisonous", ""),
	describe("cap-shape", "b bell, c conical, x convex, f flat, k knobbed, s sunken", ""),
	describe("cap-surface", "f fibrous, g grooves, y scaly, s smooth", ""),
	describe("cap-color", "n brown, b buff, c cinnamon, g gray, r green, p pink, u purple, e red, w white, y yellow", ""),
	describe("bruises", "t bruises, f no", ""),
	describe("odor", "a almond, l anise, c creosote, y fishy, f foul, m musty, n none, p pungent, s spicy", ""),
	describe("gill-attachment", "a attached, f free", "d descending, n notched"),
	describe("gill-spacing", "c close, w crowded", "d distant"),
	describe("gill-size", "b broad, n narrow", ""),
	describe("gill-color", "k black, n brown, b buff, h chocolate, g gray, r green, o orange, p pink, u purple, e red, w white, y yellow", ""),
	describe("stalk-shape", "e enlarging, t tapering", ""),
	describe("stalk-root", "b bulbous, c club, e equal, r rooted, ? missing", "u cup, z rhizomorphs"),
	describe("stalk-surface-above-ring", "f fibrous, y scaly, k silky, s smooth", ""),
	describe("stalk-surface-below-ring", "f fibrous, y scaly, k silky, s smooth", ""),
	describe("stalk-color-above-ring", "n brown, b buff, c cinnamon, g gray, o orange, p pink, e red, w white, y yellow", ""),
	describe("stalk-color-below-ring", "n brown, b buff, c cinnamon, g gray, o orange, p pink, e red, w white, y yellow", ""),
	describe("veil-type", "p partial", "u universal"),
	describe("veil-color", "n brown, o orange, w white, y yellow", ""),
	describe("ring-number", "n none, o one, t two", ""),
	describe("ring-type", "e evanescent, f flaring, l large, n none, p pendant", "c cobwebby, s sheathing, z zone"),
	describe("spore-print-color", "k black, n brown, b buff, h chocolate, r green, o orange, u purple, w white, y yellow", ""),
	describe("population", "a abundant, c clustered, n numerous, s scattered, v several, y solitary", ""),
	describe("habitat", "g grasses, l leaves, m meadows, p paths, u urban, w waste, d woods", ""),
}

// describe returns an attribute. Its values, such as "b bell, c conical", are in occurring if the UCI file has them,
// else in others.
func describe(name, occurring, others string) attribute {
	a := attribute{name: name}
	for _, list := range []string{occurring, others} {
		a.inUCI = len(a.letters)
		for item := range strings.SplitSeq(list, ", ") {
			if letter, word, ok := strings.Cut(item, " "); ok {
				a.letters, a.names = a.letters+letter, append(a.names, word)
			}
		}
	}
	return a
}
