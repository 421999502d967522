package plugincmd

import (
	"fmt"
	"io"
	"math"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/plugin"
	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/policy"
	"banditsim/posterior"
)

// pulls is the number of pulls by which an environment is checked.
const pulls = 10_000

// Subject returns what a child process claims to be as the subject of the checks of its role, and a line about it. rounds
// is the number of training rounds in which a posterior learns a linear function, 0 if it does not claim to.
func Subject(program plugin.Program, rounds int) (verify.Part, error) {
	ready, err := plugin.Probe(program, "")
	if err != nil {
		return verify.Part{}, err
	}
	part := verify.Part{Name: program.Name, Doc: program.String(), Kind: ready.Role}
	l := &launcher{program: program}
	switch ready.Role {
	case plugin.RolePosterior:
		p := verify.Posterior{Subject: posterior.Subject{Name: program.Name, New: l.posterior, Claims: posterior.Claims{Rounds: max(rounds, 1), Spread: ready.Draw}}}
		part.Subject = posteriorSubject{l, p, rounds > 0}
	case plugin.RoleEnvironment:
		part.Subject = environmentSubject{l}
	default:
		part.Subject = policySubject{l}
	}
	return part, nil
}

// A launcher starts the children of a check and ends them after it.
type launcher struct {
	program plugin.Program
	closers []func() error
}

func (l *launcher) policy(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
	p, err := plugin.NewPolicy(l.program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, Stream: r})
	if err == nil {
		l.closers = append(l.closers, p.(io.Closer).Close)
	}
	return p, err
}

func (l *launcher) posterior(s posterior.Setup) (posterior.Posterior, error) {
	p, err := plugin.NewPosterior(l.program, s)
	if err != nil {
		return nil, err
	}
	l.closers = append(l.closers, p.(io.Closer).Close)
	return p, nil
}

func (l *launcher) environment(r *stream.Stream) (bandit.Environment, error) {
	e, err := plugin.NewEnvironment(l.program, r)
	if err != nil {
		return nil, err
	}
	l.closers = append(l.closers, e.(io.Closer).Close)
	return e, nil
}

// check returns a check after which the children are ended, and fail if they do not end well.
func (l *launcher) check(name, proves string, do func(j *verify.Judge)) verify.Check {
	return verify.Check{Name: name, Proves: proves, Do: func(j *verify.Judge) {
		defer func() {
			for _, closing := range l.closers {
				closing()
			}
			l.closers = nil
		}()
		do(j)
	}}
}

type policySubject struct{ *launcher }

func (s policySubject) Checks() []verify.Check {
	var list []verify.Check
	for _, c := range bandittest.PolicyChecks(s.policy) {
		list = append(list, s.check(c.Name, c.Proves, func(j *verify.Judge) {
			verify.Must(c.Run())
			j.Promise(c.Proves, true, "")
		}))
	}
	for _, batch := range []int{1, 20} {
		name := "speed one by one"
		if batch > 1 {
			name = fmt.Sprintf("speed in batches of %d", batch)
		}
		list = append(list, s.check(name, "pulls per second, with contexts of 22 numbers and 2 arms", func(j *verify.Judge) {
			rate, err := Speed(s.policy, batch, 300*time.Millisecond)
			verify.Must(err)
			j.Note("pulls per second", verify.Estimate{Value: math.Round(rate)}, "")
		}))
	}
	return list
}

// Speed plays a policy for about so long and returns the number of pulls per second: act and learn of contexts of 22
// numbers with 2 arms, batch pulls at a time.
func Speed(build bandittest.Builder, batch int, long time.Duration) (float64, error) {
	spec := bandit.Spec{Dim: 22, Arms: []string{"a", "b"}, IgnoresActions: true}
	draws := stream.Root(1)
	p, err := build(spec, draws.Child("policy"))
	if err != nil {
		return 0, err
	}
	rounds, arms := make([]bandit.Round, batch), make([]int, batch)
	for i := range rounds {
		rounds[i] = bandit.Round{T: i + 1, Row: -1, Context: make([]float32, spec.Dim)}
		draws.Normals(rounds[i].Context)
	}
	play := func() error {
		if b, ok := p.(bandit.BatchActor); ok && batch > 1 {
			err = b.ActBatch(arms, rounds)
		} else {
			arms[0], err = p.Act(rounds[0])
		}
		for i, r := range rounds {
			if err == nil {
				err = p.Learn(r, arms[i], 1)
			}
		}
		return err
	}
	if err := play(); err != nil { // the start of the child does not count
		return 0, err
	}
	begin, n := time.Now(), 0
	for time.Since(begin) < long {
		if err := play(); err != nil {
			return 0, err
		}
		n += batch
	}
	return float64(n) / time.Since(begin).Seconds(), nil
}

type posteriorSubject struct {
	*launcher
	verify.Posterior
	learns bool
}

func (s posteriorSubject) Checks() []verify.Check {
	var list []verify.Check
	for _, c := range s.Posterior.Checks() {
		if c.Name == verify.Learning && !s.learns {
			continue
		}
		list = append(list, s.check(c.Name, c.Proves, c.Do))
	}
	return list
}

type environmentSubject struct{ *launcher }

func (s environmentSubject) Checks() []verify.Check {
	const proves = "names and lengths as promised, rewards about their means, the same pulls from the same seed, and after a restore"
	return []verify.Check{s.check("contract", proves, func(j *verify.Judge) {
		verify.Must(bandittest.Environment(pulls, s.environment))
		j.Promise(fmt.Sprintf("%d pulls", pulls), true, "")
	})}
}
