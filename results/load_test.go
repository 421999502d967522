package results_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	. "banditsim/results"
)

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	var last string
	for _, p := range []string{"pSGLD", "Dropout"} {
		for _, seed := range []uint64{10, 2, 1} {
			last = write(t, dir, identity(p, seed, 5), 12, 0)
		}
	}
	trials := filepath.Join(dir, TrialsDir)
	must.OK(t, WriteSidecar(last, Sidecar{}))
	whole := readFile(t, last)
	writeText(t, filepath.Join(trials, ".unfinished.jsonl.tmp1"), whole[:9])
	writeText(t, filepath.Join(trials, ".hidden.jsonl"), whole[:9])
	writeText(t, filepath.Join(trials, "notes.txt"), whole[:9])
	writeText(t, filepath.Join(trials, "cut.jsonl"), whole[:len(whole)/2])
	writeText(t, filepath.Join(trials, "zz-copy.jsonl"), whole)
	set := must.Get(Load(dir))(t)
	must.Equal(t, "policies", Labels([]*Set{set}), []string{"Dropout", "pSGLD"})
	for _, p := range set.Policies {
		seeds := lists.Each(p.Records, func(trial Record) uint64 { return trial.Seed })
		must.Equal(t, p.Label+": seeds", seeds, []uint64{1, 2, 10})
	}
	damaged := lists.Each(set.Damaged, func(d Damaged) string { return filepath.Base(d.Path) + ": " + d.Err.Error() })
	must.That(t, len(damaged) == 2 && strings.Contains(damaged[0], "cut off") &&
		strings.Contains(damaged[1], "a second file of the trial"), "damaged: %q", damaged)
	must.That(t, set.Find("pSGLD") != nil && set.Find("none") == nil, "Find")
}

// TestLoadLeavesOut checks that Load prefers the file with the name of the trial to a copy that sorts before it, and names
// a sidecar that cannot be read, here a link to itself.
func TestLoadLeavesOut(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, identity("p", 1, 5), 12, 0)
	copied := strings.TrimSuffix(path, ".jsonl") + " (1).jsonl"
	writeText(t, copied, readFile(t, path))
	must.OK(t, os.Symlink(SidecarPath(path), SidecarPath(path)))
	left := lists.Each(must.Get(Load(dir))(t).Damaged, func(d Damaged) string { return d.Path })
	must.Equal(t, "left out", left, []string{copied, SidecarPath(path)})
}

// TestLoadRefusesMixtures checks that Load returns an error for trials of different conditions, and LoadMixed two sets.
func TestLoadRefusesMixtures(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Identity)
		want   []string // substrings of the error
	}{
		"epochs": {func(i *Identity) { i.Epoch = 2 }, []string{"1. epoch 1\n", "2. epoch 2\n"}},
		"another file": {func(i *Identity) {
			i.Environment.Data = Data{Name: "other", SHA256: "ab12"}
		}, []string{"1. data uci (SHA-256 e65d08203050…)\n", "2. data other (SHA-256 ab12…)\n"}},
		"two files of data":   {func(i *Identity) { i.Environment.Data.SHA256 = "00" }, []string{"1. data uci (SHA-256 e65d08203050…)\n", "2. data uci (SHA-256 00…)\n"}},
		"no data":             {func(i *Identity) { i.Environment.Data = Data{} }, []string{"2. data none\n"}},
		"an unknown regret":   {func(i *Identity) { i.Environment.UniformRegret = Number(math.NaN()) }, []string{"1. environment.uniform_regret 4.91014\n", `"NaN"`}},
		"environment options": {func(i *Identity) { i.Environment.Options = json.RawMessage(`{"encoding":"ordinal"}`) }, []string{`1. environment.options.encoding "onehot"`}},
		"protocols":           {func(i *Identity) { i.Protocol.BurnIn = 0 }, []string{"1. protocol.burn_in 1024\n", "2. protocol.burn_in 0\n"}},
		"several differences": {func(i *Identity) {
			i.Protocol.Pulls, i.Epoch, i.Environment.Data.SHA256 = 10, 2, "00"
		}, []string{"2. data uci (SHA-256 00…), epoch 2, protocol.pulls 10\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a, b := identity("a", 1, 5), identity("b", 2, 5)
			test.change(&b)
			write(t, dir, a, 12, 0)
			write(t, dir, b, 12, 0)
			for seed := range uint64(4) {
				b.Seed = 10 + seed
				write(t, dir, b, 12, 0)
			}
			_, err := Load(dir)
			must.As[*MixedError](t, err)
			want := append(test.want, "1 file: "+a.FileName()+"\n", "5 files: b-seed2-", "and 2 more\n", "keep them in folders of their own")
			must.Contain(t, err.Error(), want...)
			sets, err := LoadMixed(dir)
			must.Hold(t, err == nil && len(sets) == 2, "%d sets, %v", len(sets), err)
			must.That(t, len(sets[0].Find("a").Records) == 1 && sets[0].Find("b") == nil && len(sets[1].Find("b").Records) == 5 &&
				sets[1].Find("a") == nil, "the settings' trials are mixed")
		})
	}
}

