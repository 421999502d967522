package nn

import (
	"fmt"
	"slices"

	"banditsim/bandit/stream"
)

// Dropout is inverted dropout on the last hidden layer: every unit of every row is kept with
// probability 1−Rate and then scaled by 1/(1−Rate), independently.
//
// Samples > 1 is the mean output of that many independent masks. As the layer after the mask is
// linear, that mean is the output under the mean of the masks, so that it costs one pass: a
// unit's factor is then Binomial(Samples, 1−Rate) / (Samples·(1−Rate)).
//
// The probability is resolved to 2⁻¹⁶.
type Dropout struct {
	Rate    float64 // in [0, 1)
	Samples int     // at least 1
	Rand    *stream.Stream
}

// drawMask draws the factors of a batch and multiplies the last hidden layer by them.
func (ws *workspace) drawMask(d *Dropout) {
	if d.Rate < 0 || d.Rate >= 1 || d.Samples < 1 {
		panic(fmt.Sprintf("nn: dropout of rate %v with %d samples", d.Rate, d.Samples))
	}
	last := ws.net.hidden() - 1
	width, ld := ws.net.layers[last].Out, ws.net.layers[last].ld
	if ws.factor == nil {
		ws.dropped = aligned(ws.batch * ld)
		ws.factor = aligned(ws.batch * ld)
		ws.kept = make([]int32, ld)
	}
	n := ws.rows.N * ld
	threshold := int(d.Rate*65536 + 0.5)
	unit := float32(1 / (float64(d.Samples) * (1 - d.Rate)))
	ws.factors = append(ws.factors[:0], 0) // factors[k] is the factor of a unit that k masks keep
	for k := range d.Samples {
		ws.factors = append(ws.factors, ws.factors[k]+unit)
	}
	// Each row uses new words, so that a batch draws the masks that its rows would draw one by one.
	factor := ws.factor[:n]
	mask := (width + 3) / 4 // words
	var words []uint64
	for row := range ws.rows.N {
		if len(words) == 0 { // the next 16 rows
			ws.words = slices.Grow(ws.words[:0], 16*d.Samples*mask)
			words = ws.words[:min(16, ws.rows.N-row)*d.Samples*mask]
			d.Rand.Uint64s(words)
		}
		clear(ws.kept)
		for range d.Samples {
			for i, word := range words[:mask] {
				kept := (*[4]int32)(ws.kept[4*i:])
				for j := range kept { // without a branch, which could not be predicted
					kept[j] += int32((threshold-1-int(word&0xFFFF))>>63) & 1
					word >>= 16
				}
			}
			words = words[mask:]
		}
		for i := range width {
			factor[row*ld+i] = ws.factors[ws.kept[i]]
		}
	}
	act := ws.act[last][:n]
	for i, f := range factor {
		ws.dropped[i] = act[i] * f
	}
}
