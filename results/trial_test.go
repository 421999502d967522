package results_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	. "banditsim/results"
)

var (
	identity  = resultstest.Identity
	write     = resultstest.WriteTrial
	readFile  = resultstest.ReadFile
	writeText = resultstest.WriteFile
)

// small writes a trial file of three rounds, one of them after burn-in.
func small(t testing.TB) (path string, i Identity) {
	i = identity("pICSGLD", 7, 3)
	i.Protocol.BurnIn = 21 // ends in round 2
	return write(t, t.TempDir(), i, 12, 0), i
}

func TestRoundTrip(t *testing.T) {
	path, i := small(t)
	must.Equal(t, "file name", filepath.Base(path), i.FileName())
	must.Get(Check(path, i))(t)
	trial := must.Get(ReadRecord(path))(t)
	must.Equal(t, "ID", trial.Identity().ID(), i.ID())
	var realised, expected, realisedAfter, expectedAfter float64
	n := 0
	for r, err := range trial.Rounds() {
		must.OK(t, err)
		n++
		realised += r.Realised
		expected += r.Expected
		if n >= 3 {
			realisedAfter += r.Realised
			expectedAfter += r.Expected
		}
		must.That(t, r.Round == n && len(r.Energy) == 4 && len(r.Multiplier) == 4 && r.Bin[3] == 13 && r.ESS == 3.9 &&
			r.Wrong[1] == [2]int{8123, 0}, "round %d: %+v", n, r)
		must.Equal(t, fmt.Sprintf("round %d has a θ", n), len(r.Theta) == 100, n == 3)
	}
	want := Totals{Rounds: 3, Realised: realised, Expected: expected, RealisedAfter: realisedAfter, ExpectedAfter: expectedAfter, Mistakes: 6}
	must.Equal(t, "totals", trial.Totals, want)
	for range trial.Rounds() { // stopping early is allowed
		break
	}
	must.Equal(t, "files left behind", len(must.Get(filepath.Glob(filepath.Join(filepath.Dir(path), ".*")))(t)), 0)
}

// TestLongCause checks that the recorded cause of a failure is bounded, and that a long line of totals is read whole.
func TestLongCause(t *testing.T) {
	dir, i := t.TempDir(), identity("pSGLD", 1, 10)
	w := must.Get(Create(dir, i))(t)
	must.Get(w.Finish(&Failure{Round: 1, Cause: strings.Repeat("\x01", 1<<20)}))(t) // six bytes each in JSON
	rec := must.Get(Check(filepath.Join(dir, i.FileName()), i))(t)
	ends, err := ReadRecord(rec.Path)
	if n := len(rec.Totals.Failure.Cause); err != nil || *ends.Totals.Failure != *rec.Totals.Failure || n > MaxCause || n < MaxCause/2 || len(readFile(t, rec.Path)) < FirstRead+MaxCause {
		t.Errorf("a cause of %d bytes, error %v", n, err)
	}
}

func TestCutAnywhere(t *testing.T) {
	path, i := small(t)
	trial := must.Get(ReadRecord(path))(t)
	whole := readFile(t, path)
	for n := range whole {
		b := whole[:n]
		_, err := Scan(bytes.NewReader(b))
		must.Hold(t, err != nil, "cut to %d of %d bytes: no error", n, len(whole))
		if _, err := ReadEnds(bytes.NewReader(b), int64(n)); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error from its ends", n, len(whole))
		}
		if err := trial.Reread(bytes.NewReader(b)); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error from its rounds", n, len(whole))
		}
	}
	must.Refuse(Scan(bytes.NewReader(append(whole, '\n'))))(t, "follows the checksum")
	// Check the error messages of the exported functions once.
	writeText(t, path, whole[:len(whole)/2])
	must.Refuse(Check(path, i))(t, "cut off")
	must.Refuse(ReadRecord(path))(t, "cut off")
	var last error
	for _, last = range trial.Rounds() {
	}
	must.Fail(t, last, "cut off")
}

