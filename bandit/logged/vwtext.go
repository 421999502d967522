package logged

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"banditsim/internal/words"
)

// vw reads Vowpal Wabbit's text format of contextual bandits (--cb), one pull per line:
//
//	action:cost:probability 'tag | feature feature:value |namespace feature …
//
// The tag, which may be absent, is ignored. The reward is −cost; a feature without a value is 1. Lines without a label,
// and the multi-line format of actions with features (--cb_adf), are errors.
type vw struct{ events }

// vwLine matches the label at the beginning of a line.
var vwLine = regexp.MustCompile(`^\s*\d+:[-+0-9.eE]+:[0-9.eE]+(\s+'\S*)?\s*\|`)

func newVW(o ReadOptions) *vw {
	v := &vw{newEvents("text of Vowpal Wabbit", o)}
	v.read = func(r *Row, line []byte) (bool, error) { return true, v.pull(r, string(line)) }
	return v
}

func (v *vw) pull(r *Row, line string) error {
	if !vwLine.MatchString(line) {
		return fmt.Errorf("%.40q: want action:cost:probability | features, with one label in each line; actions with features of their own are for dsjson", line)
	}
	label, rest, _ := strings.Cut(line, "|")
	parts := strings.Split(strings.Fields(label)[0], ":")
	var err error
	if r.Arm, err = v.arms.of(parts[0], r.Number, "action"); err != nil {
		return err
	}
	cost, err := finite(parts[1], r.Number, "cost", "a finite number, −reward")
	if err != nil {
		return err
	}
	r.Reward, r.Probabilities, r.Position, r.Time = 0-cost, nil, 0, math.NaN()
	r.Propensity = math.NaN()
	if v.options.Propensity != EstimatedPropensity {
		if r.Propensity, err = propensity(parts[2], r.Number, "probability"); err != nil {
			return err
		}
	}
	r.Context = newContext(r.Context, len(v.context.names))
	for part := range strings.SplitSeq(rest, "|") {
		if err := v.namespace(r, part); err != nil {
			return err
		}
	}
	return nil
}

// namespace adds the features between two bars to the context.
func (v *vw) namespace(r *Row, part string) error {
	fields := strings.Fields(part)
	prefix := ""
	if part != "" && part[0] != ' ' && part[0] != '\t' && len(fields) > 0 {
		prefix, _, _ = strings.Cut(fields[0], ":")
		prefix, fields = prefix+".", fields[1:]
	}
	for _, field := range fields {
		name, text, weighed := strings.Cut(field, ":")
		value := 1.0
		if weighed {
			var err error
			if value, err = finite(text, r.Number, name, "the value of a feature, a finite number"); err != nil {
				return err
			}
		}
		if err := v.context.set(r.Context, prefix+name, value, v.learn); err != nil {
			return err
		}
	}
	return nil
}

// finite parses a finite number. want is for the error.
func finite(cell string, row int, column, want string) (float64, error) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || !words.Finite(v) {
		return 0, rowError(row, column, cell, want)
	}
	return v, nil
}

func propensity(cell string, row int, column string) (float64, error) {
	p, err := finite(cell, row, column, wantPropensity)
	return p, cmp.Or(err, checkPropensity(p, row, column))
}

const wantPropensity = "a propensity above 0 and at most 1, the probability with which the logged arm was chosen: correct it at its source, or leave the row out"

// checkPropensity returns an error unless p is above 0 and at most 1.
func checkPropensity(p float64, row int, column string) error {
	if p > 0 && p <= 1 {
		return nil
	}
	return rowError(row, column, strconv.FormatFloat(p, 'g', -1, 64), wantPropensity)
}
