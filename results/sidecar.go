package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"banditsim/internal/wholefile"
)

// A Sidecar is the provenance of a trial: all that may differ between machines and runs while the
// trial file is the same. Its file stands beside the trial file, as <trial>.meta.json.
type Sidecar struct {
	// Label is the experiment's name for the policy with its options, or "".
	Label     string    `json:"label,omitempty"`
	Version   string    `json:"version"`   // of the program
	Revision  string    `json:"revision"`  // of its source
	Go        string    `json:"go"`        // version that built it
	Kernel    string    `json:"kernel"`    // kernels in use, such as avx2
	Processor string    `json:"processor"` // its name
	System    string    `json:"system"`    // operating system and architecture
	Command   []string  `json:"command"`   // the command line
	Started   time.Time `json:"started"`
	Seconds   float64   `json:"seconds"` // wall time
	// Earlier has a sidecar for each earlier run that left a checkpoint from which the trial was resumed,
	// oldest first. The other fields are of the last run.
	Earlier []Sidecar `json:"earlier,omitempty"`
}

// SidecarPath returns the path of a trial file's sidecar.
func SidecarPath(trial string) string {
	return strings.TrimSuffix(trial, ".jsonl") + ".meta.json"
}

// WriteSidecar writes the sidecar of a trial file, in whole or not at all.
func WriteSidecar(trial string, s Sidecar) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("results: write sidecar: %w", err)
	}
	return wholefile.Write(SidecarPath(trial), append(b, '\n'))
}

// maxSidecar is the size of the largest sidecar that is read, in bytes.
const maxSidecar = 1 << 20

// ReadSidecar reads the sidecar of a trial file. If there is none, which is allowed, the error is
// fs.ErrNotExist. Unknown fields are ignored.
func ReadSidecar(trial string) (Sidecar, error) {
	path := SidecarPath(trial)
	f, err := os.Open(path)
	if err != nil {
		return Sidecar{}, fmt.Errorf("results: read sidecar: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSidecar+1))
	if err == nil && len(b) > maxSidecar {
		err = errors.New("too long for a sidecar")
	}
	var s Sidecar
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		return Sidecar{}, fmt.Errorf("results: read sidecar %s: %w", path, err)
	}
	return s, nil
}
