// Package resultstest writes made-up trials for the tests of the packages that read them.
package resultstest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/must"
	"banditsim/results"
)

// Identity returns the identity of a trial of the mushroom bandit.
func Identity(policy string, seed uint64, rounds int) results.Identity {
	return results.Identity{
		Epoch:  results.Epoch,
		Policy: results.Policy{Name: policy, Options: json.RawMessage(`{"learning_rate":3e-7,"chains":4}`)},
		Environment: results.Environment{
			Name:          "mushroom",
			Options:       json.RawMessage(`{"encoding":"onehot"}`),
			Data:          results.Data{Name: "uci", SHA256: "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e"},
			Arms:          []string{"leave", "eat"},
			UniformRegret: 4.91014,
		},
		Protocol: bandit.Protocol{Rounds: rounds, Pulls: 20, BurnIn: 1024},
		Seed:     seed,
	}
}

// Set returns a set without files. The argument regret has the expected regret of each policy for the seeds 1, 2, 3 and
// so on; NaN makes a failed trial. The realised regret is lower by 1000.
func Set(regret map[string][]float64) *results.Set {
	i := Identity("", 0, 100)
	set := &results.Set{Conditions: results.Conditions{Epoch: i.Epoch, Environment: i.Environment, Protocol: i.Protocol}}
	for name, values := range regret {
		p := results.PolicyRecords{Label: name, Policy: results.Policy{Name: name, Options: json.RawMessage(`{}`)}}
		for k, v := range values {
			rec := results.Record{Seed: uint64(k + 1), Totals: results.Totals{Rounds: 100, Expected: v, Realised: v - 1000, ExpectedAfter: v / 2, RealisedAfter: v / 2}}
			if math.IsNaN(v) {
				rec.Totals = results.Totals{Rounds: 9, Failure: &results.Failure{Round: 10, Cause: "NaN"}}
			}
			p.Records = append(p.Records, rec)
		}
		set.Policies = append(set.Policies, p)
	}
	slices.SortFunc(set.Policies, func(a, b results.PolicyRecords) int { return strings.Compare(a.Label, b.Label) })
	return set
}

// write writes a trial to an output folder and returns the path of the trial file. play records the trial's rounds.
func write(t testing.TB, dir string, i results.Identity, failure *results.Failure, play func(*results.Writer)) string {
	t.Helper()
	trials := filepath.Join(dir, results.TrialsDir)
	must.OK(t, os.MkdirAll(trials, 0o755))
	w := must.Get(results.Create(trials, i))(t)
	play(w)
	must.Get(w.Finish(failure))(t)
	return filepath.Join(trials, i.FileName())
}

// WriteRounds writes a trial with the given rounds to an output folder and returns the path of the trial file.
func WriteRounds(t testing.TB, dir string, i results.Identity, failure *results.Failure, rounds ...*bandit.RoundRecord) string {
	t.Helper()
	return write(t, dir, i, failure, func(w *results.Writer) {
		for _, r := range rounds {
			must.OK(t, w.Record(r))
		}
	})
}

// WritePulls writes a trial with recorded pulls to an output folder and returns the path of the trial file. The
// function pull must set the row, the arm and the rewards of p, which is pull k, counted from 0, of the round r.
func WritePulls(t testing.TB, dir string, i results.Identity, pull func(r *bandit.RoundRecord, p *bandit.PullRecord, k int)) string {
	t.Helper()
	return write(t, dir, i, nil, func(w *results.Writer) {
		must.OK(t, w.RecordPulls())
		for round := 1; round <= i.Protocol.Rounds; round++ {
			r := bandit.RoundRecord{Round: round, Arms: make([]int, len(i.Environment.Arms))}
			for k := range i.Protocol.Pulls {
				p := bandit.PullRecord{Round: round, T: (round-1)*i.Protocol.Pulls + k + 1, Propensity: math.NaN()}
				pull(&r, &p, k)
				r.Realised += p.Best - p.Reward
				r.Expected += p.Best - p.Expected
				r.Arms[p.Arm]++
				must.OK(t, w.RecordPull(&p))
			}
			must.OK(t, w.Record(&r))
		}
	})
}

