package tuning

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/internal/words"
)

// plainYAML matches names and settings that need no quotes in YAML, except its words for booleans and null.
var plainYAML = regexp.MustCompile(`^[A-Za-z][\w-]*(\.[\w.]+)?(=[\w.+-]+)?$`)

func quoteYAML(s string) string {
	if plainYAML.MatchString(s) && !slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// YAML returns an experiment as an experiment file, without thresholds, figure and tune. Sweeps appear as the
// variants that they make. If extends is not "", the file has its protocol from the preset of that name.
func YAML(e experiment.Experiment, extends string) string {
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
	settings := func(indent, key string, list []experiment.Setting) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "%s%s:\n", indent, key)
		}
		for _, s := range list {
			fmt.Fprintf(&b, "%s  - %s\n", indent, quoteYAML(s.String()))
		}
	}
	text("", "name", e.Name)
	text("", "extends", extends)
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
	if extends == "" {
		line("", "protocol", protocolText(e.Protocol))
	}
	b.WriteString("policies:\n")
	for _, name := range e.Policies {
		at := slices.IndexFunc(e.Variants, func(v experiment.Variant) bool { return v.Name == name })
		if at < 0 {
			fmt.Fprintf(&b, "  - %s\n", quoteYAML(name))
			continue
		}
		v := e.Variants[at]
		text("  - ", "policy", v.Policy)
		text("    ", "name", v.Name)
		settings("    ", "set", v.Settings)
	}
	settings("", "set", e.Settings)
	return b.String()
}

// protocolText returns a protocol as in a file.
func protocolText(p bandit.Protocol) string {
	b, err := json.Marshal(p) // JSON is also YAML; it needs no quotes, as all texts in it are names
	if err != nil {
		panic(err) // the numbers of a valid protocol always encode
	}
	return strings.NewReplacer(`"`, "", ":", ": ", ",", ", ").Replace(string(b))
}

// seedsText returns seeds as in a file, "" for none.
func seedsText(seeds []uint64) string {
	return strings.NewReplacer("–", "..", " ", "").Replace(words.Ranges(seeds))
}
