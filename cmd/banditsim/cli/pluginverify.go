package cli

import (
	"fmt"
	"io"
	"math"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/plugin"
	"banditsim/bandit/stream"
	"banditsim/internal/reportcard"
	"banditsim/internal/verify"
	"banditsim/policy"
	"banditsim/posterior"
)

// environmentPulls is the number of pulls in the check of an environment.
const environmentPulls = 10_000

// pluginPart returns the checks of a program for the role that it claims. rounds is the number of training rounds in
// which a posterior must learn a linear function; 0 leaves that check out.
func pluginPart(program plugin.Program, rounds int) (reportcard.Part, error) {
	role, draws, err := plugin.Probe(program)
	if err != nil {
		return reportcard.Part{}, err
	}
	l := &launcher{program: program}
	var checks []verify.Check
	switch role {
	case plugin.RolePosterior:
		checks = l.posteriorChecks(posterior.Claims{Rounds: max(rounds, 1), Spread: draws}, rounds > 0)
	case plugin.RoleEnvironment:
		const proves = "names and lengths as promised, rewards about their means, the same pulls from the same seed, and after a restore"
		checks = []verify.Check{l.check("contract", proves, func(j *verify.Judge) {
			verify.Must(bandittest.Environment(environmentPulls, func(r *stream.Stream) (bandit.Environment, error) {
				e, err := plugin.NewEnvironment(program, r)
				return closing(l, e, err)
			}))
			j.Promise(fmt.Sprintf("%d pulls", environmentPulls), true, "")
		})}
	default:
		checks = l.policyChecks()
	}
	return reportcard.Part{Name: program.Name, Doc: program.String(), Kind: role, Checks: checks}, nil
}

// A launcher starts the child processes of a check and ends them after it.
type launcher struct {
	program plugin.Program
	closers []io.Closer // the children that are running
}

// closing returns a child that was started, and has the launcher end it after the check.
func closing[T any](l *launcher, child T, err error) (T, error) {
	if err == nil {
		l.closers = append(l.closers, any(child).(io.Closer))
	}
	return child, err
}

// check returns a check that runs do and then ends the child processes.
func (l *launcher) check(name, proves string, do func(j *verify.Judge)) verify.Check {
	return verify.Check{Name: name, Proves: proves, Do: func(j *verify.Judge) {
		defer func() {
			for _, child := range l.closers {
				child.Close()
			}
			l.closers = nil
		}()
		do(j)
	}}
}

func (l *launcher) policyChecks() (list []verify.Check) {
	build := func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
		p, err := plugin.NewPolicy(l.program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, Stream: r})
		return closing(l, p, err)
	}
	for _, c := range bandittest.PolicyChecks(build) {
		list = append(list, l.check(c.Name, c.Proves, func(j *verify.Judge) {
			verify.Must(c.Run())
			j.Promise(c.Proves, true, "")
		}))
	}
	for _, batch := range []int{1, 20} {
		name := "speed one by one"
		if batch > 1 {
			name = fmt.Sprintf("speed in batches of %d", batch)
		}
		list = append(list, l.check(name, "pulls per second, with contexts of 22 numbers and 2 arms", func(j *verify.Judge) {
			rate, err := speed(build, batch, 300*time.Millisecond)
			verify.Must(err)
			j.Note("pulls per second", verify.Estimate{Value: math.Round(rate)}, "")
		}))
	}
	return list
}

func (l *launcher) posteriorChecks(claims posterior.Claims, learns bool) (list []verify.Check) {
	of := posterior.Subject{Name: l.program.Name, Claims: claims, New: func(s posterior.Setup) (posterior.Posterior, error) {
		p, err := plugin.NewPosterior(l.program, s)
		return closing(l, p, err)
	}}
	for _, c := range verify.Posterior(of) {
		if c.Name != verify.Learning || learns {
			list = append(list, l.check(c.Name, c.Proves, c.Do))
		}
	}
	return list
}

// speed plays a policy for about the duration long and returns the number of pulls per second, Act and Learn
// included, with contexts of 22 numbers, 2 arms, and batch pulls at a time.
func speed(build bandittest.Builder, batch int, long time.Duration) (float64, error) {
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
