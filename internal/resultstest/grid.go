package resultstest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/results"
)

var (
	gridPolicies = strings.Fields(`pICSGLD pCSGLD pSGLD Dropout ConstSGD EpsGreedy NeuralLinear LinUCB LinTS LinUCB-shared LinTS-shared Uniform kNN kNNUCB GP
		Bootstrap Ensemble Ensemble++ SGLD SGHMC SGNHT cycSGLD reSGLD ICSGLD CSGLD SVGD SWAG BayesByBackprop Bag Cover SquareCB NeuralSquareCB
		NeuralUCB NeuralTS NeuralSoftmax UCB1 Exp3 Softmax DPMM DPMMVOI RMSProp-long-run NeuralLinear-greedy BootstrapThompson HMC LinearFullPosterior`)
	gridEnvironments = []string{"mushroom", "wheel 0.5", "wheel 0.9", "linear", "friedman", "statlog", "covertype", "drift", "jester"}
)

// Grid writes trials as described by f, for up to 45 policies in up to 9 environments, and returns one set for each
// environment. Environments differ in the order of the policies and in the scale of regret. A third of the policies has
// a contour, another third a sampler.
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
