package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// A Sidecar is the provenance of a trial: everything that may differ between machines and runs that write the same
// trial file. It is a file beside the trial file, <trial>.meta.json.
type Sidecar struct {
	// Trial is the name of the trial's file, as WriteSidecar sets it; "" in sidecars of older versions.
	Trial string `json:"trial,omitempty"`
	// Label is the experiment's name for the policy with its options, or "".
	Label string `json:"label,omitempty"`
	// Environment is the name of the environment in an experiment on several environments, else "".
	Environment string `json:"environment,omitempty"`
	// EnvironmentOrder is the place of Environment in the experiment's list, from 1; 0 in sidecars of older versions.
	EnvironmentOrder int `json:"environment_order,omitempty"`
	// Title and Notes are from the experiment file; each may be "". An empty line separates paragraphs of Notes.
	Title    string `json:"title,omitempty"`
	Notes    string `json:"notes,omitempty"`
	Version  string `json:"version"`  // version of the program
	Revision string `json:"revision"` // revision of its source
	// Build is the SHA-256 of the program if it has code outside this module, which Revision does not identify; else "".
	Build     string   `json:"build,omitempty"`
	Go        string   `json:"go"`        // version of Go that built the program
	Kernel    string   `json:"kernel"`    // kernels in use, such as avx2
	Processor string   `json:"processor"` // name of the processor
	System    string   `json:"system"`    // operating system and architecture
	Command   []string `json:"command"`   // the command line
	// TunedSeeds are the seeds on which the policy's options were chosen; see experiment.Experiment.
	TunedSeeds []uint64  `json:"tuned_seeds,omitempty"`
	Started    time.Time `json:"started"`
	Seconds    float64   `json:"seconds"` // wall time
	// ProcessorSeconds is the processor time of all the trial's goroutines, without background garbage collection. It is
	// nil in older sidecars, on systems without a clock for it, such as Windows, and for trials with a child process.
	ProcessorSeconds *float64 `json:"processor_seconds,omitempty"`
	// Steps is the number of gradient steps of all chains from the first round to the end of this run; nil in sidecars
	// of older versions. It does not depend on the machine.
	Steps *int64 `json:"steps,omitempty"`
	// Printed is the end of what the trial's child processes wrote to stderr, or "".
	Printed string `json:"printed,omitempty"`
	// Score rates the posterior's predictions at the end of the trial; nil if it was not recorded.
	Score *Score `json:"score,omitempty"`
	// ConstantArm is the environment's best constant arm, with the name "" if it has none; nil in older sidecars.
	ConstantArm *bandit.ConstantArm `json:"constant_arm,omitempty"`
	// Earlier has the sidecars of the trial's earlier runs, oldest first. Each run resumed the checkpoint of the one
	// before. The other fields describe the last run.
	Earlier []Sidecar `json:"earlier,omitempty"`
	// Sealed reports whether the file that was read has a checksum. Sidecars of older versions have none.
	Sealed bool `json:"-"`
}

// WallTime returns the wall time of all runs of the trial, in seconds.
func (s Sidecar) WallTime() float64 {
	sum := s.Seconds
	for _, run := range s.Earlier {
		sum += run.Seconds
	}
	return sum
}

// ProcessorTime returns the processor time of all runs of the trial, in seconds; NaN if it is unknown for any run.
func (s Sidecar) ProcessorTime() float64 {
	sum := 0.0
	for _, run := range append(slices.Clip(s.Earlier), s) {
		if run.ProcessorSeconds == nil {
			return math.NaN()
		}
		sum += *run.ProcessorSeconds
	}
	return sum
}

// SidecarPath returns the path of a trial file's sidecar.
func SidecarPath(trial string) string { return strings.TrimSuffix(trial, ".jsonl") + ".meta.json" }

// WriteSidecar writes the sidecar of a trial file, whole or not at all. A power failure may undo the write until a
// later file of the folder, such as the trial file, is written durably.
func WriteSidecar(trial string, s Sidecar) error {
	s.Trial = filepath.Base(trial)
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("results: write sidecar: %w", err)
	}
	return wholefile.WriteAs(wholefile.Complete, SidecarPath(trial), sealSidecar(bytes.TrimSuffix(b, []byte("\n}"))))
}

// sidecarSum begins the last field of a sidecar, which has the SHA-256 of all bytes before sidecarSum.
const sidecarSum = ",\n  \"sha256\": \""

