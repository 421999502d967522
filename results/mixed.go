package results

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/internal/flatjson"
	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// A MixedError is the error of Load for a folder whose trials have several conditions and cannot be compared.
type MixedError struct {
	Dir  string
	Sets []*Set // at least two
}

// maxNamed is the maximum number of files that Error names per set.
const maxNamed = 3

// Error names the differences and the files of each set.
func (e *MixedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "results: load %s: its trials are not alike and cannot be compared; they are of %d settings:\n", e.Dir, len(e.Sets))
	for i, d := range Distinctions(lists.Each(e.Sets, conditionsOf)) {
		var files []string
		for _, p := range e.Sets[i].Policies {
			for _, t := range p.Records {
				files = append(files, filepath.Base(t.Path))
			}
		}
		named := strings.Join(words.AtMost(files, maxNamed, "and "), ", ")
		fmt.Fprintf(&b, "  %d. %s\n     %s: %s\n", i+1, words.Plain(d), words.Count(len(files), "file"), words.Plain(named))
	}
	b.WriteString("keep them in folders of their own")
	return b.String()
}

func conditionsOf(s *Set) Conditions { return s.Conditions }

// Distinctions returns a text for each element of all: its values of the fields in which the elements differ, such as
// "data uci (SHA-256 e65d08203050…), protocol.rounds 2000".
func Distinctions(all []Conditions) []string {
	const name = "environment.name"
	const data = "environment.data."             // Data.describe returns the text for these fields
	const uniform = "environment.uniform_regret" // left out where the data differ, as it depends on them
	flat := lists.Each(all, func(c Conditions) map[string]string { return flatjson.Fields(c) })
	// Fields that the environment's name determines, such as its arms, are left out: the name is enough.
	keys := slices.DeleteFunc(flatjson.Differing(flat), func(key string) bool {
		return key != name && strings.HasPrefix(key, "environment.") && !strings.HasPrefix(key, data) && determines(flat, name, key)
	})
	dataDiffer := slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(key, data) })
	texts := make([]string, len(all))
	for i, s := range all {
		var parts []string
		if dataDiffer {
			parts = append(parts, "data "+s.Environment.Data.describe())
		}
		for _, key := range keys {
			if !strings.HasPrefix(key, data) && !(dataDiffer && key == uniform) {
				parts = append(parts, key+" "+flatjson.Present(flat[i][key]))
			}
		}
		texts[i] = strings.Join(parts, ", ")
	}
	return texts
}

// determines reports whether conditions with the same value of field a always have the same value of field b.
func determines(flat []map[string]string, a, b string) bool {
	value := make(map[string]string) // value of b, by the value of a
	for _, f := range flat {
		if first, seen := value[f[a]]; seen && first != f[b] {
			return false
		}
		value[f[a]] = f[b]
	}
	return true
}

// describe returns the name and checksum of the data, such as "uci (SHA-256 e65d08203050…)".
func (d Data) describe() string {
	name := cmp.Or(d.Name, "none")
	if d.SHA256 == "" {
		return name
	}
	return fmt.Sprintf("%s (SHA-256 %.12s…)", name, d.SHA256)
}
