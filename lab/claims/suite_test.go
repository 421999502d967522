package claims

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/pool"
	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// long enables tests that take minutes: all planted faults in all checks, the long grade and the soak.
var long = flag.Bool("long", os.Getenv("BANDITSIM_LONG") != "", "run all planted faults, the long grade, and 200 seeds of the quick one (also BANDITSIM_LONG=1)")

// Flags to run the soak in parts.
var (
	soakFrom  = flag.Uint64("soak.from", 1000, "first seed of the soak")
	soakSeeds = flag.Uint64("soak.seeds", 200, "seeds of the soak")
	soakOnly  = flag.String("soak.samplers", "", "samplers of the soak, with commas; all if empty")
)

// subjects are the samplers of the catalog.
func subjects() []Sampler {
	return lists.Each(builtin.Default().Samplers, func(s sgmcmc.Subject) Sampler { return Sampler{Subject: s} })
}

// eachCheck calls f for each check that keep accepts, of every sampler of the project, in parallel subtests.
func eachCheck(t *testing.T, keep func(verify.Check) bool, f func(t *testing.T, c verify.Check)) {
	for _, s := range subjects() {
		for _, c := range s.Checks() {
			if !keep(c) {
				continue
			}
			t.Run(s.Name+" "+c.Name, func(t *testing.T) {
				t.Parallel()
				f(t, c)
			})
		}
	}
}

// TestSamplers runs the suite on every sampler of the project, without the slow checks unless long is set. It also bounds the
// probability of a false alarm.
func TestSamplers(t *testing.T) {
	var (
		mutex      sync.Mutex
		statistics int
		blind      float64 // probability that a check fails because it is too imprecise to detect its fault (verify.Blind)
	)
	t.Run("quick", func(t *testing.T) {
		eachCheck(t, everyday, func(t *testing.T, c verify.Check) {
			o := verify.Options{Grade: verify.Quick, Seed: 1, OnEstimate: func(name string, e verify.Estimate, fault float64) {
				mutex.Lock()
				defer mutex.Unlock()
				chance := blindChance(e, fault)
				t.Logf("%s: a fault lies %.1f standard errors out", name, math.Abs(verify.Estimate{Value: fault, SE: e.SE, Replicates: e.Replicates}.Off(0)))
				must.That(t, chance <= 1e-9,
					"%s: it calls itself blind with a probability of %.1g: take more replicates", name, chance)
				blind += chance
			}}
			for _, r := range passes(t, c, o) {
				if r.StdErr > 0 && r.Verdict != verify.Note {
					mutex.Lock()
					statistics += r.Numbers
					mutex.Unlock()
				}
			}
		})
	})
	// The bounds in the documentation of package verify.
	falseAlarm := float64(statistics) * math.Erfc(verify.Limit/math.Sqrt2)
	t.Logf("%d statistics are judged: one is too far off with probability %.1g, one calls itself blind with %.1g", statistics, falseAlarm, blind)
	must.That(t, statistics <= 5000 && falseAlarm < 1e-6/2 && blind < 1e-8,
		"a false alarm is too likely: %g, and %g blind", falseAlarm, blind)
}

// blindChance returns the probability that a run estimates so large a standard error that the fault is less than verify.Blind of
// them. It assumes that the true standard error is e.SE, so that the square of an estimated one is proportional to a χ² variable.
func blindChance(e verify.Estimate, fault float64) float64 {
	df := float64(e.Replicates - 1)
	low, high := 0.0, 1e3 // bounds of the value of Student's t that has the tail probability of verify.Blind
	for range 60 {
		if mid := (low + high) / 2; verify.NormalScore(mid, df) < verify.Blind {
			low = mid
		} else {
			high = mid
		}
	}
	margin := math.Abs(fault) / e.SE / low
	return distuv.ChiSquared{K: df}.Survival(df * margin * margin)
}

// everyday reports whether a check runs in everyday tests: all checks do if long is set, otherwise only those that are not slow.
func everyday(c verify.Check) bool {
	return *long || !slices.Contains([]string{"equilibrium", "frozen contour", "Stein discrepancy", "fixed preconditioner", "variance", "linear regression", "sum of θ", "particles"}, c.Name)
}

