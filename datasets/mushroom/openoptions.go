package mushroom

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// EnvVar names the environment variable that points to the UCI file, or to the
// folder that holds it.
const EnvVar = "BANDITSIM_DATA"

// OpenOptions say where Open, Fetch and Verify look. Start from DefaultOpenOptions; the
// zero value is of no use.
type OpenOptions struct {
	Getenv func(string) string // looks up EnvVar; empty means unset
	// CacheDir is the folder that keeps a download. Where it is empty there is
	// no cache: every run downloads for itself.
	CacheDir string
	URL      string        // the zip archive that holds UCIFile
	Client   *http.Client  // should give up early where there is no network
	Timeout  time.Duration // of a download, from its start to its end
	// RetryAfter is how long auto makes do with the replica after a download
	// failed, before it tries another. The cache remembers the failure.
	RetryAfter time.Duration
	SHA256     string // of the UCI file, in hex
}

// DefaultOpenOptions returns those of the command line: the process's environment,
// banditsim/mushroom in the user's cache folder and UCI's address, with 3
// seconds to connect and 30 in all.
func DefaultOpenOptions() OpenOptions {
	o := OpenOptions{
		Getenv: os.Getenv,
		URL:    uciURL,
		Client: &http.Client{Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			ResponseHeaderTimeout: 10 * time.Second,
			ForceAttemptHTTP2:     true,
		}},
		Timeout:    30 * time.Second,
		RetryAfter: time.Minute,
		SHA256:     UCISHA256,
	}
	if dir, err := os.UserCacheDir(); err == nil { // else a user without a home
		o.CacheDir = filepath.Join(dir, "banditsim", "mushroom")
	}
	return o
}
