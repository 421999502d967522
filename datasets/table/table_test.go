package table

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/must"
	"banditsim/results"
)

// options returns the defaults changed by JSON.
func options(t testing.TB, change string) Options {
	t.Helper()
	o := Kind().Defaults()
	must.OK(t, json.Unmarshal([]byte("{"+change+"}"), &o))
	return o
}

// encoded parses text and encodes its rows.
func encoded(t *testing.T, file, text, change string) *encoding {
	t.Helper()
	o := options(t, change)
	table, err := parse(file, []byte(text), o)
	must.Hold(t, err == nil, "%s {%s}: %v", file, change, err)
	return must.Get(table.encode(o))(t)
}

// contexts returns the contexts of all rows.
func (e *encoding) contexts() [][]float32 {
	var all [][]float32
	for row := range e.table.rows {
		x := make([]float32, e.width)
		e.put(x, row, e.file)
		all = append(all, x)
	}
	return all
}

// elements returns the names of the elements of contexts.
func (e *encoding) elements() (list []string) {
	for i := range e.table.features {
		c := &e.table.features[i]
		if c.numeric() || !e.oneHot {
			list = append(list, c.name)
		}
		for k := 0; k < len(c.values) && e.oneHot; k++ {
			list = append(list, c.name+"="+c.values[k])
		}
		if c.absent > 0 && (c.numeric() || e.oneHot) {
			list = append(list, c.name+"=?")
		}
	}
	return list
}

const fruits = `colour,weight,kind
red,1,apple
green,3,pear
red,5,apple
?,,melon
`

// TestFormats reads the same table in every format.
func TestFormats(t *testing.T) {
	const off = `"standardize":"off"`
	want := [][]float32{{0, 1, 0, 1, 0}, {1, 0, 0, 3, 0}, {0, 1, 0, 5, 0}, {0, 0, 1, 0, 1}}
	elements := []string{"colour=green", "colour=red", "colour=?", "weight", "weight=?"}
	arff := "% fruits\n@RELATION fruits\n\n@attribute colour {green,'red'}\n@attribute 'weight' NUMERIC\n@attribute kind {apple, melon, pear}\n@DATA\n" +
		"red,1,apple\n% a comment\n'green', 3 ,pear\nred,5,apple\n?,?,melon\n"
	for file, text := range map[string]string{
		"a.csv":       fruits,
		"b.csv":       "\ufeff" + strings.ReplaceAll(fruits, "\n", "\r\n"),
		"cr.csv":      strings.ReplaceAll(fruits, "\n", "\r"),
		"cr2.csv":     strings.ReplaceAll(strings.TrimSpace(fruits), "\n", "\r") + "\n",
		"cr.arff":     strings.ReplaceAll(arff, "\n", "\r"),
		"c.csv":       strings.ReplaceAll(fruits, ",", ";"),
		"d.tsv":       strings.ReplaceAll(fruits, ",", "\t"),
		"e.data":      strings.ReplaceAll(fruits, ",", " | "),
		"blanks.dat":  strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(fruits, "?,,", "?,NA,"), ",", "   "), "\n", " \n "),
		"f.csv":       strings.ReplaceAll(fruits, "red", `"red"`),
		"g.arff":      arff,
		"h":           arff,
		"sparse.arff": arff[:strings.Index(arff, "red,1")] + "{0 red, 1 1}\n{1 3,2 'pear'}\n{0 red,1 5}\n{0 ?,1 ?,2 melon}\n",
	} {
		e := encoded(t, file, text, off)
		if got := e.contexts(); !reflect.DeepEqual(got, want) || !slices.Equal(e.elements(), elements) {
			t.Errorf("%s: %v %v, want %v %v", file, e.elements(), got, elements, want)
		}
		must.Equal(t, file+": groups", e.groups(), []int{1, 1, 1, 0, 2})
		must.Equal(t, file+": arms", e.table.arms, []string{"apple", "melon", "pear"})
		var classes []int
		for row := range e.table.rows {
			classes = append(classes, slices.Index(e.table.reward(row), 1))
		}
		must.Equal(t, file+": classes", classes, []int{0, 2, 0, 1})
	}
	for file, text := range map[string]string{
		"a.libsvm": "+1 1:0.5 3:2\n\n-1 2:1e1 # a comment\n+1\t3:-1\n",
		"b":        "1 1:0.5 3:2\n-1 2:10\n1 3:-1\n",
	} {
		e := encoded(t, file, text, off)
		want := [][]float32{{0.5, 0, 2}, {0, 10, 0}, {0, 0, -1}}
		if got := e.contexts(); !reflect.DeepEqual(got, want) || !slices.Equal(e.table.arms, []string{"-1", "1"}) || e.table.target.name != "label" {
			t.Errorf("%s: %v, arms %q, want %v", file, got, e.table.arms, want)
		}
	}
}

