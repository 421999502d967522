package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/internal/words"
)

// A planWriter collects the lines of a plan.
type planWriter struct{ strings.Builder }

// line adds a line with a name and a value if use is true.
func (b *planWriter) line(use bool, name, format string, args ...any) {
	if use {
		fmt.Fprintf(b, "%-11s  %s\n", name, fmt.Sprintf(format, args...))
	}
}

// planText returns the text of --dry-run: what a run of the plan in dir would do, with all options, and for how long.
func planText(plan *experiment.Plan, dir string, expected harness.Expectation, workers int) string {
	var b planWriter
	b.line(true, "experiment", "%s", plan.Name)
	b.line(true, "output", "%s", dir)
	b.line(expected.Refusal != nil, "refusal", "a run would not start: %v", expected.Refusal)
	for _, e := range plan.Environments {
		b.environment(e)
	}
	for _, p := range policiesText(plan.Policies) {
		b.line(true, "policy", "%s", strings.TrimSuffix(p, "\n"))
	}
	for _, t := range plan.Thresholds {
		b.line(t.Environment == "", "threshold", "%s", t.Text)
		b.line(t.Environment != "", "threshold", "%s: %s", t.Environment, t.Text)
	}
	b.line(true, "trials", "%d", len(plan.Cells))
	var files []string
	for _, t := range plan.Cells {
		name := t.FileName()
		if label := t.FullLabel(); label != t.Policy.Name {
			name += "  " + label
		}
		files = append(files, "  "+name+"\n")
	}
	b.WriteString(strings.Join(elide(files), ""))
	b.WriteString(timeText(expected, workers))
	return b.String()
}

// environment describes an environment: its options, data and protocol.
func (b *planWriter) environment(e experiment.PlannedEnvironment) {
	name := e.Identity.Name
	if e.Label != "" && e.Label != name {
		name = e.Label + ", a variant of " + name
	}
	b.line(true, "environment", "%s", name)
	b.WriteString(optionLines(e.Identity.Options) + optionDifference(e.Identity.Options, e.All))
	d, p := e.Identity.Data, e.Protocol
	b.line(d.Name != "", "data", "%s, SHA-256 %s", d.Name, d.SHA256)
	b.WriteString(e.World.Detail)
	b.line(true, "protocol", "%d rounds of %d pulls, %d pulls of burn-in", p.Rounds, p.Pulls, p.BurnIn)
	b.line(p.Last > 0, "last round", "%d pulls", p.Last)
	b.line(p.Initial > 0, "initial", "%d pulls of each arm", p.Initial)
	b.line(p.Sequential, "sequential", "the reward of each pull is learned before the next")
	b.line(!p.Delay.IsZero(), "delay", "%s", p.Delay)
	b.line(!p.Arms.IsZero(), "arms", "%s", p.Arms)
}

// elide shortens a long list: one line with the number of omitted lines replaces those in the middle.
func elide(lines []string) []string {
	const most, ends = 40, 15
	if len(lines) <= most {
		return lines
	}
	short := append(lines[:ends:ends], fmt.Sprintf("  … %d more …\n", len(lines)-2*ends))
	return append(short, lines[len(lines)-ends:]...)
}

// policiesText describes each policy: its first variant with all options, the others with what differs from the first.
func policiesText(policies []experiment.NamedPolicy) []string {
	first := map[string]experiment.NamedPolicy{}
	var full, others []string
	for _, p := range policies {
		base, ok := first[p.Policy.Name]
		name := p.Label
		if p.Label != p.Policy.Name {
			name += ", a variant of " + p.Policy.Name
		}
		if !ok {
			first[p.Policy.Name] = p
			full = append(full, name+"\n"+optionLines(p.Policy.Options)+optionDifference(p.Policy.Options, p.All))
			continue
		}
		others = append(others, fmt.Sprintf("%s, as %s except for\n%s", name, base.Label, optionDifference(base.All, p.All)))
	}
	return append(full, elide(others)...)
}

