//go:build unix

package policy

import (
	"fmt"
	"syscall"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior/exact"
)

// BenchmarkLinear is a round of 20 pulls of LinUCB and LinTS: acts on all contexts, then learns from all rewards, in
// processor time too, which other programs disturb less. Contexts are of
// normal numbers or, with 117, the mushrooms' 22 ones.
func BenchmarkLinear(b *testing.B) {
	const pulls, rounds = 20, 50
	for _, c := range []struct {
		dim, arms int
		ones      bool
	}{{10, 2, false}, {10, 10, false}, {64, 2, false}, {64, 10, false}, {117, 2, true}, {117, 10, true}, {117, 2, false}, {117, 10, false}} {
		r := stream.Root(1)
		var all [rounds][]bandit.Round
		for i := range all {
			for range pulls {
				x := make([]float32, c.dim)
				if c.ones {
					for g := range 22 {
						x[g*5+r.IntN(5)] = 1
					}
				} else {
					r.Normals(x)
				}
				all[i] = append(all[i], bandit.Round{Context: x})
			}
		}
		setup := Setup{
			Spec:     bandit.Spec{Dim: c.dim, Arms: make([]string, c.arms)},
			Protocol: bandit.Protocol{Rounds: rounds, Pulls: pulls},
			Stream:   stream.Root(2),
		}
		kind := "dense"
		if c.ones {
			kind = "onehot"
		}
		run := func(name string, p bandit.Policy, err error) {
			b.Run(fmt.Sprintf("%s/%s/dim=%d/arms=%d", name, kind, c.dim, c.arms), func(b *testing.B) {
				must.OK(b, err)
				arms := make([]int, pulls)
				b.ReportAllocs()
				start := processorTime(b)
				for i := 0; b.Loop(); i++ {
					round := all[i%rounds]
					must.OK(b, p.(bandit.BatchActor).ActBatch(arms, round))
					for k, arm := range arms {
						must.OK(b, p.Learn(round[k], arm, float64(round[k].Context[arm])+0.1*r.Float64()))
					}
				}
				b.ReportMetric(float64(processorTime(b)-start)/float64(b.N), "cpu-ns/op")
			})
		}
		ucb := UCBKind(exact.Linear(), 1)
		p, err := ucb.New(ucb.Defaults(), setup)
		run("LinUCB", p, err)
		ts := SamplingKind(exact.Linear())
		p, err = ts.New(ts.Defaults(), setup)
		run("LinTS", p, err)
	}
}

// processorTime returns the nanoseconds of processor time of this process.
func processorTime(b *testing.B) int64 {
	var u syscall.Rusage
	must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}
