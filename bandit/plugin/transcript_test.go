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
)

var update = flag.Bool("update", false, "write the transcripts into docs/protocol.md")

const (
	page        = "../../docs/protocol.md"
	pageSchema  = "../../docs/protocol.schema.json"
	beginScript = "<!-- transcript -->\n"
	endScript   = "<!-- end -->\n"
)

// TestTranscript compares the messages of a trial in each role with those of docs/protocol.md, and all messages there with
// the schema.
func TestTranscript(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, role := range []string{RolePolicy, RolePosterior, RoleEnvironment} {
		path := filepath.Join(t.TempDir(), role)
		program := Program{Name: "A child", Command: command(role, "record", path), Timeout: 10 * timeout}
		trial, err := shortTrial(role, program, bandit.Protocol{Rounds: 2, Pulls: 3, BurnIn: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 0); err != nil { // the first child was asked what it can do
			t.Fatal(err)
		}
		if err := trial.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := trial.MarshalBinary(); err != nil {
			t.Fatal(err)
		}
		trial.Close()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			script.WriteString("    " + line)
		}
		script.WriteString("\n")
	}
	want := "\n" + strings.TrimSuffix(script.String(), "\n") + "\n"
	before, rest, ok := strings.Cut(string(text), beginScript)
	got, after, ok2 := strings.Cut(rest, endScript)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the transcripts", page)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+beginScript+want+endScript+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("%s has\n%swant\n%s(-update writes it)", page, got, want)
	}
	checkSchema(t, string(text))
}

// checkSchema checks all messages of a page that are on one line.
func checkSchema(t *testing.T, text string) {
	b, err := os.ReadFile(pageSchema)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("protocol", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("protocol")
	if err != nil {
		t.Fatal(err)
	}
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
		if err := schema.Validate(message); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if messages < 30 {
		t.Errorf("%d messages were checked, want at least 30", messages)
	}
	var wrong any
	for _, text := range []string{`{"id":1,"type":"act","pulls":[1]}`, `{"id":1,"arms":[-1]}`, `{"type":"bye"}`, `{"id":1,"type":"acts"}`} {
		if err := json.Unmarshal([]byte(text), &wrong); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(wrong) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}
