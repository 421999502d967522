package plugin

import (
	"fmt"
	"math"

	"banditsim/internal/state"
)

// A journal is what a child without save answered, a number for each pull or prediction, with which its answers are
// compared when the trial is played again.
type journal struct {
	answers []uint32
	want    []uint32 // of the first play; nil in it
}

// note adds an answer and returns an error if it is another than in the first play.
func (j *journal) note(v uint32, what func() string) error {
	i := len(j.answers)
	j.answers = append(j.answers, v)
	if i >= len(j.want) || j.want[i] == v {
		return nil
	}
	return fmt.Errorf("%s than before the interruption: it is not deterministic. Draw from the seed of hello alone, or implement save and restore", what())
}

// bytes returns the answers, which read takes as those of the first play.
func (j *journal) bytes() []byte {
	var w state.Writer
	w.Int(len(j.answers))
	for _, v := range j.answers {
		w.Uint64(uint64(v))
	}
	b, _ := w.Bytes() // numbers cannot fail
	return b
}

func (j *journal) read(b []byte) error {
	r := state.NewReader(b)
	j.want = make([]uint32, r.Int("answers", 0, len(b)/8))
	for i := range j.want {
		v := r.Uint64()
		if v > math.MaxUint32 {
			r.Fail(fmt.Errorf("an answer is %d, want at most %d", v, uint32(math.MaxUint32)))
		}
		j.want[i] = uint32(v)
	}
	return r.Close()
}
