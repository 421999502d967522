package folder

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"banditsim/internal/report"
	"banditsim/results"
)

// LeaveOut calls use with the sets. What use finds to be damaged on reading, a trial or the pulls of one, is warned of and
// left out, and use is called again with the rest, which LeaveOut returns.
func (v Viewer) LeaveOut(sets []*results.Set, use func(sets []*results.Set) error) ([]*results.Set, error) {
	for {
		err := use(sets)
		var damaged results.Damaged
		if !errors.As(err, &damaged) {
			return sets, err
		}
		rest, ok := results.Without(sets, damaged)
		if !ok {
			return sets, err
		}
		v.Warn("left out: %v", damaged.Err)
		sets = rest
	}
}

// Show is LeaveOut for a command that writes to stdout, of a terminal with its width: what write writes in vain is dropped.
func (v Viewer) Show(sets []*results.Set, write func(w io.Writer, sets []*results.Set) error) ([]*results.Set, error) {
	var buffer bytes.Buffer
	sets, err := v.LeaveOut(sets, func(sets []*results.Set) error {
		buffer.Reset()
		return write(v.screenTo(&buffer), sets)
	})
	_, failed := buffer.WriteTo(v.Stdout)
	return sets, cmp.Or(err, failed)
}

// screenTo returns w, with the width of stdout if that is a terminal.
func (v Viewer) screenTo(w io.Writer) io.Writer {
	if s, ok := v.Screen().(report.Screen); ok {
		s.Writer = w
		return s
	}
	return w
}

// WithSoundPulls returns the sets without the pulls that are found to be damaged on reading all: for output that cannot be
// begun again.
func (v Viewer) WithSoundPulls(sets []*results.Set) ([]*results.Set, error) {
	return v.LeaveOut(sets, results.CheckPulls)
}
