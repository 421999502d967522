package tuning

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/tune"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// seal is the beginning of the line that has the SHA-256 of all other lines of the file.
const seal = "# As tune wrote it, SHA-256 of the other lines: "

// File returns an experiment file: the comment of FileHead, the line that begins with seal, and the argument text.
func File(r *tune.Result, text string) []byte {
	head := FileHead(r)
	return fmt.Appendf(nil, "%s%s%x\n%s", head, seal, sha256.Sum256([]byte(head+text)), text)
}

// CheckReplace returns an error if there is a file at path that tune did not write, or that was edited since.
func CheckReplace(path string) error {
	b, err := wholefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	head, rest, _ := strings.Cut(string(b), seal)
	sum, text, ok := strings.Cut(rest, "\n")
	if err == nil && !(ok && sum == fmt.Sprintf("%x", sha256.Sum256([]byte(head+text)))) {
		err = fmt.Errorf("--write %s: there is a file that tune did not write, or that was edited since: move it away or choose another name", path)
	}
	return err
}

// FileHead returns a comment about what the search found, for the beginning of an experiment file.
func FileHead(r *tune.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What 'banditsim tune' found by %s on the seeds %s. Regret on the seeds\n# %s, which are held out:\n", goal(r.Tune), words.Ranges(r.Tune.Seeds), words.Ranges(r.Search.HeldOut))
	if r.Judges != nil {
		fmt.Fprintf(&b, "# Environments of the search: %s.\n", words.Plain(strings.Join(r.Tune.Environments, ", ")))
	}
	for _, j := range r.Judge() {
		fmt.Fprintf(&b, "#   %s: %s\n", words.Plain(j.Best.Label()), j.HeldOut)
	}
	return b.String()
}

// plainYAML matches names and settings that need no quotes in YAML, unless they are its words for Booleans and null.
var plainYAML = regexp.MustCompile(`^[A-Za-z][\w-]*(\.[\w.]+)?(=[\w.+-]+)?$`)

// quoteYAML returns s in quotes if it needs them; "" stays "".
func quoteYAML(s string) string {
	if s == "" || plainYAML.MatchString(s) && !slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// YAML returns an experiment as an experiment file, without title, notes, thresholds, figure and tune. Sweeps appear as
// the variants that they make. If extends is not "", it names a preset, from which the file has its protocol.
func YAML(e experiment.Experiment, extends string) string {
	var b strings.Builder
	line := func(indent, key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s%s: %s\n", indent, key, value)
		}
	}
	text := func(indent, key, value string) { line(indent, key, quoteYAML(value)) }
	settings := func(indent, key string, list []experiment.Setting) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "%s%s:\n", indent, key)
		}
		for _, s := range list {
			fmt.Fprintf(&b, "%s  - %s\n", indent, quoteYAML(s.String()))
		}
	}
	item := func(key, kind, name string, d *declare.Declaration) {
		if d == nil {
			text("  - ", key, kind)
			text("    ", "name", name)
			return
		}
		text("  - ", "name", name)
		line("    ", "command", flowYAML(d.Command))
		if d.Role == declare.RolePosterior {
			line("    ", "role", d.Role)
			line("    ", "rule", d.Rule)
		}
		if d.Options != nil {
			line("    ", "options", flowYAML(d.Options))
		}
		if d.Files != nil {
			line("    ", "files", flowYAML(d.Files))
		}
		if d.Timeout > 0 {
			line("    ", "timeout", d.Timeout.String())
		}
	}
	text("", "name", e.Name)
	text("", "extends", extends)
	text("", "environment", e.Environment)
	if len(e.Environments) > 0 {
		b.WriteString("environments:\n")
	}
	for _, v := range e.Environments {
		item("environment", v.Environment, v.Name, v.Plugin)
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
		item("policy", v.Policy, v.Name, v.Plugin)
		settings("    ", "set", v.Settings)
	}
	settings("", "set", e.Settings)
	return b.String()
}

// flowYAML returns a value in JSON, which is also YAML.
func flowYAML(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the numbers of a valid protocol, strings and JSON always encode
	}
	return string(b)
}

// protocolText returns a protocol as in a file. It needs no quotes, as all strings in it are names.
func protocolText(p bandit.Protocol) string {
	return strings.NewReplacer(`"`, "", ":", ": ", ",", ", ").Replace(flowYAML(p))
}

// seedsText returns seeds as in a file, "" for none.
func seedsText(seeds []uint64) string {
	return strings.NewReplacer("–", "..", " ", "").Replace(words.Ranges(seeds))
}
