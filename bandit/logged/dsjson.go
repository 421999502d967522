package logged

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
)

// dsjson reads Vowpal Wabbit's format of decision services (github.com/VowpalWabbit/vowpal_wabbit/wiki/DSJSON), one
// event per line:
//
//	{"Timestamp":"2021-07-29T10:00:00.999Z","_label_cost":-1,"_label_probability":0.8,"_label_Action":2,"_labelIndex":1,
//	 "a":[2,1,3],"p":[0.8,0.1,0.1],"c":{"User":{"age":30,"os":"x"},"_multi":[{"Item":{"price":1}}, …]}}
//
// The reward is −_label_cost. The chosen action is _label_Action (from 1), else _labelIndex (from 0), else the first of
// "a". "p" has the probabilities of the actions in "a". The propensity is _label_probability, else the chosen action's
// in "p". The number of arms is the largest number of actions of an event; an event with fewer offers the first arms.
// Features outside _multi are the context; those of an element of _multi belong to an arm. A number or Boolean is a
// feature of the field's name, a string the feature name=string with value 1, and an element of a list has its index in
// the name. Fields that begin with '_' are not features. Events with _skipLearn and lines without a label are skipped.
type dsjson struct {
	events
	actions int // largest number of actions of an event so far
	offered int // number of actions of the last event
}

func newDSJSON(o ReadOptions) *dsjson {
	d := &dsjson{events: newEvents("dsjson of Vowpal Wabbit", o)}
	d.read = d.pull
	return d
}

type event struct {
	Timestamp   string         `json:"Timestamp"`
	Cost        *float64       `json:"_label_cost"`
	Probability *float64       `json:"_label_probability"`
	Action      *int           `json:"_label_Action"`
	Index       *int           `json:"_labelIndex"`
	Actions     []int          `json:"a"`
	Propensity  []float64      `json:"p"`
	Skip        bool           `json:"_skipLearn"`
	Context     map[string]any `json:"c"`
	Outcomes    any            `json:"_outcomes"`
}

func (d *dsjson) pull(r *Row, line []byte) (ok bool, err error) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		return false, jsonError(err, r.Number)
	}
	if e.Outcomes != nil {
		return false, errors.New("_outcomes: the event has several decisions, such as the slots of a slate: write an event for each, with its own _label_cost")
	}
	if e.Skip || e.Cost == nil && e.Probability == nil && e.Action == nil && e.Index == nil {
		return false, nil
	}
	multi, isList := e.Context["_multi"].([]any)
	for _, m := range multi {
		_, isObject := m.(map[string]any)
		isList = isList && isObject
	}
	if !isList && e.Context["_multi"] != nil {
		return false, errors.New("c._multi: want a list with an object for each action, of its features")
	}
	if err := d.label(r, &e, max(len(multi), len(e.Actions))); err != nil {
		return false, err
	}
	return true, d.features(r, &e, multi)
}

// jsonError returns the error for an event that is not JSON or has a field of the wrong type.
func jsonError(err error, row int) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return rowError(row, wrong.Field, wrong.Value, "a number, a string or a list as the format has there: correct it, or leave the event out")
	}
	return fmt.Errorf("%w: want one JSON object in a line, with numbers that JSON has: no NaN", err)
}

