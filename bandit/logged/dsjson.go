package logged

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
)

// dsjson reads Vowpal Wabbit's format of decision services (github.com/VowpalWabbit/vowpal_wabbit/wiki/DSJSON), one event in a
// line:
//
//	{"Timestamp":"2021-07-29T10:00:00.999Z","_label_cost":-1,"_label_probability":0.8,"_label_Action":2,"_labelIndex":1,
//	 "a":[2,1,3],"p":[0.8,0.1,0.1],"c":{"User":{"age":30,"os":"x"},"_multi":[{"Item":{"price":1}}, …]}}
//
// The reward is −_label_cost. _label_Action counts actions from 1, _labelIndex from 0; p are the probabilities of the actions a. The
// arms are as many as an event has actions at most; others offer the first of them. Features outside of _multi are the context, those of an element of
// _multi belong to the arm. Numbers and true or false are features of their name, strings become 0 or 1, lists have their index in
// the name. Fields that begin with '_' are no features. Events with _skipLearn, and lines without a label, are left out.
type dsjson struct {
	arms    *arms
	actions int // most of an event so far
	shared  dictionary
	action  dictionary
	learn   bool
	in      *bufio.Reader
	line    int
}

// maxFeatures bounds the features of a log.
const maxFeatures = 10_000

// A dictionary numbers features by their name.
type dictionary struct {
	index map[string]int
	names []string
}

func (d *dictionary) of(name string, learn bool) (int, error) {
	i, ok := d.index[name]
	switch {
	case ok:
		return i, nil
	case !learn:
		return 0, fmt.Errorf("the feature %s was not there when the file was read before: was the file changed?", name)
	case len(d.names) == maxFeatures:
		return 0, fmt.Errorf("more than %d features, such as %s: leave out those that tell events apart", maxFeatures, name)
	}
	d.index[name], d.names = len(d.names), append(d.names, name)
	return len(d.names) - 1, nil
}

func newDSJSON(o ReadOptions) (format, error) {
	return &dsjson{arms: newArms(o.Arms), shared: dictionary{index: map[string]int{}}, action: dictionary{index: map[string]int{}}}, nil
}

func (d *dsjson) name() string { return "dsjson of Vowpal Wabbit" }

func (d *dsjson) begin(in io.Reader, learn bool) error {
	d.learn, d.in, d.line = learn, bufio.NewReaderSize(in, 1<<16), 0
	return nil
}

// An event is the part of a line that is read.
type event struct {
	Timestamp   string                     `json:"Timestamp"`
	Cost        *float64                   `json:"_label_cost"`
	Probability *float64                   `json:"_label_probability"`
	Action      *int                       `json:"_label_Action"`
	Index       *int                       `json:"_labelIndex"`
	Actions     []int                      `json:"a"`
	Propensity  []float64                  `json:"p"`
	Skip        bool                       `json:"_skipLearn"`
	Context     map[string]json.RawMessage `json:"c"`
}

func (d *dsjson) next(r *Row) error {
	for {
		line, err := d.in.ReadBytes('\n')
		if len(line) == 0 || err != nil && err != io.EOF {
			return err
		}
		d.line++
		if len(line) == 1 {
			continue
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d: %w", d.line, jsonError(err, r.Number))
		}
		if e.Skip || e.Cost == nil && e.Probability == nil && e.Action == nil && e.Index == nil {
			continue
		}
		if err := d.read(r, &e); err != nil {
			return fmt.Errorf("line %d: %w", d.line, err)
		}
		if d.learn {
			r.hash = maphash.Bytes(hashSeed, line)
		}
		return nil
	}
}

// jsonError returns the error of an event that is no JSON, or of a field of another type.
func jsonError(err error, row int) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return &RowError{row, wrong.Field, wrong.Value, "a number, a text or a list as the format has there: correct it, or leave the event out"}
	}
	return fmt.Errorf("%w: want one JSON object in a line, with numbers that JSON has: no NaN", err)
}

func (d *dsjson) read(r *Row, e *event) error {
	var multi []map[string]json.RawMessage
	if raw, ok := e.Context["_multi"]; ok {
		if err := json.Unmarshal(raw, &multi); err != nil {
			return fmt.Errorf("c._multi: %w", err)
		}
	}
	actions := max(len(multi), len(e.Actions))
	switch {
	case e.Cost == nil || math.IsNaN(*e.Cost):
		return &RowError{r.Number, "_label_cost", "", "the cost of the chosen action, −reward: leave the event out if it is missing"}
	case actions < 2:
		return fmt.Errorf("%d actions in c._multi and a, want at least 2", actions)
	case d.arms.fixed && actions > len(d.arms.names):
		return fmt.Errorf("%d actions, but --arms names %d", actions, len(d.arms.names))
	}
	d.actions, r.Offered = max(d.actions, actions), actions
	chosen := 0
	switch {
	case e.Action != nil:
		chosen = *e.Action
	case e.Index != nil:
		chosen = *e.Index + 1
	case len(e.Actions) > 0:
		chosen = e.Actions[0]
	}
	if chosen < 1 || chosen > actions {
		return &RowError{r.Number, "_label_Action", strconv.Itoa(chosen), fmt.Sprintf("1 to %d, the actions of the event: leave the event out", actions)}
	}
	r.Reward, r.Position, r.Time = 0-*e.Cost, 0, math.NaN()
	if e.Timestamp != "" {
		t, err := parseTime(e.Timestamp)
		if err != nil {
			return &RowError{r.Number, "Timestamp", e.Timestamp, "a time such as 2021-07-29T10:00:00.999Z: correct it or leave the field out"}
		}
		r.Time = t
	}
	if err := d.propensity(r, e, chosen); err != nil {
		return err
	}
	r.Arm = chosen - 1
	return d.features(r, e, multi)
}