// timeText returns the expected time of the remaining trials, and what the estimate is based on.
func timeText(e harness.Expectation, workers int) string {
	if e.Left == 0 {
		return fmt.Sprintf("time         none: all %d trials are there already\n", e.Done)
	}
	there := ""
	if e.Done > 0 {
		there = fmt.Sprintf("; %d are there already", e.Done)
	}
	if e.Damaged > 0 {
		there += fmt.Sprintf("; %s would be set aside", words.Count(e.Damaged, "damaged file"))
	}
	var rows [][2]string
	for _, p := range e.Policies {
		each := moreThan(p.AtLeast, "") + roughly(time.Duration(p.Seconds*float64(time.Second)))
		rows = append(rows, [2]string{"  " + p.Policy, fmt.Sprintf("%s a trial (%s)\n", each, p.From)})
	}
	trials, on := words.Count(e.Left, "trial"), words.Count(workers, "worker")
	return fmt.Sprintf("time         %s%s for %s on %s%s\n", moreThan(e.AtLeast, "about "), roughly(e.Time), trials, on, there) + strings.Join(elide(aligned(rows)), "")
}

// moreThan returns the words before a time that is estimated: "more than " if it is a lower bound, else otherwise.
func moreThan(atLeast bool, otherwise string) string {
	if atLeast {
		return "more than "
	}
	return otherwise
}

// roughly returns a duration as text: rounded to minutes from an hour on, to seconds from 10 s on, else more finely.
func roughly(d time.Duration) string {
	switch {
	case d >= time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	case d >= 10*time.Second:
		return d.Round(time.Second).String()
	case d >= 100*time.Millisecond:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// eachOption calls f for every option in raw, in JSON order. f gets path with the parts of the option's key appended,
// and a space followed by the value as in an experiment file. Before the options of a group, f gets its path and "".
func eachOption(raw json.RawMessage, path []string, f func(path []string, value string)) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		if len(path) > 0 { // otherwise raw has no options
			f(path, " "+strings.Trim(string(raw), `"`))
		}
		return
	}
	if len(path) > 0 && d.More() {
		f(path, "")
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err = errors.Join(err, d.Decode(&value)); err != nil {
			panic(fmt.Sprintf("plantext: %v", err)) // the plan's own JSON is valid
		}
		eachOption(value, append(slices.Clip(path), key.(string)), f)
	}
}

// optionLines returns options line by line as in an experiment file, with indented groups.
func optionLines(raw json.RawMessage) string {
	var b strings.Builder
	eachOption(raw, nil, func(path []string, value string) {
		fmt.Fprintf(&b, "%s%s:%s\n", strings.Repeat("  ", len(path)), path[len(path)-1], value)
	})
	return b.String()
}

// optionDifference returns the options of b that are missing or different in a, one per line.
func optionDifference(a, b json.RawMessage) string {
	inA := map[string]string{}
	eachOption(a, nil, func(path []string, value string) { inA[strings.Join(path, ".")] = value })
	var text strings.Builder
	eachOption(b, nil, func(path []string, value string) {
		if name := strings.Join(path, "."); value != inA[name] {
			fmt.Fprintf(&text, "  %s:%s\n", name, value)
		}
	})
	return text.String()
}

// specLines describes an environment that has no data.
func specLines(e experiment.PlannedEnvironment, s bandit.Spec) []string {
	rows := [][2]string{
		{"environment", e.Identity.Name},
		{"options", string(e.Identity.Options)},
		{"arms", fmt.Sprintf("%d: %s", len(s.Arms), words.Shorten(strings.Join(s.Arms, ", "), 60))},
		{"context", fmt.Sprintf("%d wide", s.Dim)},
	}
	if s.ArmDim > 0 {
		rows = append(rows, [2]string{"features of an arm", fmt.Sprintf("%d wide", s.ArmDim)})
	}
	uniform := "regret not known"
	if !math.IsNaN(s.UniformRegret) {
		uniform = fmt.Sprintf("regret %.10g a pull", s.UniformRegret)
	}
	return aligned(append(rows, [2]string{"uniform", uniform}, [2]string{"best constant arm", fmt.Sprint(s.ConstantArm)}))
}
