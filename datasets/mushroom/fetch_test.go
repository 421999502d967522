package mushroom

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"banditsim/datasets/download"
)

// zipOf makes an archive of files: name, text, name, text …
func zipOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// serve starts a server on the loopback interface and returns options that use
// it, and the number of requests it had.
func serve(t *testing.T, h http.HandlerFunc) (OpenOptions, *atomic.Int32) {
	t.Helper()
	requests := new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		h(w, r)
	}))
	t.Cleanup(server.Close)
	o := testOptions(t)
	o.URL, o.Get = server.URL+"/mushroom.zip", download.HTTP(server.Client())
	return o, requests
}

func serveBytes(t *testing.T, data []byte) (OpenOptions, *atomic.Int32) {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(data) })
}

// files lists what the cache holds.
func files(t *testing.T, o OpenOptions) string {
	t.Helper()
	entries, err := os.ReadDir(o.CacheDir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestDownload(t *testing.T) {
	for _, tt := range []struct {
		name    string
		archive []byte
	}{
		{"as UCI packs it", zipOf(t, "Index", "x", "agaricus-lepiota.data", uciText, "agaricus-lepiota.names", "y")},
		{"in a folder", zipOf(t, "mushroom/agaricus-lepiota.data", uciText)},
	} {
		for _, spec := range []string{SpecAuto, SpecUCI} {
			t.Run(tt.name+", "+spec, func(t *testing.T) {
				o, requests := serveBytes(t, tt.archive)
				for range 2 {
					table, err := Open(t.Context(), spec, o)
					if err != nil {
						t.Fatal(err)
					}
					if table.Source != SourceUCI || len(table.Rows) != 2 || table.Warning != "" {
						t.Errorf("source %s, %d rows, warning %q", table.Source, len(table.Rows), table.Warning)
					}
				}
				if requests.Load() != 1 || files(t, o) != UCIFile {
					t.Errorf("%d requests, cache %q; want one and the file", requests.Load(), files(t, o))
				}
			})
		}
	}
}

func TestDownloadFails(t *testing.T) {
	good := zipOf(t, UCIFile, uciText)
	bomb := zipOf(t, UCIFile, strings.Repeat("\n", maxSize+1))
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"404", http.NotFound, "the server says 404 Not Found"},
		{"no zip", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>down for repair</html>") }, "read the archive: zip: not a valid zip file"},
		{"empty body", func(http.ResponseWriter, *http.Request) {}, "read the archive: zip: not a valid zip file"},
		{"truncated body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(good)))
			w.Write(good[:len(good)/2])
		}, "read the archive: unexpected EOF"},
		{"truncated archive", func(w http.ResponseWriter, _ *http.Request) { w.Write(good[:len(good)-10]) }, "read the archive: zip: not a valid zip file"},
		{"oversized body", func(w http.ResponseWriter, _ *http.Request) {
			w.Write(make([]byte, maxArchive+1))
		}, "read the archive: more than 4194304 bytes"},
		{"zip bomb", func(w http.ResponseWriter, _ *http.Request) { w.Write(bomb) }, "unpack agaricus-lepiota.data: more than 8388608 bytes"},
		{"no member", func(w http.ResponseWriter, _ *http.Request) { w.Write(zipOf(t, "iris.data", uciText)) }, "the archive has no agaricus-lepiota.data"},
		{"wrong hash", func(w http.ResponseWriter, _ *http.Request) { w.Write(zipOf(t, UCIFile, edibleRow)) }, "agaricus-lepiota.data has SHA-256 "},
		{"damaged member", func(w http.ResponseWriter, _ *http.Request) {
			damaged := bytes.Clone(good)
			damaged[40+len(UCIFile)]++ // within its compressed bytes
			w.Write(damaged)
		}, "unpack agaricus-lepiota.data: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, _ := serve(t, tt.handler)
			_, err := Open(t.Context(), SpecUCI, o)
			wantError(t, err, "mushroom: open --data uci: download of "+o.URL+" failed: ", tt.want, cure)

			_, err = Fetch(t.Context(), o)
			wantError(t, err, "mushroom: fetch the UCI file: download of "+o.URL+" failed: ", tt.want)

			o.RetryAfter = 0
			table, err := Open(t.Context(), SpecAuto, o)
			if err != nil {
				t.Fatal(err)
			}
			if !table.Replica() || !strings.Contains(table.Warning, "embedded replica") || !strings.Contains(table.Warning, tt.want) {
				t.Errorf("source %s, warning %q; want the replica and %q", table.Source, table.Warning, tt.want)
			}
			if got := files(t, o); got != failureFile {
				t.Errorf("the cache holds %q, want the note of the failure", got)
			}
		})
	}
}