// TestSeparator checks that the separator is the one that occurs most often, outside of quotes, in the first line, or else a blank.
func TestSeparator(t *testing.T) {
	for line, want := range map[string]rune{
		"a,b;c;d":       ';',
		`"a;b;c;d",e`:   ',',
		`a b|"c,d,e,f"`: '|',
		"a b\tc":        '\t',
		"1,5;2,5;0,1;a": ';',
		"1,5;2,5;a,b,c": ',',
		"1,2,3|4,5":     ',',
		"a b c":         ' ',
		"a":             ',',
	} {
		must.Equal(t, fmt.Sprintf("%q", line), findSeparator([]byte("\n"+line+"\n1,2,3,4,5\n")), want)
	}
}

// TestHeader checks that a first line of names is recognized as a header, and a line of data is not.
func TestHeader(t *testing.T) {
	for _, c := range []struct {
		text, option string
		header       bool
	}{
		{"a,b\n1,x\n2,y\n", "auto", true},
		{",b\n1,x\n2,y\n", "auto", true},
		{"1,x\n2,y\n", "auto", false},
		{"1,5;x\n2,5;y\n", "auto", false},
		{"p,x,s\ne,x,y\np,s,s\n", "auto", false}, // p, x and s occur again
		{"x,y,x\np,q,r\n", "auto", false},        // x is repeated
		{"?,?,x\np,1,r\n", "auto", false},        // a row with missing values
		{"p,x\ne,y\np,z\n", "yes", true},
		{"a,b\n1,x\n2,y\n", "no", false},
	} {
		table, err := parse("f.csv", []byte(c.text), options(t, `"header":"`+c.option+`"`))
		must.That(t, err == nil && table.header == c.header,
			"%q, header %s: a header %v, want %v (error %v)", c.text, c.option, table != nil && table.header, c.header, err)
	}
}

// TestColumns checks that options choose columns and their kinds.
func TestColumns(t *testing.T) {
	const text = "id,size,zip,class,note\n7,1,10,b,u\n8,2,20,a,v\n9,3,10,b,w\n"
	for change, want := range map[string][]string{
		`"target":"class"`:                                            {"id", "size", "zip", "note=u", "note=v", "note=w"},
		`"target":"class","drop":["id","note"]`:                       {"size", "zip"},
		`"target":"class","keep":["zip"],"categorical":["zip"]`:       {"zip=10", "zip=20"},
		`"target":"class","keep":["zip","note"],"encoding":"ordinal"`: {"zip", "note"},
		`"target":"size","keep":["id"]`:                               {"id"},
	} {
		must.Equal(t, change+": elements", encoded(t, "f.csv", text, change).elements(), want)
	}
	for _, c := range []struct {
		name, text, change string
		contexts           [][]float32
		arms               []string
	}{
		{"ordinal", text, `"target":"class","keep":["note"],"encoding":"ordinal"`, [][]float32{{0}, {0.5}, {1}}, []string{"a", "b"}},
		{"a missing value is the last", "note,class\nu,a\n?,b\nv,b\n", `"encoding":"ordinal"`, [][]float32{{0}, {1}, {0.5}}, []string{"a", "b"}},
		{"sorted by bytes", "x,y\n1,9\n2,x\n3,10\n", `"standardize":"off"`, [][]float32{{1}, {2}, {3}}, []string{"10", "9", "x"}},
		{"sorted as numbers", "x,y\n1,10\n2,9\n3,100\n", `"standardize":"off"`, [][]float32{{1}, {2}, {3}}, []string{"9", "10", "100"}},
	} {
		e := encoded(t, "f.csv", c.text, c.change)
		if got := e.contexts(); !reflect.DeepEqual(got, c.contexts) || !slices.Equal(e.groups(), []int{0}) || !slices.Equal(e.table.arms, c.arms) {
			t.Errorf("%s: %v of the groups %v with the arms %q, want %v and %q", c.name, got, e.groups(), e.table.arms, c.contexts, c.arms)
		}
	}
}

