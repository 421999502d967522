package mushroom

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// uciText stands for the UCI file in the tests of Open, Fetch and Verify.
const uciText = edibleRow + "\n" + poisonousRow + "\n"

// testOptions returns options with the hash of uciText, an empty cache, no environment, and a server
// that fails the test on a request.
func testOptions(t *testing.T) OpenOptions {
	t.Helper()
	return OpenOptions{
		Getenv:   func(string) string { return "" },
		CacheDir: filepath.Join(t.TempDir(), "cache"),
		URL:      "http://test.invalid/mushroom.zip",
		Get: func(_ context.Context, address string) (io.ReadCloser, error) {
			t.Errorf("%s was asked for", address)
			return nil, errors.New("no network in tests")
		},
		Timeout:    10 * time.Second,
		RetryAfter: time.Minute,
		SHA256:     hash([]byte(uciText)),
	}
}

func setEnv(o *OpenOptions, path string) {
	o.Getenv = func(name string) string {
		if name != EnvVar {
			panic("asked for $" + name)
		}
		return path
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenPathAndEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	uci := write(t, filepath.Join(dir, "data", UCIFile), uciText)
	other := write(t, filepath.Join(dir, "other.data"), edibleRow)
	bad := write(t, filepath.Join(dir, "bad.data"), with(edibleRow, "odor", "q"))
	empty := write(t, filepath.Join(dir, "empty.data"), "")

	tests := []struct {
		name, spec, env string
		source          Source
		warning, err    string
	}{
		{name: "path of the UCI file", spec: uci, source: SourceUCI},
		{name: "its folder", spec: filepath.Dir(uci), source: SourceUCI},
		{name: "relative path", spec: "data", source: SourceUCI},
		{name: "path of another file", spec: other, source: SourceFile, warning: "other.data is not the UCI file: SHA-256 "},
		{name: "path before environment", spec: uci, env: other, source: SourceUCI},
		{name: "replica before environment", spec: SpecReplica, env: uci, source: SourceReplica, warning: "the data are the embedded replica"},
		{name: "auto, environment", spec: SpecAuto, env: uci, source: SourceUCI},
		{name: "auto, environment with a folder", spec: SpecAuto, env: filepath.Dir(uci), source: SourceUCI},
		{name: "auto, relative environment", spec: SpecAuto, env: filepath.Join("data", UCIFile), source: SourceUCI},
		{name: "auto, environment with another file", spec: SpecAuto, env: other, source: SourceFile, warning: "is not the UCI file"},
		{name: "uci, environment", spec: SpecUCI, env: uci, source: SourceUCI},

		{name: "uci, environment with another file", spec: SpecUCI, env: other, err: "mushroom: open --data uci: $BANDITSIM_DATA: " + other + " is not the UCI file: SHA-256 "},
		{name: "auto, environment without a file", spec: SpecAuto, env: filepath.Join(dir, "no"), err: "mushroom: open --data auto: $BANDITSIM_DATA: "},
		{name: "auto, environment with a folder without the file", spec: SpecAuto, env: dir, err: UCIFile},
		{name: "auto, environment with bad data", spec: SpecAuto, env: bad, err: "$BANDITSIM_DATA: " + bad + ":1:11: odor: "},
		{name: "empty spec", spec: "", err: "want auto, uci, replica or a path"},
		{name: "no such path", spec: "replcia", err: "(want auto, uci, replica or a path)"},
		{name: "empty file", spec: empty, err: "empty.data:1:1: no rows"},
		{name: "bad data", spec: bad, err: "bad.data:1:11: odor: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := testOptions(t)
			setEnv(&o, tt.env)
			table, err := Open(t.Context(), tt.spec, o)
			if tt.err != "" {
				wantError(t, err, tt.err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if table.Source != tt.source || table.Replica() != (tt.source == SourceReplica) {
				t.Errorf("source %s, want %s", table.Source, tt.source)
			}
			if (table.Warning == "") != (tt.warning == "") || !strings.Contains(table.Warning, tt.warning) {
				t.Errorf("warning %q, want %q", table.Warning, tt.warning)
			}
			if len(table.SHA256) != 64 {
				t.Errorf("SHA-256 %q", table.SHA256)
			}
		})
	}
}

// Every error of uci has the cure.
func TestUCIRefusesWithACure(t *testing.T) {
	o := testOptions(t)
	setEnv(&o, write(t, filepath.Join(t.TempDir(), "other.data"), edibleRow))
	_, err := Open(t.Context(), SpecUCI, o)
	wantError(t, err, "BANDITSIM_DATA", "--data PATH", "--data replica")
}

func TestOpenUsesTheCache(t *testing.T) {
	for _, spec := range []string{SpecAuto, SpecUCI} {
		t.Run(spec, func(t *testing.T) {
			o := testOptions(t) // its server must not be asked
			path := write(t, filepath.Join(o.CacheDir, UCIFile), uciText)
			table, err := Open(t.Context(), spec, o)
			if err != nil {
				t.Fatal(err)
			}
			if table.Source != SourceUCI || table.Path != path || table.Warning != "" {
				t.Errorf("source %s, path %s, warning %q", table.Source, table.Path, table.Warning)
			}
		})
	}
}

// A file with the bytes of the replica is the replica, at any path.
func TestSourceGoesByTheBytes(t *testing.T) {
	text := csvOf(replicaTable(t))
	path := write(t, filepath.Join(t.TempDir(), "mine.data"), text)
	table, err := Open(t.Context(), path, testOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	if !table.Replica() {
		t.Errorf("source %s, want %s", table.Source, SourceReplica)
	}
}

func csvOf(table *Table) string {
	var b strings.Builder
	for _, r := range table.Rows {
		b.WriteByte(r.Class)
		for _, l := range r.Values {
			b.WriteByte(',')
			b.WriteByte(l)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestOpenStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := testOptions(t)
	path := write(t, filepath.Join(t.TempDir(), UCIFile), uciText)
	if _, err := Open(ctx, path, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	uci := write(t, filepath.Join(dir, UCIFile), uciText)
	other := write(t, filepath.Join(dir, "other.data"), edibleRow)
	tests := []struct {
		name, spec, env, cache string
		source                 Source
		err                    string
	}{
		{name: "replica", spec: SpecReplica, source: SourceReplica},
		{name: "path", spec: uci, source: SourceUCI},
		{name: "environment", spec: SpecAuto, env: uci, source: SourceUCI},
		{name: "cache", spec: SpecUCI, cache: uciText, source: SourceUCI},
		{name: "another file", spec: other, err: "mushroom: verify --data " + other + ": " + other + " is not the UCI file: SHA-256 "},
		{name: "environment with another file", spec: SpecAuto, env: other, err: "is not the UCI file"},
		{name: "damaged cache", spec: SpecAuto, cache: uciText[1:], err: "is damaged: SHA-256 "},
		{name: "nothing", spec: SpecAuto, err: "nothing to verify"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := testOptions(t) // its server must not be asked
			setEnv(&o, tt.env)
			if tt.cache != "" {
				write(t, filepath.Join(o.CacheDir, UCIFile), tt.cache)
			}
			table, err := Verify(t.Context(), tt.spec, o)
			if tt.err != "" {
				wantError(t, err, tt.err)
			} else if err != nil || table.Source != tt.source {
				t.Errorf("%+v, error %v; want source %s", table, err, tt.source)
			}
		})
	}
}

func TestDefaultOptions(t *testing.T) {
	o := DefaultOpenOptions()
	if o.Getenv == nil || o.Get != nil || o.URL != uciURL || o.SHA256 != UCISHA256 || o.Timeout <= 0 || o.RetryAfter <= 0 {
		t.Errorf("%+v", o)
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "")
	if o := DefaultOpenOptions(); o.CacheDir != "" {
		t.Errorf("a user without a home has the cache %q", o.CacheDir)
	}
}
