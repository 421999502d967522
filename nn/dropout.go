package nn

import (
	"fmt"

	"banditsim/bandit/stream"
)

// Dropout is inverted dropout on the last hidden layer: every unit of every row
// is kept with probability 1−Rate and then scaled by 1/(1−Rate), independently.
//
// Samples > 1 stands for the mean output of that many independent masks. As
// the layer behind the mask is linear, that mean is the output under the mean
// of the masks, so that it costs one pass: a unit's factor is then
// Binomial(Samples, 1−Rate) / (Samples·(1−Rate)).
//
// The probability is resolved to 2⁻¹⁶.
type Dropout struct {
	Rate    float64 // in [0, 1)
	Samples int     // at least 1
	Rand    *stream.Stream
}

// drawMask draws the factors of a batch and multiplies the last hidden layer
// by them.
func (ws *Workspace) drawMask(d *Dropout) {
	if d.Rate < 0 || d.Rate >= 1 || d.Samples < 1 {
		panic(fmt.Sprintf("nn: dropout of rate %v with %d samples", d.Rate, d.Samples))
	}
	last := ws.net.Hidden() - 1
	width, ld := ws.net.layers[last].out, ws.net.layers[last].ld
	if ws.factor == nil {
		ws.dropped = aligned(ws.batch * ld)
		ws.factor = aligned(ws.batch * ld)
	}
	n := ws.rows.N * ld
	threshold := uint64(d.Rate*65536 + 0.5)
	// A table in place of a branch that would be guessed wrong half of the time.
	kept := [2]float32{0, float32(1 / (float64(d.Samples) * (1 - d.Rate)))}
	factor := ws.factor[:n]
	clear(factor)
	// Row by row, each on fresh words, so that a batch draws the masks that its
	// rows would draw one by one.
	for start := 0; start < n; start += ld {
		row := factor[start : start+width]
		for range d.Samples {
			var word uint64
			for i := range row {
				if i%4 == 0 {
					word = d.Rand.Uint64()
				}
				row[i] += kept[1-(word&0xFFFF-threshold)>>63] // 1 if the word's low 16 bits reach threshold
				word >>= 16
			}
		}
	}
	act := ws.act[last][:n]
	for i, f := range factor {
		ws.dropped[i] = act[i] * f
	}
}