// TestStandardize compares contexts with (v − mean)/sd, over the file and over the rows seen.
func TestStandardize(t *testing.T) {
	const text = "x,const,y\n1,5,a\n2,5,b\n6,5,a\n"
	e := encoded(t, "f.csv", text, "")
	mean, sd := 3.0, math.Sqrt((4+1+9)/3.)
	for row, v := range []float64{1, 2, 6} {
		want := []float32{float32((v - mean) / sd), 0}
		must.Equal(t, fmt.Sprint("row ", row), e.contexts()[row], want)
	}
	o := options(t, `"standardize":"seen"`)
	table := must.Get(parse("f.csv", []byte(text), o))(t)
	e = must.Get(table.encode(o))(t)
	env := e.environment().New(datasets.Drawing{Replacement: true}, stream.Root(1))
	r, out := bandit.Round{Context: make([]float32, 2)}, bandit.Outcome{Reward: make([]float64, 2), Mean: make([]float64, 2)}
	var seen []float64
	for range 50 {
		must.OK(t, env.Next(&r, &out))
		v := []float64{1, 2, 6}[r.Row]
		seen = append(seen, v)
		mean, squares := 0.0, 0.0
		for _, s := range seen {
			mean += s / float64(len(seen))
		}
		for _, s := range seen {
			squares += (s - mean) * (s - mean) / float64(len(seen))
		}
		want := 0.0
		if squares > 1e-12 {
			want = (v - mean) / math.Sqrt(squares)
		}
		must.That(t, math.Abs(float64(r.Context[0])-want) < 1e-5 && r.Context[1] == 0,
			"after %d rows: context %v, want %g and 0", len(seen), r.Context, want)
	}
}

// TestRewards compares rewards and regrets with hand-computed ones.
func TestRewards(t *testing.T) {
	for _, c := range []struct {
		name, change    string
		row             int
		rewards         []float64
		uniform, stable float64 // regret of acting uniformly and of the best constant arm
		arm             string
	}{
		{"classes", `"drop":["gain","loss"]`, 1, []float64{0, 1}, 0.5, 0.25, "a"},
		// Class a: arms cost 0 and 4; class b: 2 and 1.
		{"costs", `"drop":["gain","loss"],"costs":[0,4,2,1]`, 1, []float64{-2, -1}, (3*2 + 0.5) / 4, 0.25, "a"},
		{"columns", `"reward_columns":["gain","loss"],"drop":["class"]`, 2, []float64{3, 5}, (0.5 + 0.5 + 1 + 4) / 4, (0 + 0 + 2 + 0) / 4.0, "gain"},
	} {
		e := encoded(t, "f.csv", "x,gain,loss,class\n1,2,1,a\n2,7,6,b\n3,3,5,a\n4,8,0,a\n", c.change+map[bool]string{true: `,"target":"class"`}[c.name != "columns"])
		must.Equal(t, fmt.Sprintf("%s: rewards in row %d", c.name, c.row), e.table.reward(c.row), c.rewards)
		got := e.table.uniformRegret()
		must.That(t, math.Abs(got-c.uniform) < 1e-12, "%s: uniform regret %g, want %g", c.name, got, c.uniform)
		if got := e.spec.ConstantArm; got.Arm != c.arm || !(math.Abs(got.Regret-c.stable) < 1e-12) {
			t.Errorf("%s: the best constant arm is %s, want %s with %g", c.name, got, c.arm, c.stable)
		}
	}
	alike := encoded(t, "f.csv", "x,a,b,c\n1,0.1,0.1,0.1\n2,0.7,0.7,0.7\n", `"reward_columns":["a","b","c"]`)
	must.Equal(t, "arms alike: uniform regret", alike.spec.UniformRegret, 0) // the mean of three times 0.1 is not 0.1
}

func compress(t *testing.T, b []byte) []byte {
	t.Helper()
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	must.Get(w.Write(b))(t)
	must.OK(t, w.Close())
	return to.Bytes()
}

// TestConformance runs the suite of package bandittest with and without replacement and with each value of standardize.
func TestConformance(t *testing.T) {
	var b strings.Builder
	b.WriteString("u,v,colour,class\n")
	r := stream.Root(7)
	for range 300 {
		fmt.Fprintf(&b, "%g,%d,%s,%s\n", r.Float64(), r.IntN(10), []string{"red", "green", "?", "blue"}[r.IntN(4)], []string{"a", "b", "c"}[r.IntN(3)])
	}
	path := must.File(t, "x.csv", []byte(b.String()))
	for _, change := range []string{"", `"standardize":"seen"`, `"standardize":"off","encoding":"ordinal"`, `"replacement":false`, `"replacement":false,"standardize":"seen"`, `"costs":[0,1,2,5,0,1,1,1,0]`} {
		w := must.Get(Kind().Open(t.Context(), options(t, change), path))(t)
		must.Want(t, change, bandittest.Environment(4000, w.New), "")
	}
}

