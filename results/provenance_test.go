package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// ofManyOrigins has trials of two revisions and kernels, one without a sidecar, one whose sidecar
// is damaged and one that failed.
func ofManyOrigins(t *testing.T) *Set {
	t.Helper()
	dir := t.TempDir()
	started := time.Date(2026, 3, 1, 23, 50, 0, 0, time.UTC)
	sidecar := func(seed uint64, fail int, kernel, revision string) {
		path := write(t, dir, identity("p", seed, 60), 12, fail)
		s := Sidecar{
			Version: "0.1.0", Revision: revision, Go: "go1.26.0", Kernel: kernel, Processor: "Some\x1b[31m CPU", System: "linux/amd64",
			Command: []string{"banditsim", "run", "e.yaml", "--set", "a b=1"}, Started: started.Add(time.Duration(seed) * time.Minute), Seconds: 700.25,
		}
		if err := WriteSidecar(path, s); err != nil {
			t.Fatal(err)
		}
	}
	sidecar(1, 0, "avx512", "1111111")
	sidecar(2, 0, "avx2", "1111111")
	sidecar(15, 55, "avx512", "")
	write(t, dir, identity("p", 20, 60), 12, 0)
	writeText(t, SidecarPath(write(t, dir, identity("p", 21, 60), 12, 0)), []byte(`{"version":`))
	set, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestProvenance(t *testing.T) {
	p := ReadProvenance(ofManyOrigins(t))
	for _, test := range []struct {
		what      string
		got, want []Tally
	}{
		{"version", p.Version, []Tally{{"0.1.0", 3}}},
		{"revision", p.Revision, []Tally{{"1111111", 2}, {"", 1}}},
		{"kernel", p.Kernel, []Tally{{"avx512", 2}, {"avx2", 1}}},
		{"command", p.Command, []Tally{{"banditsim run e.yaml --set 'a b=1'", 3}}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
	if p.Trials != 5 || len(p.Unknown) != 2 || p.Seconds != 3*700.25 || p.Epoch != Epoch {
		t.Errorf("%+v", p)
	}
}

func TestProvenanceInTables(t *testing.T) {
	set := ofManyOrigins(t)
	s := Summarise(set)
	var without bytes.Buffer
	if err := WriteSummary(&without, Text, s); err != nil || strings.Contains(without.String(), "Provenance") {
		t.Errorf("%v, provenance is shown that nobody asked for:\n%s", err, without.String())
	}
	s.Provenance = ReadProvenance(set)
	name := func(seed uint64) string { return identity("p", seed, 60).FileName() }
	for f, want := range map[Format][]string{
		Text: {
			"p: 1 failed: seed 15 (not in the means)\n", "\n\nProvenance of 5 trials, results epoch 1\n",
			"  version    0.1.0 (3 trials)\n", "  revision   1111111 (2 trials)\n             not recorded (1 trial)\n",
			"  kernel     avx512 (2 trials)\n             avx2 (1 trial)\n", "  processor  Some?[31m CPU (3 trials)\n",
			"  command    banditsim run e.yaml --set 'a b=1' (3 trials)\n",
			"  time       35 min 1 s of trials, summed, started 2026-03-01 23:51 to 2026-03-02 00:05 UTC\n", // 3 × 700.25 s
			"  unknown    for 2 trials:\n    " + name(20) + ": no sidecar\n    " + name(21) + ": read sidecar ",
		},
		Markdown: {"\n\n- Provenance of 5 trials, results epoch 1\n  - version    0.1.0 (3 trials)\n", "    - p-seed20-"},
	} {
		var b bytes.Buffer
		if err := WriteSummary(&b, f, s); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: no %q in\n%s", f, part, b.String())
			}
		}
	}
	var b bytes.Buffer
	var got struct{ Provenance Provenance }
	if err := WriteSummary(&b, JSON, s); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Provenance.Kernel[0] != (Tally{"avx512", 2}) || len(got.Provenance.Unknown) != 2 {
		t.Errorf("%v, %+v", err, got.Provenance)
	}
}

// A trial that was stopped and resumed is of all the runs that worked on it.
func TestProvenanceOfResumedTrials(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	first := Sidecar{Version: "1", Kernel: "avx2", Started: start, Seconds: 10}
	second := Sidecar{Version: "1", Kernel: "avx512", Started: start.Add(time.Hour), Seconds: 20}
	last := Sidecar{Version: "2", Kernel: "avx512", Started: start.Add(2 * time.Hour), Seconds: 30, Earlier: []Sidecar{first, second}}
	p := &Provenance{Trials: 2}
	p.add(last)
	p.add(second)
	if want := []Tally{{"1", 2}, {"2", 1}}; !slices.Equal(p.Version, want) {
		t.Errorf("version: %v, want %v", p.Version, want)
	}
	if want := []Tally{{"avx2", 1}, {"avx512", 2}}; !slices.Equal(p.Kernel, want) {
		t.Errorf("kernel: %v, want %v", p.Kernel, want)
	}
	if p.Seconds != 80 || p.Resumed != 1 || p.Started[0] != first.Started || p.Started[1] != last.Started {
		t.Errorf("%+v", p)
	}
}

// Many values of one kind are cut short for people.
func TestProvenanceIsShort(t *testing.T) {
	p := &Provenance{Trials: 40, Resumed: 1}
	for i := range 40 {
		p.Command = append(p.Command, Tally{Value: "banditsim run " + strings.Repeat("x", 400) + string(rune('A'+i)), Trials: 1})
	}
	lines := provenanceLines(p)
	if len(lines) > 20 || !slices.Contains(lines, "             and 34 more") || !slices.Contains(lines, "             1 trial stopped and resumed") {
		t.Errorf("%q", lines)
	}
	for _, line := range lines {
		if len(line) > 400 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// Settings that are asked for together stay apart: no mean is over two of them.
func TestRenderMixed(t *testing.T) {
	dir := t.TempDir()
	for seed := uint64(1); seed <= 3; seed++ {
		write(t, dir, identity("p", seed, 60), 12, 0)
		long := identity("p", seed, 90)
		long.Environment.Data = Data{Name: "replica", SHA256: "ab", Replica: true}
		write(t, dir, long, 12, 0)
	}
	writeText(t, dir+"/"+TrialsDir+"/cut.jsonl", []byte("{"))
	sets, err := LoadMixed(dir)
	if err != nil || len(sets) != 2 {
		t.Fatal(len(sets), err)
	}
	var all []*Summary
	for _, set := range sets {
		s := Summarise(set)
		all = append(all, s)
		if len(s.Policies) != 1 || s.Policies[0].Expected.All.N != 3 || len(set.Damaged) != 1 {
			t.Errorf("%+v", s)
		}
	}
	for f, want := range map[Format][]string{
		Text:     {"Setting 1 of 2: data ", "Setting 2 of 2: data ", "protocol.rounds 60\n", "protocol.rounds 90\n", "REPLICA of the mushroom data"},
		Markdown: {"## Setting 1 of 2: data ", "protocol.rounds 60\n\n"},
	} {
		var b bytes.Buffer
		if err := WriteMixed(&b, f, all); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: no %q in\n%s", f, part, b.String())
			}
		}
	}
	var b bytes.Buffer
	if err := WriteMixed(&b, CSV, all); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 3 || rows[0][len(rows[0])-1] != "setting" || rows[1][len(rows[0])-1] == rows[2][len(rows[0])-1] {
		t.Errorf("%q, %v", rows, err)
	}
	b.Reset()
	var list []struct{ Setting Conditions }
	if err := WriteMixed(&b, JSON, all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &list); err != nil || len(list) != 2 || list[0].Setting.Protocol == list[1].Setting.Protocol {
		t.Errorf("%v, %+v", err, list)
	}
}

// A sidecar that may not be read is no reason to lose the trial.
func TestProvenanceWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read all")
	}
	dir := t.TempDir()
	path := write(t, dir, identity("p", 1, 5), 12, 0)
	if err := WriteSidecar(path, Sidecar{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(SidecarPath(path), 0); err != nil {
		t.Fatal(err)
	}
	set, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p := ReadProvenance(set); len(p.Unknown) != 1 {
		t.Errorf("%+v", p)
	}
}
