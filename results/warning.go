package results

import "fmt"

// A Warning is what a reader of a comparison should know before trusting it.
type Warning struct {
	Kind    WarningKind `json:"kind"`
	Policy  string      `json:"policy,omitempty"` // "" if it concerns all
	Message string      `json:"message"`
}

// A WarningKind tells programs what a warning is about.
type WarningKind string

// The kinds of warnings.
const (
	FewSeeds      WarningKind = "few-seeds"      // fewer than MinSeeds
	NoInterval    WarningKind = "no-interval"    // fewer than two pairs
	UnpairedSeeds WarningKind = "unpaired-seeds" // not every seed has a pair
	FailedTrials  WarningKind = "failed-trials"
	DamagedFiles  WarningKind = "damaged-files"
	ReplicaData   WarningKind = "replica-data"
)

// MinSeeds is the number of seeds below which a t-interval leans too much on
// the assumption that differences are normal.
const MinSeeds = 6

func (c *Comparison) warn(set *Set, base regretBySeed) {
	add := func(kind WarningKind, policy, format string, args ...any) {
		c.Warnings = append(c.Warnings, Warning{kind, policy, fmt.Sprintf(format, args...)})
	}
	if set.Setting.Environment.Data.Replica {
		add(ReplicaData, "", "the data are a stand-in, not the real file")
	}
	most := 0
	for _, d := range c.Differences {
		most = max(most, d.Mean.N)
		all := len(set.Find(d.Policy).Trials)
		all = max(all, len(set.Find(base.label).Trials))
		switch n := d.Mean.N; {
		case n < 2:
			add(NoInterval, d.Policy, "%s: %s in common with %s: no interval, need at least 2", plain(d.Policy), count(n, "seed"), plain(base.label))
		case n < all:
			add(UnpairedSeeds, d.Policy, "%s: only %d of %s in common with %s", plain(d.Policy), n, count(all, "seed"), plain(base.label))
		}
	}
	if 2 <= most && most < MinSeeds {
		add(FewSeeds, "", "%s: need at least %d for intervals to be trusted", count(most, "seed"), MinSeeds)
	}
	for _, p := range set.Policies {
		if seeds := failedSeeds(p.Trials); len(seeds) > 0 {
			add(FailedTrials, p.Label, "%s: %s", plain(p.Label), failedList(seeds))
		}
	}
	if n := len(set.Damaged); n > 0 {
		add(DamagedFiles, "", "%s could not be read", count(n, "trial file"))
	}
}

func failedSeeds(trials []SeedTrial) []uint64 {
	var seeds []uint64
	for _, t := range trials {
		if t.Totals.Failure != nil {
			seeds = append(seeds, t.Seed)
		}
	}
	return seeds
}

// failedList is "2 failed: seeds 3, 7".
func failedList(seeds []uint64) string {
	of := "seeds"
	if len(seeds) == 1 {
		of = "seed"
	}
	return fmt.Sprintf("%d failed: %s %s", len(seeds), of, seedList(seeds))
}
