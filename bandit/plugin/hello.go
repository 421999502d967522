package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/nearest"
	"banditsim/policy"
	"banditsim/posterior"
)

// A hello is the first message to a child: its role, and the sizes, seed and options of its trial.
type hello struct {
	ID       int             `json:"id"`
	Type     string          `json:"type"`
	Protocol int             `json:"protocol"`
	Role     string          `json:"role,omitempty"`  // "" if the child chooses it
	Names    []string        `json:"names,omitempty"` // names of the arms, for a policy
	Outputs  int             `json:"outputs,omitempty"`
	Dim      int             `json:"dim,omitempty"`
	ArmDim   int             `json:"arm_dim"`
	Groups   []int           `json:"groups,omitempty"`
	Shape    []int           `json:"shape,omitempty"`
	Rounds   int             `json:"rounds,omitempty"`
	Pulls    int             `json:"pulls_per_round,omitempty"`
	Seed     int             `json:"seed"`
	Options  json.RawMessage `json:"options"`
	Frame    bool            `json:"frame"` // this program understands binary frames
}

// A greeting is the child's answer to hello: its role and its abilities. docs/protocol.md describes the fields.
type greeting struct {
	ID       int    `json:"id"`
	Type     string `json:"type"`
	Protocol int    `json:"protocol"`
	Role     string `json:"role"`
	Error    string `json:"error"`
	Frame    bool   `json:"frame"` // contexts and values are exchanged in binary frames
	Save     bool   `json:"save"`  // the child answers the messages save and restore

	// Fields of a policy.
	Batch        bool `json:"batch"`        // the message act may hold several pulls
	Propensities bool `json:"propensities"` // its answer to act has the probabilities of the arms
	Values       bool `json:"values"`       // its answer to act has the predicted rewards of the arms
	Available    bool `json:"available"`    // the message act has the arms that can be pulled, if these are not all
	End          bool `json:"end"`          // it wants a message at the end of every round, and answers when it has trained

	// Fields of a posterior.
	Spread bool `json:"spread"` // it predicts standard deviations
	Draw   bool `json:"draw"`   // it predicts posterior samples

	// Fields of an environment, as in bandit.Spec.
	Dim           int      `json:"dim"`
	Names         []string `json:"names"` // names of the arms
	ArmDim        int      `json:"arm_dim"`
	Groups        []int    `json:"groups"`
	Shape         []int    `json:"shape"`
	Pulls         int      `json:"pulls"`
	UniformRegret *number  `json:"uniform_regret"` // nil if unknown
	// ConstantArm is the best arm for a policy that always pulls the same one; nil if unknown or dependent on the seed.
	ConstantArm *bandit.ConstantArm `json:"constant_arm"`
}

// seedOf returns the seed for a child, below 2³¹ so that any language accepts it. Children with the same role in trials
// with the same seed get the same seed.
func seedOf(s *stream.Stream) int { return int(s.Child("plugin").Uint64() >> 33) }

func helloPolicy(s policy.Setup) hello {
	return hello{Role: RolePolicy, Names: s.Spec.Arms, Dim: s.Spec.Dim, ArmDim: s.Spec.ArmDim, Groups: s.Spec.Groups, Shape: s.Spec.Shape,
		Rounds: s.Protocol.Rounds, Pulls: s.Protocol.Pulls, Seed: seedOf(s.Stream)}
}

func helloPosterior(s posterior.Setup) hello {
	return hello{Role: RolePosterior, Outputs: s.Arms, Dim: s.Dim, Groups: s.Groups, Shape: s.Shape, Rounds: s.Rounds, Seed: seedOf(s.Stream)}
}

