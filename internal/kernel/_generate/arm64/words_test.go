package arm64

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

const generated = "../../kernel_arm64.s"

// generatedWords returns the instructions that the generated assembly writes as
// numbers, with the text that stands beside each.
func generatedWords(t *testing.T) map[uint32]string {
	t.Helper()
	text, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	words := map[uint32]string{}
	for _, m := range regexp.MustCompile(`(?m)^\tWORD (.*)$`).FindAllSubmatch(text, -1) {
		number, meaning, ok := strings.Cut(string(m[1]), " // ")
		n, err := strconv.ParseUint(strings.TrimPrefix(number, "$"), 0, 32)
		if err != nil || !ok {
			t.Fatalf("%s: WORD %s: want a number and its meaning", generated, m[1])
		}
		if before, ok := words[uint32(n)]; ok && before != meaning {
			t.Errorf("%#08x means %q and %q", n, before, meaning)
		}
		words[uint32(n)] = meaning
	}
	if len(words) < 1000 {
		t.Fatalf("%s: %d different WORDs, want more", generated, len(words))
	}
	return words
}

// plain removes what disassemblers write differently: spaces, and zero as a
// float.
func plain(instruction string) string {
	return strings.NewReplacer(" ", "", "\t", "", "#0.0", "#0").Replace(instruction)
}

func TestWordsMeanWhatTheySay(t *testing.T) {
	t.Run("arm64asm", func(t *testing.T) {
		for word, meaning := range generatedWords(t) {
			var code [4]byte
			binary.LittleEndian.PutUint32(code[:], word)
			inst, err := arm64asm.Decode(code[:])
			if err != nil {
				t.Errorf("%08x, %q: %v", word, meaning, err)
			} else if got := arm64asm.GNUSyntax(inst); plain(got) != plain(meaning) {
				t.Errorf("%08x is %q, want %q", word, got, meaning)
			}
		}
	})
	t.Run("objdump", func(t *testing.T) {
		objdump, err := exec.LookPath("aarch64-linux-gnu-objdump")
		if err != nil {
			t.Skip("install binutils-aarch64-linux-gnu for this test")
		}
		var code []byte
		words := generatedWords(t)
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
		seen := 0
		for _, m := range regexp.MustCompile(`(?m)^ *[0-9a-f]+:\t([0-9a-f]{8}) \t(.*)$`).FindAllSubmatch(out, -1) {
			word, err := strconv.ParseUint(string(m[1]), 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			if got, want := string(m[2]), words[uint32(word)]; plain(got) != plain(want) {
				t.Errorf("%08x is %q, want %q", word, got, want)
			}
		}
		if seen != len(words) {
			t.Errorf("objdump shows %d of %d instructions", seen, len(words))
		}
	})
}
