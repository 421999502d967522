package table

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestLimitsBeforeParsing: what is too large is refused after a pass over the bytes, which keeps nothing of them.
func TestLimitsBeforeParsing(t *testing.T) {
	const most = 20 << 20 // bytes allocated; the texts have up to 200 MB
	repeat := func(line string, n int) []byte { return bytes.Repeat([]byte(line), n) }
	columns := strings.TrimSuffix(strings.Repeat("1,", 1000), ",") + "\n"
	for _, c := range []struct {
		name, file string
		text       []byte
		change     string
		want       string
	}{
		{"cells of CSV", "f.csv", repeat(columns, 50_100), "", "f.csv has 50100 rows of 1000 columns, want at most 50000000 cells"},
		{"cells under a header, which is looked for in all lines", "f.csv", append([]byte("x,y,z\n"), repeat("1,2,a\n", 17_000_000)...), "", "17000000 rows of 3 columns"},
		{"cells of CSV with columns dropped", "f.csv", repeat(columns, 50_300), `"drop":["1","2"]`, "50300 rows of 998 columns"},
		{"cells of ARFF", "f.arff", append([]byte("@attribute a numeric\n@attribute b {x}\n@attribute c {u,v}\n@data\n"), repeat("1,x,u\n", 17_000_000)...), "", "17000000 rows of 3 columns"},
		{"cells of libsvm, of which few are written", "f.libsvm", repeat("1 1:1 9999:2\n", 6_000), "", "6000 rows of 10000 columns"},
		{"a line of many cells", "f.csv", append([]byte("a,b\n"), repeat("1,", 5_000_000)...), "", "f.csv:2:1: 5000001 columns, want at most 10000"},
		{"a first line of many cells", "f.csv", repeat("1,", 20_000_000), "", "f.csv:1:1: the row that begins here has more than 16 MiB"},
		{"a quote that is not closed", "f.csv", append([]byte("a,b\n1,\"x\n"), repeat("2,y\n", 5_000_000)...), "", "f.csv:2:1: the row that begins here has more than 16 MiB: is a quote not closed"},
		{"many attributes", "f.arff", repeat("@attribute a numeric\n", 1_000_000), "", "f.arff:10001:1: more than 10000 attributes"},
		{"a long line of ARFF", "f.arff", append([]byte("@relation x\n@attribute "), repeat("a", 20_000_000)...), "", "f.arff:2:1: the line has more than 16 MiB"},
		{"a long line of libsvm", "f.libsvm", append([]byte("1 1:1\n1 1:"), repeat("1", 20_000_000)...), "", "f.libsvm:2:1: the line has more than 16 MiB"},
	} {
		var err error
		o := options(t, c.change)
		if n := allocated(func() { _, err = Parse(c.file, c.text, o) }); n > most {
			t.Errorf("%s: %d MB of allocations, want at most %d", c.name, n>>20, most>>20)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestFileSizes: the size of a file, and of what a compressed file holds, are checked before it is read.
func TestFileSizes(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.csv")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 30); err != nil { // a hole: it takes no room
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	member := compress(t, make([]byte, 64<<20))
	for name, path := range map[string]string{"plain": large, "compressed": write(t, "bomb.csv.gz", bytes.Repeat(member, 9))} {
		var err error
		n := allocated(func() { _, err = Kind().Open(t.Context(), Kind().Defaults(), path) })
		if err == nil || !strings.Contains(err.Error(), "has more than 512 MiB of text") {
			t.Errorf("%s: error %v", name, err)
		}
		if n > 1<<20 {
			t.Errorf("%s: %d kB of allocations", name, n>>10)
		}
	}
	// What is within the bounds takes its own size.
	text := bytes.Repeat([]byte("1,a\n2,b\n"), 1<<20)
	for name, b := range map[string][]byte{"plain": text, "compressed": compress(t, text)} {
		path := write(t, "f.csv", b)
		var got []byte
		n := allocated(func() { got, err = readFile(t.Context(), path) })
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, error %v", name, len(got), err)
		}
		if n > len(text)+1<<20 {
			t.Errorf("%s: %d kB of allocations for %d", name, n>>10, len(text)>>10)
		}
	}
}

// TestDescribeManyClasses: the time of a description does not grow with the product of rows and arms.
func TestDescribeManyClasses(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "%d.5,c%d\n", i, i%1000)
	}
	start := time.Now()
	e := encoded(t, "f.csv", b.String(), "")
	if err := e.describe(io.Discard); err != nil {
		t.Fatal(err)
	}
	e.table.UniformRegret()
	if took := time.Since(start); took > 10*time.Second { // it takes 0.1 s, and took 232 s
		t.Errorf("it took %v", took)
	}
}

// TestUniformRegretOfClasses: the regret of a table of classes is that of the same rewards by row, to the last bit,
// as it is part of the identity of trials.
func TestUniformRegretOfClasses(t *testing.T) {
	e := encoded(t, "f.csv", "x,y\n1,a\n2,b\n3,c\n4,b\n5,a\n6,b\n", `"costs":[0.1,0.7,0.3,1e-3,0.9,5.3,2.7,0.2,0.11]`)
	byRow := *e.table
	byRow.perRow, byRow.rewards = true, nil
	for row := range e.table.Rows {
		byRow.rewards = append(byRow.rewards, e.table.reward(row)...)
	}
	if got, want := e.table.UniformRegret(), byRow.UniformRegret(); got != want || !(want > 0) {
		t.Errorf("%v, want %v", got, want)
	}
	for a, s := range byRow.summarize() {
		if got := e.table.summarize()[a]; got.best != s.best || !(abs(got.regret-s.regret) < 1e-12) || !(abs(got.reward-s.reward) < 1e-12) {
			t.Errorf("arm %d: %+v, want %+v", a, got, s)
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }
