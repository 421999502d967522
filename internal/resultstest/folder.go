package resultstest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/must"
	"banditsim/results"
)

// A Kind is the kind of diagnostics that a made-up policy records.
type Kind int

// The kinds of diagnostics.
const (
	Plain   Kind = iota // no diagnostics
	Sampler             // four chains
	Contour             // four chains that share a histogram of 20 bins
)

// A Folder describes the trials that Write makes up: one for each policy and seed.
type Folder struct {
	Policies []string
	Kinds    []Kind // kinds of the policies; Plain for policies beyond the length of Kinds
	Seeds    int
	Rounds   int
	BurnIn   int     // number of pulls in burn-in
	Scale    float64 // factor of the regrets; 0 stands for 1
	// Distinct is the number of trials per policy, at least 2, that WriteMany makes up; the others are copies. With 0 it
	// makes up 8, of which the last has ten times the regret of the others.
	Distinct int
	// Change, if not nil, changes the identity of each trial.
	Change func(*results.Identity)
	// Fails, if not nil, reports whether a trial fails in its fifth round.
	Fails   func(policy string, seed uint64) bool
	Cause   string           // cause of the failures
	Sidecar *results.Sidecar // sidecar of every trial; nil for none
}

// Provenance returns a sidecar for the field Sidecar of a Folder.
func Provenance() *results.Sidecar {
	return &results.Sidecar{
		Version: "0.1.0", Revision: "8141e3e", Go: "go1.26.0", Kernel: "avx2", Processor: "Test Processor", System: "linux/amd64",
		Command: []string{"banditsim", "run", "quick", "--set", "all.act=sample"},
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seconds: 83,
	}
}

// Write writes the folder to dir and loads it.
func Write(t testing.TB, dir string, f Folder) *results.Set {
	t.Helper()
	for k := range f.Policies {
		for seed := range uint64(f.Seeds) {
			f.trial(t, dir, k, seed+1, 1)
		}
	}
	return must.Get(results.Load(dir))(t)
}

// WriteMany is a faster Write for many seeds. It makes up the rounds of the first Folder.Distinct seeds of each policy,
// and copies them to the other seeds, except those of the last of these. It does not load the folder.
func WriteMany(t testing.TB, dir string, f Folder) {
	t.Helper()
	made := cmp.Or(f.Distinct, 8)
	for k, policy := range f.Policies {
		rounds := make([][]byte, made) // lines of the trial files, without the first and the last
		for seed := range f.Seeds {
			if seed < made {
				factor := 1.0
				if f.Distinct == 0 && seed == made-1 {
					factor = 10
				}
				b := ReadFile(t, f.trial(t, dir, k, uint64(seed+1), factor))
				rounds[seed] = b[bytes.IndexByte(b, '\n')+1 : bytes.LastIndexByte(b[:len(b)-1], '\n')+1]
				continue
			}
			i := f.identity(policy, uint64(seed+1))
			head := must.Get(json.Marshal(struct {
				Schema int    `json:"schema"`
				ID     string `json:"id"`
				results.Identity
			}{results.Schema, i.ID(), i}))(t)
			path := filepath.Join(dir, results.TrialsDir, i.FileName())
			b := fmt.Appendf(nil, "%s\n%s", head, rounds[seed%(made-1)])
			WriteFile(t, path, fmt.Appendf(b, "{\"sha256\":\"%x\"}\n", sha256.Sum256(b)))
			f.writeSidecar(t, path)
		}
	}
}

func (f Folder) identity(policy string, seed uint64) results.Identity {
	i := Identity(policy, seed, f.Rounds)
	i.Protocol.BurnIn = f.BurnIn
	if f.Change != nil {
		f.Change(&i)
	}
	return i
}

func (f Folder) writeSidecar(t testing.TB, path string) {
	t.Helper()
	if f.Sidecar != nil {
		must.OK(t, results.WriteSidecar(path, *f.Sidecar))
	}
}

// trial writes a trial of policy k with the given factor of the regret, and returns the path of its file.
func (f Folder) trial(t testing.TB, dir string, k int, seed uint64, factor float64) string {
	t.Helper()
	policy, kind, quality := f.Policies[k], Plain, factor*(12+4*float64(k))
	if k < len(f.Kinds) {
		kind = f.Kinds[k]
	}
	i := f.identity(policy, seed)
	rounds := f.Rounds
	var failure *results.Failure
	if f.Fails != nil && f.Fails(policy, seed) {
		rounds, failure = 4, &results.Failure{Round: 5, Cause: f.Cause}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(1000*quality)))
	var played []*bandit.RoundRecord
	for round := 1; round <= rounds; round++ {
		played = append(played, f.record(rng, i, kind, round, quality))
	}
	path := WriteRounds(t, dir, i, failure, played...)
	f.writeSidecar(t, path)
	return path
}

// record makes up a round. Its expected regret varies about meanRegret times f.Scale. Mistakes are in the data rows 0
// to 19, with arm 0 in even rows and arm 1 in odd ones.
func (f Folder) record(rng *rand.Rand, i results.Identity, kind Kind, round int, quality float64) *bandit.RoundRecord {
	mean := meanRegret(i, round, quality)
	r := &bandit.RoundRecord{Round: round, Arms: make([]int, len(i.Environment.Arms))}
	r.Arms[0], r.Arms[1] = i.Protocol.Pulls-8, 8
	r.Expected = max(0, mean*(1+0.3*rng.NormFloat64()))
	r.Realised = r.Expected + 20*rng.NormFloat64()
	scale := cmp.Or(f.Scale, 1)
	r.Expected, r.Realised = scale*r.Expected, scale*r.Realised
	for range int(mean/20) + rng.IntN(2) {
		row := min(rng.IntN(20), rng.IntN(20))
		r.Mistakes = append(r.Mistakes, bandit.Mistake{Row: row, Arm: row % 2})
	}
	if kind == Plain {
		return r
	}
	r.Diagnostics.WeightESS = 3.9
	if kind == Contour {
		r.Diagnostics.Theta = histogram(float64(round), 5+2*rng.Float64())
	}
	for k := range 4 {
		r.Diagnostics.Chains = append(r.Diagnostics.Chains, diagnostics.Chain{
			Energy: 1000*math.Exp(-float64(round)/50) + 10*rng.Float64() + 1, Bin: 3 + k,
			MultiplierMin: 1 - rng.Float64(), MultiplierMean: 1.01, MultiplierMax: 1 + 4*rng.Float64(),
		})
	}
	return r
}

// histogram returns a histogram of 20 bins that is flat in the first rounds, and later is a peak at center.
func histogram(round, center float64) []float64 {
	theta := make([]float64, 20)
	sum := 0.0
	for bin := range theta {
		theta[bin] = math.Exp(-round / 300 * math.Pow(float64(bin)-center, 2))
		sum += theta[bin]
	}
	for bin := range theta {
		theta[bin] /= sum
	}
	return theta
}

var (
	gridPolicies = strings.Fields(`pICSGLD pCSGLD pSGLD Dropout ConstSGD EpsGreedy NeuralLinear LinUCB LinTS LinUCB-shared LinTS-shared Uniform kNN kNNUCB GP
		Bootstrap Ensemble Ensemble++ SGLD SGHMC SGNHT cycSGLD reSGLD ICSGLD CSGLD SVGD SWAG BayesByBackprop Bag Cover SquareCB NeuralSquareCB
		NeuralUCB NeuralTS NeuralSoftmax UCB1 Exp3 Softmax DPMM DPMMVOI RMSProp-long-run NeuralLinear-greedy BootstrapThompson HMC LinearFullPosterior`)
	gridEnvironments = []string{"mushroom", "wheel 0.5", "wheel 0.9", "linear", "friedman", "statlog", "covertype", "drift", "jester"}
)

// Grid writes trials as described by f, for up to 45 policies in up to 9 environments, and returns one set for each
// environment. Environments differ in which policies have low regret, and in the scale of regret. A third of the
// policies have a contour, another third a sampler.
func Grid(t testing.TB, policies, environments int, f Folder) []*results.Set {
	t.Helper()
	dir := t.TempDir()
	var sets []*results.Set
	for e, name := range gridEnvironments[:environments] {
		own := f
		own.Policies, own.Kinds = nil, nil
		for _, k := range shuffled(policies, uint64(e)) {
			own.Policies = append(own.Policies, gridPolicies[k])
			own.Kinds = append(own.Kinds, Kind(k%3))
		}
		own.Scale = float64(1 + 3*e)
		if f.Sidecar != nil {
			sidecar := *f.Sidecar
			sidecar.ConstantArm = &bandit.ConstantArm{Arm: "leave", Regret: 3.1 * own.Scale}
			own.Sidecar = &sidecar
		}
		own.Change = func(i *results.Identity) {
			i.Environment.Name, i.Environment.UniformRegret = strings.Fields(name)[0], results.Number(own.Scale)*i.Environment.UniformRegret
			for arm := len(i.Environment.Arms); arm < 2+2*e; arm++ {
				i.Environment.Arms = append(i.Environment.Arms, fmt.Sprint("arm ", arm+1))
			}
		}
		folder := filepath.Join(dir, fmt.Sprint(e))
		WriteMany(t, folder, own)
		set := must.Get(results.Load(folder))(t)
		if environments > 1 {
			set.Label, set.Named = name, true
		}
		sets = append(sets, set)
	}
	return sets
}

// shuffled returns the numbers from 0 to n−1, nearly sorted, in an order that depends on the environment.
func shuffled(n int, environment uint64) []int {
	rng := rand.New(rand.NewPCG(environment, 0))
	numbers, places := make([]int, n), make([]float64, n)
	for k := range numbers {
		numbers[k], places[k] = k, float64(k)+float64(n)/4*rng.Float64()
	}
	slices.SortFunc(numbers, func(i, j int) int { return cmp.Compare(places[i], places[j]) })
	return numbers
}