// TestBiasOfTheMovingPreconditioner compares the biases that checkMoving notes with results
// of a plain float64 loop with math/rand over 400 coordinates and 50,000 (s = 512) or 1,000,000 (s = 1)
// steps.
func TestBiasOfTheMovingPreconditioner(t *testing.T) {
	s := subject("pSGLD")
	want := []verify.Estimate{{Value: 1.2027, SE: 0.0006, Replicates: 400}, {Value: 1.767, SE: 0.0043, Replicates: 400}}
	i := slices.IndexFunc(s.Checks(), func(c verify.Check) bool { return c.Name == "moving preconditioner" })
	for _, r := range s.Checks()[i].Run(verify.Options{Grade: verify.Quick, Seed: 1}) {
		if r.Verdict != verify.Note {
			continue
		}
		off := (r.Got - want[0].Value) / math.Hypot(r.StdErr, want[0].SE)
		t.Logf("%s: %.2f standard errors off", r, off)
		must.That(t, math.Abs(off) < verify.Limit, "%s, want %g", r, want[0].Value)
		want = want[1:]
	}
	must.That(t, len(want) == 0, "%d figures are not noted", len(want))
}

// TestLongGrade runs the long grade on every sampler.
func TestLongGrade(t *testing.T) {
	if !*long {
		t.Skip("minutes: -long or BANDITSIM_LONG=1")
	}
	all := func(verify.Check) bool { return true }
	eachCheck(t, all, func(t *testing.T, c verify.Check) { passes(t, c, verify.Options{Grade: verify.Long, Seed: 1}) })
}

// passes runs a check and returns its results. It reports a test error for each failure.
func passes(t *testing.T, c verify.Check, o verify.Options) []verify.Result {
	t.Helper()
	results := c.Run(o)
	for _, r := range results {
		must.That(t, r.Verdict != verify.Fail, "seed %d: %s", o.Seed, r)
	}
	return results
}

// TestSoak checks that no sampler fails in the quick grade with any of many seeds. It logs the largest
// |Off| of each check.
func TestSoak(t *testing.T) {
	if !*long {
		t.Skip("an hour: -long or BANDITSIM_LONG=1")
	}
	var (
		mutex   sync.Mutex
		worst   = map[string]verify.Result{}
		numbers = map[string]int{}
		failed  int
	)
	seeds := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	must.OK(t, seeds.Run(t.Context(), int(*soakSeeds), func(i int) error {
		seed, furthest := *soakFrom+uint64(i), 0.0
		for _, s := range subjects() {
			if *soakOnly != "" && !slices.Contains(strings.Split(*soakOnly, ","), s.Name) {
				continue
			}
			for _, r := range verify.Verify(s.Checks(), verify.Options{Grade: verify.Quick, Seed: seed}) {
				mutex.Lock()
				if r.Verdict == verify.Fail {
					failed++
					t.Errorf("%s, seed %d: %s", s.Name, seed, r)
				}
				if r.StdErr > 0 && r.Verdict != verify.Note {
					numbers[r.Check] += r.Numbers
					furthest = max(furthest, math.Abs(r.Off))
					if math.Abs(r.Off) >= math.Abs(worst[r.Check].Off) {
						r.Detail = fmt.Sprintf("%s, seed %d; %s", s.Name, seed, r.Detail)
						worst[r.Check] = r
					}
				}
				mutex.Unlock()
			}
		}
		t.Logf("seed %d: the worst is %.2f", seed, furthest)
		return nil
	}))
	var lines []string
	all := 0
	for check, r := range worst {
		lines = append(lines, fmt.Sprintf("%-22s %6d statistics, the worst %+.2f: %s (%s)", check, numbers[check], r.Off, r.Statistic, r.Detail))
		all += numbers[check]
	}
	slices.Sort(lines)
	t.Logf("%d seeds, %d failures, %d statistics\n%s", *soakSeeds, failed, all, strings.Join(lines, "\n"))
}

// TestExactChecks runs checks without statistics on many seeds, because whether a sampler rejects a move depends on the seed.
func TestExactChecks(t *testing.T) {
	exact := func(c verify.Check) bool {
		return slices.Contains([]string{"same bits", "save and restore", "hostile energies"}, c.Name)
	}
	eachCheck(t, exact, func(t *testing.T, c verify.Check) {
		for seed := range uint64(40) {
			passes(t, c, verify.Options{Grade: verify.Quick, Seed: seed})
		}
	})
}

