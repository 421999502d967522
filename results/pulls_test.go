package results_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// pulled writes a trial of two rounds with recorded pulls, whose rewards add up without rounding.
func pulled(t *testing.T) results.Record {
	t.Helper()
	i := resultstest.Identity("p", 7, 2)
	i.Protocol.Pulls, i.Protocol.BurnIn = 3, 0
	rec := must.Get(results.ReadRecord(resultstest.WritePulls(t, t.TempDir(), i, func(_ *bandit.RoundRecord, p *bandit.PullRecord, k int) {
		p.Row, p.Arm, p.Reward, p.Expected, p.Best = 4*k-1, k%2, 0.5*float64(k), 0.25*float64(k), 2
		if p.Round == 2 {
			p.Propensity = 0.125
		}
	})))(t)
	return rec
}

// pullsText returns the text of the pulls of a trial.
func pullsText(t *testing.T, rec results.Record) string {
	t.Helper()
	z := must.Get(gzip.NewReader(bytes.NewReader(resultstest.ReadFile(t, results.PullsPath(rec.Path)))))(t)
	b := must.Get(io.ReadAll(z))(t)
	return string(b)
}

// readPulls returns the number of pulls read before an error or the end, and the error.
func readPulls(rec results.Record) (n int, err error) {
	for _, err := range rec.Pulls() {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// TestPullsThatContradict checks that pulls that do not match their trial are damaged, even if their checksum is right, and
// that the error names the line.
func TestPullsThatContradict(t *testing.T) {
	rec := pulled(t)
	text := pullsText(t, rec)
	const want = "round,pull,row,arm,reward,expected_reward,best_reward,propensity\n" +
		"1,1,-1,0,0,0,2,\n1,2,3,1,0.5,0.25,2,\n1,3,7,0,1,0.5,2,\n" +
		"2,4,-1,0,0,0,2,0.125\n2,5,3,1,0.5,0.25,2,0.125\n2,6,7,0,1,0.5,2,0.125\n"
	must.Hold(t, text == want, "pulls\n%s, want\n%s", text, want)
	must.Equal(t, "pulls", must.Get(readPulls(rec))(t), 6)
	for _, c := range []struct {
		name, old, new string
		pulls          int // number of pulls before the error
		want           string
	}{
		{"a reward", "2,5,3,1,0.5,", "2,5,3,1,0.75,", 5, "line 7: round 2: its pulls add up to a regret of 4.25 realised and 5.25 expected, the trial has 4.5 and 5.25"},
		{"an expected reward", "1,2,3,1,0.5,0.25,", "1,2,3,1,0.5,0.5,", 2, "line 4: round 1: its pulls add up to a regret of 4.5 realised and 5 expected, the trial has 4.5 and 5.25"},
		{"a best reward", "1,3,7,0,1,0.5,2,", "1,3,7,0,1,0.5,3,", 2, "line 4: round 1: its pulls"},
		{"a round", "2,4,-1,", "1,4,-1,", 3, "line 5: pull 4 of round 1 with arm 0, want pull 4 of round 2"},
		{"a round ahead", "1,3,7,", "2,3,7,", 2, "line 4: pull 3 of round 2 with arm 0, want pull 3 of round 1"},
		{"a pull twice", "1,2,3,", "1,1,3,", 1, "line 3: pull 1 of round 1 with arm 1, want pull 2 of round 1"},
		{"a pull left out", "1,2,3,1,0.5,0.25,2,\n", "", 1, "line 3: pull 3 of round 1"},
		{"the last pull left out", "2,6,7,0,1,0.5,2,0.125\n", "", 5, "5 pulls, the trial has 6"},
		{"a pull after the last", "2,6,7,0,1,0.5,2,0.125\n", "2,6,7,0,1,0.5,2,0.125\n3,7,7,0,1,0.5,2,0.125\n", 7, "7 pulls, the trial has 6"},
		{"a round after the last", "2,6,7,0,1,0.5,2,0.125\n", "2,6,7,0,1,0.5,2,0.125\n3,7,-1,0,0,0,2,\n3,8,3,1,0.5,0.25,2,\n3,9,7,0,1,0.5,2,\n", 8, "line 10: round 3: the trial ends before it"},
		{"an arm too high", "1,2,3,1,", "1,2,3,2,", 1, "line 3: pull 2 of round 1 with arm 2"},
		{"an arm below 0", "1,2,3,1,", "1,2,3,-1,", 1, "line 3: pull 2 of round 1 with arm -1"},
		{"a field too many", "1,2,3,1,0.5,0.25,2,\n", "1,2,3,1,0.5,0.25,2,,\n", 1, "line 3: 9 fields, want 8"},
		{"no number", "1,2,3,1,0.5,", "1,2,3,1,x,", 1, "line 3: "},
		{"another column", "reward,expected", "rewards,expected", 0, "line 1: want round,pull,row"},
	} {
		if n := strings.Count(text, c.old); n != 1 {
			t.Fatalf("%s: %q occurs %d times", c.name, c.old, n)
		}
		changed := strings.Replace(text, c.old, c.new, 1)
		writePulls(t, rec, rec.ID(), changed)
		n, err := readPulls(rec)
		var damage results.Damaged
		must.That(t, n == c.pulls && errors.As(err, &damage) && strings.Contains(err.Error(), c.want),
			"%s: %d pulls, then %v; want %d, then %q", c.name, n, err, c.pulls, c.want)
	}
	writePulls(t, rec, strings.Repeat("0", len(rec.ID())), text)
	if n, err := readPulls(rec); n != 6 || err == nil || !strings.Contains(err.Error(), "of another trial") {
		t.Errorf("the pulls of another trial: %d, then %v", n, err)
	}
}

// TestPullsWithoutContent checks that reading stops with an error in a gzip file padded with empty blocks.
func TestPullsWithoutContent(t *testing.T) {
	rec := pulled(t)
	path := results.PullsPath(rec.Path)
	pulls := resultstest.ReadFile(t, path)
	end := bytes.IndexByte(pulls[10:], 0) + 11 // end of the comment in the gzip header
	resultstest.WriteFile(t, path, append(pulls[:end], bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 1<<15)...))
	n, err := readPulls(rec)
	must.That(t, n == 0 && err != nil, "%d pulls, error %v", n, err)
}

// writePulls writes text as the recorded pulls of rec, with a right checksum. id is the trial's ID in the header.
func writePulls(t *testing.T, rec results.Record, id, text string) {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails only for an invalid level
	z.Comment = fmt.Sprintf("banditsim pulls 1 trial %s sha256 %x", id, sha256.Sum256([]byte(text)))
	must.Get(io.WriteString(z, text))(t)
	must.OK(t, z.Close())
	resultstest.WriteFile(t, results.PullsPath(rec.Path), b.Bytes())
}
