//go:build unix

package page

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/plot"
)

// large has about n trials of 2,000 rounds and on average 350 kB. Each of its six policies has one seed with ten times the regret.
func large(n int) resultstest.Folder {
	return resultstest.Folder{
		Policies: resultstest.Six(), Kinds: []resultstest.Kind{resultstest.Contour, resultstest.Sampler, resultstest.Sampler},
		Seeds: (n + 5) / 6, Rounds: 2000, BurnIn: 1024, Sidecar: resultstest.Provenance(),
	}
}

// verbs has what the commands plot and report --html do with a folder.
var verbs = map[string]func(t testing.TB, set *results.Set, folder string){
	"plot": func(t testing.TB, set *results.Set, folder string) {
		must.OK(t, plot.Regret(filepath.Join(folder, "p.svg"), []*results.Set{set}, plot.DefaultOptions()))
	},
	"page": func(t testing.TB, set *results.Set, folder string) {
		must.OK(t, Write(filepath.Join(folder, "p.html"), []*results.Set{set}, Options{}))
	},
}

const limit = 25 * time.Second // processor time per verb: 20 s, and a quarter more for a slow machine

type used struct {
	processor time.Duration // user and system
	peak      int64         // resident kB
}

func usage(t testing.TB) used {
	var u syscall.Rusage
	must.OK(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return used{time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss)}
}

// TestTenThousand checks the cost of 10,000 trials of 2,000 rounds. plot and the page, which verify all files, take at most about 20 s
// of processor time each (10 s on two cores) and little more memory than for 1,000 trials. Run it with BANDITSIM_LONG=1 on an idle
// machine, with 3.5 GB free in TMPDIR.
func TestTenThousand(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("long: set BANDITSIM_LONG=1")
	}
	files := 10_000
	if n, err := strconv.Atoi(os.Getenv("BANDITSIM_FILES")); err == nil {
		files = n
	}
	var peak [2]int64
	for i, n := range []int{files / 10, files} {
		dir, out := t.TempDir(), t.TempDir()
		resultstest.WriteMany(t, dir, large(n))
		for name, verb := range verbs {
			before := usage(t)
			set, err := results.Load(dir)
			if err != nil || len(set.Damaged) > 0 {
				t.Fatal(err, set.Damaged)
			}
			loaded := usage(t)
			verb(t, set, out)
			took := usage(t).processor - before.processor
			t.Logf("%d trials, %s: %.1f s of processor time, of which loading %.1f s", n, name, took.Seconds(), (loaded.processor - before.processor).Seconds())
			must.That(t, took <= limit, "more than %v", limit)
		}
		peak[i] = usage(t).peak
		info := must.Get(os.Stat(filepath.Join(out, "p.html")))(t)
		t.Logf("%d trials: a page of %d kB, at most %d kB resident", n, info.Size()>>10, peak[i])
		must.That(t, info.Size() <= 2<<20, "a page of more than 2 MB")
	}
	if peak[1]-peak[0] > 32<<10+8*int64(files) { // records and sidecars, but no rounds
		t.Errorf("from %d to %d kB: more than 32 MB and 8 kB a trial", peak[0], peak[1])
	}
}
