package cli

import (
	"errors"
	"fmt"

	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
)

// mixedError adds the exit code and the cure to an error about trials with different settings.
func mixedError(err error) error {
	var mixed *results.MixedError
	if !errors.As(err, &mixed) {
		return err
	}
	return usageError(fmt.Errorf("%w, or see a table of each setting with\n  %s", err, commandLine("report", mixed.Dir, "--mixed")))
}

// showMixed reads an output folder and returns a set for each setting.
func (a *app) showMixed(dir string) ([]*results.Set, error) {
	sets, err := results.LoadMixed(dir)
	if err != nil {
		return nil, err
	}
	a.warnOf(sets[0])
	a.warnOfReplica(sets...)
	return sets, nil
}

// warnOf warns of the files that are left out of a set.
func (a *app) warnOf(set *results.Set) {
	for _, d := range set.Damaged {
		a.warn("left out: %v", d.Err)
	}
}

func (a *app) warnOfReplica(sets ...*results.Set) {
	replicas := 0
	for _, set := range sets {
		if set.Conditions.Environment.Data.Replica {
			replicas++
		}
	}
	switch {
	case replicas == 0:
	case replicas == len(sets):
		a.warn("the results are of the replica, a stand-in for the real data")
	default:
		a.warn("some of the results are of the replica, a stand-in for the real data")
	}
}

// reportMixed prints a table for each setting in a folder.
func (a *app) reportMixed(dir string, f report.Format) error {
	sets, err := a.showMixed(dir)
	if err != nil {
		return err
	}
	if err := report.Mixed(a.stdout, f, summaries(sets)); err != nil {
		return err
	}
	return incomplete(sets...)
}

// summaries returns what report shows, with the provenance.
func summaries(sets []*results.Set) []*compare.Summary {
	list := make([]*compare.Summary, len(sets))
	for i, set := range sets {
		list[i] = compare.Summarise(set)
		list[i].Provenance = results.ReadProvenance(set)
	}
	return list
}