// TestClaimsThatLack checks that a subject with incomplete or impossible claims fails, with the reason.
func TestClaimsThatLack(t *testing.T) {
	for want, change := range map[string]func(c *sgmcmc.Claims){
		"Memory is nil":                             func(c *sgmcmc.Claims) { c.Memory = nil },
		"Memory(1, 0.01) is not a number":           func(c *sgmcmc.Claims) { c.Memory = func(_, _ float64) float64 { return math.NaN() } },
		"Variance(1, 0.1, 0.01, 1) is not a number": func(c *sgmcmc.Claims) { c.Variance = func(_, _, _, _ float64) float64 { return -1 } },
		"has no method Momentum() [][]float32":      func(c *sgmcmc.Claims) { c.MomentumVariance = c.Variance },
	} {
		s := subject("SGLD")
		change(&s.Claims)
		i := slices.IndexFunc(s.Checks(), func(c verify.Check) bool { return c.Name == "claims" || c.Name == "variance" })
		r := s.Checks()[i].Run(verify.Options{Grade: verify.Quick, Seed: 1})
		must.That(t, len(r) == 1 && r[0].Verdict == verify.Fail && strings.Contains(r[0].Detail, want), "want %q, results %v", want, r)
		must.That(t, s.Claims.Memory != nil || len(s.Checks()) == 1, "%s: there are other checks", want)
	}
}

// TestWorkedSteps checks that every sampler of the project has steps worked out by hand, except ConstSGD, which
// shares the code of SGLD.
func TestWorkedSteps(t *testing.T) {
	for _, s := range subjects() {
		must.That(t, len(worked.Of(s.Name)) != 0 || s.Name == "ConstSGD", "package worked has no steps of %s", s.Name)
	}
}

// TestWithoutAClosedForm checks that a sampler that claims no variance passes the comparison with the limit of small
// steps, and that this comparison detects errors of the noise. Without long the step size is four times as large,
// which leaves an extrapolation error of one standard error of the variance, and the regression is skipped.
func TestWithoutAClosedForm(t *testing.T) {
	t.Parallel()
	s := subject("pSGLD")
	s.Claims.Variance, s.Claims.Autocorrelation = nil, nil
	if !*long {
		s.Claims.FineRate *= 4
	}
	build := s.New
	for fault, heat := range map[string]func(temperature float64) float64{
		"": func(t float64) float64 { return t }, "5 % off": func(t float64) float64 { return 1.05 * t }, "τ²": func(t float64) float64 { return t * t },
	} {
		s.New = func(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (posterior.Sampler, error) {
			o.Temperature = heat(o.Temperature)
			return build(o, u)
		}
		for _, c := range s.Checks() {
			if c.Name != "variance" && (c.Name != "linear regression" || fault != "" || !*long) {
				continue
			}
			r := c.Run(verify.Options{Grade: verify.Quick, Seed: 1})
			must.That(t, verify.Failed(r) == (fault != ""), "noise variance %q, %s: %v", fault, c.Name, r)
		}
	}
}

// TestManyChains checks that a sampler with a contour may need more chains than the five of checkDegenerate.
func TestManyChains(t *testing.T) {
	s := subject("ICSGLD")
	s.Claims.Chains = 6
	i := slices.IndexFunc(s.Checks(), func(c verify.Check) bool { return c.Name == "degenerate contour" })
	passes(t, s.Checks()[i], verify.Options{Grade: verify.Quick, Seed: 1})
}

// TestCoupledMoments checks the autocorrelation and the momentum of coupled samplers, whose replicates have several parts.
func TestCoupledMoments(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"SGLD", "SGHMC"} {
		s := subject(name)
		s.Claims.Coupled, s.Claims.Chains = true, 1
		check := verify.Check{Name: "unit", Do: func(j *verify.Judge) { (&judge{j}).gaussian(s, gaussianCases[0]) }}
		passes(t, check, verify.Options{Grade: verify.Quick, Seed: 1})
	}
}