// TestMalformed checks that errors about a file name the place and the cure, and are DataErrors.
func TestMalformed(t *testing.T) {
	wide := strings.Repeat("1,", 999_999) + "1\n"
	for _, c := range []struct {
		name, file, text, change string
		want                     []string
	}{
		{"ragged", "f.csv", "a,b,c\n1,2,x\n1,2\n", "", []string{"f.csv:3:3:", "2 cells, want 3 as in line 1", "separator is ','; remove line 1"}},
		{"ragged with too many", "f.csv", "a,b,c\n1,2,x\n1,2,3,y\n", "", []string{"f.csv:3:7:", "4 cells, want 3"}},
		{"empty", "f.csv", " \n", "", []string{"f.csv:1:1:", "the file is empty"}},
		{"no rows", "f.csv", "a,b\n", `"header":"yes"`, []string{"f.csv has no rows"}},
		{"one class", "f.csv", "a,b\n1,x\n2,x\n", "", []string{"f.csv:", `column "b" has one class, "x"`, "environment.target"}},
		{"one class of many declared", "f.arff", "@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,x\n", "", []string{`column "b" has one class, "x"`}},
		{"10⁶ columns", "f.csv", wide + wide, "", []string{"f.csv:1:1:", "1000000 columns, want at most 10000", "transposed"}},
		{"NaN", "f.csv", "a,b\n1,x\nNaN,y\n", "", []string{"f.csv:3:1:", `column "a": "NaN" is not a number`, "leave the cell empty"}},
		{"infinity", "f.csv", "a,b\n1,x\n-inf,y\n", "", []string{"f.csv:3:1:", `"-inf" is not a number`}},
		{"too large", "f.csv", "a,b\n1,x\n1e999,y\n", "", []string{"f.csv:3:1:", `"1e999" is not a number`}},
		{"UTF-16", "f.csv", "\xff\xfea\x00,\x00b\x00", "", []string{"f.csv:1:1:", "UTF-16: save it as UTF-8"}},
		{"UTF-16 of the other end", "f.csv", "\xfe\xff\x00a\x00,\x00b", "", []string{"f.csv:1:1:", "UTF-16: save it as UTF-8"}},
		{"UTF-16 without a mark", "f.csv", "a\x00,\x00b\x00", "", []string{"f.csv:1:2:", "zero byte", "UTF-8", "workbook as CSV"}},
		{"Latin-1", "f.csv", "a,b\n1,caf\xe9\n", "", []string{"f.csv:2:6:", "not UTF-8", "save it as UTF-8"}},
		{"open quote", "f.csv", "a,b\n1,\"x\n2,y\n", "", []string{"f.csv:", `"`}},
		{"stray quote", "f.csv", "a,b\n1,x\"\n2,y\n", "", []string{"f.csv:2:4:", `bare "`, "are doubled"}},
		{"missing class", "f.csv", "a,b\n1,x\n2,?\n3,y\n", "", []string{"f.csv:3:3:", `column "b": the class is missing`, "environment.target"}},
		{"missing value", "f.csv", "a,b\n1,x\n,y\n", `"missing":"refuse"`, []string{"f.csv:3:1:", `column "a": the value is missing`, "environment.missing=category"}},
		{"missing reward", "f.csv", "a,b,c\n1,2,3\n1,,3\n", `"reward_columns":["b","c"]`, []string{"f.csv:3:3:", "the value is missing"}},
		{"a word among numbers", "f.csv", "a,b\n1,x\ntwo,y\n", `"numeric":["a"]`, []string{"f.csv:3:1:", `"two" is not a number`, "environment.categorical=a"}},
		{"names twice", "f.csv", "a,a,b\n1,2,x\n", `"header":"yes"`, []string{"f.csv:1:3:", "columns 1 and 2 have the name \"a\""}},
		{"names twice over numbers", "f.csv", "\na,b,a\n1,2,x\n3,4,y\n", "", []string{"f.csv:2:5:", `the name "a" is that of two columns`, "environment.header=no"}},
		{"attributes twice", "f.arff", "% two\n@relation r\n  @attribute\ta numeric\n @attribute \t'a' numeric\n@attribute c {u,v}\n@data\n1,2,u\n", "", []string{"f.arff:4:14:", `columns 1 and 2 have the name "a"`}},
		{"a value declared twice", "f.arff", "@attribute a {x,y,x}\n@data\nx\n", "", []string{"f.arff:1:1:", `the value "x" occurs twice`}},
		{"no @data", "f.arff", "@relation r\n@attribute a numeric\n", "", []string{"f.arff:2:1:", "no @data"}},
		{"no attribute", "f.arff", "@relation r\n@data\n1\n", "", []string{"f.arff:2:1:", "no @attribute"}},
		{"unknown type", "f.arff", "@attribute a relational\n@data\n", "", []string{"f.arff:1:1:", `the type "relational"`}},
		{"unknown line", "f.arff", "@relation r\nhello\n@data\n", "", []string{"f.arff:2:1:", `found "hello"`}},
		{"undeclared value", "f.arff", "@attribute a {x,y}\n@attribute b {u,v}\n@data\nx,u\nz,v\n", "", []string{"f.arff:5:1:", `"z" is not a value that the attribute declares`}},
		{"ARFF ragged", "f.arff", "@attribute a numeric\n@attribute b {u,v}\n@data\n1,u\n1\n", "", []string{"f.arff:5:1:", "1 cells, want 2"}},
		{"ARFF word", "f.arff", "@attribute a numeric\n@attribute b {u,v}\n@data\n1,u\nx,v\n", "", []string{"f.arff:5:1:", `"x" is not a number`}},
		{"ARFF open quote", "f.arff", "@attribute a string\n@attribute b {u,v}\n@data\n'x,u\n", "", []string{"f.arff:4:1:", "is not closed"}},
		{"ARFF sparse index", "f.arff", "@attribute a numeric\n@attribute b {u,v}\n@data\n{0 1, 7 v}\n", "", []string{"f.arff:4:7:", "want an index from 0 to 1"}},
		{"ARFF sparse brace", "f.arff", "@attribute a numeric\n@attribute b {u,v}\n@data\n{0 1\n", "", []string{"f.arff:4:1:", "closing brace"}},
		{"libsvm order", "f.libsvm", "1 2:1 1:3\n", "", []string{"f.libsvm:1:7:", "the index 1 after 2"}},
		{"libsvm pair", "f.libsvm", "1 2:1\n2 x\n", "", []string{"f.libsvm:2:3:", "want index:value"}},
		{"libsvm value", "f.libsvm", "1 2:1\n2 2:x\n", "", []string{"f.libsvm:2:5:", `"x" is not a number`}},
		{"libsvm label", "f.libsvm", "2:1 3:4\n", "", []string{"f.libsvm:1:1:", "want a label"}},
		{"libsvm index", "f.libsvm", "1 99999999:4\n", "", []string{"f.libsvm:1:3:", "the index 99999999, want at most 10000"}},
	} {
		_, err := parse(c.file, []byte(c.text), options(t, c.change))
		var text *datasets.DataError
		if !errors.As(err, &text) {
			t.Errorf("%s: error %v, want one of the text", c.name, err)
			continue
		}
		must.Fail(t, err, c.want...)
		must.That(t, len(err.Error()) <= 1000, "%s: the error has %d bytes", c.name, len(err.Error()))
		_, err = Kind().Open(t.Context(), options(t, c.change), must.File(t, c.file, []byte(c.text)))
		data := (*datasets.DataError)(nil)
		must.That(t, errors.As(err, &data), "%s: Open returns %v, want a DataError", c.name, err)
	}
}