// label sets all fields of r but the features, from an event with the given number of actions.
func (d *dsjson) label(r *Row, e *event, actions int) error {
	switch {
	case e.Cost == nil || math.IsNaN(*e.Cost):
		return rowError(r.Number, "_label_cost", "", "the cost of the chosen action, −reward: leave the event out if it is missing")
	case actions < 2:
		return fmt.Errorf("%d actions in c._multi and a, want at least 2", actions)
	case !d.learn && actions > len(d.arms.names):
		return fmt.Errorf("%d actions, but at most %d when the file was read before: was the file changed?", actions, len(d.arms.names))
	case d.arms.fixed && actions > len(d.arms.names):
		return fmt.Errorf("%d actions, but --arms names %d", actions, len(d.arms.names))
	}
	d.actions, d.offered = max(d.actions, actions), actions
	n := max(d.actions, len(d.arms.names))
	r.Available = slices.Grow(r.Available[:0], n)[:n]
	for k := range r.Available {
		r.Available[k] = k < actions
	}
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
		return rowError(r.Number, "_label_Action", strconv.Itoa(chosen), fmt.Sprintf("1 to %d, the actions of the event: leave the event out", actions))
	}
	r.Reward, r.Position, r.Time = 0-*e.Cost, 0, math.NaN()
	if e.Timestamp != "" {
		t, err := parseTime(e.Timestamp)
		if err != nil {
			return rowError(r.Number, "Timestamp", e.Timestamp, "a time such as 2021-07-29T10:00:00.999Z: correct it or leave the field out")
		}
		r.Time = t
	}
	r.Arm = chosen - 1
	return d.propensity(r, e)
}

func (d *dsjson) propensity(r *Row, e *event) error {
	r.Probabilities = r.Probabilities[:0]
	if e.Propensity != nil {
		if len(e.Propensity) != len(e.Actions) || len(e.Propensity) != d.offered {
			return fmt.Errorf("%d probabilities in p for %d actions in a, want %d of each", len(e.Propensity), len(e.Actions), d.offered)
		}
		r.Probabilities = slices.Grow(r.Probabilities, d.actions)[:d.actions]
		clear(r.Probabilities)
		for i, a := range e.Actions {
			if a < 1 || a > d.offered {
				return fmt.Errorf("a: action %d, want 1 to %d", a, d.offered)
			}
			r.Probabilities[a-1] = e.Propensity[i]
		}
		if _, ok := addUp(r.Probabilities); !ok {
			return rowError(r.Number, "p", fmt.Sprint(e.Propensity), "probabilities of the actions in a that add up to 1: correct them at their source, or leave the event out")
		}
	}
	column := "_label_probability"
	switch missing := e.Probability == nil && e.Propensity == nil; {
	case d.options.Propensity == EstimatedPropensity || missing && d.options.Unrecorded:
		r.Propensity = math.NaN()
		return nil
	case e.Probability != nil:
		r.Propensity = *e.Probability
	case e.Propensity != nil:
		r.Propensity, column = r.Probabilities[r.Arm], "p"
	default:
		return fmt.Errorf("neither _label_probability nor p: %w", ErrNoPropensities)
	}
	return checkPropensity(r.Propensity, r.Number, column)
}

// features sets the context and the features of the arms or, in the first pass, collects the names of features.
func (d *dsjson) features(r *Row, e *event, multi []any) error {
	r.Context = newContext(r.Context, len(d.context.names))
	if err := eachOf("", e.Context, func(name string, v float64) error { return d.context.set(r.Context, name, v, d.learn) }); err != nil {
		return err
	}
	if len(d.action.names) > 0 && !d.learn && r.Arms == nil {
		r.Arms = make([][]float32, len(d.arms.names))
	}
	for i := range r.Arms { // zeros remain where an action is not offered
		r.Arms[i] = zeros(r.Arms[i], len(d.action.names))
	}
	for i, m := range multi {
		var into []float32
		if r.Arms != nil {
			into = r.Arms[i]
		}
		if err := eachOf("", m, func(name string, v float64) error { return d.action.set(into, name, v, d.learn) }); err != nil {
			return err
		}
	}
	return nil
}

// eachOf calls f with every feature in v, the value of the field called name. Fields of an object are ordered by name.
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
		if name != "" {
			name += "."
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if strings.HasPrefix(key, "_") {
				continue
			}
			if err := eachOf(name+key, v[key], f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dsjson) spec() (bandit.Spec, []string, []int) {
	if !d.arms.fixed {
		for i := range d.actions {
			d.arms.names = append(d.arms.names, strconv.Itoa(i+1))
		}
	}
	return d.events.spec()
}
