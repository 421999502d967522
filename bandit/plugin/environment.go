package plugin

import (
	"fmt"
	"io"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/state"
)

// childEnvironment is an environment that a child process implements. It asks the child for several pulls at a time.
type childEnvironment struct {
	link
	spec bandit.Spec

	// ahead holds the child's pulls not yet returned by Next, each width() numbers: context, arm features, means, rewards.
	ahead []float64
	ended bool // the child has no more pulls
	pulls int  // number of pulls that Next has returned
}

var _ bandit.Replayer = (*childEnvironment)(nil)

// chunk is the number of pulls that one request asks for.
const chunk = 32

// NewEnvironment returns an environment that a program implements, with a seed derived from the stream. NewEnvironment
// starts the program once to learn the specification. The first call of Next starts the program again. The environment
// is an io.Closer, and the child runs until the environment is closed.
func NewEnvironment(program Program, s *stream.Stream) (bandit.Environment, error) {
	ready, err := probe(program, hello{Role: RoleEnvironment})
	if err != nil {
		return nil, err
	}
	return newEnvironment(program, ready, s), nil
}

func newEnvironment(program Program, ready greeting, s *stream.Stream) *childEnvironment {
	h := hello{Role: RoleEnvironment, Seed: seedOf(s)}
	return &childEnvironment{link: link{program: program, hello: h, ready: ready}, spec: ready.spec()}
}

// spec returns an environment's specification. Pulls never depend on the chosen arms, as the child does not learn them.
func (r greeting) spec() bandit.Spec {
	regret := math.NaN()
	if r.UniformRegret != nil {
		regret = float64(*r.UniformRegret)
	}
	return bandit.Spec{Dim: r.Dim, Arms: r.Names, ArmDim: r.ArmDim, Groups: r.Groups, Shape: r.Shape, IgnoresActions: true, Pulls: r.Pulls, UniformRegret: regret, ConstantArm: r.ConstantArm}
}

func (e *childEnvironment) Spec() bandit.Spec { return e.spec }

// width returns how many numbers make up one pull.
func (e *childEnvironment) width() int {
	return e.spec.Dim + len(e.spec.Arms)*(e.spec.ArmDim+2)
}

func (e *childEnvironment) Next(r *bandit.Round, o *bandit.Outcome) error {
	if len(e.ahead) == 0 && !e.ended && (e.spec.Pulls == 0 || e.pulls < e.spec.Pulls) {
		if err := e.fetch(); err != nil {
			return err
		}
	}
	if len(e.ahead) == 0 {
		return io.EOF
	}
	e.pulls++
	r.Row = -1
	from := e.ahead[:e.width()]
	e.ahead = e.ahead[e.width():]
	from = narrow(r.Context, from)
	for _, features := range r.Arms {
		from = narrow(features, from)
	}
	copy(o.Mean, from)
	copy(o.Reward, from[len(o.Mean):])
	return nil
}

// narrow fills dst from the beginning of from and returns the rest of from.
func narrow(dst []float32, from []float64) []float64 {
	for i := range dst {
		dst[i] = float32(from[i])
	}
	return from[len(dst):]
}

// fetch asks the child for the next pulls.
func (e *childEnvironment) fetch() error {
	c, err := e.connect()
	if err != nil {
		return err
	}
	n := chunk
	if e.spec.Pulls > 0 {
		n = min(n, e.spec.Pulls-e.pulls)
	}
	kind := fmt.Sprintf("next from pull %d", e.pulls+1)
	a, frame, err := c.request(kind, message{Type: "next", N: n}, n*e.width())
	if err != nil {
		return err
	}
	cause := ""
	if a.Frame == 0 {
		frame, cause = e.fromLists(a, n)
	}
	if cause == "" && len(frame)%e.width() != 0 {
		cause = fmt.Sprintf("its frame has %d numbers, want a multiple of %d: context, features, means and rewards", len(frame), e.width())
	}
	if cause != "" {
		return c.fail(kind, cause)
	}
	e.arrange(frame)
	e.ended = len(e.ahead) < n*e.width()
	return e.check(c, kind)
}

// arrange sets ahead from a frame: the contexts of all pulls, then all features, then all means, then all rewards.
func (e *childEnvironment) arrange(frame []float64) {
	arms, n := len(e.spec.Arms), len(frame)/e.width()
	e.ahead = make([]float64, 0, len(frame))
	for i := range n {
		part := frame
		for _, width := range []int{e.spec.Dim, arms * e.spec.ArmDim, arms, arms} {
			e.ahead = append(e.ahead, part[i*width:(i+1)*width]...)
			part = part[n*width:]
		}
	}
}

// fromLists returns an answer's lists as a frame, or as cause what is wrong. limit is the largest number of pulls.
func (e *childEnvironment) fromLists(a *answer, limit int) (frame []float64, cause string) {
	n, arms := len(a.Contexts), len(e.spec.Arms)
	if n > limit {
		return nil, fmt.Sprintf("its answer has %d pulls, want at most %d", n, limit)
	}
	if e.spec.ArmDim > 0 && len(a.Features) != n {
		return nil, fmt.Sprintf("its answer has the features of %d pulls, want %d", len(a.Features), n)
	}
	if a.Means == nil { // an answer that has only means or only rewards uses them for both
		a.Means = a.Rewards
	}
	if a.Rewards == nil {
		a.Rewards = a.Means
	}
	add := func(name string, rows [][]number, n, width int) {
		if cause == "" {
			cause = wrongRows(name, rows, n, width)
			frame = flatten(frame, rows)
		}
	}
	add("contexts", a.Contexts, n, e.spec.Dim)
	for _, pull := range a.Features {
		add("features", pull, arms, e.spec.ArmDim)
	}
	add("means or rewards", a.Means, n, arms)
	add("rewards", a.Rewards, n, arms)
	return frame, cause
}

// check fails the child if a number in ahead is not finite, and notes the pulls in ahead in the journal.
func (e *childEnvironment) check(c *child, kind string) error {
	for i, v := range e.ahead {
		// Contexts are float32, in which a large float64 is infinite.
		if math.IsNaN(v) || math.IsInf(float64(float32(v)), 0) {
			return c.fail(kind, fmt.Sprintf("number %d of pull %d (context, features, means, rewards) is %g, want a finite number", i%e.width(), e.pulls+1+i/e.width(), v))
		}
	}
	for i := range len(e.ahead) / e.width() {
		drawn := digest(e.ahead[i*e.width() : (i+1)*e.width()])
		if err := e.note(c, kind, drawn, "pull %d: on replay the child drew another pull", e.pulls+1+i); err != nil {
			return err
		}
	}
	return nil
}

// MarshalBinary returns the state of the child and the pulls in ahead.
func (e *childEnvironment) MarshalBinary() ([]byte, error) { return state.Save(e.state) }

func (e *childEnvironment) UnmarshalBinary(b []byte) error { return state.Restore(b, e.state) }

func (e *childEnvironment) state(c *state.Codec) {
	c.Int("pulls", &e.pulls, 0, math.MaxInt)
	ahead := len(e.ahead) / e.width()
	c.Int("pulls drawn ahead", &ahead, 0, chunk)
	c.Bool(&e.ended)
	if c.Reading() {
		e.ahead = make([]float64, ahead*e.width())
	}
	c.Float64s(e.ahead)
	c.Object(&e.link)
}
