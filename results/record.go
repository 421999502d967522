package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/words"
)

// Schema is the version of the trial files' format.
const Schema = 1

// Epoch is raised when a program change alters numbers in trial files. Trials of different epochs are not compared.
const Epoch = 1

// An Identity has everything that a trial's numbers depend on, and nothing else, such as labels or the machine.
type Identity struct {
	Epoch       int             `json:"epoch"`
	Policy      Policy          `json:"policy"`
	Environment Environment     `json:"environment"`
	Protocol    bandit.Protocol `json:"protocol"`
	Seed        uint64          `json:"seed"`
}

// A Policy is a policy's registered name and its resolved options.
type Policy struct {
	Name    string          `json:"name"`
	Options json.RawMessage `json:"options"`
}

// An Environment is an environment's registered name with its resolved options, its data and its arms.
type Environment struct {
	Name    string          `json:"name"`
	Options json.RawMessage `json:"options"`
	Data    Data            `json:"data"`
	Arms    []string        `json:"arms"`
	// UniformRegret is the expected regret per pull of the uniform policy; NaN if it is unknown.
	UniformRegret Number `json:"uniform_regret"`
	// Rows is the number of data rows if a trial goes through them all again, in a new order, once all were used; else 0.
	Rows int `json:"rows,omitzero"`
}

// Data identifies the data file of a trial.
type Data struct {
	// Name is the name of published data, such as "uci" or "MNIST, test". It is "other" for a file that replaces the one
	// of UCI, "file" for the user's own table or images, and "" without data.
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // SHA-256 of the file, in hexadecimal
	// Replica is always false. The field is kept because IDs are hashes of this JSON. In older versions it was true for
	// trials on generated data, which readers reject.
	Replica bool `json:"replica"`
}

// ID returns the SHA-256 of the identity's JSON, in hexadecimal. It panics if options are not JSON.
func (i Identity) ID() string {
	sum := sha256.Sum256([]byte(mustJSON(i)))
	return hex.EncodeToString(sum[:])
}

// FileName returns the name of the trial's file: the policy, the seed and the first digits of the ID.
// It has at most 124 bytes; most file systems allow 255.
func (i Identity) FileName() string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, i.Policy.Name)
	name = name[:min(len(name), 80)]
	return fmt.Sprintf("%s-seed%d-%s.jsonl", name, i.Seed, i.ID()[:12])
}

// header is the first line of a trial file.
type header struct {
	Schema int    `json:"schema"`
	ID     string `json:"id"`
	Identity
}

// Totals are the sums over a trial: the last line but one of its file.
type Totals struct {
	Rounds int `json:"rounds"` // number of finished rounds
	// Realised and Expected are regrets over all rounds. The next two are regrets over those from Protocol.AfterBurnIn on.
	Realised      float64 `json:"realised"`
	Expected      float64 `json:"expected"`
	RealisedAfter float64 `json:"realised_after"`
	ExpectedAfter float64 `json:"expected_after"`
	Mistakes      int     `json:"mistakes"` // pulls of an arm that was not the best
	// Failure is why the trial ended before its last round; nil if it did not.
	Failure *Failure `json:"failure,omitempty"`
}

func (t *Totals) add(round int, realised, expected float64, mistakes int, p bandit.Protocol) {
	t.Rounds = round
	t.Mistakes += mistakes
	t.Realised += realised
	t.Expected += expected
	if round >= p.AfterBurnIn() {
		t.RealisedAfter += realised
		t.ExpectedAfter += expected
	}
}

// String returns the sums in words.
func (t Totals) String() string {
	return fmt.Sprintf("regret %g realised and %g expected, %g and %g after burn-in, %s", t.Realised, t.Expected, t.RealisedAfter, t.ExpectedAfter, words.Count(t.Mistakes, "mistake"))
}

// A Failure is the round in which a trial failed, and the cause.
type Failure struct {
	Round int    `json:"round"`
	Cause string `json:"cause"`
}

// endLine is the last line but one of a trial file. The last one is sumLine.
type endLine struct {
	End *Totals `json:"end"`
}