// TestWrongOptions checks that errors about options name the option, and are not DataErrors.
func TestWrongOptions(t *testing.T) {
	for change, want := range map[string]string{
		`"target":"kinds"`:                               `target: there is no column "kinds" (did you mean kind?): f.csv has "colour", "weight", "kind"`,
		`"drop":["wait"]`:                                `drop: there is no column "wait"`,
		`"keep":["x"]`:                                   `keep: there is no column "x"`,
		`"decimal_comma":["kind"]`:                       `decimal_comma: column "kind" is not one of the context`,
		`"decimal_comma":["colour"]`:                     `decimal_comma: column "colour": its values are not numbers with a decimal comma`,
		`"dates":["x"]`:                                  `dates: there is no column "x"`,
		`"keep":["kind"]`:                                "has no column but those of the target",
		`"format":"xml"`:                                 `format: "xml", want one of auto`,
		`"header":"maybe"`:                               "header:",
		`"missing":"drop"`:                               "missing:",
		`"encoding":"hash"`:                              "encoding:",
		`"standardize":"yes"`:                            "standardize:",
		`"costs":[1,2]`:                                  "costs: 2 numbers, want 9",
		`"costs":[1e13]`:                                 "costs: number 1 is 1e+13",
		`"reward_columns":["weight"]`:                    "reward_columns: 1 columns, want 2",
		`"reward_columns":["weight","weight"]`:           "occurs twice",
		`"reward_columns":["weight","x"]`:                `there is no column "x"`,
		`"target":"kind","reward_columns":["a","b"]`:     "target and reward_columns: want one of them",
		`"costs":[1],"reward_columns":["weight","kind"]`: "costs and reward_columns: want one of them",
	} {
		_, err := parse("f.csv", []byte(fruits), options(t, change))
		var text *datasets.DataError
		must.That(t, err != nil && !errors.As(err, &text) && strings.Contains(err.Error(), want),
			"%s: error %v, want %q", change, err, want)
	}
	var many strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&many, "%d,%d\n", i%7, i)
	}
	must.Refuse(parse("f.csv", []byte(many.String()), Kind().Defaults()))(t, "1500 values, want 2 to 1000 classes: name the column")
	_, err := Kind().Open(t.Context(), Kind().Defaults(), filepath.Join(t.TempDir(), "none.csv"))
	must.That(t, errors.Is(err, os.ErrNotExist), "no file: error %v", err)
	whole := compress(t, []byte(fruits))
	if _, err := Kind().Open(t.Context(), Kind().Defaults(), must.File(t, "f.csv.gz", whole[:len(whole)-9])); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "f.csv.gz") {
		t.Errorf("a part of a compressed file: error %v", err)
	}
	t.Setenv(envVar, "")
	must.Refuse(Kind().Open(t.Context(), Kind().Defaults(), ""))(t, "--data FILE")
}

