package serve_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"banditsim/results/page/serve"
)

func TestAddress(t *testing.T) {
	for s, want := range map[string]string{
		"8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080", "localhost:0": "127.0.0.1:0", "127.0.0.2:81": "127.0.0.2:81", "[::1]:80": "[::1]:80",
	} {
		if got, err := serve.Address(s); got != want || err != nil {
			t.Errorf("%s is %s, want %s (error %v)", s, got, want, err)
		}
	}
	for s, want := range map[string]string{
		"":             "want 0 (a free one) to 65535",
		"127.0.0.1":    "want 0 (a free one) to 65535",
		"localhost:x":  "want 0 (a free one) to 65535",
		":70000":       "want 0 (a free one) to 65535",
		"0.0.0.0:8080": "which no password guards: want 127.0.0.1:8080; to look from another machine, forward the port there with ssh -L 8080:127.0.0.1:8080 HOST",
		"[::]:80":      "is not this machine alone",
		"10.0.0.1:80":  "is not this machine alone",
		"example.org:": "want 0 (a free one) to 65535",
		"a:b:c":        "want a port, or a host and a port",
	} {
		if got, err := serve.Address(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q, error %v: want an error with %q", s, got, err, want)
		}
	}
}

// TestServer follows a browser from the first version, of which there is no page, to the end.
func TestServer(t *testing.T) {
	const policy = "default-src 'none'; connect-src 'self'"
	made := 0
	s := serve.New(policy, func(version string) ([]byte, error) {
		made++
		if version == "one" {
			return nil, errors.New("no trial of <b>")
		}
		return []byte("page " + version), nil
	})
	s.Set("one")
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	get := func(method, path, host string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Header.Get("Content-Security-Policy"); got != policy {
			t.Errorf("%s %s: the policy is %q", method, path, got)
		}
		return r, string(b)
	}
	for range 2 {
		if r, text := get("GET", "/", ""); r.StatusCode != 503 || !strings.Contains(text, "no trial of &lt;b&gt;") || !strings.Contains(text, `http-equiv="refresh"`) {
			t.Errorf("status %d: %s", r.StatusCode, text)
		}
	}
	if made != 1 {
		t.Errorf("made %d times, want once for a version", made)
	}
	for _, host := range []string{"evil.example", "evil.example:80", "localhost.evil.example", "10.0.0.1"} {
		for _, path := range []string{"/", "/events"} {
			if r, text := get("GET", path, host); r.StatusCode != 403 || !strings.Contains(text, "localhost only") {
				t.Errorf("%s for host %s: status %d: %s", path, host, r.StatusCode, text)
			}
		}
	}
	for _, host := range []string{"localhost", "localhost:9000", "127.0.0.1", "[::1]:80", "[::1]"} {
		if r, _ := get("HEAD", "/", host); r.StatusCode != 503 {
			t.Errorf("host %s: status %d", host, r.StatusCode)
		}
	}
	if r, _ := get("POST", "/", ""); r.StatusCode != 405 {
		t.Errorf("POST: status %d, want 405", r.StatusCode)
	}
	if r, _ := get("GET", "/trials", ""); r.StatusCode != 404 {
		t.Errorf("another path: status %d, want 404", r.StatusCode)
	}

	events := func(version string) func() string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), "GET", web.URL+"/events?"+version, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Body.Close() })
		if got := r.Header.Get("Content-Type"); got != "text/event-stream" {
			t.Errorf("events are %s", got)
		}
		lines := bufio.NewScanner(r.Body)
		return func() string {
			var event []string
			for lines.Scan() && lines.Text() != "" {
				event = append(event, lines.Text())
			}
			return strings.Join(event, "|")
		}
	}
	next := events("one")
	s.Set("two")
	if got := next(); got != "data: two" {
		t.Errorf("the event is %q, want version two", got)
	}
	if got := events("one")(); got != "data: two" {
		t.Errorf("the event of a browser that comes late is %q, want version two", got)
	}
	if _, text := get("GET", "/", ""); text != "page two" {
		t.Errorf("the page is %q", text)
	}
	ended := make(chan bool)
	last := events("two")
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		s.End(ctx)
		ended <- ctx.Err() == nil
	}()
	if got := last(); got != "event: end|data: end" {
		t.Errorf("the event is %q, want the end", got)
	}
	// The two browsers of version one load version two now.
	for range 2 {
		if got := events("two")(); got != "event: end|data: end" {
			t.Errorf("the event is %q, want the end", got)
		}
	}
	if !<-ended {
		t.Error("all browsers have been told, and End has not returned")
	}
}
