// Package serve shows a page on this machine alone, and tells browsers when there is a newer version of it.
package serve

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"banditsim/internal/words"
)

// Address returns the address to listen on for s, which is a port, or a loopback host with a port. No other machine can connect
// to it.
func Address(s string) (string, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil && !strings.Contains(s, ":") {
		host, port, err = "", s, nil
	}
	if err != nil {
		return "", errors.New("want a port, or a host and a port such as 127.0.0.1:8080")
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n == 0 && port != "0" {
		return "", fmt.Errorf("port %q: want 0 (a free one) to 65535", port)
	}
	if host == "" || strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("%s is not this machine alone, and whoever reaches the page can read the results, which no password guards: "+
			"want 127.0.0.1:%s; to look from another machine, forward the port there with ssh -L %s:127.0.0.1:%s HOST", host, port, port, port)
	}
	return net.JoinHostPort(host, port), nil
}

// A Server shows the latest version of a page at /, and sends its browsers at /events, as server-sent events, the name of each
// version that is not theirs, and "end" when there will be no more.
type Server struct {
	page   func(version string) ([]byte, error)
	policy string

	mu      sync.Mutex
	version string
	ended   bool
	changed chan struct{} // closed by the next change of version or ended
	streams int           // browsers at /events
	behind  int           // of them, those that have not been sent the end since it came
	caught  chan struct{} // closed when none is behind

	making sync.Mutex // guards what follows
	made   string     // version of html and err
	html   []byte
	err    error
}

// New returns a server of what page makes, with a content security policy. It makes a page when a browser asks for a version
// that it has not made; an error is shown in place of the page until there is another version.
func New(policy string, page func(version string) ([]byte, error)) *Server {
	return &Server{page: page, policy: policy, changed: make(chan struct{}), caught: make(chan struct{})}
}

// Set names the version that there is now.
func (s *Server) Set(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if version != s.version {
		s.version = version
		s.change()
	}
}

func (s *Server) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// End tells browsers that there will be no other version, and waits until those that look on have the last one, or until ctx is
// done.
func (s *Server) End(ctx context.Context) {
	s.mu.Lock()
	s.ended, s.behind = true, s.streams
	waits := s.behind > 0
	s.change()
	s.mu.Unlock()
	if waits {
		select {
		case <-s.caught:
		case <-ctx.Done():
		}
	}
}

// ServeHTTP answers requests to localhost alone: a site whose name was made to lead here (DNS rebinding) must not read the page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
	switch {
	case !isLocal(r.Host):
		http.Error(w, "banditsim answers requests to 127.0.0.1 and localhost only", http.StatusForbidden)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this page is to be read only", http.StatusMethodNotAllowed)
	case r.URL.Path == "/":
		s.servePage(w)
	case r.URL.Path == "/events":
		s.serveEvents(w, r)
	default:
		http.NotFound(w, r)
	}
}

// isLocal reports whether the Host header of a request names this machine. The port may be that of a forwarding.
func isLocal(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

var notice = template.Must(template.New("notice").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>banditsim: no page yet</title>
</head>
<body>
<h1>No page yet:</h1>
<p>{{.}}</p>
<p>This page looks again every two seconds.</p>
</body>
</html>
`))

func (s *Server) servePage(w http.ResponseWriter) {
	s.mu.Lock()
	version := s.version
	s.mu.Unlock()
	s.making.Lock()
	if s.made != version {
		s.made = version
		s.html, s.err = s.page(version)
	}
	html, err := s.html, s.err
	s.making.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		notice.Execute(w, words.PlainText(err.Error())) // an error of writing is that of a browser that has gone
		return
	}
	w.Write(html)
}

// serveEvents follows the versions for a browser, whose own is the query.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	s.mu.Lock()
	s.streams++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.streams--
		s.mu.Unlock()
	}()
	to := http.NewResponseController(w)
	for sent := r.URL.RawQuery; ; {
		s.mu.Lock()
		version, ended, changed := s.version, s.ended, s.changed
		s.mu.Unlock()
		var err error
		switch {
		case version != sent:
			_, err = fmt.Fprintf(w, "data: %s\n\n", version)
		case ended && version == r.URL.RawQuery:
			fmt.Fprint(w, "event: end\ndata: end\n\n")
			to.Flush()
			s.told()
			return
		}
		sent = version
		if err != nil || to.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// told counts a browser that has the last page.
func (s *Server) told() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.behind--; s.behind == 0 {
		close(s.caught)
	}
}

// HTTP returns the HTTP server of s.
func (s *Server) HTTP() *http.Server {
	return &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
}
