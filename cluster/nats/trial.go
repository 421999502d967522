package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/results"
)

// share makes the chains of a cell's policy those of a rank of l.
func share(cell *experiment.Cell, l *link) error {
	for _, k := range append(neural.Paper(), neural.SGLD) {
		if k.Name != cell.Policy.Name || k.Name == neural.EpsGreedy.Name {
			continue
		}
		var o policy.ThompsonOptions[neural.LangevinOptions]
		if err := json.Unmarshal(cell.Policy.Options, &o); err != nil {
			return fmt.Errorf("nats: options of %s: %w", cell.Label, err)
		}
		k.New = func(o neural.LangevinOptions, s posterior.Setup) (posterior.Posterior, error) {
			return newChains(o, s, l)
		}
		kind := policy.ThompsonKind(k)
		cell.NewPolicy = func(s policy.Setup) (bandit.Policy, error) { return kind.New(o, s) }
		return nil
	}
	return fmt.Errorf("nats: %s is %s: only pICSGLD, pCSGLD, pSGLD, SGLD, Dropout and ConstSGD have chains for several processes", cell.Label, cell.Policy.Name)
}

// discard is the recorder of the workers.
type discard struct{}

func (discard) Record(*bandit.RoundRecord) error { return nil }

// A report says what a run cost.
type report struct {
	steps   int64 // gradient steps of all chains
	took    time.Duration
	in, out uint64 // bytes of messages
	refused int
}

// play plays a trial with the other ranks. The root writes its file to dir/trials, in whole or not at all.
func play(cell experiment.Cell, l *link, patience time.Duration, dir string) (report, error) {
	var r report
	if err := share(&cell, l); err != nil {
		return r, err
	}
	var writer *results.Writer
	recorder := bandit.Recorder(discard{})
	if l.rank == 0 {
		folder := filepath.Join(dir, results.TrialsDir)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return r, fmt.Errorf("nats: output folder: %w", err)
		}
		path := filepath.Join(folder, cell.FileName())
		switch _, err := results.Check(path, cell.Identity); {
		case err == nil:
			return r, fmt.Errorf("nats: %s is there already", path)
		case !errors.Is(err, fs.ErrNotExist):
			return r, err
		}
		var err error
		if writer, err = results.Create(folder, cell.Identity); err != nil {
			return r, err
		}
		defer writer.Abort()
		recorder = writer
	}
	trial, player, err := cell.NewTrial(nil, recorder)
	if err != nil {
		return r, err
	}
	if err := l.start(patience); err != nil {
		return r, err
	}
	start := time.Now()
	if err := trial.Run(l.context); err != nil {
		return r, l.fail(err)
	}
	if err := l.conn.FlushTimeout(l.limit); err != nil { // the last answer
		return r, fmt.Errorf("nats: the end of the trial: %w", err)
	}
	r.took = time.Since(start)
	if c, ok := player.(interface{ Steps() int64 }); ok {
		r.steps = c.Steps()
	}
	stats := l.conn.Stats()
	r.in, r.out = stats.InBytes, stats.OutBytes
	l.mu.Lock()
	r.refused = l.refused
	l.mu.Unlock()
	if writer == nil {
		return r, nil
	}
	sidecar := results.Sidecar{
		Label: cell.Label, Environment: cell.EnvironmentLabel, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Command: os.Args,
		TunedSeeds: cell.TunedSeeds, Started: start, Seconds: r.took.Seconds(), Steps: &r.steps,
	}
	if err := results.WriteSidecar(filepath.Join(dir, results.TrialsDir, cell.FileName()), sidecar); err != nil {
		return r, err
	}
	_, err = writer.Finish(nil)
	return r, err
}

// one returns the cell of a trial of an experiment: that with the ID, or the only one.
func one(ctx context.Context, catalog *experiment.Catalog, e experiment.Experiment, id string) (experiment.Cell, error) {
	plan, err := e.Resolve(ctx, catalog)
	if err == nil && id != "" {
		err = plan.Select([]string{id})
	}
	if err != nil {
		return experiment.Cell{}, err
	}
	if n := len(plan.Cells); n != 1 {
		return experiment.Cell{}, fmt.Errorf("nats: the experiment has %d trials: choose one with --trial ID; 'banditsim plan' lists them", n)
	}
	return plan.Cells[0], nil
}
