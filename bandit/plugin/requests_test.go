package plugin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior"
)

// child0 returns a program whose only fault, if any, is at hello.
func child0(role, fault string) Program {
	return Program{Name: "A child", Command: command(role, fault, "hello"), Timeout: 10 * timeout}
}

// TestThreads checks that libraries of linear algebra get one thread, unless their variable is set.
func TestThreads(t *testing.T) {
	t.Setenv("OMP_NUM_THREADS", "4")
	t.Setenv("MKL_NUM_THREADS", "")
	list := environment()
	must.That(t, !slices.Contains(list, "OMP_NUM_THREADS=1") && slices.Contains(list, "OMP_NUM_THREADS=4"),
		"a number of threads that is set does not hold")
	if list[len(list)-1] != "MKL_NUM_THREADS=1" { // of several values of a name the last one counts
		t.Errorf("the last variable is %s", list[len(list)-1])
	}
}

// TestPullsOfEnvironment checks that an environment has as many pulls as ready says, more or fewer than one request asks for.
func TestPullsOfEnvironment(t *testing.T) {
	for fault, want := range map[string]int{"": 12, "forty pulls": 40} {
		e := must.Get(NewEnvironment(child0(RoleEnvironment, fault), stream.Root(1)))(t)
		r, o := bandit.Round{Context: make([]float32, 2)}, bandit.Outcome{Mean: make([]float64, 3), Reward: make([]float64, 3)}
		got, err := 0, e.Next(&r, &o)
		for ; err == nil && got < 100; err = e.Next(&r, &o) {
			got++
		}
		must.That(t, err == io.EOF && got == want, "%q: %d pulls, %v, want %d and the end", fault, got, err, want)
		e.(io.Closer).Close()
	}
}

// TestJournal checks that a replay accepts the answers of the journal and any after its end, and rejects others.
func TestJournal(t *testing.T) {
	first := link{answers: []uint32{7, 1 << 31}}
	for _, c := range []struct {
		answers []uint32
		wrong   bool
	}{{[]uint32{7, 1 << 31, 5}, false}, {[]uint32{7, 7}, true}, {[]uint32{8}, true}} {
		var again link
		must.OK(t, again.Replay(first.Journal()))
		child := must.Get(start(child0(RolePolicy, "")))(t)
		defer child.close()
		var err error
		for _, v := range c.answers {
			err = cmp.Or(err, again.note(child, "act", v, "another arm"))
		}
		if (err != nil) != c.wrong || c.wrong && !strings.HasPrefix(err.(*Error).Cause, "another arm than before the interruption") {
			t.Errorf("%d: %v, want an error: %t", c.answers, err, c.wrong)
		}
	}
}

// TestStateHasLessons checks that the state includes pulls that were not sent yet. The state of this child is the sum of its rewards.
func TestStateHasLessons(t *testing.T) {
	q := must.Get(NewPosterior(child0(RolePosterior, ""), posterior.Setup{Dim: 2, Arms: 3, Rounds: 5, Stream: stream.Root(1)}))(t)
	defer q.(io.Closer).Close()
	for _, reward := range []float64{0.5, 2} {
		must.OK(t, q.Observe([]float32{1, 2}, 0, reward))
	}
	b, err := q.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
	must.That(t, err == nil && string(b) == "2.5", "state %q, %v, want 2.5", b, err)
}

// TestLastRound checks that a child that is not told of the ends of rounds still gets its pulls at the end of the last round, so that its
// errors are not missed, and that hello has the protocol.
func TestLastRound(t *testing.T) {
	made := must.Get(NewPolicy(child0(RolePolicy, "no end"), policy.Setup{Spec: (&numbers{}).Spec(), Protocol: bandit.Protocol{Rounds: 2, Pulls: 5}, Stream: stream.Root(1)}))(t)
	p := made.(*childPolicy)
	defer p.Close()
	must.That(t, p.hello.Rounds == 2 && p.hello.Pulls == 5,
		"hello has %d rounds of %d pulls, want 2 of 5", p.hello.Rounds, p.hello.Pulls)
	for round, unsent := range []int{1, 0} {
		must.OK(t, p.Learn(bandit.Round{T: round + 1, Context: make([]float32, 2)}, 1, 1))
		must.OK(t, p.EndRound(t.Context(), round+1))
		must.Equal(t, fmt.Sprintf("after round %d: pulls are not sent", round+1), len(p.arms), unsent)
	}
}

