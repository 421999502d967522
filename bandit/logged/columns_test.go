package logged

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/policy"
)

// TestColumns checks that a policy given by columns of CSV or JSON lines has the same estimates, bit for bit, as the same policy in Go.
func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var log, table, objects strings.Builder
	log.WriteString("arm,reward,propensity,x_1,one,p0,p1,p2\n")
	table.WriteString("p0,p1,p2\n")
	for range 2500 { // more than a block
		third := fmt.Sprint(1. / 3)
		fmt.Fprintf(&log, "%d,%d,%s,%.3f,1,%[3]s,%[3]s,%[3]s\n", rng.IntN(3), rng.IntN(2), third, rng.Float64())
		fmt.Fprintf(&table, "%s,%[1]s,%[1]s\n", third)
		fmt.Fprintf(&objects, `{"p0":%s,"p1":%[1]s,"p2":%[1]s}`+"\n", third)
	}
	path := must.File(t, "log.csv", log.String())
	l := must.Get(Open(path, ReadOptions{}))(t)
	probabilities := []string{"p0", "p1", "p2"}
	list := []Policy{
		always(1), {Label: "one", Columns: &Columns{path, []string{"one"}}},
		{Label: "uniform", New: func(s policy.Setup) (bandit.Policy, error) { return policy.UniformKind().New(struct{}{}, s) }},
		{Label: "columns", Columns: &Columns{path, probabilities}},
		{Label: "table", Columns: &Columns{must.File(t, "p.csv", table.String()), probabilities}},
		{Label: "objects", Columns: &Columns{must.File(t, "p.jsonl", objects.String()), probabilities}},
	}
	o := DefaultOptions()
	o.Model = linear
	e := must.Get(Evaluate(t.Context(), l, list, o))(t)
	of := map[string]string{"one": list[0].Label, "columns": "uniform", "table": "uniform", "objects": "uniform"}
	texts := map[string]string{}
	for i := range e.Estimates {
		a := e.Estimates[i]
		name := a.Policy
		a.Policy = ""
		texts[name+" "+a.Estimator] = fmt.Sprintf("%+v", a)
	}
	for name, program := range of {
		for _, estimator := range o.Estimators {
			got, want := texts[name+" "+estimator], texts[program+" "+estimator]
			must.That(t, got == want && got != "", "%s by %s: %s, want that of %s, %s", name, estimator, got, program, want)
		}
	}
}

func TestWrongColumns(t *testing.T) {
	path := must.File(t, "log.csv", "arm,reward,propensity,p,q,name\n0,1,0.5,0.5,0.5,0\n1,0,0.5,1.5,-0.5,2\n1,0,0.5,0.5,0.6,1\n")
	l := must.Get(Open(path, ReadOptions{}))(t)
	o := DefaultOptions()
	for _, c := range []struct {
		text string // a table of its own; "" for the log
		want []string
		of   []string
	}{
		{"", []string{"3 columns, the log has 2 arms", "in the order 0, 1"}, []string{"p", "q", "name"}},
		{"", []string{`no column "nam" (did you mean name?)`}, []string{"nam"}},
		{"", []string{"row 2, column name", `"2": want one of the arms 0, 1`}, []string{"name"}},
		{"", []string{"row 2, column q", `"-0.5": want a probability`}, []string{"p", "q"}},
		{"p,q\n0.5,0.5\n0.5,0.6\n", []string{"row 2, column p …", "add up to 1"}, []string{"p", "q"}},
		{"p,q\n0.5,0.5\n0.5,x\n", []string{"row 2, column q", `"x": want a probability`}, []string{"p", "q"}},
		{"p,q\n0.5,0.5\n0.5\n", []string{"wrong number of fields"}, []string{"p", "q"}},
		{"p,q\n0.5,0.5\n", []string{"p.csv: it ends after row 1"}, []string{"p", "q"}},
		{"name\n0\n1\n0\n1\n", []string{"p.csv: there are rows after the 3 of the log"}, []string{"name"}},
		{`{"name":1}` + "\n" + `{"name":[1]}` + "\n", []string{"line 2", "is a list"}, []string{"name"}},
	} {
		columns := &Columns{path, c.of}
		if c.text != "" {
			columns.Path = must.File(t, "p.csv", c.text)
		}
		must.Refuse(Evaluate(t.Context(), l, []Policy{{Label: "mine", Columns: columns}}, o))(t, append(c.want, "policy mine: ")...)
	}
}
