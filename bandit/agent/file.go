package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/optiontree"
	"banditsim/internal/state"
	"banditsim/internal/wholefile"
	"banditsim/policy"
)

// An agent file consists of a line 'banditsim agent 2 SHA256' with the hash of the rest, a line with the header as
// JSON, and the state of the agent in the format of package state.
const (
	fileMagic   = "banditsim agent "
	fileVersion = "2"
)

// header is the second line of an agent file.
type header struct {
	Config
	ID string `json:"id"`
}

// Save writes the agent to a file, either completely or not at all. Its policy must be an encoding.BinaryMarshaler.
func (a *Agent) Save(path string) (err error) {
	defer prefix(&err, "agent: save")
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, err := a.identify(); err != nil {
		return err
	}
	head, err := json.Marshal(header{a.config, a.id})
	if err != nil {
		return err
	}
	saved, err := state.Save(a.state)
	if err != nil {
		return err
	}
	body := append(append(head, '\n'), saved...)
	first := fmt.Appendf(nil, "%s%s %x\n", fileMagic, fileVersion, sha256.Sum256(body))
	return wholefile.Write(path, append(first, body...))
}

// Open reads an agent from a file. If its policy is not one of the project, it must be in own.
func Open(path string, own ...policy.Entry) (a *Agent, err error) {
	b, err := wholefile.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("agent: %w", err)
	}
	defer prefix(&err, "agent: "+path)
	first, body, _ := bytes.Cut(b, []byte{'\n'}) // without a newline, body is empty, and a check below fails
	var version, sum string
	if _, err := fmt.Sscanf(string(first), fileMagic+"%s %s\n", &version, &sum); err != nil {
		return nil, fmt.Errorf("this is no agent: want a file of 'banditsim learn', 'run --keep' or Save")
	}
	if version != fileVersion {
		return nil, fmt.Errorf("an agent of version %s, this program reads version %s: learn it again, or open it with the program that wrote it", version, fileVersion)
	}
	if have := fmt.Sprintf("%x", sha256.Sum256(body)); have != sum {
		return nil, fmt.Errorf("damaged: the SHA-256 of its other lines is %s, the first line has %.64s: take another copy", have, sum)
	}
	head, saved, _ := bytes.Cut(body, []byte{'\n'})
	var h header
	if err := optiontree.Decode(head, &h); err != nil {
		return nil, err
	}
	if a, err = build(h.Config, own); err != nil {
		return nil, err
	}
	a.id = h.ID
	return a, state.Restore(saved, a.state)
}

// state saves or restores the fields that change while the agent is used, and the state of the policy.
func (a *Agent) state(c *state.Codec) {
	c.Uint64(&a.chosen)
	c.Uint64(&a.learned)
	c.Int("rows", &a.rows, 0, math.MaxInt)
	ids := slices.Sorted(maps.Keys(a.pending))
	state.Slice(c, "decisions without a reward", &ids, maxPending, func(id *uint64) {
		c.Uint64(id)
		d := a.pending[*id]
		c.Int("arm", &d.arm, 0, len(a.config.Arms)-1)
		if c.Reading() {
			d.context = make([]float32, a.spec.Dim)
		}
		c.Float32s(d.context)
		a.pending[*id] = d
	})
	if a.oldest = a.chosen + 1; len(ids) > 0 {
		a.oldest = ids[0]
	}
	c.Any("the policy", a.policy)
}

// Of returns an agent with a copy of what the policy p has learned from the given number of pulls of a trial, in an
// environment with the given spec. c must have p's name, options and the seed of its streams; Of sets the other fields.
func Of(p bandit.Policy, spec bandit.Spec, protocol bandit.Protocol, pulls int, c Config, own ...policy.Entry) (a *Agent, err error) {
	defer prefix(&err, "agent")
	if spec.ArmDim > 0 {
		return nil, errors.New("arms with features: an agent's contexts have none")
	}
	c.Arms, c.Columns, c.Shape = spec.Arms, spec.Columns, spec.Shape
	if c.Columns == nil {
		c.Columns = bandit.NumberColumns(spec.Dim)
	}
	c.Horizon, c.Round = protocol.Rounds*protocol.Pulls, protocol.Pulls
	if a, err = build(c, own); err != nil {
		return nil, err
	}
	a.rows = pulls
	return a, move(p, a.policy)
}

// move copies the state of one policy to another.
func move(from, to bandit.Policy) error {
	m, saves := from.(encoding.BinaryMarshaler)
	u, restores := to.(encoding.BinaryUnmarshaler)
	if !saves || !restores {
		return fmt.Errorf("a %T cannot be saved", from)
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	return u.UnmarshalBinary(b)
}

// identify returns the ID: a hash of the configuration and of the state before the first decision.
func (a *Agent) identify() (string, error) {
	if a.id != "" {
		return a.id, nil
	}
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode(a.config); err != nil {
		return "", err
	}
	saved, err := state.Save(a.state)
	if err != nil {
		return "", err
	}
	hash.Write(saved)
	a.id = hex.EncodeToString(hash.Sum(nil))
	return a.id, nil
}
