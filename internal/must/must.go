// Package must has what tests do with errors: end at one that they are not about, or look at the text of one that they want.
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

// Fail reports an error that is nil, or whose text lacks one of the parts.
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

// File writes a file of that name into a temporary folder of its own, and returns its path.
func File[T ~string | ~[]byte](t testing.TB, name string, text T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	OK(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}