// meanRegret returns the mean regret of a round: 98 in burn-in, then falling from 1.1·quality to 0.1·quality.
func meanRegret(i results.Identity, round int, quality float64) float64 {
	if round < i.Protocol.AfterBurnIn() {
		return 98
	}
	return quality * (0.1 + math.Exp(-float64(round-i.Protocol.AfterBurnIn())/100))
}

// WriteTrial writes a trial of made-up rounds with a contour and returns the path of the trial file. quality is the
// scale of the regret. If failAfter is above 0, the trial fails after that many rounds.
func WriteTrial(t testing.TB, dir string, i results.Identity, quality float64, failAfter int) string {
	t.Helper()
	// As in a bandit, some luck depends only on the seed, so policies are paired, and some also on the policy (quality).
	burnIn, rng := rand.New(rand.NewPCG(i.Seed, 0)), rand.New(rand.NewPCG(i.Seed, uint64(quality*1000)))
	rounds := i.Protocol.Rounds
	var failure *results.Failure
	if failAfter > 0 {
		rounds, failure = failAfter, &results.Failure{Round: failAfter + 1, Cause: "the energy of chain 3 is NaN"}
	}
	luck := 1 + 0.1*rand.New(rand.NewPCG(i.Seed, 1)).NormFloat64()
	var played []*bandit.RoundRecord
	for round := 1; round <= rounds; round++ {
		luckOf := rng
		if round < i.Protocol.AfterBurnIn() { // luck that all policies share
			luckOf = burnIn
		}
		mean := meanRegret(i, round, quality*luck)
		r := &bandit.RoundRecord{Round: round, Arms: []int{i.Protocol.Pulls - 8, 8}, Mistakes: []bandit.Mistake{{Row: 17, Arm: 1}, {Row: 8123, Arm: 0}}}
		r.Expected = max(0, mean*(1+0.3*luckOf.NormFloat64()))
		r.Realised = r.Expected + 20*luckOf.NormFloat64()
		r.Diagnostics = diagnostics.Round{WeightESS: 3.9, Theta: make([]float64, 100)}
		for k := range r.Diagnostics.Theta {
			r.Diagnostics.Theta[k] = luckOf.Float64() / 50
		}
		for k := range 4 {
			r.Diagnostics.Chains = append(r.Diagnostics.Chains, diagnostics.Chain{
				Energy: 1000 * luckOf.Float64(), Bin: 10 + k, MultiplierMin: 0.9, MultiplierMean: 1.01, MultiplierMax: 1.5,
			})
		}
		played = append(played, r)
	}
	return WriteRounds(t, dir, i, failure, played...)
}

// Six returns the names of the six policies of the ICSGLD paper.
func Six() []string {
	return []string{"pICSGLD", "pCSGLD", "pSGLD", "Dropout", "ConstSGD", "EpsGreedy"}
}

// Trials writes trials and loads them. Regret grows from policy to policy. change, if not nil, changes identities.
func Trials(t testing.TB, policies []string, seeds, rounds int, change func(*results.Identity)) *results.Set {
	t.Helper()
	dir := t.TempDir()
	for k, p := range policies {
		for seed := range seeds {
			i := Identity(p, uint64(seed+1), rounds)
			if change != nil {
				change(&i)
			}
			WriteTrial(t, dir, i, 12+4*float64(k), 0)
		}
	}
	return must.Get(results.Load(dir))(t)
}

// ReadFile reads a file, for tests that damage it.
func ReadFile(t testing.TB, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

// WriteFile writes a file, and makes its folder if needed.
func WriteFile(t testing.TB, path string, b []byte) {
	t.Helper()
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.OK(t, os.WriteFile(path, b, 0o644))
}
