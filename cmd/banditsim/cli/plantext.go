package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/internal/words"
)

// planText returns the text of --dry-run: what a run of the plan in dir would do, with all options, and how long it
// would take.
func planText(plan *experiment.Plan, dir string, expected harness.Expectation, workers int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "experiment   %s\n", plan.Name)
	fmt.Fprintf(&b, "output       %s\n", dir)
	if expected.Refusal != nil {
		fmt.Fprintf(&b, "refusal      a run would not start: %v\n", expected.Refusal)
	}
	for _, e := range plan.Environments {
		b.WriteString(environmentText(e))
	}
	for _, p := range policiesText(plan.Policies) {
		fmt.Fprintf(&b, "policy       %s", p)
	}
	for _, t := range plan.Thresholds {
		on := ""
		if t.Environment != "" {
			on = t.Environment + ": "
		}
		fmt.Fprintf(&b, "threshold    %s%s\n", on, t.Text)
	}
	fmt.Fprintf(&b, "trials       %d\n", len(plan.Cells))
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

// environmentText describes an environment: its options, data and protocol.
func environmentText(e experiment.PlannedEnvironment) string {
	var b strings.Builder
	name := e.Identity.Name
	if e.Label != "" && e.Label != name {
		name = e.Label + ", a variant of " + name
	}
	fmt.Fprintf(&b, "environment  %s\n%s", name, optionLines(e.Identity.Options))
	if d := e.Identity.Data; d.Name != "" {
		fmt.Fprintf(&b, "data         %s, SHA-256 %s\n", d.Name, d.SHA256)
	}
	b.WriteString(e.World.Detail)
	fmt.Fprintf(&b, "protocol     %d rounds of %d pulls, %d pulls of burn-in\n", e.Protocol.Rounds, e.Protocol.Pulls, e.Protocol.BurnIn)
	if e.Protocol.Last > 0 {
		fmt.Fprintf(&b, "last round   %d pulls\n", e.Protocol.Last)
	}
	if e.Protocol.Initial > 0 {
		fmt.Fprintf(&b, "initial      %d pulls of each arm\n", e.Protocol.Initial)
	}
	if e.Protocol.Sequential {
		b.WriteString("sequential   the reward of each pull is learned before the next\n")
	}
	if d := e.Protocol.Delay; !d.IsZero() {
		fmt.Fprintf(&b, "delay        %s\n", d)
	}
	if a := e.Protocol.Arms; !a.IsZero() {
		fmt.Fprintf(&b, "arms         %s\n", a)
	}
	return b.String()
}

// elide replaces the middle of a long list of lines by their number.
func elide(lines []string) []string {
	const most, ends = 40, 15
	if len(lines) <= most {
		return lines
	}
	short := append(lines[:ends:ends], fmt.Sprintf("  … %d more …\n", len(lines)-2*ends))
	return append(short, lines[len(lines)-ends:]...)
}

// policiesText describes each policy. The first variant of a policy comes with all options, the others with those in
// which they differ from the first.
func policiesText(policies []experiment.NamedPolicy) []string {
	first := map[string]experiment.NamedPolicy{}
	var full, others []string
	for _, p := range policies {
		like, ok := first[p.Policy.Name]
		name := p.Label
		if p.Label != p.Policy.Name {
			name += ", a variant of " + p.Policy.Name
		}
		if !ok {
			first[p.Policy.Name] = p
			full = append(full, name+"\n"+optionLines(p.Policy.Options))
			continue
		}
		others = append(others, fmt.Sprintf("%s, as %s except for\n%s", name, like.Label, optionDifference(like.Policy.Options, p.Policy.Options)))
	}
	return append(full, elide(others)...)
}

// timeText returns the expected time of the trials that are left, and where the estimate comes from.
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
	width := 0
	for _, p := range e.Policies {
		width = max(width, utf8.RuneCountInString(p.Policy))
	}
	var lines []string
	for _, p := range e.Policies {
		each := roughly(time.Duration(p.Seconds * float64(time.Second)))
		if p.AtLeast {
			each = "more than " + each
		}
		lines = append(lines, fmt.Sprintf("  %-*s  %s a trial (%s)\n", width, p.Policy, each, p.From))
	}
	return fmt.Sprintf("time         %s %s for %s on %s%s\n%s", about(e), roughly(e.Time), words.Count(e.Left, "trial"), words.Count(workers, "worker"), there, strings.Join(elide(lines), ""))
}

func about(e harness.Expectation) string {
	if e.AtLeast {
		return "more than"
	}
	return "about"
}

// roughly returns a duration, rounded as befits an estimate.
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

// eachOption calls f with every group of options in raw, whose value is "", and with every single option, in the order
// of the JSON. Paths are as in --set, values as in an experiment file.
func eachOption(raw json.RawMessage, path []string, f func(path []string, value string)) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		if len(path) > 0 { // else there are no options
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

// optionDifference returns the options of b that a lacks or has with another value, one per line.
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

// describeSpec describes an environment that has no data.
func describeSpec(out io.Writer, e experiment.PlannedEnvironment, s bandit.Spec) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "environment\t%s\n", e.Identity.Name)
	fmt.Fprintf(w, "options\t%s\n", e.Identity.Options)
	fmt.Fprintf(w, "arms\t%d: %s\n", len(s.Arms), words.Shorten(strings.Join(s.Arms, ", "), 60))
	fmt.Fprintf(w, "context\t%d wide\n", s.Dim)
	if s.ArmDim > 0 {
		fmt.Fprintf(w, "features of an arm\t%d wide\n", s.ArmDim)
	}
	if math.IsNaN(s.UniformRegret) {
		fmt.Fprintln(w, "uniform\tregret not known")
	} else {
		fmt.Fprintf(w, "uniform\tregret %.10g a pull\n", s.UniformRegret)
	}
	fmt.Fprintf(w, "best constant arm\t%s\n", s.ConstantArm)
	return w.Flush()
}
