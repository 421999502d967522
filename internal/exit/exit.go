// Package exit has errors with the exit code of a command, and contexts that are canceled by a signal.
package exit

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Exit codes.
const (
	OK             = 0
	CodeFailure    = 1
	CodeUsage      = 2   // the command line or the configuration is wrong
	CodeIncomplete = 3   // trials are missing, failed or damaged
	CodeThreshold  = 4   // a threshold is missed, or a check failed
	Resumable      = 75  // a signal terminated the command; the same command resumes its work
	Interrupted    = 130 // Ctrl-C interrupted the command; the same command resumes its work, or begins anew
)

// An Error adds an exit code to an error, which may be nil if nothing is left to print.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprint(e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// With adds an exit code to an error. The result is not nil even if err is.
func With(code int, err error) error { return &Error{code, err} }

// Usage adds CodeUsage to an error about the command line or the configuration.
func Usage(err error) error { return With(CodeUsage, err) }

// FailedCheck adds CodeThreshold to the error of a check that failed.
func FailedCheck(err error) error { return With(CodeThreshold, err) }

// Failing adds missing exit codes to errors of f: CodeIncomplete if trials are damaged or all failed, else CodeFailure.
func Failing(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		switch {
		case err == nil || errors.As(err, new(*Error)):
			return err
		case errors.As(err, new(results.Damaged)) || errors.Is(err, compare.ErrNoneFinished):
			return With(CodeIncomplete, err)
		}
		return With(CodeFailure, err)
	}
}

// Print writes err, unless it is nil, to stderr after the program's name, and returns the exit code of the process. An
// error without a code is about the command line, as Failing gives all others one: for it Print returns CodeUsage.
func Print(stderr io.Writer, program string, err error) int {
	if err == nil {
		return OK
	}
	code := CodeUsage
	if coded, ok := errors.AsType[*Error](err); ok {
		code, err = coded.Code, coded.Err
	}
	if errors.Is(err, syscall.EPIPE) {
		return CodeFailure // the reader of stdout has gone
	}
	if err != nil {
		fmt.Fprint(stderr, words.PlainText(fmt.Sprintf("%s: %v\n", program, err)))
	}
	return code
}
