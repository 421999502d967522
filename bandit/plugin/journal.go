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
	want    []uint32 // answers of the first play; nil during it
}

// note adds an answer and returns what is wrong if it is another than in the first play.
func (j *journal) note(v uint32, format string, args ...any) string {
	i := len(j.answers)
	j.answers = append(j.answers, v)
	if i >= len(j.want) || j.want[i] == v {
		return ""
	}
	const cause = " than before the interruption: it is not deterministic. Draw from the seed of hello alone, or implement save and restore"
	return fmt.Sprintf(format+cause, args...)
}

// bytes returns the answers, which read takes as those of the first play.
func (j *journal) bytes() []byte {
	b, _ := state.Save(func(c *state.Codec) { saveAnswers(c, &j.answers, 0) }) // numbers cannot fail
	return b
}

func (j *journal) read(b []byte) error {
	return state.Restore(b, func(c *state.Codec) { saveAnswers(c, &j.want, len(b)/8) })
}

// saveAnswers saves answers or restores them, at most most.
func saveAnswers(c *state.Codec, answers *[]uint32, most int) {
	state.Slice(c, "answers", answers, most, func(answer *uint32) {
		v := uint64(*answer)
		if c.Uint64(&v); v > math.MaxUint32 {
			c.Fail(fmt.Errorf("an answer is %d, want at most %d", v, uint32(math.MaxUint32)))
		}
		*answer = uint32(v)
	})
}