func (d *dsjson) propensity(r *Row, e *event, chosen int) error {
	r.Probabilities = r.Probabilities[:0]
	switch {
	case e.Propensity != nil && (len(e.Propensity) != len(e.Actions) || len(e.Propensity) != r.Offered):
		return fmt.Errorf("%d probabilities in p for %d actions in a, want %d of each", len(e.Propensity), len(e.Actions), r.Offered)
	case e.Propensity != nil:
		r.Probabilities = slices.Grow(r.Probabilities, d.actions)[:d.actions]
		clear(r.Probabilities)
		for i, a := range e.Actions {
			if a < 1 || a > r.Offered {
				return fmt.Errorf("a: action %d, want 1 to %d", a, r.Offered)
			}
			r.Probabilities[a-1] = e.Propensity[i]
		}
		sum := 0.0
		for _, p := range r.Probabilities {
			sum += p
		}
		if !(math.Abs(sum-1) < 1e-3) || slices.Min(r.Probabilities) < 0 {
			return &RowError{r.Number, "p", fmt.Sprint(e.Propensity), "probabilities of the actions in a that add up to 1: correct them at their source, or leave the event out"}
		}
	}
	switch {
	case e.Probability != nil:
		r.Propensity = *e.Probability
	case e.Propensity != nil:
		r.Propensity = r.Probabilities[chosen-1]
	default:
		return fmt.Errorf("neither _label_probability nor p: %w", ErrNoPropensities)
	}
	return checkPropensity(r.Propensity, r.Number, "_label_probability", "")
}

// features fills the context and the features of the arms, or collects their names in the first pass.
func (d *dsjson) features(r *Row, e *event, multi []map[string]json.RawMessage) error {
	if !d.learn {
		r.Context = zeros(r.Context, max(len(d.shared.names), 1))
		if len(d.shared.names) == 0 {
			r.Context[0] = 1
		}
	}
	set := func(to *dictionary, into []float32) func(string, float64) error {
		return func(name string, v float64) error {
			i, err := to.of(name, d.learn)
			if err == nil && !d.learn {
				into[i] = float32(v)
			}
			return err
		}
	}
	if err := eachFeature("", e.Context, set(&d.shared, r.Context)); err != nil {
		return err
	}
	if len(d.action.names) > 0 && !d.learn && r.Arms == nil {
		r.Arms = make([][]float32, len(d.arms.names))
	}
	for i := range r.Arms { // actions that are not offered have no features
		r.Arms[i] = zeros(r.Arms[i], len(d.action.names))
	}
	for i, m := range multi {
		var into []float32
		if !d.learn && len(d.action.names) > 0 {
			into = r.Arms[i]
		}
		if err := eachFeature("", m, set(&d.action, into)); err != nil {
			return err
		}
	}
	return nil
}

func zeros(v []float32, n int) []float32 {
	v = slices.Grow(v[:0], n)[:n]
	clear(v)
	return v
}

// eachFeature calls f with every feature of a JSON object, in the order of their names.
func eachFeature(prefix string, object map[string]json.RawMessage, f func(name string, v float64) error) error {
	for _, name := range featureNames(object) {
		var v any
		if err := json.Unmarshal(object[name], &v); err != nil {
			return fmt.Errorf("%s%s: %w", prefix, name, err)
		}
		if err := eachOf(prefix+name, v, f); err != nil {
			return err
		}
	}
	return nil
}

// featureNames returns the sorted keys of features: those that do not begin with _.
func featureNames[V any](object map[string]V) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		if !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func eachOf(name string, v any, f func(string, float64) error) error {
	switch v := v.(type) {
	case float64:
		return f(name, v)
	case bool:
		if v {
			return f(name, 1)
		}
		return f(name, 0)
	case string:
		return f(name+"="+v, 1)
	case []any:
		for i, item := range v {
			if err := eachOf(name+"."+strconv.Itoa(i), item, f); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range featureNames(v) {
			if err := eachOf(name+"."+k, v[k], f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dsjson) spec() (bandit.Spec, []string, []int) {
	if !d.arms.fixed {
		d.arms.names = nil
		for i := range d.actions {
			d.arms.names = append(d.arms.names, strconv.Itoa(i+1))
		}
	}
	order := make([]int, len(d.arms.names))
	for i := range order {
		order[i] = i
	}
	columns := d.shared.names
	if len(columns) == 0 {
		columns = []string{"1"}
	}
	return bandit.Spec{Dim: len(columns), Arms: d.arms.names, ArmDim: len(d.action.names), IgnoresActions: true, UniformRegret: math.NaN()}, columns, order
}
