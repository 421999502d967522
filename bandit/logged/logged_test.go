package logged

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
)

// all returns copies of the rows.
func all(t *testing.T, l *Log) (rows []Row) {
	t.Helper()
	for r, err := range l.Rows() {
		must.OK(t, err)
		row := *r
		row.Context, row.Probabilities, row.Available = slices.Clone(r.Context), slices.Clone(r.Probabilities), slices.Clone(r.Available)
		row.Arms = nil
		for _, a := range r.Arms {
			row.Arms = append(row.Arms, slices.Clone(a))
		}
		rows = append(rows, row)
	}
	return rows
}

// faults returns the errors of opening a log and reading its rows.
func faults(path string, o ReadOptions) error {
	l, err := Open(path, o)
	if err != nil {
		return err
	}
	for _, e := range l.Rows() {
		err = errors.Join(err, e)
	}
	return err
}

func TestCSV(t *testing.T) {
	const text = "ad,click,p,age,os,when\nblue,1,0.5,30,x,2024-01-02 00:00:00\nred,0,0.25,41.5,y,2024-01-02 00:00:01\nblue,0,0.5,30,,2024-01-02 00:00:01.5\n"
	o := ReadOptions{Arm: "ad", Reward: "click", Propensity: "p", Context: []string{"age", "os"}, Time: "when", Duplicates: true}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	for name, content := range map[string]string{"plain.csv": text, "packed.csv.gz": packed.String()} {
		l := must.Get(Open(must.File(t, name, content), o))(t)
		must.Equal(t, name, fmt.Sprint(l.Spec.Arms, l.Columns, l.Spec.Groups), "[blue red] [age os=x os=y os=] [0 2 2 2]")
		rows := all(t, l)
		got := fmt.Sprint(rows[1].Arm, rows[1].Reward, rows[1].Propensity, rows[1].Context, rows[1].Number)
		must.Equal(t, name+": row 2", got, "1 0 0.25 [41.5 0 1 0] 2")
		must.Equal(t, name+": row 3", fmt.Sprint(rows[2].Context, rows[2].Time-rows[0].Time), "[30 0 0 1] 1.5")
		d := l.Description
		must.That(t, d.Rows == 3 && d.Zeros == 2.0/3 && d.Binary && d.Least == 0.25 && d.LeastRow == 2 && d.Duplicates == 0 &&
			d.Disordered == 0, "%s: description %+v", name, d)
		a := d.Arms[0]
		must.That(t, a.Name == "blue" && a.Pulls == 2 && a.Reward == 0.5 && a.MeanPropensity == 0.5, "%s: arm %+v", name, a)
	}
}

// TestNumberedArms checks that arms with whole numbers include all up to the largest, also those never pulled. There is an arm 0 only if
// a row has it: otherwise K would be one too large and every weight wrong.
func TestNumberedArms(t *testing.T) {
	for _, c := range []struct{ pulled, want []string }{
		{[]string{"2", "0"}, []string{"0", "1", "2"}},
		{[]string{"3", "1"}, []string{"1", "2", "3"}},
		{[]string{"2"}, []string{"1", "2"}},
		{[]string{"0"}, []string{"0"}},
		{[]string{"10", "9", "b"}, []string{"10", "9", "b"}},
		{[]string{"01", "1"}, []string{"01", "1"}},
	} {
		must.Equal(t, fmt.Sprint(c.pulled), sortArms(c.pulled), c.want)
	}
}

// TestProbabilities checks that the propensities of rows and description are taken from the probabilities of all arms.
func TestProbabilities(t *testing.T) {
	l := must.Get(Open(must.File(t, "p.csv", "arm,reward,a,b,c\n2,1,0.2,0.3,0.5\n0,0,0.2,0.3,0.5\n"), ReadOptions{Probabilities: []string{"a", "b", "c"}}))(t)
	rows := all(t, l)
	must.That(t, rows[0].Propensity == 0.5 && rows[1].Propensity == 0.2 && len(l.Spec.Arms) == 3 &&
		slices.Equal(rows[0].Context, []float32{1}), "rows %+v of arms %v", rows, l.Spec.Arms)
	d := l.Description
	must.That(t, d.Least == 0.2 && d.LeastRow == 2 && d.Largest == 0.5 && d.Arms[2].MeanPropensity == 0.5,
		"description %+v", d)
}

