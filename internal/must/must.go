// Package must checks errors in tests: it ends the test at an unexpected error, or looks for parts in the text of an
// expected one. Equal and Near compare values.
package must

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// OK ends the test if there is an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function that returns v, or ends the test if there is an error, for calls with two results:
//
//	b := must.Get(os.ReadFile(path))(t)
func Get[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return v
	}
}

// Fail fails the test if err is nil, or if its text lacks one of the parts.
func Fail(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	Contain(t, err.Error(), parts...)
}

// Contain fails the test for each part that is not in text.
func Contain(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		That(t, strings.Contains(text, part), "no %q in\n%.3000s", part, text)
	}
}

// Want fails the test unless the text of err contains want. If want is empty, it fails the test unless err is nil.
func Want(t testing.TB, what string, err error, want string) {
	t.Helper()
	wanted := err == nil && want == "" || err != nil && want != "" && strings.Contains(err.Error(), want)
	That(t, wanted, "%s: error %v, want %q", what, err, want)
}

// Refuse returns a function that does what Fail does with err, for calls with two results:
//
//	must.Refuse(os.ReadFile("none"))(t, "no such file")
func Refuse[T any](_ T, err error) func(t testing.TB, parts ...string) {
	return func(t testing.TB, parts ...string) {
		t.Helper()
		Fail(t, err, parts...)
	}
}

// Is fails the test unless errors.Is(err, target).
func Is(t testing.TB, err, target error) {
	t.Helper()
	That(t, errors.Is(err, target), "error %v, want one that is %v", err, target)
}

// As returns the error of type E that err wraps. It fails the test if there is none, or if err's text lacks a part.
func As[E error](t testing.TB, err error, parts ...string) (as E) {
	t.Helper()
	if Fail(t, err, parts...); !errors.As(err, &as) {
		t.Errorf("error %v, want a %T", err, as)
	}
	return as
}

// Equal fails the test unless got and want are deeply equal. NaN equals nothing.
func Equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	That(t, reflect.DeepEqual(got, want), "%s: %v, want %v", what, got, want)
}

// That fails the test with the formatted text unless the condition holds.
func That(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Errorf(format, args...)
	}
}

// Hold is That, but it ends the test.
func Hold(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Fatalf(format, args...)
	}
}

// Near fails the test unless got is within the tolerance of want. NaN never is.
func Near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	That(t, math.Abs(got-want) <= tolerance, "%s: %.12g, want %.12g ± %.2g", what, got, want, tolerance)
}

// File writes a file with the given name into a new temporary folder, and returns its path.
func File[T ~string | ~[]byte](t testing.TB, name string, text T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	OK(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}
