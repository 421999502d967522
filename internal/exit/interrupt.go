package exit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// The causes (context.Cause) with which the context of Interrupts ends.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrTerminated  = errors.New("terminated")
)

// Stopped returns err or, if a signal ended ctx, the cause of that, followed by what is left, with the exit code
// Interrupted if it is an interrupt, else code: Resumable if the same command resumes it, or CodeFailure.
func Stopped(ctx context.Context, err error, left string, code int) error {
	cause := context.Cause(ctx)
	if cause == nil || err == nil {
		return err
	}
	if errors.Is(cause, ErrInterrupted) {
		code = Interrupted
	}
	if left != "" {
		cause = fmt.Errorf("%w: %s", cause, left)
	}
	return With(code, cause)
}

// brokenPipe is SIGPIPE, which package syscall does not name for WebAssembly.
const brokenPipe = syscall.Signal(13)

// Interrupts returns a context that ends on an interrupt or a termination, and a function that stops listening for
// these. A second interrupt ends the process at once. A closed stdout or stderr does not end it, since trials are
// worth more than text about them.
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