// TestBadLogs checks that errors name the row, the column, the value and the cure.
func TestBadLogs(t *testing.T) {
	const head = "arm,reward,propensity,x_1\n0,1,0.5,1\n"
	for _, test := range []struct {
		name, text string
		options    ReadOptions
		want       string
	}{
		{"propensity 0", head + "1,1,0,1\n", ReadOptions{}, `row 2, column propensity: "0": want a propensity above 0 and at most 1`},
		{"propensity above 1", head + "1,1,1.5,1\n", ReadOptions{}, `row 2, column propensity: "1.5": want`},
		{"propensity negative", head + "1,1,-0.5,1\n", ReadOptions{}, `row 2, column propensity: "-0.5": want`},
		{"propensity NaN", head + "1,1,NaN,1\n", ReadOptions{}, `row 2, column propensity: "NaN": want`},
		{"propensity no number", head + "1,1,half,1\n", ReadOptions{}, `row 2, column propensity: "half": want`},
		{"propensity missing", head + "1,1,,1\n", ReadOptions{}, "row 2, column propensity: the log has no propensities of all rows"},
		{"no propensities", "arm,reward\n1,1\n", ReadOptions{}, "the log has no propensities: name the column with --propensity: the header has arm, reward"},
		{"reward absent", head + "1,,0.5,1\n", ReadOptions{}, `row 2, column reward: "": want the reward, a finite number`},
		{"reward NaN", head + "1,NaN,0.5,1\n", ReadOptions{}, `row 2, column reward: "NaN": want`},
		{"reward infinite", head + "1,Inf,0.5,1\n", ReadOptions{}, `row 2, column reward: "Inf": want`},
		{"reward infinite and negative", head + "1,-Inf,0.5,1\n", ReadOptions{}, `row 2, column reward: "-Inf": want`},
		{"arm absent", head + ",1,0.5,1\n", ReadOptions{}, `row 2, column arm: "": want the name or the number`},
		{"arm unknown", "arm,reward,propensity\nblue,1,0.5\nbleu,1,0.5\n", ReadOptions{Arms: []string{"blue", "red"}}, `row 2, column arm: "bleu": want one of the arms blue, red (did you mean blue?)`},
		{"context absent", head + "1,1,0.5,\n", ReadOptions{}, `row 1002, column x_1: "": want a number`},
		{"cells missing", head + "1,1\n", ReadOptions{}, "row 2, line 3"},
		{"no rows", "arm,reward,propensity\n", ReadOptions{}, "no rows"},
		{"empty", "", ReadOptions{}, "the file is empty"},
		{"first line empty", "\r\n" + head, ReadOptions{}, "or its first line is: want the names of the columns"},
		{"one arm", "arm,reward,propensity\n0,1,1\n0,1,1\n", ReadOptions{}, "want at least 2 arms"},
		{"unknown column", head, ReadOptions{Reward: "rewrad"}, `--reward: there is no column "rewrad" (did you mean reward?)`},
		{"which column", "a,b\n1,2\n", ReadOptions{}, "which column has the arm? Name it with --arm"},
		{"probabilities", "arm,reward,a,b\n0,1,0.5,0.4\n1,1,0.5,0.5\n", ReadOptions{Probabilities: []string{"a", "b"}}, `row 1, column a …: "0.9": want probabilities that add up to 1`},
		{"Parquet", "PAR1\x00", ReadOptions{}, "this is Parquet: make a CSV of it"},
		{"position", "arm,reward,propensity,position\n0,1,0.5,top\n1,1,0.5,2\n", ReadOptions{}, `row 1, column position: "top": want a whole number`},
		{"time", "arm,reward,propensity,time\n0,1,0.5,noon\n1,1,0.5,2\n", ReadOptions{}, `row 1, column time: "noon": want seconds, or a time such as 2019-11-24 00:01:03: if the column has other things, say --time none`},
		{"reward as context", head, ReadOptions{Context: []string{"x_1", "reward"}}, "--context: the column reward is named twice, or is the arm, the reward"},
		{"two rewards", "arm,reward,propensity,reward\n0,1,0.5,1\n", ReadOptions{}, "--reward: two columns of the header have the name reward"},
		{"two arms of a name", head, ReadOptions{Arms: []string{"0", "1", "0"}}, `--arms: "0" is named twice`},
	} {
		text := test.text
		if test.name == "context absent" { // after the rows by which the column is numeric
			text = head + strings.Repeat("1,1,0.5,1\n", kindRows) + "1,1,0.5,\n"
		}
		must.Fail(t, faults(must.File(t, "log.csv", text), test.options), test.want)
	}
	_, err := Open(must.File(t, "log.csv", "arm,reward\n1,1\n"), ReadOptions{})
	must.Is(t, err, ErrNoPropensities)
}

