package builtin_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/datasets"
	"banditsim/posterior"
	"banditsim/results"
)

// rangeForms are the ranges that errors give. An end that is not allowed itself is moved inwards by
// a millionth.
var rangeForms = []struct {
	pattern       *regexp.Regexp
	inLow, inHigh float64
}{
	{regexp.MustCompile(`want (?:a number from )?(?P<low>-?[0-9.e+-]+) to (?P<high>-?[0-9.e+-]+)`), 0, 0},
	{regexp.MustCompile(`want 0 or a number from (?P<low>[0-9.e+-]+) to (?P<high>[0-9.e+-]+)`), 0, 0},
	{regexp.MustCompile(`want at least (?P<low>[0-9]+) and below (?P<high>[0-9]+)`), 0, 1e-6},
	{regexp.MustCompile(`want above (?P<low>[0-9]+) and below (?P<high>[0-9]+)`), 1e-6, 1e-6},
	{regexp.MustCompile(`want above (?P<low>[0-9]+), at most (?P<high>[0-9]+)`), 1e-6, 0},
}

// rangeOf returns the bounds in the error of a value that is far too large, and values beyond them.
func rangeOf(message string, whole bool) (bounds, beyond []string, ok bool) {
	for _, form := range rangeForms {
		found := form.pattern.FindStringSubmatch(message)
		if found == nil {
			continue
		}
		low, err := strconv.ParseFloat(found[1], 64)
		high, err2 := strconv.ParseFloat(found[2], 64)
		if err != nil || err2 != nil {
			return nil, nil, false
		}
		text := func(v float64) string {
			if whole {
				return strconv.Itoa(int(v))
			}
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		step := func(v float64) float64 {
			if whole || v == 0 {
				return 1
			}
			return max(v, -v) / 10
		}
		bounds = []string{text(low + form.inLow), text(high - form.inHigh)}
		if strings.Contains(found[0], "want 0 or") {
			bounds = append(bounds, "0")
		}
		return bounds, []string{text(low - step(low)), text(high + step(high))}, true
	}
	return nil, nil, false
}

// unhurried are options with which a trial takes hours at the upper end: it is stopped after a while.
var unhurried = []string{"rounds", "steps"}

// TestRanges finds the range of every number among the options of all policies, posteriors and the
// protocol in the error of a value that is far too large, which names the option. Values beyond the
// range are refused by name; both ends make a trial whose file can be read, or are refused for
// another option, with which they take too much memory. A trial that diverges names the option. The
// environment has no numbers.
func TestRanges(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("the ends of all ranges take thousands of trials: set BANDITSIM_LONG=1")
	}
	c := builtin.Default()
	if err := experiment.AddEnvironment(c, noiseKind); err != nil {
		t.Fatal(err)
	}
	base := experiment.Experiment{Name: "ranges", Environment: "noise", Profile: "paper", Protocol: bandit.Protocol{Rounds: 3, Pulls: 4}, Seeds: []uint64{1}}
	for _, p := range c.Policies() {
		base.Policies = append(base.Policies, p.Name)
	}
	has := map[string][]string{} // numbers by policy
	for _, p := range resolve(t, base, c).Policies {
		has[p.Label] = numbers(t, p.Policy.Options)
	}
	options, trials, refused := 0, 0, 0
	var idle []string           // options that have no effect on a policy, without its name
	ranged := map[string]bool{} // options whose range was found
	try := func(key, policy, value string, run bool) error {
		e := base
		e.Policies = []string{policy}
		e.Settings = nil
		for path, small := range map[string]string{"hidden": "2", "batch": "2", "buffer": "8", "train_after": "0", "steps": "2", "chains": "2"} {
			if slices.Contains(has[policy], "posterior."+path) {
				set(policy + "." + path + "=" + small)(&e)
			}
		}
		for part, on := range map[string]string{"contour": "kind=paper", "preconditioner": "kind=rmsprop", "dropout": "rate=0.5"} {
			if strings.Contains(key, "."+part+".") && policy != "reSGLD" {
				set(policy + "." + part + "." + on)(&e)
			}
		}
		if strings.HasSuffix(key, ".energy_refresh") {
			set(policy + ".contour.energy=reduced")(&e)
		}
		if strings.HasPrefix(key, "protocol.delay.") {
			set("protocol.delay.kind=geometric")(&e)
		}
		set(key + "=" + value)(&e)
		plan, err := e.Resolve(t.Context(), c)
		if err != nil || !run {
			return err
		}
		return tinyTrial(t, plan.Cells[0], slices.Contains(unhurried, key[strings.LastIndex(key, ".")+1:]))
	}
	check := func(key, policy string) {
		options++
		short := key[strings.LastIndex(key, ".")+1:]
		err := try(key, policy, "1e300", false)
		whole := err != nil && strings.Contains(err.Error(), "is not a whole number")
		if whole {
			err = try(key, policy, "1000000000000000000", false)
		}
		_, path, _ := strings.Cut(key, ".")
		if err != nil && strings.Contains(err.Error(), short+" has no effect on this policy") {
			refused++
			idle = append(idle, path)
			return
		}
		ranged[path] = true
		if err == nil {
			t.Errorf("%s has no upper end", key)
			return
		}
		bounds, beyond, ok := rangeOf(err.Error(), whole)
		if !ok || !strings.Contains(err.Error(), short) {
			t.Errorf("%s: error %v, want one with the option and a range", key, err)
			return
		}
		for _, value := range beyond {
			if err := try(key, policy, value, false); err == nil || !strings.Contains(err.Error(), short) {
				t.Errorf("%s=%s: error %v, want one with the option", key, value, err)
			}
		}
		for _, value := range bounds {
			err := try(key, policy, value, true)
			switch {
			case err != nil && !strings.Contains(err.Error(), short):
				t.Errorf("%s=%s: %v", key, value, err)
			case err != nil:
				refused++
			default:
				trials++
			}
		}
	}
	protocol, err := json.Marshal(base.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range append(numbers(t, protocol), "delay.pulls") {
		check("protocol."+key, "Uniform")
	}
	for _, policy := range base.Policies {
		for _, path := range has[policy] {
			if policy == "reSGLD" && strings.Contains(path, ".contour.") {
				continue // off, and nothing else
			}
			check(policy+"."+path, policy)
		}
	}
	for _, path := range idle {
		if !ranged[path] {
			t.Errorf("%s has no effect on any policy: its range is not tried", path)
		}
	}
	t.Logf("%d options, %d trials, %d ends refused or diverging under the option's name", options, trials, refused)
}

// numbers returns the paths of the numbers in options; of a list, its own.
func numbers(t *testing.T, options json.RawMessage) []string {
	var tree map[string]any
	if err := json.Unmarshal(options, &tree); err != nil {
		t.Fatal(err)
	}
	var list []string
	var walk func(prefix string, tree map[string]any)
	walk = func(prefix string, tree map[string]any) {
		for key, v := range tree {
			switch v := v.(type) {
			case map[string]any:
				walk(prefix+key+".", v)
			case float64, []any:
				list = append(list, prefix+key)
			}
		}
	}
	walk("", tree)
	slices.Sort(list)
	return list
}

// tinyTrial runs a trial and reads its file. If it takes long it may be stopped. The error is that
// with which the trial failed.
func tinyTrial(t *testing.T, of experiment.Cell, long bool) error {
	t.Helper()
	dir := t.TempDir()
	w, err := results.Create(dir, of.Identity)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	trial, _, err := of.NewTrial(nil, w)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if long {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
	}
	for err == nil {
		err = trial.Round(ctx)
	}
	switch {
	case long && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil
	case err != io.EOF:
		if !errors.Is(err, posterior.ErrDiverged) {
			t.Errorf("%s: %v", of.Label, err)
		}
		return err
	}
	if _, err := w.Finish(nil); err != nil {
		t.Error(err)
	} else if _, err := results.Check(filepath.Join(dir, of.FileName()), of.Identity); err != nil {
		t.Errorf("the file cannot be read: %v", err)
	}
	return nil
}

// noiseKind declares an environment of two arms and four numbers, without data.
var noiseKind = datasets.Kind[struct{}]{
	Name: "noise", Doc: "random contexts",
	Defaults: func() struct{} { return struct{}{} },
	Open: func(context.Context, struct{}, string) (*datasets.World, error) {
		return &datasets.World{New: func(r *stream.Stream) (bandit.Environment, error) { return noise{r}, nil }}, nil
	},
}

type noise struct{ *stream.Stream }

func (noise) Spec() bandit.Spec {
	return bandit.Spec{Dim: 4, Arms: []string{"a", "b"}, IgnoresActions: true}
}

func (n noise) Next(r *bandit.Round, o *bandit.Outcome) error {
	n.Normals(r.Context)
	r.Row = -1
	for i := range o.Mean {
		o.Mean[i] = float64(r.Context[i])
		o.Reward[i] = o.Mean[i]
	}
	return nil
}
