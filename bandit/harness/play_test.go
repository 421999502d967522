package harness_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/bandit/internal/toytest"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/results"
)

// TestPlay checks that PlayPlan returns the trials that a Runner writes to a folder, with the same rounds, and records a failed trial.
func TestPlay(t *testing.T) {
	c := toytest.Catalog(t)
	e := toytest.Toy(t, c)
	e.Policies = append(e.Policies, "Sulker")
	plan := toytest.Resolve(t, e, c)
	played := must.Get(harness.PlayPlan(t.Context(), plan))(t)
	dir := t.TempDir()
	r := harness.Runner{Dir: dir, Workers: 1, Now: time.Now}
	must.Get(r.Run(t.Context(), plan))(t)
	loaded := must.Get(results.Load(dir))(t)
	must.Hold(t, len(played.Policies) == 3 && len(loaded.Policies) == 3,
		"%d policies played, %d loaded, want 3", len(played.Policies), len(loaded.Policies))
	for i, p := range played.Policies {
		of := loaded.Policies[i]
		if p.Label != of.Label || len(p.Records) != len(e.Seeds) || len(of.Records) != len(e.Seeds) {
			t.Errorf("%s with %d trials, want %s with %d", p.Label, len(p.Records), of.Label, len(of.Records))
			continue
		}
		for k, rec := range p.Records {
			must.That(t, rec.Sum == of.Records[k].Sum && rec.ID() == of.Records[k].ID() && !rec.HasPulls(),
				"%s, seed %d: other bytes than on disk", p.Label, rec.Seed)
			rounds := 0
			for r, err := range rec.Rounds() {
				if rounds++; err != nil || r.Round != rounds {
					t.Fatalf("%s: round %v, error %v", p.Label, r, err)
				}
			}
			must.That(t, rec.Totals.Failure != nil == (p.Label == "Sulker") && rounds == rec.Totals.Rounds,
				"%s: %d rounds, failure %v", p.Label, rounds, rec.Totals.Failure)
		}
	}
}

// game returns a game on two arms whose mean rewards differ by 1.
func game(labels ...string) experiment.Game {
	g := experiment.Game{Name: "two", Protocol: bandit.Protocol{Rounds: 3, Pulls: 4}, Seeds: []uint64{1, 2},
		Environment: func(r *stream.Stream) (bandit.Environment, error) { return two{r}, nil }}
	for arm, label := range labels {
		g.Policies = append(g.Policies, experiment.NamedPolicy{Label: label, New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(arm), nil }})
	}
	return g
}

type two struct{ *stream.Stream }

func (two) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"a", "b"}, UniformRegret: 0.5}
}

func (e two) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Row, o.Mean[1], o.Reward[1] = -1, 1, 2*e.Float64()
	return nil
}

type narrow struct{ two }

func (narrow) Spec() bandit.Spec { return bandit.Spec{Dim: 1, Arms: []string{"a"}} }

// TestGame checks that the plan of a game has the same bytes played in memory and run in a folder.
func TestGame(t *testing.T) {
	plan := must.Get(game("first", "second").Plan())(t)
	set := must.Get(harness.Play(t.Context(), game("first", "second")))(t)
	if first, second := set.Find("first"), set.Find("second"); first.Records[0].Totals.Expected != 12 || second.Records[1].Totals.Expected != 0 {
		t.Errorf("regret %v and %v, want 12 and 0", first.Records[0].Totals, second.Records[1].Totals)
	}
	dir := t.TempDir()
	r := harness.Runner{Dir: dir, Workers: 2, Now: time.Now}
	must.Get(r.Run(t.Context(), plan))(t)
	for _, p := range set.Policies {
		for _, rec := range p.Records {
			b, err := os.ReadFile(filepath.Join(dir, results.TrialsDir, rec.FileName()))
			sum := rec.Sum
			must.That(t, err == nil && bytes.Contains(b, fmt.Appendf(nil, "%x", sum)),
				"%s, seed %d: the file on disk differs (%v)", p.Label, rec.Seed, err)
		}
	}
	stopped, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	_, err := harness.PlayPlan(stopped, plan)
	must.Is(t, err, cause)
}

func TestGamesThatAreWrong(t *testing.T) {
	for want, wrong := range map[string]func(*experiment.Game){
		"at least one seed and one policy": func(g *experiment.Game) { g.Policies = nil },
		"seed 1 occurs twice":              func(g *experiment.Game) { g.Seeds = []uint64{1, 1} },
		"no Environment":                   func(g *experiment.Game) { g.Environment = nil },
		"protocol.rounds: 0":               func(g *experiment.Game) { g.Protocol.Rounds = 0 },
		"New is nil":                       func(g *experiment.Game) { g.Policies[0].New = nil },
		"a is named twice":                 func(g *experiment.Game) { g.Policies[1].Label = "a" },
		"the name of a policy is empty":    func(g *experiment.Game) { g.Policies[1].Label = "" },
		`the name "caf\xe9" holds`:         func(g *experiment.Game) { g.Policies[1].Label = "caf\xe9" },
		"1 arms": func(g *experiment.Game) {
			g.Environment = func(*stream.Stream) (bandit.Environment, error) { return narrow{}, nil }
		},
		"no such arms": func(g *experiment.Game) {
			g.Environment = func(*stream.Stream) (bandit.Environment, error) { return nil, errors.New("no such arms") }
		},
	} {
		g := game("a", "b")
		wrong(&g)
		must.Refuse(g.Plan())(t, want)
	}
}
