// Package replica generates a stand-in for the UCI Mushroom file: the output of a generator fitted to
// the file, not a copy.
//
// The rows of each class are drawn from a mixture of products of categorical distributions (a latent
// class model): a row belongs to one of several components, within which its 22 letters are
// independent. The mixtures were fitted to the UCI file by expectation and maximization. table.txt
// holds the result, one line per component: its class, its number of rows, and for each attribute
// the number of rows with each letter.
//
// The replica has the schema, the number of rows and the class balance of the file, its marginals
// within each class, and a class that is as easy to learn. The order of its rows has no meaning, and
// many rows are equal, unlike in the file.
//
// The file itself is nearly a union of some two dozen full products, as it was made from the
// descriptions of 23 species. A good fit therefore draws rows that the file has too, nineteen of
// twenty here, and with 30 components per class the table would be a compressed copy of the file.
// Twelve per class, about as many as there are species, are close enough.
//
// Fitted to: Mushroom, UCI Machine Learning Repository, data set 73,
// https://doi.org/10.24432/C5959T, license CC BY 4.0.
//
// This command makes the table again, byte for byte, from the UCI file at PATH:
//
//	go run ./datasets/mushroom/replica/refit -data PATH
package replica

//go:generate go run ./refit -data $BANDITSIM_DATA -out table.txt

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"banditsim/bandit/stream"
)

//go:embed table.txt
var table string

// SHA256 is the hash of CSV. It changes with the table, the generator below and the random streams;
// results on an older replica cannot be compared with new ones.
const SHA256 = "7fa9a046d36070d544b61e0001c7102f19274ff761ff341207c759602ad762ae"

// CSV returns the replica in the format of the UCI file: 8,124 lines of 23 letters with commas between.
// It is the same on every machine. The caller owns the result.
func CSV() []byte { return []byte(csv()) }

var csv = sync.OnceValue(func() string {
	components, err := parse(table)
	if err != nil {
		panic(err) // the table is compiled in
	}
	return generate(components, stream.Root(73).Child("mushroom", "replica"))
})

// generate makes the rows of every component and shuffles all of them. The letters of an attribute are
// a random permutation of those in the table, so the marginals are exact.
func generate(components []component, s *stream.Stream) string {
	var lines []string
	for i, c := range components {
		s := s.Child("component", i)
		rows := make([][]byte, c.rows)
		for r := range rows {
			rows[r] = append(make([]byte, 0, 1+2*numAttributes), c.class)
		}
		for _, letters := range c.attributes {
			deck := letters.deck()
			shuffle(deck, s)
			for r := range rows {
				rows[r] = append(rows[r], ',', deck[r])
			}
		}
		for _, row := range rows {
			lines = append(lines, string(row))
		}
	}
	shuffle(lines, s.Child("order"))
	return strings.Join(lines, "\n") + "\n"
}

// shuffle permutes x at random (Fisher and Yates).
func shuffle[T any](x []T, s *stream.Stream) {
	for i := len(x) - 1; i > 0; i-- {
		j := s.IntN(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}

// A component is a line of the table.
type component struct {
	class      byte
	rows       int
	attributes []letters
}

// letters holds the letters of an attribute within a component, with their counts.
type letters []struct {
	letter byte
	count  int
}

// deck returns each letter as often as its count.
func (l letters) deck() []byte {
	var deck []byte
	for _, x := range l {
		for range x.count {
			deck = append(deck, x.letter)
		}
	}
	return deck
}

// numAttributes is the number of attributes of a row, without the class.
const numAttributes = 22

// parse reads the table: lines like "e 192 f96x96 y192 …", comments after '#'.
func parse(text string) ([]component, error) {
	var components []component
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		c, err := parseComponent(fields)
		if err != nil {
			return nil, fmt.Errorf("replica: read the table: table.txt:%d: %w", i+1, err)
		}
		components = append(components, c)
	}
	return components, nil
}

func parseComponent(fields []string) (c component, err error) {
	if len(fields) != 2+numAttributes {
		return c, fmt.Errorf("%d fields, want %d", len(fields), 2+numAttributes)
	}
	if fields[0] != "e" && fields[0] != "p" {
		return c, fmt.Errorf("class %q, want e or p", fields[0])
	}
	c.class = fields[0][0]
	if _, err := fmt.Sscanf(fields[1], "%d", &c.rows); err != nil || c.rows < 1 {
		return c, fmt.Errorf("%q rows, want a number", fields[1])
	}
	for _, field := range fields[2:] {
		l, err := parseLetters(field)
		if err != nil {
			return c, err
		}
		if n := len(l.deck()); n != c.rows {
			return c, fmt.Errorf("%q counts %d rows of %d", field, n, c.rows)
		}
		c.attributes = append(c.attributes, l)
	}
	return c, nil
}

// parseLetters reads a field like "f96x96".
func parseLetters(field string) (l letters, err error) {
	for rest := field; rest != ""; {
		letter := rest[0]
		rest = rest[1:]
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		var count int
		if _, err := fmt.Sscanf(rest[:digits], "%d", &count); err != nil || count < 1 || count > maxRows {
			return nil, fmt.Errorf("%q: want letters, each with a count", field)
		}
		rest = rest[digits:]
		l = append(l, struct {
			letter byte
			count  int
		}{letter, count})
	}
	return l, nil
}

// maxRows bounds a component.
const maxRows = 1 << 20