func TestNoNetwork(t *testing.T) {
	o, _ := serveBytes(t, nil)
	o.Get = func(context.Context, string) (io.ReadCloser, error) {
		return nil, errors.New("dial tcp: no route to host")
	}
	table, err := Open(t.Context(), SpecAuto, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := "the data are the embedded replica, not the UCI file: download of " + o.URL + " failed: dial tcp: no route to host"; table.Warning != want {
		t.Errorf("warning %q, want %q", table.Warning, want)
	}
}

// A failed download is not tried again at once, except by Fetch.
func TestFailureIsRemembered(t *testing.T) {
	o, requests := serve(t, http.NotFound)
	open := func(want string, n int32) {
		t.Helper()
		table, err := Open(t.Context(), SpecAuto, o)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(table.Warning, want) || requests.Load() != n {
			t.Errorf("warning %q after %d requests, want %q after %d", table.Warning, requests.Load(), want, n)
		}
	}
	open("404", 1)
	open("not tried again", 1)
	open("404", 1)
	Fetch(t.Context(), o)
	Open(t.Context(), SpecUCI, o)
	open("not tried again", 3)
	long := time.Now().Add(-o.RetryAfter)
	if err := os.Chtimes(filepath.Join(o.CacheDir, failureFile), long, long); err != nil {
		t.Fatal(err)
	}
	open("404", 4)
}

// hang sends no headers, or no body after them, until the client closes.
func hang(body bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if body {
			w.Write([]byte("PK"))
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

func TestServerThatHangs(t *testing.T) {
	for name, body := range map[string]bool{"before the headers": false, "in the body": true} {
		t.Run(name, func(t *testing.T) {
			o, _ := serve(t, hang(body))
			o.Timeout = 50 * time.Millisecond
			table, err := Open(t.Context(), SpecAuto, o)
			if err != nil {
				t.Fatal(err)
			}
			if !table.Replica() || !strings.Contains(table.Warning, "not done in 50ms") {
				t.Errorf("source %s, warning %q", table.Source, table.Warning)
			}
		})
	}
}

// A user who interrupts a download does not get the replica, and the next run
// tries again.
func TestInterruptedDownload(t *testing.T) {
	for _, spec := range []string{SpecAuto, SpecUCI} {
		ctx, cancel := context.WithCancel(t.Context())
		o, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			cancel()
			hang(true)(w, r)
		})
		if _, err := Open(ctx, spec, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want %v", spec, err, context.Canceled)
		}
		if got := files(t, o); got != "" {
			t.Errorf("%s: the cache holds %q", spec, got)
		}
	}
}

func TestDamagedCacheIsReplaced(t *testing.T) {
	o, _ := serveBytes(t, zipOf(t, UCIFile, uciText))
	path := write(t, filepath.Join(o.CacheDir, UCIFile), uciText[:len(uciText)-1])
	table, err := Open(t.Context(), SpecAuto, o)
	if err != nil {
		t.Fatal(err)
	}
	if table.Source != SourceUCI || !strings.Contains(table.Warning, "the cached "+path+" is damaged: SHA-256 ") {
		t.Errorf("source %s, warning %q", table.Source, table.Warning)
	}
	if got, _ := os.ReadFile(path); string(got) != uciText {
		t.Errorf("the cache holds %q", got)
	}
	if table, err = Open(t.Context(), SpecAuto, o); err != nil || table.Warning != "" {
		t.Errorf("then: warning %q, error %v", table.Warning, err)
	}
}

// A damaged file is not used even if there is nothing else.
func TestDamagedCacheWithoutNetwork(t *testing.T) {
	o, _ := serve(t, http.NotFound)
	write(t, filepath.Join(o.CacheDir, UCIFile), edibleRow)
	table, err := Open(t.Context(), SpecAuto, o)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Replica() || !strings.Contains(table.Warning, "is damaged") || !strings.Contains(table.Warning, "404") {
		t.Errorf("source %s, warning %q", table.Source, table.Warning)
	}
	_, err = Open(t.Context(), SpecUCI, o)
	wantError(t, err, "is damaged", "404", cure)
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	tests := []struct {
		name string
		dir  func(t *testing.T) string
	}{
		{"none", func(*testing.T) string { return "" }},
		{"below a file", func(t *testing.T) string {
			return filepath.Join(write(t, filepath.Join(t.TempDir(), "file"), ""), "cache")
		}},
		{"read-only folder", func(t *testing.T) string {
			dir := t.TempDir()
			if err := os.Chmod(dir, 0o555); err != nil {
				t.Fatal(err)
			}
			if f, err := os.CreateTemp(dir, ""); err == nil {
				f.Close()
				t.Skip("this user may write to read-only folders")
			}
			return dir
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, _ := serveBytes(t, zipOf(t, UCIFile, uciText))
			o.CacheDir = tt.dir(t)
			table, err := Open(t.Context(), SpecUCI, o)
			if err != nil {
				t.Fatal(err)
			}
			if table.Source != SourceUCI || !strings.Contains(table.Warning, "the download is not kept: ") {
				t.Errorf("source %s, warning %q", table.Source, table.Warning)
			}
			_, err = Fetch(t.Context(), o) // which stores it
			wantError(t, err, "mushroom: fetch the UCI file: ")
			wantError(t, err, "--data replica")

			o.Get = func(context.Context, string) (io.ReadCloser, error) { return nil, io.EOF }
			if table, err = Open(t.Context(), SpecAuto, o); err != nil || !table.Replica() {
				t.Errorf("without a network: %v, error %v; want the replica", table, err)
			}
		})
	}
}

func TestFetch(t *testing.T) {
	o, requests := serveBytes(t, zipOf(t, UCIFile, uciText))
	for range 2 { // the second finds it in the cache
		table, err := Fetch(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(o.CacheDir, UCIFile); table.Path != want || table.Source != SourceUCI {
			t.Errorf("path %s, source %s; want %s", table.Path, table.Source, want)
		}
	}
	if requests.Load() != 1 {
		t.Errorf("%d requests, want 1", requests.Load())
	}
}

// TestHostileServer: a server's words reach nobody's terminal as they are: neither its status line nor
// the names in its archive, at once or out of the file that remembers the failure.
func TestHostileServer(t *testing.T) {
	const evil = "\x1b]0;x\a\u202e\u009b"
	bomb := zipOf(t, evil+"/"+UCIFile, strings.Repeat("\n", maxSize+1))
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"status": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, "HTTP/1.1 404 Lost"+evil+"\r\nContent-Length: 0\r\n\r\n")
			conn.Close()
		}, "the server says 404 Lost?]0;x???"},
		"member": {func(w http.ResponseWriter, _ *http.Request) { w.Write(bomb) }, "unpack ?]0;x???/agaricus-lepiota.data: "},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := serve(t, c.handler)
			_, err := Open(t.Context(), SpecUCI, o)
			wantError(t, err, c.want)
			_, again := Open(t.Context(), SpecUCI, o)
			wantError(t, again, c.want)
			for _, text := range []string{err.Error(), again.Error()} {
				if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
					t.Errorf("%q: character %d", text, i)
				}
			}
		})
	}
}