func TestCheckOtherTrial(t *testing.T) {
	path, i := small(t)
	for want, change := range map[string]func(*Identity){
		"protocol.rounds is 3, want 4":                   func(i *Identity) { i.Protocol.Rounds = 4 },
		"seed is 7, want 8":                              func(i *Identity) { i.Seed = 8 },
		"policy.options.learning_rate is 3e-7, want 0.1": func(i *Identity) { i.Policy.Options = json.RawMessage(`{"learning_rate":0.1,"chains":4}`) },
		`environment.data.name is "uci", want "other"`:   func(i *Identity) { i.Environment.Data.Name = "other" },
		"policy.options.zeta is absent, want 1":          func(i *Identity) { i.Policy.Options = json.RawMessage(`{"learning_rate":3e-7,"chains":4,"zeta":1}`) },
	} {
		other := i
		change(&other)
		must.Refuse(Check(path, other))(t, want)
	}
	_, err := Check(path+".none", i)
	must.Is(t, err, fs.ErrNotExist)
}

func TestReadErrors(t *testing.T) {
	path, _ := small(t)
	whole := string(readFile(t, path))
	lines := strings.SplitAfter(whole, "\n")
	for _, test := range map[string]struct{ text, want string }{
		"empty":             {"", "the file is empty"},
		"not a trial":       {"hello\nworld\n", "line 1: no header"},
		"other version":     {strings.Replace(whole, `"schema":1`, `"schema":2`, 1), "schema version 2, this program reads version 1"},
		"unknown field":     {strings.Replace(whole, `"schema":1`, `"schema":1,"colour":"red"`, 1), `unknown field "colour"`},
		"changed header":    {strings.Replace(whole, `"seed":7`, `"seed":8`, 1), "does not belong"},
		"bad protocol":      {strings.Replace(whole, `"rounds":3`, `"rounds":-3`, 1), "protocol.rounds: -3"},
		"replica":           {strings.Replace(whole, `"replica":false`, `"replica":true`, 1), "a trial on the replica of the mushrooms"},
		"deep data":         {strings.Replace(whole, `"replica":false`, `"replica":false,"x":1`, 1), `unknown field "x"`},
		"no totals":         {lines[0] + lines[1] + lines[5], "cut off"},
		"incomplete totals": {lines[0] + `{"end":{"rounds":2}}` + "\n" + lines[5], "the trial is not complete"},
		"too many rounds":   {lines[0] + `{"end":{"rounds":4}}` + "\n" + lines[5], "4 rounds, want at most 3"},
		"null totals":       {lines[0] + `{"end":null}` + "\n" + lines[5], "totals: none"},
	} {
		path := filepath.Join(t.TempDir(), "trial.jsonl")
		writeText(t, path, []byte(test.text))
		must.Refuse(ReadRecord(path))(t, test.want, path)
	}
	// Errors that only a scan of the whole file finds. They name the line.
	for _, test := range map[string]struct{ text, want string }{
		"round lost":    {lines[0] + lines[1] + lines[3] + lines[4] + lines[5], "line 4: the totals are of 3 rounds, the file has 2"},
		"strange line":  {lines[0] + "{}\n" + lines[4] + lines[5], "line 2: neither a round nor the totals"},
		"other totals":  {whole[:len(whole)-len(lines[4])-len(lines[5])] + strings.Replace(lines[4], `"mistakes":6`, `"mistakes":7`, 1) + lines[5], "line 6: the checksum differs"},
		"endless line":  {lines[0] + `{"round":` + strings.Repeat(" ", MaxLine), "line 2: longer than"},
		"ended by line": {lines[0] + lines[1], "line 3: the file is cut off"},
	} {
		must.Refuse(Scan(strings.NewReader(test.text)))(t, test.want)
	}
}