// TestFolder checks that children run in the folder of the experiment, from which the path of the program starts.
func TestFolder(t *testing.T) {
	self := must.Get(filepath.Abs(os.Args[0]))(t)
	p := Processes{Dir: t.TempDir()}
	must.OK(t, os.Symlink(self, filepath.Join(p.Dir, "program")))
	of := func(role string) (declare.Declaration, declare.Identity) {
		words := append([]string{"./program"}, command(role, "", "")[1:]...)
		d := declare.Declaration{Program: Program{Name: "Here", Command: words, Timeout: 10 * timeout}, Role: role, Rule: "UCB"}
		id, err := p.Identity(d)
		must.Hold(t, err == nil && len(id.Files) == 1 && id.Files["./program"] != "", "%s: %v, files %v", role, err, id.Files)
		return d, id
	}
	d, id := of(RoleEnvironment)
	if w, err := p.Open(d, id); err != nil {
		t.Error(err)
	} else if _, err := w.New(stream.Root(1)); err != nil {
		t.Error(err)
	}
	d, id = of(RolePosterior)
	must.Get(p.PosteriorKind(d, id).New(id, posterior.Setup{Dim: 2, Arms: 3, Stream: stream.Root(1)}))(t)
	checkNothingLeft(t)
}

// TestShape checks that hello has the shape of images, and that the environment of a child has the shape of its answer.
func TestShape(t *testing.T) {
	setup := policy.Setup{Spec: bandit.Spec{Dim: 6, Arms: []string{"a", "b"}, Shape: []int{2, 3, 1}}, Stream: stream.Root(1)}
	for _, h := range []hello{helloPolicy(setup), helloPosterior(setup.Posterior())} {
		b, err := json.Marshal(h)
		must.That(t, err == nil && strings.Contains(string(b), `"shape":[2,3,1]`), "%s, %v: no shape", b, err)
	}
	setup.Spec.Shape = nil
	b, err := json.Marshal(helloPolicy(setup))
	must.That(t, err == nil && !strings.Contains(string(b), "shape"), "%s, %v: a shape of contexts that are no images", b, err)
	ready := greeting{Dim: 6, Names: []string{"a", "b"}, Shape: []int{2, 3, 1}}
	got := ready.spec().Shape
	must.That(t, slices.Equal(got, ready.Shape) && ready.wrongSpec() == "", "shape %v, %q", got, ready.wrongSpec())
	ready.Shape = []int{2, 2, 1}
	must.Contain(t, ready.wrongSpec(), "contexts of length 6 with the shape [2 2 1]")
}

// TestConstantArm checks that the constant arm of an environment must be one of its arms, with a regret of at least 0.
func TestConstantArm(t *testing.T) {
	for _, c := range []struct{ name, declared, want string }{
		{"none", `null`, ""},
		{"an arm", `{"arm":"b","regret":0.05}`, ""},
		{"the best in every pull", `{"arm":"b","regret":0}`, ""},
		{"no arm", `{"arm":"yes","regret":0.05}`, `constant_arm is "yes" with the regret 0.05: want the name of one of the arms, and at least 0`},
		{"nearly an arm", `{"arm":"gren","regret":0}`, "did you mean green?"},
		{"below 0", `{"arm":"b","regret":-1}`, `constant_arm is "b" with the regret -1`},
		{"uniform", `null,"uniform_regret":-0.5`, "uniform_regret is -0.5: want at least 0"},
	} {
		var r greeting
		must.OK(t, json.Unmarshal([]byte(`{"dim":2,"names":["a","b","green"],"constant_arm":`+c.declared+`}`), &r))
		got := r.wrongSpec()
		must.That(t, (c.want != "" || got == "") && strings.Contains(got, c.want), "%s: %q, want %q", c.name, got, c.want)
		if arm := r.spec().ConstantArm; c.name == "an arm" && (arm == nil || *arm != bandit.ConstantArm{Arm: "b", Regret: 0.05}) || c.name == "none" && arm != nil {
			t.Errorf("%s: the specification has %v", c.name, arm)
		}
	}
}
