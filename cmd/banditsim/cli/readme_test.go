package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/datasets"
	"banditsim/internal/must"
)

// doc returns a page of the repository.
func doc(t *testing.T, page string) string {
	t.Helper()
	return readText(t, "../../../"+page)
}

// fenced returns the code blocks of a language.
func fenced(text, language string) []string {
	var blocks []string
	for {
		_, rest, ok := strings.Cut(text, "\n```"+language+"\n")
		if !ok {
			return blocks
		}
		var block string
		block, text, _ = strings.Cut(rest, "```\n")
		blocks = append(blocks, block)
	}
}

// writeData writes the mushrooms without the last row, which makes it another file.
func writeData(t *testing.T, path string) {
	t.Helper()
	packed := must.Get(os.ReadFile("../../../datasets/mushroom/data/agaricus-lepiota.data.gz"))(t)
	text := must.Get(datasets.Unpack(packed))(t)
	text = text[:bytes.LastIndexByte(bytes.TrimSpace(text), '\n')+1]
	must.OK(t, os.WriteFile(path, text, 0o666))
}

// TestListings checks that every Go listing of the README, of the pages on extending and of docs/export.md stands
// in a file of examples/ or in an example that is a test, byte for byte.
func TestListings(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../../examples/*/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	paths = append(paths, "../../../results/frame/example_test.go", "../../../bandit/harness/example_play_test.go", "../../../bandit/agent/example_test.go")
	var code strings.Builder
	for _, path := range paths {
		code.WriteString(readText(t, path))
	}
	for _, page := range []string{"README.md", "docs/extending.md", "docs/library.md", "docs/extending-posteriors.md", "docs/extending-samplers.md", "docs/export.md"} {
		blocks := fenced(doc(t, page), "go")
		if len(blocks) == 0 {
			t.Errorf("%s has no listing", page)
		}
		for i, block := range blocks {
			if !strings.Contains(code.String(), block) {
				t.Errorf("%s: listing %d is not in examples:\n%s", page, i+1, block)
			}
		}
	}
}
