// Package must checks errors in tests: it ends the test at an unexpected error, or looks for parts in the text of an
// expected one.
package must

import (
	"os"
	"path/filepath"
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
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one with %q", err, part)
		}
	}
}

// Refuse returns a Fail for calls with two results:
//
//	must.Refuse(os.ReadFile("none"))(t, "no such file")
func Refuse[T any](_ T, err error) func(t testing.TB, parts ...string) {
	return func(t testing.TB, parts ...string) {
		t.Helper()
		Fail(t, err, parts...)
	}
}

// File writes a file with the given name into a new temporary folder, and returns its path.
func File[T ~string | ~[]byte](t testing.TB, name string, text T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	OK(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}
