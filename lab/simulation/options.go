package simulation

import "fmt"

// A RangeError is the error of an option that is out of range.
type RangeError struct {
	Option string // name in JSON
	Value  any
	Want   string
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s: %v, want %s", e.Option, e.Value, e.Want)
}

func outOfRange(option string, value any, want string, args ...any) error {
	return &RangeError{option, value, fmt.Sprintf(want, args...)}
}
