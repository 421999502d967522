package mushroom

import (
	"os"
	"path/filepath"
	"time"

	"banditsim/datasets"
)

// EnvVar is the environment variable with the path of the UCI file or of its folder.
const EnvVar = "BANDITSIM_DATA"

// OpenOptions sets where Open, Fetch and Verify look. Start from DefaultOpenOptions; the zero value
// is not valid.
type OpenOptions struct {
	Getenv func(string) string // looks up EnvVar; empty means unset
	// CacheDir is the folder for downloads. If it is "" there is no cache and each run downloads.
	CacheDir string
	URL      string          // address of the zip archive with UCIFile
	Get      datasets.Getter // should fail early without a network; nil downloads nothing
	Timeout  time.Duration   // limit of a whole download
	// RetryAfter is the time after a failed download in which auto uses the replica without
	// trying again. The cache records the failure.
	RetryAfter time.Duration
	SHA256     string // sum of the UCI file, in hex
}

// DefaultOpenOptions returns the options of the command line: the process's environment,
// banditsim/mushroom in the user's cache folder, and UCI's address with 30 seconds for all, but for Get, which
// is nil.
func DefaultOpenOptions() OpenOptions {
	o := OpenOptions{
		Getenv:     os.Getenv,
		URL:        uciURL,
		Timeout:    30 * time.Second,
		RetryAfter: time.Minute,
		SHA256:     UCISHA256,
	}
	if dir, err := os.UserCacheDir(); err == nil { // else a user without a home
		o.CacheDir = filepath.Join(dir, "banditsim", "mushroom")
	}
	return o
}
