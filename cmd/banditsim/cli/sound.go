package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"banditsim/results"
	"banditsim/results/report"
)

// leaveOut calls use with the sets. What use finds to be damaged on reading, a trial or the pulls of one, is warned of and
// left out, and use is called again with the rest, which leaveOut returns.
func (a *app) leaveOut(sets []*results.Set, use func(sets []*results.Set) error) ([]*results.Set, error) {
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
		a.warn("left out: %v", damaged.Err)
		sets = rest
	}
}

// show is leaveOut for a command that writes to stdout, of a terminal with its width: what write writes in vain is dropped.
func (a *app) show(sets []*results.Set, write func(w io.Writer, sets []*results.Set) error) ([]*results.Set, error) {
	var buffer bytes.Buffer
	sets, err := a.leaveOut(sets, func(sets []*results.Set) error {
		buffer.Reset()
		return write(a.screenTo(&buffer), sets)
	})
	_, failed := buffer.WriteTo(a.stdout)
	return sets, cmp.Or(err, failed)
}

// screenTo returns w, with the width of stdout if that is a terminal.
func (a *app) screenTo(w io.Writer) io.Writer {
	if s, ok := a.screen().(report.Screen); ok {
		s.Writer = w
		return s
	}
	return w
}

// readable returns the sets without the trials, or pulls, that are found to be damaged on reading all of those that Load trusts by their stamp: for
// output that cannot be begun again.
func (a *app) readable(sets []*results.Set, pulls bool) ([]*results.Set, error) {
	return a.leaveOut(sets, func(sets []*results.Set) error { return results.Reread(sets, pulls) })
}