// TestRows describes the rows of the file that the environment variable names.
func TestRows(t *testing.T) {
	path := must.File(t, "f.csv", []byte(fruits))
	w := must.Get(Kind().Open(t.Context(), Kind().Defaults(), path))(t)
	b := must.Get(json.Marshal(Kind().Defaults()))(t)
	e := results.Environment{Name: "table", Options: b, Data: w.Data}
	t.Setenv(envVar, path)
	rows := must.Get(Kind().Rows(t.Context(), e))(t)
	want := [][]string{{"red", "1"}, {"green", "3"}, {"red", "5"}, {"?", "?"}}
	must.That(t, slices.Equal(rows.Columns, []string{"colour", "weight"}) && reflect.DeepEqual(rows.Values, want),
		"rows %q %q", rows.Columns, rows.Values)
	must.That(t, !rows.Wrong(0, 0) && rows.Wrong(0, 1) && !rows.Wrong(3, 1),
		"wrong arms are not those of the other classes")
	// With costs all rewards may be below 0: here the arm of the class costs 1, the others cost 2.
	e.Options = must.Get(json.Marshal(options(t, `"costs":[1,2,2,2,1,2,2,2,1]`)))(t)
	rows = must.Get(Kind().Rows(t.Context(), e))(t)
	must.That(t, !rows.Wrong(0, 0) && rows.Wrong(0, 1) && !rows.Wrong(3, 1),
		"with costs wrong arms are not those that cost more than another")
	e.Data.SHA256 = strings.Repeat("0", 64)
	must.Refuse(Kind().Rows(t.Context(), e))(t, "the trials ran on data with SHA-256 000000000000…")
}

// TestWarnings checks the warnings about columns that are left out since they name or count the rows, about a first line that
// counts as a row only because a name occurs twice, about targets with many values, about classes that differ only in case, about commas
// in numbers, and about a column that tells the class.
func TestWarnings(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,size,number,class\n")
	for i := range 60 {
		fmt.Fprintf(&b, "r%d,%d.5,%d,%s\n", i, i, 100+i, []string{"a", "b"}[i%2])
	}
	rows := b.String()
	const doubled = `counts as a row, since it has "x" twice: if it holds names of columns rename one, else use environment.header=no`
	for _, c := range []struct{ text, change, want string }{
		{rows, "", `column "id" is left out, as it has 60 values in 60 rows: use it with --set environment.categorical=id; column "number" is left out, as it only counts the rows: use it with --set environment.numeric=number`},
		{rows, `"drop":["id"]`, `column "number" is left out`},
		{rows, `"categorical":["id"]`, `column "number" is left out`},
		{rows, `"keep":["id","size"]`, ""},
		{rows, `"drop":["id"],"numeric":["number"]`, ""},
		{rows, `"target":"size"`, `column "size" has 60 values in 60 rows, each of which is a class with an arm: name the column of the classes with --set environment.target=NAME, `},
		{"x,y,x\np,q,r\ns,q,t\n", "", doubled},
		{"x,y,x\np,q,r\ns,q,t\n", `"header":"no"`, ""},
		{"x,y,x\np,q,r\nx,q,t\n", "", ""},
		{"x,y,z\np,q,r\ns,q,t\n", "", ""},
		{"x,y,x\n?,q,r\n,q,t\n", "", doubled},
		{"size;class\n1,5;a\n2;b\n?;a\n", "", `the commas of size were read as decimal commas: as categories with --set environment.categorical=size`},
		{"size;class\n1,5;a\n2;b\n?;a\n", `"categorical":["size"]`, ""},
		{"size;class\n1,500;a\n2;b\n?;a\n", "", `size became categories, as their commas may separate thousands: for numbers use --set environment.decimal_comma=size`},
		{"size;class\n0,500;a\n2;b\n?;a\n", "", "decimal commas"},
		{"size;class\n1,500;a\n2;b\n?;a\n", `"decimal_comma":["size"]`, "decimal commas"},
		{"Yes,yes,size\n1,2,3\n2,1,4\n", `"reward_columns":["Yes","yes"]`, ""},
		{strings.ReplaceAll(strings.ReplaceAll(rows, ",", ";"), ".5", ",500"), `"drop":["id"]`, "decimal commas"},
		{"size;class\n1,5;a\nbig;b\n2;a\n", "", ""},
		{"size;class\n1.5;a\n2;b\n", "", ""},
		{"size,class\n1,Yes\n2,no\n3,yes\n", "", `"Yes" and "yes" are two arms that differ only in case: spell one class one way`},
		{"1;class\n3;a\n2;b\n", "", ""},
		{"price;class\n$1,200;a\n$90;b\n;a\n", "", `price became numbers, as 0.5%, 0,5 € or $1,200 becomes 0.5, 0.5 or 1200: as categories with --set environment.categorical=price`},
		{"price;class\n$1,200;a\n$90;b\n", `"categorical":["price"]`, ""},
		{"age;class\n1;a\n2;b\n3;a\n2024-01-31;a\nN/A;a\n", "", `column "age" became a category of 5 values, all numbers or dates but "N/A" (leave a cell empty`},
		{"age;class\n1;a\n2;b\n3;a\nN/A;a\n", "", ""},
		{strings.ReplaceAll(rows, "number", "row number"), "", `use it with --set 'environment.numeric=row number'`},
		{strings.ReplaceAll(strings.ReplaceAll(rows, ".5,", ".5,9"), "9100", "1"), "", `column "number" is left out, as it rises in every row, as if it counted them`},
		{rows, `"target":"size"`, `column "number" is left out`},
		{"@attribute when date\n@attribute size numeric\n@attribute class {a,b}\n@data\n2024-01-31,1,a\n2024-02-01,2,b\n", `"format":"arff"`, "the dates of when became days"},
		{"size,class\n1,1\n2,1.0\n3,2\n", "", `"1" and "1.0" are two arms that are the same number: spell one class one way`},
		{"code,class\n" + strings.Repeat("x,a\ny,b\nz,a\n", 5), "", `each value of code has one class: unless it is known before an arm is chosen, leave it out with --set environment.drop=code`},
		{"code,class\n" + strings.Repeat("x,a\ny,b\nz,a\n", 5) + "z,b\n", "", ""},
		{"code,class\n" + strings.Repeat("1,a\n2,b\n0,a\n", 4), "", ""},
		{"day;class\n2024-01-31 08:00;a\n2024-02-01 09:00;b\n", "", "the dates of day became days, weekday and month, without times of day: "},
	} {
		w := must.Get(Kind().Open(t.Context(), options(t, c.change), must.File(t, "f.csv", []byte(c.text))))(t)
		must.That(t, strings.Contains(w.Warning, c.want) && (c.want != "" || w.Warning == ""),
			"%.20q {%s}: warning %q, want %q", c.text, c.change, w.Warning, c.want)
	}
}

