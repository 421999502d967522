package page

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/resultstest"
)

// TestBundle: page.js is of the modules as they are, by the sum at its head. '.ci/run generate' compares all of it.
func TestBundle(t *testing.T) {
	paths, err := filepath.Glob("js/*.js")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d modules (error %v)", len(paths), err)
	}
	h := sha256.New()
	for _, path := range paths {
		module := resultstest.ReadFile(t, path)
		fmt.Fprintf(h, "%s %d\n", filepath.Base(path), len(module))
		h.Write(module)
	}
	if head, _, _ := strings.Cut(string(resultstest.ReadFile(t, "page.js")), "\n"); !strings.HasSuffix(head, fmt.Sprintf(" %x", h.Sum(nil))) {
		t.Error("page.js is not of these modules: go generate ./internal/page")
	}
}
