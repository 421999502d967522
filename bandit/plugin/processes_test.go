package plugin

import (
	"errors"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
)

// TestFailedHello checks that a child that fails at hello fails its trials in their first round, and that New returns an error for a
// program that cannot be started.
func TestFailedHello(t *testing.T) {
	protocol := bandit.Protocol{Rounds: 2, Pulls: 3}
	kinds := map[string]func(declare.Declaration, declare.Identity, policy.Setup) (bandit.Policy, error){
		RolePolicy: func(d declare.Declaration, id declare.Identity, s policy.Setup) (bandit.Policy, error) {
			return Processes{}.PolicyKind(d, id).New(id, s)
		},
		RolePosterior: func(d declare.Declaration, id declare.Identity, s policy.Setup) (bandit.Policy, error) {
			u := policy.UCBKind(Processes{}.PosteriorKind(d, id), 1)
			return u.New(u.Defaults(), s)
		},
	}
	for role, made := range kinds {
		play := func(command []string) (bandit.Policy, error) {
			d := declare.Declaration{Program: Program{Name: "Late", Command: command, Timeout: 10 * timeout}, Role: role}
			root := stream.Root(1)
			id := declare.Identity{Command: command, Options: []byte("{}")}
			return made(d, id, policy.Setup{Spec: (&numbers{}).Spec(), Protocol: protocol, Stream: root.Child("policy")})
		}
		p := must.Get(play(command(role, "error", "hello")))(t)
		trial := must.Get(bandit.NewTrial(&numbers{}, p, protocol, stream.Root(1).Child("burn-in"), discard{}))(t)
		var failure *Error
		err := trial.Round(t.Context())
		must.That(t, errors.As(err, &failure) &&
			strings.Contains(err.Error(), "request 1, hello: it answered with an error: I give up"), "%s: %v", role, err)
		trial.Close()
		if _, err := play([]string{"./no such program"}); err == nil || errors.As(err, &failure) {
			t.Errorf("%s that cannot be started: %v, want an error of New", role, err)
		}
	}
	checkNothingLeft(t)
}
