package plugin

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"banditsim/bandit"
	"banditsim/internal/must"
)

var update = flag.Bool("update", false, "write the transcripts into docs/protocol.md")

const (
	page        = "../../docs/protocol.md"
	pageSchema  = "../../docs/protocol.schema.json"
	beginScript = "<!-- transcript -->\n"
	endScript   = "<!-- end -->\n"
)

// TestTranscript compares the messages of a trial in each role with those of docs/protocol.md, and checks all messages there against the
// schema.
func TestTranscript(t *testing.T) {
	text := must.Get(os.ReadFile(page))(t)
	var script strings.Builder
	for _, role := range []string{RolePolicy, RolePosterior, RoleEnvironment} {
		path := filepath.Join(t.TempDir(), role)
		program := Program{Name: "A child", Command: command(role, "record", path), Timeout: 10 * timeout}
		trial := must.Get(shortTrial(role, program, bandit.Protocol{Rounds: 2, Pulls: 3, BurnIn: 2}))(t)
		must.OK(t, os.Truncate(path, 0)) // drop the messages of the probe
		must.OK(t, trial.Run(t.Context()))
		must.Get(trial.MarshalBinary())(t)
		trial.Close()
		b := must.Get(os.ReadFile(path))(t)
		for line := range strings.Lines(string(b)) {
			script.WriteString("    " + line)
		}
		script.WriteString("\n")
	}
	want := "\n" + strings.TrimSuffix(script.String(), "\n") + "\n"
	before, rest, ok := strings.Cut(string(text), beginScript)
	got, after, ok2 := strings.Cut(rest, endScript)
	must.Hold(t, ok && ok2, "%s has no place for the transcripts", page)
	if *update {
		must.OK(t, os.WriteFile(page, []byte(before+beginScript+want+endScript+after), 0o666))
	} else if got != want {
		t.Errorf("%s has\n%swant\n%s(-update writes it)", page, got, want)
	}
	checkSchema(t, string(text))
}

// checkSchema checks all messages of a page that are on one line.
func checkSchema(t *testing.T, text string) {
	b := must.Get(os.ReadFile(pageSchema))(t)
	parsed := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(b)))(t)
	compiler := jsonschema.NewCompiler()
	must.OK(t, compiler.AddResource("protocol", parsed))
	schema := must.Get(compiler.Compile("protocol"))(t)
	messages := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "→ {") && !strings.HasPrefix(line, "← {") {
			continue
		}
		var message any
		d := json.NewDecoder(strings.NewReader(line[len("→ "):]))
		if d.Decode(&message) != nil {
			continue // it is shown on two lines
		}
		messages++
		must.Want(t, line, schema.Validate(message), "")
	}
	must.That(t, messages >= 30, "%d messages were checked, want at least 30", messages)
	var wrong any
	for _, text := range []string{`{"id":1,"type":"act","pulls":[1]}`, `{"id":1,"arms":[-1]}`, `{"type":"bye"}`, `{"id":1,"type":"acts"}`} {
		must.OK(t, json.Unmarshal([]byte(text), &wrong))
		must.That(t, schema.Validate(wrong) != nil, "the schema takes %s", text)
	}
}
