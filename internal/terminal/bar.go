//go:build !wasm

package terminal

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

func (m Meter) bar(f *os.File) (stop func()) {
	container := mpb.New(mpb.WithOutput(f), mpb.WithWidth(80), mpb.WithRefreshRate(200*time.Millisecond))
	below := mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
		if m.Below == nil {
			return nil
		}
		width, height := Size(f)
		for _, line := range m.Below(width-1, height-2) {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
	// The echo of Ctrl-C moves the cursor, at which the bar is drawn and removed, so each row begins with a carriage
	// return.
	bar := container.New(0, mpb.BarStyle(), mpb.BarRemoveOnComplete(), mpb.BarExtender(below, false),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return "\r" })),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return m.Text() })))
	return every(200*time.Millisecond, func() {
		bar.SetTotal(m.Total(), false)
		bar.SetCurrent(m.Done())
	}, func() {
		fmt.Fprint(f, "\r")
		bar.SetTotal(-1, true)
		container.Wait()
	})
}