// TestRoundErrors checks the errors for invalid lines of rounds.
func TestRoundErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"round":1,"realised":1,"expected":1,"arms":[1,2]`:                           "cut off",
		`{"round":2,"realised":1,"expected":1,"arms":[1,2]}`:                          "round 2, want round 1",
		`{"round":1,"realised":1,"expected":1,"arms":[1]}`:                            "pulls of 1 arms, want 2",
		`{"round":1,"realised":1,"expected":1,"arms":[1,2],"x":1}`:                    "unknown field",
		`{"round":1,"realised":1,"expected":1,"arms":[1,2]}}`:                         "something follows",
		`{"round":1,"realised":1,"expected":1,"arms":[1,2],"wrong":[[4,2]]}`:          "arm 2, want 0 to 1",
		`{"round":1,"realised":1,"expected":1,"arms":[1,2],"energy":[1],"bin":[1,2]}`: "1 energies, 2 bins",
		`{"round":1,"realised":1,"expected":1,"arms":[1,2],"energy":["inf"]}`:         "number:",
	} {
		must.Refuse(ParseRound([]byte(text), 1, 2))(t, want)
	}
}

// FuzzReadTrial checks that reading never panics, and that for a file that Scan accepts ReadEnds returns the same trial.
func FuzzReadTrial(f *testing.F) {
	path, _ := small(f)
	whole := readFile(f, path)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(`{"schema":1}` + "\n"))
	failed := write(f, f.TempDir(), identity("x", 1, 5), 3, 1)
	f.Add(readFile(f, failed))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		ends, endsErr := ReadEnds(r, int64(len(b)))
		full, err := Scan(bytes.NewReader(b))
		if err == nil {
			must.Hold(t, endsErr == nil, "the whole is good, its ends are not: %v", endsErr)
			must.Hold(t, ends.ID() == full.ID() && ends.Totals.Expected == full.Totals.Expected,
				"the ends are of another trial than the whole")
		}
		ends.Reread(r)
		for line := range bytes.Lines(b) {
			ParseRound(line, 1, 2)
			if bytes.HasPrefix(line, RoundPrefix) {
				SameParse(t, line, 2)
			}
		}
	})
}

func TestSidecar(t *testing.T) {
	path, _ := small(t)
	_, err := Record{Path: path}.Sidecar()
	must.Is(t, err, fs.ErrNotExist)
	want := Sidecar{Version: "v1", Revision: "abc", Go: "go1.26", Kernel: "avx2", Processor: "p", System: "linux/amd64", Command: []string{"banditsim", "run"}, Seconds: 1.5}
	must.OK(t, WriteSidecar(path, want))
	want.Sealed, want.Trial = true, filepath.Base(path)
	must.Equal(t, "sidecar", must.Get(Record{Path: path}.Sidecar())(t), want)
	other := filepath.Join(t.TempDir(), "q.jsonl")
	must.OK(t, os.Rename(SidecarPath(path), SidecarPath(other)))
	must.Refuse((Record{Path: other}).Sidecar())(t, "it is the sidecar of "+filepath.Base(path)+" and belongs beside that")
	must.Equal(t, "path", SidecarPath("a/b.jsonl"), "a/b.meta.json")
	must.OK(t, os.WriteFile(SidecarPath(path), []byte("{"), 0o644))
	must.Refuse((Record{Path: path}).Sidecar())(t, SidecarPath(path))
}

// TestRecordNotFinite checks that recording a NaN regret returns an error, after which Finish can still record the failure, and
// that the series of a policy without chains is in the file.
func TestRecordNotFinite(t *testing.T) {
	dir, i := t.TempDir(), identity("p", 1, 3)
	w := must.Get(Create(dir, i))(t)
	series := diagnostics.Round{Series: []diagnostics.Series{{Name: "predicted reward", Unit: "reward", Values: []float64{3}}}}
	must.OK(t, w.Record(&bandit.RoundRecord{Round: 1, Realised: 1, Expected: 2, Arms: []int{20, 0}, Diagnostics: series}))
	if err := w.Record(&bandit.RoundRecord{Round: 2, Realised: math.NaN(), Arms: []int{1, 0}}); err == nil {
		t.Fatal("a regret of NaN: no error")
	}
	totals, err := w.Finish(&Failure{Round: 2, Cause: "regret"})
	must.That(t, err == nil && totals.Rounds == 1 && totals.Expected == 2, "totals %+v, error %v", totals, err)
	for r, err := range must.Get(ReadRecord(filepath.Join(dir, i.FileName())))(t).Rounds() {
		must.That(t, err == nil && len(r.Series) == 1 && r.Series[0].Values[0] == 3, "round %+v, error %v", r, err)
	}
}

func TestNumber(t *testing.T) {
	for text, ok := range map[string]bool{`"NaN"`: true, `"+Inf"`: true, `"-Inf"`: true, `1e-7`: true, `"Inf"`: false, `"nan"`: false, `"1"`: false, `null`: false, `true`: false, `1e999`: false} {
		var n Number
		err := json.Unmarshal([]byte(text), &n)
		must.That(t, (err == nil) == ok, "%s: error %v", text, err)
	}
}

func TestFileName(t *testing.T) {
	i := identity("a/b c|d "+strings.Repeat("ü", 300), 1, 1)
	name := i.FileName()
	must.That(t, !strings.ContainsAny(name, "/ |ü") && len(name) <= 200 && strings.HasPrefix(name, "a_b_c_d_"),
		"file name %q", name)
}
