package experiment

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/words"
)

// plainYAML matches names and settings that need no quotes in YAML, but for its words for truth and nothing.
var plainYAML = regexp.MustCompile(`^[A-Za-z][\w-]*(\.[\w.]+)?(=[\w.+-]+)?$`)

func quoteYAML(s string) string {
	if plainYAML.MatchString(s) && !slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// YAML returns the experiment as an experiment file, without thresholds, figure and tune.
func (e Experiment) YAML() string {
	var b strings.Builder
	line := func(indent, key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s%s: %s\n", indent, key, value)
		}
	}
	text := func(indent, key, value string) {
		if value != "" {
			line(indent, key, quoteYAML(value))
		}
	}
	settings := func(indent, key string, list []Setting) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "%s%s:\n", indent, key)
		}
		for _, s := range list {
			fmt.Fprintf(&b, "%s  - %s\n", indent, quoteYAML(s.String()))
		}
	}
	text("", "name", e.Name)
	text("", "environment", e.Environment)
	if len(e.Environments) > 0 {
		b.WriteString("environments:\n")
	}
	for _, v := range e.Environments {
		text("  - ", "environment", v.Environment)
		text("    ", "name", v.Name)
		text("    ", "data", v.Data)
		settings("    ", "set", v.Settings)
		settings("    ", "protocol", v.Protocol)
	}
	text("", "profile", e.Profile)
	text("", "data", e.Data)
	line("", "seeds", seedsText(e.Seeds))
	line("", "tuned_seeds", seedsText(e.TunedSeeds))
	p := e.Protocol
	fmt.Fprintf(&b, "protocol: {rounds: %d, pulls: %d, burn_in: %d, initial: %d, sequential: %t", p.Rounds, p.Pulls, p.BurnIn, p.Initial, p.Sequential)
	if !p.Delay.IsZero() {
		fmt.Fprintf(&b, ", delay: {kind: %s, pulls: %d}", p.Delay.Kind, p.Delay.Pulls)
	}
	b.WriteString("}\npolicies:\n")
	for _, name := range e.Policies {
		picked := pick(e.Variants, name)
		if picked == nil {
			picked = []Variant{{Name: name, Policy: name}}
		}
		for _, v := range picked {
			text("  - ", "policy", v.Policy)
			text("    ", "name", v.Name)
			settings("    ", "set", v.Settings)
		}
	}
	settings("", "set", e.Settings)
	return b.String()
}

// seedsText returns seeds as in a file, "" for none.
func seedsText(seeds []uint64) string {
	return strings.NewReplacer("–", "..", " ", "").Replace(words.Ranges(seeds))
}