func TestLoadNothing(t *testing.T) {
	dir := t.TempDir()
	want := func(what string) {
		t.Helper()
		must.Refuse(Load(dir))(t, what)
	}
	want("want a folder that 'banditsim run' wrote")
	writeText(t, filepath.Join(dir, "a.csv"), nil)
	must.Refuse(Load(filepath.Join(dir, "a.csv")))(t, "want a folder that 'banditsim run' wrote")
	must.OK(t, os.Mkdir(filepath.Join(dir, TrialsDir), 0o755))
	want("no finished trial in it")
	writeText(t, filepath.Join(dir, TrialsDir, "a.jsonl"), nil)
	want("none of 1 files can be read, the first: results: read")
}

// TestUniformRegret checks the uniform regret per pull times the number of pulls, in all rounds and after burn-in.
func TestUniformRegret(t *testing.T) {
	for _, c := range []struct {
		protocol   bandit.Protocol
		all, after float64
	}{
		{bandit.Protocol{Rounds: 10, Pulls: 20}, 500, 500},
		{bandit.Protocol{Rounds: 10, Pulls: 20, BurnIn: 40}, 500, 400}, // two rounds of burn-in
		{bandit.Protocol{Rounds: 10, Pulls: 20, BurnIn: 200}, 500, 0},  // all rounds are burn-in
		{bandit.Protocol{Rounds: 10, Pulls: 20, Last: 5, BurnIn: 180}, 462.5, 12.5},
	} {
		conditions := Conditions{Environment: Environment{UniformRegret: 2.5}, Protocol: c.protocol}
		all, after := conditions.UniformRegret()
		must.That(t, all == c.all && after == c.after, "%+v: %v and %v, want %v and %v", c.protocol, all, after, c.all, c.after)
	}
}

func TestDataName(t *testing.T) {
	const sum = "18489308deedfe2f7bd3"
	for _, c := range []struct {
		data Data
		want string
	}{
		{Data{Name: "uci", SHA256: sum}, "UCI images data"},
		{Data{Name: "file", SHA256: sum}, "images of a file (SHA-256 18489308deed…)"},
		{Data{Name: "MNIST, test", SHA256: sum}, "images data: MNIST, test"},
		{Data{Name: "other", SHA256: sum}, "images data of another file (SHA-256 18489308deed…)"},
		{Data{}, "environment images, no data file"},
	} {
		must.Equal(t, c.data.Name, Conditions{Environment: Environment{Name: "images", Data: c.data}}.DataName(), c.want)
	}
}

// TestLeftOut checks that LeftOut and DataName list the columns left out of a table and the options that bring them back.
func TestLeftOut(t *testing.T) {
	c := Conditions{Environment: Environment{Name: "table", Options: []byte(`{"left_out":["order_id","row"]}`)}}
	want := "left out, as they name or count rows (environment.categorical or environment.numeric brings one back): order_id, row"
	must.Equal(t, "left out", c.LeftOut(), want)
	must.Equal(t, "name", c.DataName(), "environment table, no data file; "+want)
	c.Environment.Options = []byte(`{"left_out":[]}`)
	must.Equal(t, "left out", c.LeftOut(), "")
}
