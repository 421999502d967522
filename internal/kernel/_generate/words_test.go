package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

const generated = "../kernel_arm64.s"

// number parses 32 bits.
func number(t *testing.T, text string, base int) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(text, base, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

// plain removes differences in the style of disassemblers: spaces, and the
// decimals of zero.
func plain(instruction string) string {
	return strings.NewReplacer(" ", "", "\t", "", "#0.0", "#0").Replace(instruction)
}

// TestWords compares the comment of each WORD in the generated assembly with the output of disassemblers for its number.
func TestWords(t *testing.T) {
	text, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	words := map[uint32]string{} // comments by number
	lines := regexp.MustCompile(`(?m)^\tWORD +\$(.*) // (.*)$`).FindAllStringSubmatch(string(text), -1)
	for _, m := range lines {
		word := number(t, m[1], 0)
		if before, ok := words[word]; ok && before != m[2] {
			t.Errorf("%#08x means %q and %q", word, before, m[2])
		}
		words[word] = m[2]
	}
	if all := strings.Count(string(text), "\tWORD "); len(words) < 1000 || len(lines) != all {
		t.Fatalf("%s: %d WORDs, %d with a meaning, %d different ones, want more", generated, all, len(lines), len(words))
	}
	t.Run("arm64asm", func(t *testing.T) {
		for word, meaning := range words {
			inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, word))
			if got := arm64asm.GNUSyntax(inst); err != nil || plain(got) != plain(meaning) {
				t.Errorf("%08x is %q, %v, want %q", word, got, err, meaning)
			}
		}
	})
	t.Run("objdump", func(t *testing.T) {
		objdump, err := exec.LookPath("aarch64-linux-gnu-objdump")
		if err != nil {
			t.Skip("install binutils-aarch64-linux-gnu for this test")
		}
		var code []byte
		for word := range words {
			code = binary.LittleEndian.AppendUint32(code, word)
		}
		path := filepath.Join(t.TempDir(), "words")
		if err := os.WriteFile(path, code, 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(objdump, "-D", "-b", "binary", "-m", "aarch64", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		shown := regexp.MustCompile(`(?m)^ *[0-9a-f]+:\t([0-9a-f]{8}) \t(.*)$`).FindAllStringSubmatch(string(out), -1)
		for _, m := range shown {
			if word := number(t, m[1], 16); plain(m[2]) != plain(words[word]) {
				t.Errorf("%08x is %q, want %q", word, m[2], words[word])
			}
		}
		if len(shown) != len(words) {
			t.Errorf("objdump shows %d of %d instructions", len(shown), len(words))
		}
	})
}
