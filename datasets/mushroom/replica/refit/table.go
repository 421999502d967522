package main

import (
	"bytes"
	"fmt"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/datasets/mushroom"
)

const (
	components = 12 // per class; package replica says why not more
	starts     = 10 // starts of each fit, of which the likeliest is kept
)

// refit fits a mixture to each class and writes the table: one line per component, the largest first.
// Probabilities become numbers of rows, so that the counts of a class sum to its rows and those of an
// attribute to the rows of its component.
func refit(t *mushroom.Table) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Latent classes of the UCI Mushroom data, %d of each class, the best of %d fits.\n", components, starts)
	fmt.Fprintf(&b, "# Written by: go run ./datasets/mushroom/replica/refit -data PATH\n")
	fmt.Fprintf(&b, "# Source: %s\n", mushroom.Attribution)
	fmt.Fprintf(&b, "# One line a component: class, rows, and for each attribute its letters with their rows:\n# ")
	for i, a := range mushroom.Schema() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.Name)
	}
	b.WriteString(".\n")
	for _, class := range []byte{mushroom.Edible, mushroom.Poisonous} {
		rows, sizes := encode(t, class)
		m, _ := fit(rows, sizes, components, starts, stream.Root(73).Child("mushroom", "refit", string(class)))
		writeMixture(&b, class, m, len(rows))
	}
	return b.Bytes()
}

// encode replaces the letters of the rows of a class by their index in the schema.
func encode(t *mushroom.Table, class byte) (rows [][]uint8, sizes []int) {
	schema := mushroom.Schema()
	for a := range schema {
		sizes = append(sizes, len(schema[a].Values))
	}
	for i := range t.Rows {
		if t.Rows[i].Class != class {
			continue
		}
		row := make([]uint8, len(schema))
		for a, letter := range t.Rows[i].Values {
			row[a] = uint8(schema[a].Index(letter))
		}
		rows = append(rows, row)
	}
	return rows, sizes
}

func writeMixture(b *bytes.Buffer, class byte, m mixture, rows int) {
	schema := mushroom.Schema()
	var lines [][2]any // rows, line
	for k, n := range apportion(m.weight, rows) {
		if n == 0 {
			continue // a component that died out
		}
		line := fmt.Sprintf("%c %d", class, n)
		for a := range schema {
			line += " "
			for v, count := range apportion(m.prob[k][a], n) {
				if count > 0 {
					line += fmt.Sprintf("%c%d", schema[a].Values[v].Letter, count)
				}
			}
		}
		lines = append(lines, [2]any{n, line})
	}
	slices.SortStableFunc(lines, func(x, y [2]any) int { return y[0].(int) - x[0].(int) })
	for _, l := range lines {
		fmt.Fprintln(b, l[1])
	}
}

// apportion divides n by weights that sum to 1 by the method of the largest remainder; the first of
// equal remainders wins.
func apportion(weights []float64, n int) []int {
	counts := make([]int, len(weights))
	remainder := make([]float64, len(weights))
	left := n
	for i, w := range weights {
		exact := w * float64(n)
		counts[i] = int(exact)
		remainder[i] = exact - float64(counts[i])
		left -= counts[i]
	}
	order := make([]int, len(weights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case remainder[i] > remainder[j]:
			return -1
		case remainder[i] < remainder[j]:
			return 1
		}
		return 0
	})
	for i := 0; i < left; i++ {
		counts[order[i%len(order)]]++
	}
	return counts
}
