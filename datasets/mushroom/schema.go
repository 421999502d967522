package mushroom

import "strings"

// numAttributes is the number of attributes of a row, without its class.
const numAttributes = 22

// The letters of the class.
const (
	Edible    byte = 'e'
	Poisonous byte = 'p'
)

// A Value is one legal letter of an attribute.
type Value struct {
	Letter byte
	Name   string
}

// An Attribute is a column of the file.
type Attribute struct {
	Name string
	// Values are the legal letters: those that occur in the UCI file, in the order of its
	// description, then the others of the description.
	Values []Value
	// InUCI is the number of values, from the first, that occur in the UCI file: the code book of
	// the encoders.
	InUCI int
}

// Schema returns the 22 attributes in the order of the file's columns, read-only.
func Schema() []Attribute { return schema[:] }

// Index returns the index of a letter in a.Values, or −1.
func (a *Attribute) Index(letter byte) int {
	for i := range a.Values {
		if a.Values[i].Letter == letter {
			return i
		}
	}
	return -1
}

// letters returns the legal letters, separated by blanks.
func (a *Attribute) letters() string {
	s := make([]string, len(a.Values))
	for i, v := range a.Values {
		s[i] = string(v.Letter)
	}
	return strings.Join(s, " ")
}

// Names are those of agaricus-lepiota.names, the description of the UCI file. Of its 126 legal
// values 117 occur in the file.
var schema = [numAttributes]Attribute{
	attribute("cap-shape", "b bell, c conical, x convex, f flat, k knobbed, s sunken", ""),
	attribute("cap-surface", "f fibrous, g grooves, y scaly, s smooth", ""),
	attribute("cap-color", "n brown, b buff, c cinnamon, g gray, r green, p pink, u purple, e red, w white, y yellow", ""),
	attribute("bruises", "t bruises, f no", ""),
	attribute("odor", "a almond, l anise, c creosote, y fishy, f foul, m musty, n none, p pungent, s spicy", ""),
	attribute("gill-attachment", "a attached, f free", "d descending, n notched"),
	attribute("gill-spacing", "c close, w crowded", "d distant"),
	attribute("gill-size", "b broad, n narrow", ""),
	attribute("gill-color", "k black, n brown, b buff, h chocolate, g gray, r green, o orange, p pink, u purple, e red, w white, y yellow", ""),
	attribute("stalk-shape", "e enlarging, t tapering", ""),
	attribute("stalk-root", "b bulbous, c club, e equal, r rooted, ? missing", "u cup, z rhizomorphs"),
	attribute("stalk-surface-above-ring", "f fibrous, y scaly, k silky, s smooth", ""),
	attribute("stalk-surface-below-ring", "f fibrous, y scaly, k silky, s smooth", ""),
	attribute("stalk-color-above-ring", "n brown, b buff, c cinnamon, g gray, o orange, p pink, e red, w white, y yellow", ""),
	attribute("stalk-color-below-ring", "n brown, b buff, c cinnamon, g gray, o orange, p pink, e red, w white, y yellow", ""),
	attribute("veil-type", "p partial", "u universal"),
	attribute("veil-color", "n brown, o orange, w white, y yellow", ""),
	attribute("ring-number", "n none, o one, t two", ""),
	attribute("ring-type", "e evanescent, f flaring, l large, n none, p pendant", "c cobwebby, s sheathing, z zone"),
	attribute("spore-print-color", "k black, n brown, b buff, h chocolate, r green, o orange, u purple, w white, y yellow", ""),
	attribute("population", "a abundant, c clustered, n numerous, s scattered, v several, y solitary", ""),
	attribute("habitat", "g grasses, l leaves, m meadows, p paths, u urban, w waste, d woods", ""),
}

// attribute makes an attribute from lists like "b bell, c conical": the values that occur in the
// UCI file, and the others.
func attribute(name, occurring, described string) Attribute {
	a := Attribute{Name: name}
	add := func(list string) {
		for _, item := range strings.Split(list, ", ") {
			if letter, word, ok := strings.Cut(item, " "); ok {
				a.Values = append(a.Values, Value{letter[0], word})
			}
		}
	}
	add(occurring)
	a.InUCI = len(a.Values)
	add(described)
	return a
}