// TestDescription checks that rows out of order, duplicates, drift and wrong propensities are found.
func TestDescription(t *testing.T) {
	var b strings.Builder
	b.WriteString("arm,reward,propensity,time\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "%d,%d,0.25,%d\n", i%2, i/1000, i)
	}
	b.WriteString("0,1,0.25,5\n0,1,0.25,5\n")
	l := must.Get(Open(must.File(t, "log.csv", b.String()), ReadOptions{Duplicates: true}))(t)
	d := l.Description
	must.That(t, d.Rows == 2002 && d.Disordered == 1 && d.FirstOut == 2001 && d.Duplicates == 1,
		"rows %d, out of order %d from %d, duplicates %d", d.Rows, d.Disordered, d.FirstOut, d.Duplicates)
	must.That(t, d.DriftP < 1e-6 && d.Weight.Mean == 2 && !d.Uniform,
		"drift p %g, mean of 1/(Kp) %g, uniform %v", d.DriftP, d.Weight.Mean, d.Uniform)
	rows, reward := 0, 0.0
	for _, block := range d.Blocks {
		rows += block.To - block.From + 1
		reward += block.Reward * float64(block.To-block.From+1)
	}
	must.That(t, rows == 2002 && math.Abs(reward-1002) <= 1e-6 && len(d.Blocks) <= maxBlocks,
		"%d blocks of %d rows with rewards %g", len(d.Blocks), rows, reward)
}

func TestOpenBandit(t *testing.T) {
	const text = ",timestamp,item_id,position,click,propensity_score,user_feature_0,user-item_affinity_0,user-item_affinity_1\n" +
		"0,2019-11-24 00:01:03.979311+00:00,2,2,0,0.045525,cef3,0.0,1.0\n1,2019-11-24 00:01:45.406608+00:00,0,3,1,0.059345,2d03,0.5,0.0\n"
	l := must.Get(Open(must.File(t, "men.csv", text), ReadOptions{}))(t)
	rows := all(t, l)
	if l.Format != "Open Bandit Dataset" || len(l.Spec.Arms) != 3 || l.Spec.Dim != 4 || rows[0].Position != 2 || rows[1].Reward != 1 || !slices.Equal(rows[1].Context, []float32{0, 1, 0.5, 0}) {
		t.Errorf("%s with %v: %+v", l.Format, l.Columns, rows)
	}
}

