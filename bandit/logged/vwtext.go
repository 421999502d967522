package logged

import (
	"bufio"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"banditsim/bandit"
)

// vw reads Vowpal Wabbit's text format of contextual bandits (--cb), one pull in a line:
//
//	action:cost:probability | feature feature:value |namespace feature …
//
// The reward is −cost; a feature without a value is 1. Lines without a label, and the multi-line format of actions with features
// (--cb_adf), are errors.
type vw struct {
	arms     *arms
	features dictionary
	learn    bool
	in       *bufio.Reader
	line     int
}

// vwLine matches the label of a line.
var vwLine = regexp.MustCompile(`^\s*\d+:[-+0-9.eE]+:[0-9.eE]+\s*\|`)

func newVW(o ReadOptions) *vw {
	return &vw{arms: newArms(o.Arms), features: dictionary{index: map[string]int{}}}
}

func (v *vw) name() string { return "text of Vowpal Wabbit" }

func (v *vw) begin(in io.Reader, learn bool) error {
	v.learn, v.in, v.line = learn, bufio.NewReaderSize(in, 1<<16), 0
	return nil
}

func (v *vw) next(r *Row) error {
	for {
		line, err := v.in.ReadString('\n')
		if line == "" || err != nil && err != io.EOF {
			return err
		}
		v.line++
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := v.read(r, line); err != nil {
			return fmt.Errorf("line %d: %w", v.line, err)
		}
		if v.learn {
			r.hash = maphash.String(hashSeed, line)
		}
		return nil
	}
}

func (v *vw) read(r *Row, line string) error {
	if !vwLine.MatchString(line) {
		return fmt.Errorf("%.40q: want action:cost:probability | features, with one label in each line; actions with features of their own are for dsjson", line)
	}
	label, rest, _ := strings.Cut(line, "|")
	parts := strings.Split(strings.TrimSpace(label), ":")
	var err error
	if r.Arm, err = v.arms.of(parts[0], v.learn, r.Number, "action"); err != nil {
		return err
	}
	cost, err := strconv.ParseFloat(parts[1], 64)
	if err != nil || math.IsInf(cost, 0) {
		return &RowError{r.Number, "cost", parts[1], "a finite number, −reward"}
	}
	p, err := strconv.ParseFloat(parts[2], 64)
	if err != nil {
		p = math.NaN()
	}
	r.Reward, r.Propensity, r.Probabilities, r.Position, r.Time = 0-cost, p, nil, 0, math.NaN()
	if err := checkPropensity(p, r.Number, "probability", parts[2]); err != nil {
		return err
	}
	if !v.learn {
		if r.Context = zeros(r.Context, max(len(v.features.names), 1)); len(v.features.names) == 0 {
			r.Context[0] = 1
		}
	}
	for _, part := range strings.Split(rest, "|") {
		if err := v.namespace(r, part); err != nil {
			return err
		}
	}
	return nil
}

// namespace reads the features between two bars.
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
			if value, err = strconv.ParseFloat(text, 64); err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
				return &RowError{r.Number, name, text, "the value of a feature, a finite number"}
			}
		}
		i, err := v.features.of(prefix+name, v.learn)
		if err != nil {
			return err
		}
		if !v.learn {
			r.Context[i] = float32(value)
		}
	}
	return nil
}

func (v *vw) spec() (bandit.Spec, []string, []int) {
	order := v.arms.learned()
	columns := v.features.names
	if len(columns) == 0 {
		columns = []string{"1"}
	}
	return bandit.Spec{Dim: len(columns), Arms: v.arms.names, IgnoresActions: true, UniformRegret: math.NaN()}, columns, order
}
