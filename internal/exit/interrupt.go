package exit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// The causes (context.Cause) with which Interrupts cancels its context.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrTerminated  = errors.New("terminated")
)

// Stopped returns err if it is nil or ctx is not done. Otherwise it returns the cause of ctx, followed by the text
// outcome, if any. Its exit code is Interrupted for the cause ErrInterrupted, and the argument code for others.
func Stopped(ctx context.Context, err error, outcome string, code int) error {
	cause := context.Cause(ctx)
	if cause == nil || err == nil {
		return err
	}
	if errors.Is(cause, ErrInterrupted) {
		code = Interrupted
	}
	if outcome != "" {
		cause = fmt.Errorf("%w: %s", cause, outcome)
	}
	return With(code, cause)
}

// brokenPipe is SIGPIPE, which package syscall does not name for WebAssembly.
const brokenPipe = syscall.Signal(13)

// Interrupts returns a context that is canceled on an interrupt or a termination signal, and a function that cancels it
// and stops listening for signals. A second signal ends the process at once. Until the function is called, a write to a
// closed stdout or stderr fails without ending the process, so that a run can finish its trials.
func Interrupts(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signal.Ignore(brokenPipe) // writes fail with EPIPE instead
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, append(terminations(), os.Interrupt)...)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			if s == os.Interrupt {
				cancel(ErrInterrupted)
			} else {
				cancel(ErrTerminated)
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Reset(brokenPipe)
		cancel(nil)
	}
}