func TestDSJSON(t *testing.T) {
	text := `{"Version":"1","Timestamp":"2021-07-29T10:00:00.5Z","_label_cost":-1.5,"_label_probability":0.8,"_label_Action":2,"_labelIndex":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{"User":{"age":30,"os":"x"},"old":true,"_multi":[{"Item":{"price":1}},{"Item":{"price":2}},{"Item":{"tag":"new"}}]}}
{"_skipLearn":true,"_label_cost":0,"_label_probability":1,"_label_Action":1,"a":[1,2,3],"p":[1,0,0],"c":{"_multi":[{},{},{}]}}

{"_label_cost":0,"_label_probability":0.1,"_label_Action":3,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{"User":{"os":"y"},"list":[4,5],"_multi":[{},{},{}]}}
`
	l := must.Get(Open(must.File(t, "events.dsjson", text), ReadOptions{}))(t)
	rows := all(t, l)
	if got, want := fmt.Sprint(l.Columns, l.Spec.ArmDim, l.Spec.Arms), "[User.age User.os=x old User.os=y list.0 list.1] 2 [1 2 3]"; got != want || len(rows) != 2 {
		t.Fatalf("%s with %d rows, want %s with 2", got, len(rows), want)
	}
	r := rows[0]
	got := fmt.Sprint(r.Arm, r.Reward, r.Propensity, r.Probabilities, r.Context, r.Arms)
	must.Equal(t, "row 1", got, "1 1.5 0.8 [0.1 0.8 0.1] [30 1 1 0 0 0] [[1 0] [2 0] [0 1]]")
	got = fmt.Sprint(rows[1].Arm, rows[1].Reward, rows[1].Context, rows[1].Arms)
	must.Equal(t, "row 2", got, "2 0 [0 0 0 1 4 5] [[0 0] [0 0] [0 0]]")
	for name, bad := range map[string]string{
		`row 3, column _label_Action: "4": want 1 to 3`:                      `{"_label_cost":0,"_label_probability":0.1,"_label_Action":4,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		"a propensity above 0":                                               `{"_label_cost":0,"_label_probability":0,"_label_Action":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		"the log has no propensities":                                        `{"_label_cost":0,"_label_Action":1,"a":[2,1,3],"c":{}}`,
		`row 3, column _label_cost: "": want the cost of the chosen action`:  `{"_label_probability":0.1,"_label_Action":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		"unexpected end of JSON input: want one JSON object in a line":       `{"_label_cost":0`,
		`row 3, column _label_probability: "1.5": want a propensity above 0`: `{"_label_cost":0,"_label_probability":1.5,"_label_Action":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		`row 3, column _label_probability: "string": want`:                   `{"_label_cost":0,"_label_probability":"NaN","_label_Action":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		"no NaN": `{"_label_cost":NaN,"_label_probability":0.1,"_label_Action":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		`row 3, column Timestamp: "noon": want a time`:         `{"Timestamp":"noon","_label_cost":0,"_label_probability":0.1,"_label_Action":1,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{}}`,
		`row 3, column p: "[0.8 0.9 0.1]": want probabilities`: `{"_label_cost":0,"_label_probability":0.1,"_label_Action":1,"a":[2,1,3],"p":[0.8,0.9,0.1],"c":{}}`,
	} {
		must.Refuse(Open(must.File(t, "bad.dsjson", text+bad), ReadOptions{}))(t, name, "line 5")
	}
}

// TestVaryingActions checks that there are as many arms as actions in the largest event; other events offer the first ones.
func TestVaryingActions(t *testing.T) {
	two := `{"_label_cost":-1,"_label_Action":2,"a":[2,1],"p":[0.6,0.4],"c":{"_multi":[{"x":5},{"x":6}]}}`
	three := `{"_label_cost":0,"_label_Action":1,"a":[1,2,3],"p":[0.5,0.3,0.2],"c":{"_multi":[{"x":1},{"x":2},{"x":3}]}}`
	l := must.Get(Open(must.File(t, "events.dsjson", two+"\n"+three+"\n"+two+"\n"), ReadOptions{}))(t)
	rows := all(t, l)
	if got, want := fmt.Sprint(l.Spec.Arms, rows[0].Available, rows[0].Arms, rows[0].Probabilities, rows[1].Available, rows[1].Arms, rows[2].Arms),
		"[1 2 3] [true true false] [[5] [6] [0]] [0.4 0.6 0] [true true true] [[1] [2] [3]] [[5] [6] [0]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	must.Refuse(Open(must.File(t, "bad.dsjson", three), ReadOptions{Arms: []string{"a", "b"}}))(t, "3 actions, but --arms names 2")
}

// counting is an environment with the contexts 1, 2, 3, …
type counting struct{ n int }

func (c *counting) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"no", "yes"}, IgnoresActions: true}
}

func (c *counting) Next(r *bandit.Round, o *bandit.Outcome) error {
	c.n++
	r.Context[0] = float32(c.n)
	o.Reward[0], o.Reward[1] = 0, float64(c.n)
	o.Mean[0], o.Mean[1] = 0.5, 2
	return nil
}

// TestPulls checks that the environment draws the contexts and means of recorded pulls again, and must draw the same rewards.
func TestPulls(t *testing.T) {
	text := pullsHeader + "\n1,1,-1,1,1,2,2,0.5\n1,2,-1,0,0,0.5,2,0.25\n2,3,-1,1,3,2,2,0.5\n"
	path := must.File(t, "x.pulls.csv", text)
	o := ReadOptions{Pulls: func() (*Simulated, error) {
		return &Simulated{Spec: (&counting{}).Spec(), New: func() (bandit.Environment, error) { return &counting{}, nil }}, nil
	}}
	l := must.Get(Open(path, o))(t)
	for range 2 { // each pass starts from the beginning
		rows := all(t, l)
		must.That(t, len(rows) == 3 && rows[2].Context[0] == 3 && rows[2].Arm == 1 && rows[2].Means[1] == 2 &&
			l.Spec.Arms[1] == "yes" && l.Description.Arms[1].Pulls == 2, "rows %+v, arms %+v", rows, l.Description.Arms)
	}
	other := must.File(t, "y.pulls.csv", strings.Replace(text, "1,3,2,2,0.5", "1,4,2,2,0.5", 1))
	must.Fail(t, faults(other, o), "row 3, column reward: 4, but arm 1 has 3")
	if l, err := Open(path, ReadOptions{}); err != nil || l.Spec.Dim != 1 || l.Spec.Arms[1] != "1" {
		t.Errorf("without an environment: %v", err)
	}
}

// TestStandardize checks the moments of a column and that columns which the environment has standardized stay as they are.
func TestStandardize(t *testing.T) {
	path := must.File(t, "x.pulls.csv", pullsHeader+"\n1,1,-1,1,1,2,2,0.5\n1,2,-1,0,0,0.5,2,0.25\n2,3,-1,1,3,2,2,0.5\n")
	for _, c := range []struct {
		column bandit.Column
		want   string
	}{
		{bandit.Column{Name: "x"}, "2 1 [-1] [0] [1]"},
		{bandit.Column{Name: "x", Mean: 5, SD: 7}, "5 7 [1] [2] [3]"},
	} {
		spec := (&counting{}).Spec()
		spec.Columns = []bandit.Column{c.column}
		l := must.Get(Open(path, ReadOptions{Pulls: func() (*Simulated, error) {
			return &Simulated{Spec: spec, New: func() (bandit.Environment, error) { return &counting{}, nil }}, nil
		}}))(t)
		must.OK(t, l.Standardize())
		rows, column := all(t, l), l.Spec.Columns[0]
		got := fmt.Sprint(column.Mean, column.SD, rows[0].Context, rows[1].Context, rows[2].Context)
		must.That(t, got == c.want, "%+v: %s, want %s", c.column, got, c.want)
	}
	l := must.Get(Open(must.File(t, "log.csv", "arm,reward,propensity,x_1\n0,1,0.5,7\n1,0,0.5,\n1,0,0.5,9\n"), ReadOptions{}))(t)
	must.OK(t, l.Standardize())
	must.Equal(t, "a missing number", fmt.Sprint(l.Spec.Columns[0].Mean, all(t, l)[1].Context), "8 [0 1]")
}

// FuzzOpen checks that any file gives an error or valid rows.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("arm,reward,propensity,x_1\n0,1,0.5,1\n1,0,0.5,2\n"))
	f.Add([]byte(pullsHeader + "\n1,1,-1,1,1,2,2,0.5\n1,2,-1,0,0,0.5,2,0.25\n"))
	f.Add([]byte(`{"_label_cost":0,"_label_probability":0.1,"_label_Action":3,"a":[2,1,3],"p":[0.8,0.1,0.1],"c":{"User":{"os":"y"},"list":[4,5],"_multi":[{},{},{}]}}`))
	f.Add([]byte(",timestamp,item_id,position,click,propensity_score,user_feature_0\n0,2019-11-24 00:01:03+00:00,2,2,0,0.5,a\n"))
	path := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, b []byte) {
		must.OK(t, os.WriteFile(path, b, 0o666))
		l, err := Open(path, ReadOptions{Duplicates: true})
		if err != nil {
			return
		}
		rows := 0
		for r, err := range l.Rows() {
			if err != nil {
				return
			}
			if rows++; !(r.Propensity > 0 && r.Propensity <= 1) || r.Arm < 0 || r.Arm >= len(l.Spec.Arms) || math.IsNaN(r.Reward) || len(r.Context) != l.Spec.Dim {
				t.Fatalf("row %+v of %+v", r, l.Spec)
			}
		}
		must.Hold(t, rows == l.Description.Rows, "%d rows, then %d", l.Description.Rows, rows)
	})
}

// TestNewRefusesFeatures checks that New returns an error for arms whose numbers of features differ.
func TestNewRefusesFeatures(t *testing.T) {
	row := Row{Context: []float32{1}, Propensity: 0.5, Arms: [][]float32{{1, 2}, {1}}}
	must.Refuse(New("made", bandit.Spec{Arms: []string{"a", "b"}, Dim: 1, ArmDim: 2}, []Row{row}))(t, "row 1: not all arms have 2 features")
}