// sealSidecar appends the checksum and the closing brace to the other fields of a sidecar.
func sealSidecar(b []byte) []byte {
	sum := sha256.Sum256(b)
	return fmt.Appendf(b, "%s%x\"\n}\n", sidecarSum, sum)
}

// maxSidecar is the maximum size in bytes of a sidecar.
const maxSidecar = 1 << 20

// Sidecar returns the sidecar of the trial. It reads the file unless Load has. The error is fs.ErrNotExist if there is
// none, and a Damaged if bytes were changed or it is of another trial. Unknown fields of a Sealed sidecar are ignored.
func (rec Record) Sidecar() (Sidecar, error) {
	if rec.sidecar != nil {
		return *rec.sidecar, rec.sidecarErr
	}
	path := SidecarPath(rec.Path)
	f, _, err := wholefile.Open(path)
	if err != nil {
		return Sidecar{}, damaged(path, fmt.Errorf("results: read sidecar: %w", err))
	}
	defer f.Close()
	s, err := readSidecar(f)
	if of := rec.FileName(); err == nil && s.Trial != "" && s.Trial != of {
		err = fmt.Errorf("it is the sidecar of %s and belongs beside that, the trial here is %s", words.Plain(s.Trial), of)
	}
	if err != nil {
		return Sidecar{}, damaged(path, fmt.Errorf("results: read sidecar %s: %w: delete it, the trial is complete without", path, err))
	}
	return s, nil
}

// readSidecar reads a whole sidecar and verifies its checksum. Older versions wrote no checksum. A sidecar that lacks a
// checksum but has a field that those versions did not write is an error: it must have lost its checksum.
func readSidecar(in io.Reader) (s Sidecar, err error) {
	b, err := io.ReadAll(io.LimitReader(in, maxSidecar+1))
	switch {
	case err != nil:
		return s, err
	case len(b) > maxSidecar:
		return s, fmt.Errorf("more than %d bytes", maxSidecar)
	}
	if i := bytes.LastIndex(b, []byte(sidecarSum)); i >= 0 {
		if s.Sealed = bytes.Equal(sealSidecar(bytes.Clone(b[:i])), b); !s.Sealed {
			return s, errChecksum
		}
		err = json.Unmarshal(b, &s)
	} else if err = decodeStrict(b, &s); err == nil && (s.Steps != nil || s.ProcessorSeconds != nil || s.Score != nil || s.ConstantArm != nil || s.EnvironmentOrder != 0 || s.Trial != "") {
		err = errors.New("it has no checksum, and the version that wrote it wrote one: bytes of the file were changed")
	}
	s.plain()
	return s, err
}

// plain replaces characters that could control a terminal.
func (s *Sidecar) plain() {
	s.Notes = words.PlainText(strings.ReplaceAll(s.Notes, "\t", "?"))
	for _, text := range []*string{&s.Label, &s.Environment, &s.Title, &s.Version, &s.Revision, &s.Go, &s.Kernel, &s.Processor, &s.System} {
		*text = words.Plain(*text)
	}
	if s.Score != nil {
		s.Score.Failure = words.Plain(s.Score.Failure)
	}
	for i := range s.Command {
		s.Command[i] = words.Plain(s.Command[i])
	}
	for i := range s.Earlier {
		s.Earlier[i].plain()
	}
}

// A Score is the result of bandit.Trial.Score at the end of a trial: how well the policy's posterior predicts rewards.
type Score struct {
	bandit.ScoreOptions
	LogLoss      Number `json:"log_loss"`
	JointLogLoss Number `json:"joint_log_loss"` // NaN if the posterior cannot draw the rewards of two contexts together
	Calibration  Number `json:"calibration_error"`
	// Failure is why the losses could not be computed, such as a posterior that diverged; else "".
	Failure string `json:"failure,omitempty"`
}

// NewScore returns a Score for a sidecar. s and err are the results of scoring with options o; err becomes the Failure.
func NewScore(o bandit.ScoreOptions, s bandit.Score, err error) *Score {
	if err != nil {
		return &Score{ScoreOptions: o, Failure: err.Error()}
	}
	return &Score{ScoreOptions: o, LogLoss: Number(s.LogLoss), JointLogLoss: Number(s.JointLogLoss), Calibration: Number(s.Calibration)}
}

// Values returns the numbers of s as a bandit.Score; they are 0 if there is a Failure.
func (s *Score) Values() bandit.Score {
	return bandit.Score{LogLoss: float64(s.LogLoss), JointLogLoss: float64(s.JointLogLoss), Calibration: float64(s.Calibration)}
}
