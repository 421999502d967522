package results

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/lists"
	"banditsim/internal/must"
)

// identity is that of a trial of the mushroom bandit.
func identity(policy string, seed uint64, rounds int) Identity {
	return Identity{
		Epoch:  Epoch,
		Policy: Policy{Name: policy, Options: json.RawMessage(`{"learning_rate":3e-7,"chains":4}`)},
		Environment: Environment{
			Name:          "mushroom",
			Options:       json.RawMessage(`{"encoding":"onehot"}`),
			Data:          Data{Name: "uci", SHA256: "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e"},
			Arms:          []string{"leave", "eat"},
			UniformRegret: 4.91014,
		},
		Protocol: bandit.Protocol{Rounds: rounds, Pulls: 20, BurnIn: 1024},
		Seed:     seed,
	}
}

// record makes up a round: about 98 of expected regret in burn-in, then quality and
// less and less.
func record(rng *rand.Rand, i Identity, round int, quality float64) *bandit.RoundRecord {
	mean := 98.0
	if round >= i.Protocol.AfterBurnIn() {
		mean = quality * (0.1 + math.Exp(-float64(round-i.Protocol.AfterBurnIn())/100))
	}
	r := &bandit.RoundRecord{Round: round, Arms: []int{i.Protocol.Pulls - 8, 8}}
	r.Expected = max(0, mean*(1+0.3*rng.NormFloat64()))
	r.Realised = r.Expected + 20*rng.NormFloat64()
	r.Mistakes = append(r.Mistakes, bandit.Mistake{Row: 17, Arm: 1}, bandit.Mistake{Row: 8123, Arm: 0})
	theta := make([]float64, 100)
	for k := range theta {
		theta[k] = rng.Float64() / 50
	}
	r.Diagnostics = diagnostics.Round{WeightESS: 3.9, Theta: theta}
	for k := range 4 {
		r.Diagnostics.Chains = append(r.Diagnostics.Chains, diagnostics.Chain{
			Energy: 1000 * rng.Float64(), Bin: 10 + k, MultiplierMin: 0.9, MultiplierMean: 1.01, MultiplierMax: 1.5,
		})
	}
	return r
}

// write writes a whole trial of made-up rounds, or one that fails after some.
func write(t testing.TB, dir string, i Identity, quality float64, failAfter int) string {
	t.Helper()
	trials := filepath.Join(dir, TrialsDir)
	must.OK(t, os.MkdirAll(trials, 0o755))
	w := must.Get(Create(trials, i))(t)
	defer w.Abort()
	// As in a bandit, part of the luck is the seed's and part the policy's.
	burnIn, rng := rand.New(rand.NewPCG(i.Seed, 0)), rand.New(rand.NewPCG(i.Seed, uint64(quality*1000)))
	rounds := i.Protocol.Rounds
	var failure *Failure
	if failAfter > 0 {
		rounds, failure = failAfter, &Failure{Round: failAfter + 1, Cause: "the energy of chain 3 is NaN"}
	}
	luck := 1 + 0.1*rand.New(rand.NewPCG(i.Seed, 1)).NormFloat64()
	for round := 1; round <= rounds; round++ {
		luckOf := rng
		if round < i.Protocol.AfterBurnIn() { // the same for all policies
			luckOf = burnIn
		}
		must.OK(t, w.Record(record(luckOf, i, round, quality*luck)))
	}
	must.Get(w.Finish(failure))(t)
	return filepath.Join(trials, i.FileName())
}

var six = []string{"pICSGLD", "pCSGLD", "pSGLD", "Dropout", "ConstSGD", "EpsGreedy"}

// readFile and writeText are for tests that damage files.
func readFile(t testing.TB, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

func writeText(t testing.TB, path string, b []byte) {
	t.Helper()
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.OK(t, os.WriteFile(path, b, 0o644))
}

func labels(set *Set) []string {
	return lists.Each(set.Policies, func(p PolicyRecords) string { return p.Label })
}