// TestTooManyClasses checks that 100 or more numbers, and more values than a tenth of the rows, are not taken for classes.
func TestTooManyClasses(t *testing.T) {
	for _, test := range []struct {
		name         string
		values, each int
		prefix       string
		warns        bool
	}{
		{"900 measurements", 900, 1, "", true},
		{"100 numbers of many rows each", 100, 30, "", true},
		{"99 numbers of many rows each", 99, 30, "", false},
		{"100 names of many rows each", 100, 30, "n", false},
		{"900 names", 900, 1, "n", true},
		{"21 names of 10 rows each", 21, 10, "n", false},
		{"21 names of 9 rows each", 21, 9, "n", true},
		{"20 values", 20, 1, "", false},
	} {
		var b strings.Builder
		b.WriteString("y,class\n")
		for i := range test.values * test.each {
			fmt.Fprintf(&b, "%d.5,%s%d\n", i, test.prefix, i%test.values)
		}
		path := must.File(t, "f.csv", []byte(b.String()))
		_, err := Kind().Open(t.Context(), Kind().Defaults(), path)
		must.That(t, (err != nil) == test.warns, "%s: error %v", test.name, err)
		if test.warns {
			must.Fail(t, err, "environment.target=NAME") // y has too many values as well
		}
		w := must.Get(Kind().Open(t.Context(), options(t, `"target":"class"`), path))(t)
		got := strings.Contains(w.Warning, "each of which is a class with an arm")
		must.That(t, got == test.warns, "%s: warning %q", test.name, w.Warning)
	}
}

// FuzzParse checks that any bytes give an error or a table with finite contexts.
func FuzzParse(f *testing.F) {
	for _, text := range []string{fruits, "1 1:0.5 3:2\n-1 2:1\n", "@attribute a {x,'y z'}\n@attribute b numeric\n@attribute c {u,v}\n@data\nx,1,u\n{1 2,2 v}\n", "a;b\n\"x\";1\n", "\xff\xfea"} {
		for i := range formatNames {
			f.Add([]byte(text), uint8(i), false)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, format uint8, ordinal bool) {
		o := Kind().Defaults()
		o.Format = formatNames[int(format)%len(formatNames)]
		if ordinal {
			o.Encoding, o.Standardize = "ordinal", "off"
		}
		table, err := parse("f", text, o)
		if err != nil {
			return
		}
		e, err := table.encode(o)
		if err != nil {
			return
		}
		must.That(t, e.width >= 1 && len(e.elements()) == e.width,
			"a width of %d with %d elements", e.width, len(e.elements()))
		u := table.uniformRegret()
		must.That(t, u >= 0, "uniform regret %g", u)
		x := make([]float32, e.width)
		for row := range min(table.rows, 50) {
			e.put(x, row, e.file)
			for _, v := range x {
				must.That(t, !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0), "row %d: context %v", row, x)
			}
		}
	})
}