// greet sends hello and returns the answer, whose ID it sets to 0 for comparisons. An invalid answer fails the child.
func (c *child) greet(h hello) (greeting, error) {
	var r greeting
	c.requests++
	h.ID, h.Type, h.Protocol, h.Options, h.Frame = c.requests, "hello", version, c.program.Options, true
	if len(h.Options) == 0 {
		h.Options = json.RawMessage("{}")
	}
	b, err := json.Marshal(h)
	if err != nil {
		return r, c.fail("hello", err.Error())
	}
	c.pending = append(append(c.pending, b...), '\n')
	line, err := c.transfer("hello", 1<<20)
	if err != nil {
		return r, err
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return r, c.nonsense("hello", line, err)
	}
	cause := ""
	switch {
	case r.Error != "":
		cause = answeredError + r.Error
	case r.Type != "ready":
		cause = fmt.Sprintf("it answered %s, want a message of type ready", clip(line))
	case r.Protocol != version:
		cause = fmt.Sprintf("it speaks version %d of the protocol, this program version %d", r.Protocol, version)
	case r.ID != c.requests:
		cause = fmt.Sprintf("it answered request %d", r.ID)
	case h.Role == "" && r.Role != RolePolicy && r.Role != RolePosterior && r.Role != RoleEnvironment:
		cause = fmt.Sprintf("its role is %q, want %s, %s or %s", r.Role, RolePolicy, RolePosterior, RoleEnvironment)
	case h.Role != "" && r.Role != h.Role:
		cause = fmt.Sprintf("its role is %q, want %s as declared: change role:, or the program", r.Role, h.Role)
	case r.Role == RoleEnvironment:
		cause = r.wrongSpec()
	}
	if cause != "" {
		return r, c.fail("hello", cause)
	}
	c.frames = r.Frame
	r.ID = 0
	return r, nil
}

// wrongSpec returns what is wrong with the specification of an environment, or "".
func (r greeting) wrongSpec() string {
	switch {
	case r.Dim < 1 || r.Dim > 1e6 || len(r.Names) < 2 || len(r.Names) > 1e6 || r.ArmDim < 0 || r.ArmDim > 1e6 || r.Pulls < 0:
		return fmt.Sprintf("dim is %d, there are %d names, arm_dim is %d and pulls is %d: want at least 1, 2, 0 and 0",
			r.Dim, len(r.Names), r.ArmDim, r.Pulls)
	case r.UniformRegret != nil && *r.UniformRegret < 0:
		return fmt.Sprintf("uniform_regret is %g: want at least 0, or none if it is unknown", *r.UniformRegret)
	case len(r.Groups) != 0 && len(r.Groups) != r.Dim:
		return fmt.Sprintf("groups has %d numbers, want %d, one for each column, or none", len(r.Groups), r.Dim)
	}
	if err := r.spec().Validate(); err != nil {
		return err.Error()
	}
	seen := map[string]bool{}
	for i, name := range r.Names {
		if strings.TrimSpace(name) == "" || seen[name] {
			return fmt.Sprintf("arm %d has the name %q: want different names that are not blank", i, name)
		}
		seen[name] = true
	}
	if c := r.ConstantArm; c != nil && !(seen[c.Arm] && c.Regret >= 0) {
		return fmt.Sprintf("constant_arm is %q with the regret %g: want the name of one of the arms, and at least 0%s", c.Arm, c.Regret, nearest.DidYouMean(c.Arm, r.Names))
	}
	return ""
}

// Probe starts a program, asks for its role, and ends it. draws is true for posteriors that predict posterior samples.
func Probe(program Program) (role string, draws bool, err error) {
	h := helloPolicy(policy.Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"0", "1"}}, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Stream: stream.Root(0)})
	h.Role, h.Outputs = "", len(h.Names)
	r, err := probe(program, h)
	return r.Role, r.Draw, err
}

// probe starts a child, returns its answer to hello, and ends it.
func probe(program Program, h hello) (greeting, error) {
	c, err := start(program)
	if err != nil {
		return greeting{}, err
	}
	defer c.close()
	return c.greet(h)
}

// changed returns how a later greeting of the same program differs from r, or "".
func (r greeting) changed(now greeting) string {
	if reflect.DeepEqual(r, now) {
		return ""
	}
	a, _ := json.Marshal(r) // cannot fail: r was decoded from JSON
	b, _ := json.Marshal(now)
	return fmt.Sprintf("ready is %s, it was %s when the child was first asked", b, a)
}