var formatNames = []string{"auto", "csv", "tsv", "arff", "libsvm"}

// TestShippedTables checks the sizes of the built-in tables, and that their rows can be described.
func TestShippedTables(t *testing.T) {
	for name, want := range map[string]struct{ rows, dim, arms int }{"iris": {150, 4, 3}, "digits": {1797, 64, 10}} {
		w := must.Get(Kind().Open(t.Context(), Kind().Defaults(), name))(t)
		env := must.Get(w.New(stream.Root(1)))(t)
		if s := env.Spec(); s.Dim != want.dim || len(s.Arms) != want.arms {
			t.Errorf("%s: contexts of length %d, %d arms, want %+v", name, s.Dim, len(s.Arms), want)
		}
		options := must.Get(json.Marshal(Kind().Defaults()))(t)
		rows, err := Kind().Rows(t.Context(), results.Environment{Options: options, Data: w.Data})
		must.That(t, err == nil && len(rows.Values) == want.rows,
			"%s: rows %v, error %v, want %d rows", name, rows, err, want.rows)
	}
}

// TestLimits checks that too many rows, columns or bytes are errors, also in a row that does not end.
func TestLimits(t *testing.T) {
	defer func(cells int) { maxCells = cells }(maxCells)
	maxCells = 5000
	repeat := func(line string, n int) string { return strings.Repeat(line, n) }
	columns := strings.TrimSuffix(repeat("1,", 1000), ",") + "\n"
	for _, c := range []struct{ file, text, change, want string }{
		{"f.csv", repeat(columns, 6), "", "f.csv has 6 rows of 1000 columns, want at most 5000 cells"},
		{"f.csv", repeat(columns, 6), `"drop":["1","2"]`, "6 rows of 998 columns"},
		{"f.arff", "@attribute a numeric\n@attribute b {x}\n@attribute c {u,v}\n@data\n" + repeat("1,x,u\n", 2000), "", "2000 rows of 3 columns"},
		{"f.libsvm", repeat("1 1:1 999:2\n", 6), "", "6 rows of 1000 columns"},
		{"f.csv", "a,b\n" + repeat("1,", 500_000), "", "f.csv:2:1: 500001 columns, want at most 10000"},
		{"f.csv", "a,b\n" + repeat("1,", 5_000_000), "", "f.csv:2:1: the row that begins here has more than 16 MiB, or 10000 columns"},
		{"f.csv", "a,b\n1,\"x\n" + repeat("2,y,,,,,,,,,,\n", 2_000_000), "", "f.csv:2:1: the row that begins here has more than 16 MiB, or 10000 columns: is a quote not closed"},
		{"f.csv", "a,b\n1,\"x\n" + repeat("2ydkrewlrkewlrewr\n", 2_000_000), "", "f.csv:2:1: the row that begins here has more than 16 MiB"},
		{"f.arff", repeat("@attribute a numeric\n", 10_001), "", "f.arff:10001:1: more than 10000 attributes"},
		{"f.arff", "@attribute a numeric\n@attribute b {u}\n@data\n" + repeat("1,", 100_000), "", "f.arff:4:5: 10001 cells, want 2"},
		{"f.arff", "@relation x\n@attribute " + repeat("a", 20_000_000), "", "f.arff:2:1: the line has more than 16 MiB"},
		{"f.libsvm", "1 1:1\n1 1:" + repeat("1", 20_000_000), "", "f.libsvm:2:1: the line has more than 16 MiB"},
	} {
		must.Refuse(parse(c.file, []byte(c.text), options(t, c.change)))(t, c.want)
	}
}

// TestFileSizes checks that a file is rejected, before it is read into memory, if its text is too large, compressed or not.
func TestFileSizes(t *testing.T) {
	large := must.File(t, "large.csv", "")
	if err := os.Truncate(large, 1<<30); err != nil { // sparse: it takes no space on disk
		t.Fatal(err)
	}
	member := compress(t, make([]byte, 64<<20))
	for _, path := range map[string]string{"plain": large, "compressed": must.File(t, "bomb.csv.gz", bytes.Repeat(member, 9))} {
		must.Refuse(Kind().Open(t.Context(), Kind().Defaults(), path))(t, "has more than 512 MiB of text")
	}
}
